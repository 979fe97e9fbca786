"""A Chess SA rating period: which game counts where, and what becomes of raw, weighted and published ratings."""

import math
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings

from config.lib.editions import EditionError, edition_on
from ratings.systems.chessa import EDITIONS, edition_for, rate
from ratings.systems.chessa.columns import LISTS, PeriodColumns
from tests.ratings.systems.chessa_builder import (
    BLITZ,
    RAPID,
    STANDARD,
    document,
    event,
    game,
    outcome,
    performances,
    periods,
    player,
    rate_case,
    read,
)

WIN = 32 * (1 - 0.541767)  # of White against an equal at K 32


def _two(*events, **fields):
    return document([player("a", 1400), player("b", 1400)], list(events), **fields)


@pytest.mark.rule("chessa 20.1", "chessa 23", "chessa 24")
@pytest.mark.parametrize(
    ("control", "lists"),
    [
        ({"base": 90, "increment": 30}, {"main", "standard"}),
        (STANDARD, {"main", "standard"}),
        (RAPID, {"main", "rapid"}),
        (BLITZ, {"main", "blitz"}),
        ({"base": 3, "increment": 1}, set()),
    ],
)
def test_a_game_counts_on_main_and_on_the_list_of_its_type(control, lists):
    # Articles 20, 23 and 24; a classical game is a standard game.
    case = _two(event(game("a", "b"), control=control))
    assert {name for name in LISTS if outcome(case, "a", name)["games"]} == lists
    assert {name for name in LISTS if outcome(case, "a", name)["raw"] != 1400} == lists


@pytest.mark.rule("chessa 26", "chessa 41")
def test_the_tournament_weight_is_for_main_only():
    # Articles 26 and 41.
    case = _two(event(game("a", "b"), control=BLITZ))
    assert outcome(case, "a", "blitz")["change"] == pytest.approx(WIN)
    assert outcome(case, "a", "main")["change"] == pytest.approx(WIN * 0.180, abs=0.01)
    assert rate_case(case).by_event.tw.tolist() == pytest.approx([0.180, 0.180, 1, 1], abs=0.0005)


@pytest.mark.rule("chessa 46")
@pytest.mark.parametrize("result", ["+--", "--+", "---"])
def test_forfeits_are_not_rated(result):
    # Article 46.
    case = _two(event(game("a", "b", result)))
    assert outcome(case, "a")["games"] == 0
    assert outcome(case, "a")["raw"] == 1400


@pytest.mark.rule("chessa 48", "chessa 65")
def test_no_event_sees_another_of_the_period():
    once = outcome(_two(event(game("a", "b"))), "a")["change"]
    twice = outcome(_two(event(game("a", "b")), event(game("a", "b"), id="later", age=1)), "a")["change"]
    assert twice == pytest.approx(2 * once, abs=1e-12)


@pytest.mark.rule("chessa 31", "chessa 56")
def test_an_unrated_player_starts_at_1200_with_k_40_and_counts_1200_for_others():
    # Article 56. White's win against an equal is worth 40 × 0.458233 to him; his opponent has K 36.
    case = document([player("new"), player("b", 1200)], [event(game("new", "b"))])
    new = outcome(case, "new")
    assert new["raw"] == pytest.approx(1200 + 40 * 0.458233)
    assert new["k"] == 40
    assert outcome(case, "b")["raw"] == pytest.approx(1200 - 36 * 0.458233)
    assert new["highest"] == new["published"] == new["raw"]
    assert new["weighted"] == pytest.approx(1200 + 24 / 300 * 40 * 0.458233)


@pytest.mark.rule("chessa 24")
def test_a_player_is_rated_list_by_list():
    case = document([player("new"), player("b", 1200)], [event(game("new", "b"))])
    assert [outcome(case, "new", name)["rated"] for name in LISTS] == [True, True, False, False]
    assert math.isnan(outcome(case, "new", "rapid")["published"])


@pytest.mark.rule("chessa 31", "chessa 42")
def test_k_and_floor_go_by_the_highest_rating_not_by_the_raw_one():
    # Articles 31 and 42.
    case = document([player("a", 1400, highest=1850), player("b", 1400)], [event(game("a", "b"))])
    assert outcome(case, "a")["k"] == 24
    assert outcome(case, "a")["floor"] == 1350


@pytest.mark.rule("chessa 42")
def test_the_floor_holds_without_a_game_too():
    case = document([player("a", 1400, highest=1950)], [])
    assert outcome(case, "a")["raw"] == 1450
    assert outcome(case, "a")["floored"]


@pytest.mark.rule("chessa 10.1", "chessa 10.2", "chessa 43", "chessa 44", "chessa 45")
def test_opponents_abroad_are_adjusted():
    # Article 45: 2100 FIDE is 2162, 1500 is 1590, and so is a performance of 1500.
    for side, rating in (
        ({"fide": 2100}, 2162),
        ({"fide": 1500}, 1590),
        ({"performance": 1500}, 1590),
        ({"rating": 1500}, 1500),
    ):
        result = rate_case(document([player("a", 1400)], [event(game("a", side, "1/2-1/2"))]))
        assert result.by_event.average_opponent.tolist() == pytest.approx([rating, rating])
        assert np.isnan(result.by_game.change[:, 1, 0]).all()


@pytest.mark.rule("chessa 28", "chessa 29")
def test_performance_is_of_the_list_with_the_opponents_ratings_there():
    # Articles 28 and 29: 2 of 3 against an average of 1500 on Main, 1600 on Standard.
    lists = {"main": {"raw": 1500}, "standard": {"raw": 1600}}
    games = [game("a", "b"), game("b", "a"), game("a", "b"), game("a", "b", "+--")]
    result = rate_case(document([player("a", 1400), player("b", lists=lists)], [event(*games)]))
    mine = result.by_event.player == 0
    assert result.by_event.performance[mine].tolist() == pytest.approx([1500 + 850 / 6, 1600 + 850 / 6])
    assert result.by_event.games[mine].tolist() == [3, 3]
    assert result.by_event.score[mine].tolist() == [2, 2]


@pytest.mark.rule("chessa 39", "chessa 40")
def test_a_higher_weighted_performance_raises_the_raw_rating():
    # Articles 39 and 40; 1453 keeps the weighted performance within the greatest change of article 47.
    stored = performances(*[(1460.0, "standard", 11)] * 5)
    case = document(
        [player("a", lists={"standard": {"raw": 1400, "last_performances": stored}}), player("b", 1410)],
        [event(game("a", "b", "1/2-1/2"))],
    )
    result = outcome(case, "a")
    wp = (1410 * 5 * 2910 + 1460 * 10 * 2909) / 2920 / 15
    assert result["weighted_performance"] == pytest.approx(wp)
    assert result["raised"]
    assert not result["capped"]
    assert result["raw"] == result["weighted_performance"] > result["temporary"]


@pytest.mark.rule("chessa 40", "chessa 47")
def test_the_rise_by_weighted_performance_stops_at_the_greatest_change():
    stored = performances(*[(1900.0, "standard", 11)] * 5)
    case = document(
        [player("a", lists={"standard": {"raw": 1400, "last_performances": stored}}), player("b", 1400)],
        [event(game("a", "b"))],
    )
    result = outcome(case, "a")
    assert result["raised"]
    assert result["capped"]
    assert result["raw"] == 1400 + result["limit"]


@pytest.mark.rule("chessa 40")
def test_a_weighted_performance_under_the_temporary_rating_raises_nothing():
    stored = performances(*[(1225.0, "standard", 11)] * 5)
    case = document(
        [player("a", lists={"standard": {"raw": 1400, "last_performances": stored}}), player("b", 1400)],
        [event(*[game("a", "b")] * 3)],
    )
    result = outcome(case, "a")
    assert 1400 < result["weighted_performance"] < result["temporary"] == result["raw"]
    assert not result["raised"]
    assert not result["capped"]


@pytest.mark.rule("chessa 40")
def test_a_lower_weighted_performance_changes_nothing():
    stored = performances(*[(900.0, "standard", 11)] * 5)
    case = document(
        [player("a", lists={"standard": {"raw": 1400, "last_performances": stored}}), player("b", 1400)],
        [event(game("a", "b"))],
    )
    result = outcome(case, "a")
    assert not result["raised"]
    assert result["raw"] == result["temporary"]


@pytest.mark.rule("chessa 40")
def test_without_a_game_no_weighted_performance_is_applied():
    stored = performances(*[(1900.0, "standard", 11)] * 5)
    case = document([player("a", lists={"standard": {"raw": 1400, "last_performances": stored}})], [])
    result = outcome(case, "a")
    assert math.isnan(result["weighted_performance"])
    assert result["raw"] == 1400


@pytest.mark.rule("chessa 51")
def test_penalties_fall_on_main_and_the_list_of_the_section():
    # Articles 51 to 54.
    case = _two(event(game("a", "b", "--+"), control=RAPID), penalties=[{"player": "a", "event": "e", "points": 20}])
    assert [outcome(case, "a", name)["raw"] for name in LISTS] == [1380, 1400, 1380, 1400]


@pytest.mark.rule("chessa 51")
def test_a_section_that_is_not_rated_deducts_nothing():
    case = _two(
        event(game("a", "b"), control={"base": 3, "increment": 0}),
        penalties=[{"player": "a", "event": "e", "points": 20}],
    )
    assert [outcome(case, "a", name)["raw"] for name in LISTS] == [1400] * 4


@pytest.mark.rule("chessa 42", "chessa 54")
def test_penalties_come_after_the_greatest_change_and_stop_at_the_floor():
    case = document(
        [player("a", 1110, highest=1600), player("b", 2500)],
        [event(game("b", "a"))],
        penalties=[{"player": "a", "event": "e", "points": 20}],
    )
    result = outcome(case, "a")
    assert result["penalty"] == 20
    assert result["raw"] == 1100
    assert result["floored"]


@pytest.mark.rule("chessa 64")
def test_an_adjustment_corrects_the_raw_rating_and_is_no_game():
    case = document(
        [player("a", 1400, highest=1450)], [], adjustments=[{"player": "a", "list": "standard", "points": 49.75}]
    )
    figures = outcome(case, "a")
    assert (figures["raw"], figures["adjustment"], figures["games"], figures["change"]) == (1449.75, 49.75, 0, 0)
    assert (figures["published"], figures["highest"]) == (1449.75, 1450)
    assert outcome(case, "a", "main")["raw"] == 1400


@pytest.mark.rule("chessa 42", "chessa 47", "chessa 64")
@pytest.mark.parametrize(("points", "raw"), [(500.0, 2000.0), (-99.75, 1400.25), (-100.0, 1400.0), (-100.25, 1400.0)])
def test_an_adjustment_passes_the_greatest_change_and_stops_at_the_floor(points, raw):
    case = document(
        [player("a", 1500, highest=1900)], [], adjustments=[{"player": "a", "list": "main", "points": points}]
    )
    figures = outcome(case, "a", "main")
    assert figures["raw"] == raw
    assert figures["floored"] is (points < -100)


@pytest.mark.rule("chessa 64")
def test_adjustments_add_up_after_penalties_and_an_unrated_player_has_nothing_to_adjust():
    case = document(
        [player("a", 1400), player("new")],
        [event(game("a", "new", "--+"))],
        penalties=[{"player": "a", "event": "e", "points": 20}],
        adjustments=[
            {"player": "a", "list": "standard", "points": 10},
            {"player": "a", "list": "standard", "points": 2.5},
            {"player": "new", "list": "standard", "points": 30},
        ],
    )
    assert outcome(case, "a")["raw"] == 1392.5
    assert outcome(case, "new")["rated"] is False


@pytest.mark.rule("chessa 64")
@settings(max_examples=60, deadline=None)
@given(periods())
def test_what_is_not_adjusted_keeps_every_bit(case):
    adjusted = {(row["player"], row["list"]) for row in case["adjustments"]}
    plain = read({name: value for name, value in case.items() if name != "adjustments"})
    before, after = rate(plain.columns, plain.edition), rate_case(case)
    others = np.array([[(name, code) not in adjusted for name in plain.player_ids] for code in LISTS])
    for name in ("raw", "weighted", "published", "highest", "change", "games", "k"):
        np.testing.assert_array_equal(getattr(after, name)[others], getattr(before, name)[others])
    np.testing.assert_array_equal(after.by_event.performance, before.by_event.performance)


@pytest.mark.rule("chessa 53")
def test_an_unrated_players_penalty_waits_for_his_first_rating():
    # Article 53: 20 waited on Blitz, 20 come now on Main and Standard, where he plays too.
    case = document(
        [
            player("new", lists={"standard": {"pending_penalty": 40}, "blitz": {"pending_penalty": 20}}),
            player("b", 1200),
        ],
        [event(game("new", "b"))],
        penalties=[{"player": "new", "event": "e", "points": 20}],
    )
    standard, main, blitz = (outcome(case, "new", name) for name in ("standard", "main", "blitz"))
    assert standard["raw"] == pytest.approx(1200 + 40 * 0.458233 - 60)
    assert main["penalty"] == 20
    assert standard["pending_penalty"] == main["pending_penalty"] == 0
    assert blitz["pending_penalty"] == 20
    assert not blitz["rated"]


@pytest.mark.rule("chessa 49", "chessa 50")
def test_published_is_the_higher_of_raw_and_weighted_and_highest_follows_it():
    # Articles 49 and 50; 23 earlier ratings of 1500 and a raw one of 1400.
    history = [1400.0, *[1500.0] * 23]
    case = document([player("a", 1400, raw_history=history, highest=1470)], [])
    result = outcome(case, "a")
    weighted = (1400 * (24 + 23) + 1500 * (300 - 47)) / 300
    assert result["weighted"] == pytest.approx(weighted)
    assert result["published"] == result["highest"] == result["weighted"]


@pytest.mark.rule("chessa 49")
def test_missing_raw_ratings_count_1200():
    result = outcome(document([player("a", 1500)], []), "a")
    assert result["weighted"] == pytest.approx((1500 * 47 + 1200 * (300 - 47)) / 300)


@pytest.mark.rule("chessa 49")
def test_the_window_moves_on_period_by_period():
    """Thirty periods on from the standings that each one leaves, against the definition of article 49."""
    random = np.random.default_rng(7)
    period = read(_two(event(*[game("a", "b")] * 3)))
    columns, history = period.columns, [[1400.0], [1400.0]]
    for _ in range(30):
        oldest = np.full((4, 2), 1200.0)
        oldest[1] = [(ratings + [1200.0] * 24)[23] for ratings in history]
        score = random.choice([0.0, 0.5, 1.0], len(columns.event))
        now = _replaced(columns, oldest=oldest, white_score=score)
        result = rate(now, period.edition)
        for row, ratings in enumerate(history):
            ratings.insert(0, float(result.raw[1, row]))
            window = (ratings + [1200.0] * 24)[:24]
            expected = sum(rating * (25 - i) for i, rating in enumerate(window, start=1)) / 300
            assert result.weighted[1, row] == pytest.approx(expected, abs=1e-9)
        columns = _replaced(now, standings=result.standings)
    assert len(history[0]) == 31


@pytest.mark.rule("chessa 49")
def test_the_window_of_an_unrated_player_waits_at_1200():
    period = read(document([player("a"), player("b", 1400)], [event(game("a", "b"))]))
    columns = period.columns
    none = np.zeros(0, dtype=np.int64)
    quiet = _replaced(columns, event=none, white=none, black=none, white_score=np.zeros(0), guest=np.zeros(0))
    after = rate(quiet, period.edition).standings
    assert after.window_sum[:, 0].tolist() == [24 * 1200] * 4
    assert after.window_weighted[:, 0].tolist() == [300 * 1200] * 4
    later = rate(_replaced(columns, standings=after), period.edition)
    assert later.weighted[1, 0] == rate(columns, period.edition).weighted[1, 0]


@pytest.mark.rule("chessa 23")
def test_games_too_fast_to_be_rated_have_no_figures():
    case = _two(event(game("a", "b"), control={"base": 4, "increment": 0}), event(game("a", "b"), id="f"))
    by_game = rate_case(case).by_game
    for values in (by_game.opponent, by_game.expected, by_game.change):
        assert np.isnan(values[..., 0]).all()
        assert not np.isnan(values[..., 1]).any()


def _replaced(columns: PeriodColumns, **changed) -> PeriodColumns:
    return PeriodColumns(**{name: getattr(columns, name) for name in PeriodColumns.__dataclass_fields__} | changed)


def test_a_period_without_anything_moves_the_window_only():
    result = rate_case(document([player("a", 1400), player("b")], []))
    assert result.raw[:, 0].tolist() == [1400] * 4
    assert np.isnan(result.raw[:, 1]).all()
    assert result.by_event.event.size == 0
    assert result.by_game.change.shape == (2, 2, 0)


def test_a_period_without_players():
    assert rate_case(document([], [])).raw.shape == (4, 0)


def test_columns_that_come_in_are_left_as_they_are():
    period = read(_two(event(game("a", "b")), penalties=[{"player": "a", "event": "e", "points": 20}]))
    before = period.columns.standings.raw.copy(), period.columns.standings.recent_performance.copy()
    rate(period.columns, period.edition)
    np.testing.assert_array_equal(before[0], period.columns.standings.raw)
    np.testing.assert_array_equal(before[1], period.columns.standings.recent_performance)


@pytest.mark.rule("chessa 1", "chessa 3", "chessa 12.1")
def test_periods_before_the_first_edition_are_rated_by_it():
    with pytest.raises(EditionError, match="no edition"):
        edition_on(EDITIONS, date(2023, 12, 31))
    assert edition_for(date(2019, 5, 1)) is edition_for(date(2024, 1, 1)) is EDITIONS[0]
