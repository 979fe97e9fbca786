"""Chess SA cases: the worked example, figures of an independent implementation, what is refused, and the way back."""

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from config.lib.editions import EditionError
from ratings.cases.chessa import CaseEvent, answer, read_case, write_case
from ratings.cases.fields import CaseError, Node
from ratings.systems.base import RatingError, TimeControl
from ratings.systems.chessa import rate
from ratings.systems.chessa.columns import LISTS, PeriodColumns, StandingColumns
from tests.ratings.systems.chessa_builder import STANDARD, document, event, game, performances, periods, player, read

DATA = Path(__file__).parent / "chessa"
WORKED = json.loads((DATA / "worked_example.json").read_text(encoding="utf-8"))
RANDOM = json.loads((DATA / "random.json").read_text(encoding="utf-8"))


@pytest.mark.rule(
    "chessa 28",
    "chessa 31",
    "chessa 33",
    "chessa 36",
    "chessa 40",
    "chessa 41",
    "chessa 42",
    "chessa 47",
    "chessa 49",
    "chessa 50",
    "chessa 53",
    "chessa 54",
)
@pytest.mark.parametrize("case", [WORKED, *RANDOM], ids=lambda case: case["id"])
def test_the_answer_agrees_with_the_expected_figures(case):
    players = answer(Node(case, ""))["players"]
    for name, lists in case["expected"]["players"].items():
        for list_name, figures in lists.items():
            for field, value in figures.items():
                place = f"{name}.{list_name}.{field}"
                assert players[name][list_name].get(field) == (
                    value if value is None else pytest.approx(value, abs=case["tolerance"])
                ), place


def test_the_random_cases_reach_every_rule():
    reached = {"limited": 0, "raised": 0, "capped": 0, "floored": 0, "penalty": 0, "pending_penalty": 0}
    for case in RANDOM:
        period = read(case)
        result = rate(period.columns, period.edition)
        for name in reached:
            reached[name] += int((getattr(result, name) > 0).sum())
    assert all(reached.values()), reached


@pytest.mark.rule("chessa 36", "chessa 49", "chessa 50")
@pytest.mark.parametrize(
    ("list_name", "field", "tolerance"),
    [
        ("rapid", "raw", 0.06),
        ("rapid", "weighted", 0.06),
        ("rapid", "published", 0.06),
        # The example rounds A and R − We to two places: a point or so in the weighted performance.
        ("rapid", "weighted_performance", 0.4),
        ("main", "weighted_performance", 1.6),
        ("standard", "weighted_performance", 1.8),
        ("standard", "weighted", 0.3),
        ("blitz", "weighted", 0.2),
    ],
)
def test_the_printed_figures_that_no_misprint_touches(list_name, field, tolerance):
    figure = answer(Node(WORKED, ""))["players"]["P"][list_name][field]
    assert figure == pytest.approx(WORKED["printed"][list_name][field], abs=tolerance)


def test_an_unrated_list_has_only_what_means_something():
    case = document([player("a", lists={"blitz": {"pending_penalty": 20}})], [])
    assert answer(Node(case, ""))["players"]["a"]["blitz"] == {"rated": False, "games": 0, "pending_penalty": 20}


def _set(place, value):
    """The case of `_valid` with another value at a place: keys and indices."""

    def change(case):
        target = case
        for key in place[:-1]:
            target = target[key]
        target[place[-1]] = value

    return change


def _valid():
    lists = {
        "main": {"raw": 1400.5, "highest": 1500, "raw_history": [1400.5, 1390], "pending_penalty": 0},
        "standard": {"raw": 1400, "last_performances": performances((1400, "standard", 40))},
    }
    return document(
        [player("a", lists=lists), player("b", 1400)],
        [event(game("a", "b"), game("a", {"fide": 2100}))],
        penalties=[{"player": "a", "event": "e", "points": 20}],
        adjustments=[{"player": "a", "list": "main", "points": -5.5}],
        options={},
        rules="2024",
    )


STANDING = ("players", 0, "lists", "main")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set(["calculated_on"], None), "calculated_on: a text was expected, found nothing"),
        (_set(["calculated_on"], "2024-02-30"), "calculated_on: a date YYYY-MM-DD was expected"),
        (_set(["rules"], "2023"), "no edition “2023”: choose one of 2024"),
        (_set(["options"], {"half_k": True}), "options.half_k: unknown field"),
        (_set(["penalities"], []), "penalities: unknown field"),
        (_set(["players"], None), "players: a list was expected"),
        (_set(["players", 1, "id"], "a"), "players[1].id: player 'a' stands twice"),
        (_set(["players", 0, "lists", "bullet"], {}), "players[0].lists.bullet: unknown field"),
        (_set([*STANDING, "rating"], 1400), "players[0].lists.main.rating: unknown field"),
        (_set([*STANDING, "raw"], "1400"), "players[0].lists.main.raw: a number was expected"),
        (_set([*STANDING, "raw"], None), "players[0].lists.main.raw: a number was expected beside highest"),
        (_set([*STANDING, "raw_history"], [1400.4]), "players[0].lists.main.raw_history: the first rating must be raw"),
        (_set([*STANDING, "raw_history"], []), "players[0].lists.main.raw_history: the first rating must be raw"),
        (
            _set([*STANDING, "raw_history"], [1400.5] * 25),
            "players[0].lists.main.raw_history: at most 24 ratings were expected, found 25",
        ),
        (_set([*STANDING, "raw_history"], [1400.5, "x"]), "players[0].lists.main.raw_history[1]: a number"),
        (_set([*STANDING, "pending_penalty"], -1), "players[0].lists.main.pending_penalty: at least 0"),
        (
            _set([*STANDING, "last_performances"], [{"performance": 1, "type": "bullet", "ended": "2024-01-01"}]),
            "players[0].lists.main.last_performances[0].type: one of standard, rapid, blitz",
        ),
        (
            _set(["players", 0, "lists", "standard", "last_performances", 0, "type"], "rapid"),
            "players[0].lists.standard.last_performances[0].type: one of standard was expected",
        ),
        (
            _set(["players", 0, "lists", "standard", "last_performances", 0, "ended"], "2024-04-02"),
            "players[0].lists.standard.last_performances[0].ended: the event ended after the day of calculation",
        ),
        (_set(["events", 0, "ended"], None), "events[0].ended: the day on which the event ended was expected"),
        (_set(["events", 0, "ended"], "2024-04-02"), "events[0].ended: the event ended after the day of calculation"),
        (_set(["events", 0, "time_control"], None), "events[0].time_control: the time control of the event"),
        (_set(["events", 0, "time_control"], {"base": 5}), "events[0].time_control.increment: a number"),
        (_set(["events", 0, "games", 0, "white"], "z"), "events[0].games[0].white: player 'z' is not among"),
        (_set(["events", 0, "games", 0, "black"], "a"), "events[0].games[0].black: player 'a' plays against himself"),
        (_set(["events", 0, "games", 0, "result"], "1-1"), "events[0].games[0].result: one of"),
        (_set(["events", 0, "games", 1, "black"], {"elo": 1}), "events[0].games[1].black.elo: unknown field"),
        (_set(["penalties", 0, "player"], "z"), "penalties[0].player: player 'z' is not among"),
        (_set(["penalties", 0, "event"], "z"), "penalties[0].event: event 'z' is not among"),
        (_set(["penalties", 0, "points"], None), "penalties[0].points: a number was expected"),
        (_set(["adjustments", 0, "player"], "z"), "adjustments[0].player: player 'z' is not among"),
        (_set(["adjustments", 0, "list"], "uscf"), "adjustments[0].list: one of main, standard, rapid, blitz"),
        (_set(["adjustments", 0, "points"], None), "adjustments[0].points: a number was expected"),
    ],
)
def test_a_case_that_cannot_be_read_is_refused_with_its_place(change, message):
    case = _valid()
    answer(Node(case, ""))
    change(case)
    with pytest.raises((CaseError, RatingError, EditionError)) as refused:
        answer(Node(case, ""))
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("path", [["options"], ["events", 0, "games", 0, "white"]])
def test_a_refusal_is_short_however_long_a_name_is(path):
    case, name = _valid(), "x" * 3_000_000
    _set(path, {name: 1} if path == ["options"] else name)(case)
    with pytest.raises(CaseError) as refused:
        answer(Node(case, ""))
    assert len(str(refused.value)) < 2_100


def test_an_event_that_ended_on_the_day_of_calculation_is_rated():
    case = _valid()
    case["events"][0]["ended"] = case["calculated_on"]
    assert answer(Node(case, ""))["players"]["a"]["main"]["games"] == 2


def test_stored_performances_are_put_in_order_and_the_newest_five_kept():
    stored = performances(*[(1000.0 + age, "standard", age) for age in (70, 10, 60, 20, 50, 30, 40)])
    case = document([player("a", lists={"standard": {"raw": 1400, "last_performances": stored}})], [])
    assert read(case).columns.standings.recent_performance[1, 0].tolist() == [1010, 1020, 1030, 1040, 1050]


@pytest.mark.rule("chessa 49")
def test_the_24th_rating_leaves_the_window_and_missing_ones_count_1200():
    ratings = [1400.0 - number for number in range(24)]
    case = document(
        [player("a", 1400, raw_history=ratings), player("b", 1400, raw_history=ratings[:23]), player("c")], []
    )
    columns = read(case).columns
    assert columns.oldest[0].tolist() == [1377, 1200, 1200]
    assert columns.standings.window_sum[0].tolist() == [sum(ratings), sum(ratings[:23]) + 1200, 24 * 1200]


def _write(case):
    """A case from the columns of a case."""
    period = read(case)
    columns = period.columns
    history = np.full((len(LISTS), len(period.player_ids), 24), np.nan)
    for row, listed in enumerate(case["players"]):
        for index, name in enumerate(LISTS):
            standing = listed.get("lists", {}).get(name, {})
            ratings = standing.get("raw_history", [standing["raw"]] if "raw" in standing else [])
            history[index, row, : len(ratings)] = ratings
    return write_case(
        id=case["id"],
        calculated_on=date.fromordinal(columns.calculated_on),
        edition=period.edition,
        player_ids=period.player_ids,
        events=[
            CaseEvent(listed["id"], date.fromisoformat(listed["ended"]), TimeControl(**listed["time_control"]))
            for listed in case["events"]
        ],
        columns=columns,
        raw_history=history,
        result=rate(columns, period.edition),
        source="written back",
    )


def _assert_same_columns(before: PeriodColumns, after: PeriodColumns) -> None:
    for name in PeriodColumns.__dataclass_fields__:
        if name == "standings":
            continue
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name), err_msg=name)
    for name in StandingColumns.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(after.standings, name), getattr(before.standings, name), err_msg=name)


@settings(max_examples=60, deadline=None)
@given(periods())
def test_write_read_and_rate_come_back_to_the_same_bits(case):
    written = json.loads(json.dumps(_write(case), allow_nan=False))
    _assert_same_columns(read(case).columns, read(written).columns)
    assert answer(Node(written, ""))["players"] == written["expected"]["players"]


@pytest.mark.parametrize("case", [WORKED, *RANDOM[:3]], ids=lambda case: case["id"])
def test_recorded_cases_are_written_back(case):
    written = json.loads(json.dumps(_write(case)))
    assert read_case(Node(written, "")).player_ids == tuple(listed["id"] for listed in case["players"])
    _assert_same_columns(read(case).columns, read(written).columns)


def test_rounds_are_written_where_known():
    case = document([player("a", 1400), player("b", 1400)], [event(game("a", "b"), control=STANDARD)])
    period = read(case)
    written = write_case(
        id="x",
        calculated_on=date(2024, 4, 1),
        edition=period.edition,
        player_ids=period.player_ids,
        events=[CaseEvent("e", date(2024, 3, 22), TimeControl(60, 0))],
        columns=period.columns,
        raw_history=np.full((4, 2, 24), 1400.0),
        result=rate(period.columns, period.edition),
        rounds=[7],
    )
    assert written["events"][0]["games"] == [{"round": 7, "white": "a", "black": "b", "result": "1-0"}]


def test_a_history_that_does_not_begin_with_raw_is_not_written():
    period = read(document([player("a", 1400)], []))
    with pytest.raises(RatingError, match="do not begin with raw"):
        write_case(
            id="x",
            calculated_on=date(2024, 4, 1),
            edition=period.edition,
            player_ids=period.player_ids,
            events=[],
            columns=period.columns,
            raw_history=np.full((4, 1, 24), 1399.0),
            result=rate(period.columns, period.edition),
        )
