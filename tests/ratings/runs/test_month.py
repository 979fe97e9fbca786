"""A month in the database has exactly the figures of the pure calculation, with ranks, regions and what came before."""

from datetime import date

import numpy as np
import pytest
from django.db.models import FloatField
from django.db.models.functions import Cast

from events.models import Game, Guest, Penalty, RatingPeriod
from events.operations import EventError, accept_event, return_event
from ratings.cases.answer import answer_document
from ratings.models import Performance, Rating, RatingList
from ratings.runs.snapshot import RECENT_DTYPE
from tests.builders import (
    CLOCK,
    MARCH,
    calculate,
    event_of,
    everything,
    months,
    open_file,
    people,
    period,
    publish,
    region,
    submitted,
)

pytestmark = pytest.mark.django_db
APRIL = date(2024, 4, 1)
FIGURES = ("change", "weighted_performance", "raw", "weighted", "published", "highest", "pending_penalty")


def figures(run, player, code="main"):
    """What a run wrote for a player on a list, doubles."""
    exact = {f"exact_{name}": Cast(name, FloatField()) for name in FIGURES}
    row = Rating.objects.filter(run=run, player=player, list__code=code).annotate(**exact).first()
    if row is None:
        return None
    return {name: getattr(row, f"exact_{name}") for name in FIGURES} | {"games": row.games, "k": row.k}


def listed(code="main", **filters):
    rows = Rating.objects.filter(list__code=code, raw__isnull=False, **filters).order_by("position")
    return list(rows.values_list("player__last_name", "rank", "position"))


def rated(events, players, calculated_on="2024-04-01", **fields):
    """The pure calculation's answer for players without a rating: {player: {list: figures}}."""
    case = {
        "id": "month",
        "system": "chessa",
        "calculated_on": calculated_on,
        "players": [{"id": one.number, "lists": {}} for one in players],
        "events": [
            {
                "id": f"e{index}",
                "ended": ended,
                "time_control": {"base": base, "increment": 0},
                "games": [{"white": w.number, "black": b.number, "result": result} for w, b, result in games],
            }
            for index, (ended, base, games) in enumerate(events)
        ],
        **fields,
    }
    return answer_document(case)["players"]


def test_a_month_has_the_figures_of_the_pure_calculation():
    players = people(6)
    a, b, c, d, e, f = players
    rows = [
        ("2024-03-03", 60, [(a, b, "1-0"), (c, d, "1/2-1/2"), (e, f, "0-1"), (b, c, "1-0")]),
        ("2024-03-09", 10, [(a, c, "1-0"), (d, f, "1-0")]),
        ("2024-03-24", 5, [(f, a, "1-0"), (b, e, "1/2-1/2")]),
        ("2024-03-31", 120, [(e, a, "1-0")]),
        ("2024-03-31", 4, [(c, b, "1-0")]),
    ]
    for ended, base, games in rows:
        event_of(games, date.fromisoformat(ended), base=base)
    run = calculate()
    answer = rated(rows, players)
    for one in players:
        for code in ("main", "standard", "rapid", "blitz"):
            expected = answer[one.number][code]
            found = figures(run, one, code)
            if not expected["rated"]:
                assert found is None
                continue
            assert {name: found[name] for name in (*FIGURES, "games", "k")} == pytest.approx(
                {name: expected[name] for name in (*FIGURES, "games", "k")}, abs=1e-12
            )
            assert found["published"] == expected["published"]
    assert Performance.objects.filter(run=run, list__code="main").count() == 16
    assert Performance.objects.filter(run=run, list__code="blitz").count() == 4


def test_equal_ratings_share_a_rank_and_no_position():
    a, b, c, d = people(4)
    event_of([(a, b, "1-0"), (c, d, "1-0")])
    publish()
    ranks = listed()
    assert [rank for _, rank, _ in ranks] == [1, 1, 3, 3]
    assert [position for _, _, position in ranks] == [1, 2, 3, 4]
    assert [name for name, _, _ in ranks] == ["Adendorff0", "Cele2", "Buthelezi1", "Dlamini3"]


def test_region_and_previous_rating_are_those_of_the_day():
    a, b = people(2)
    a.region = region("GAU")
    a.save()
    event_of([(a, b, "1-0")])
    first = publish()
    a.region = region("LCP")
    a.save()
    second = publish(APRIL)
    march, april = (Rating.objects.get(run=run, player=a, list__code="main") for run in (first, second))
    assert (march.region.code, march.previous, april.region.code, april.previous) == (
        "GAU", None, "LCP", march.published,
    )  # fmt: skip
    assert (march.games, april.games, april.raw) == (1, 0, march.raw)


@pytest.mark.rule("chessa 57.1")
def test_only_accepted_events_count():
    a, b, c, d = people(4)
    event_of([(a, b, "1-0")])
    event_of([(a, c, "1-0")], accept=False)
    returned = event_of([(a, d, "1-0")])
    return_event(returned, at=CLOCK, reason="wrong")
    run = calculate()
    assert (run.games, run.players) == (1, 2)
    assert figures(run, a)["games"] == 1
    assert figures(run, c) is figures(run, d) is None


@pytest.mark.rule("chessa 57.1")
@pytest.mark.parametrize(("content", "complies"), [(open_file(), True), (open_file(dated=False), False)])
def test_an_event_that_does_not_comply_is_accepted_with_a_reason_only(content, complies):
    event = submitted(content)
    assert event.sections.get().submissions.get().findings.filter(severity="hold").exists() is not complies
    if not complies:
        before = everything()
        for reason in ("", "  "):
            with pytest.raises(EventError, match="give the reason why it is rated all the same"):
                accept_event(event, at=CLOCK, reason=reason)
        assert everything() == before
    accept_event(event, at=CLOCK, reason="" if complies else "The region has the days on paper.")
    assert calculate().games == 15


@pytest.mark.rule("chessa 46")
@pytest.mark.parametrize("result", ["+--", "--+", "---", "1-0u", "1/2u", "0-0", "1/2-0"])
def test_games_without_a_played_result_are_not_rated(result):
    a, b = people(2)
    event_of([(a, b, "1-0"), (a, b, result)])
    assert figures(calculate(), a)["games"] == 1


@pytest.mark.rule("chessa 23")
def test_too_fast_a_section_rates_nobody():
    a, b = people(2)
    event_of([(a, b, "1-0")], base=4)
    run = calculate()
    assert (run.sections, run.games, run.players) == (0, 0, 0)
    assert not Rating.objects.exists()
    assert run.remarks == "All lists: Club night is not rated: 4+0 makes 4 minutes; under 5 is not rated. (article 23)"


@pytest.mark.rule("chessa 23")
def test_only_what_was_rated_is_counted():
    a, b, c, d = people(4)
    event_of([(a, b, "1-0")], base=4)
    event_of([(c, d, "1-0"), (d, c, "0-1")], base=5)
    run = calculate()
    assert (run.sections, run.games, run.players) == (1, 2, 2)


def penalty(event, player, status="confirmed", number=2):
    Penalty.objects.create(
        section=event.sections.get(), player=player, round=number, kind="forfeit", points=20, status=status
    )


@pytest.mark.rule("chessa 51")
def test_a_confirmed_penalty_costs_its_points_on_two_lists():
    """Article 51: 20 points, on Main and on the list of the section's type of game."""
    a, b = people(2)
    rows = [("2024-03-03", 60, [(a, b, "1-0")])]
    penalty(event_of(rows[0][2]), a)
    run = calculate()
    free = rated(rows, [a, b])[a.number]
    for code in ("main", "standard"):
        assert figures(run, a, code)["raw"] == pytest.approx(free[code]["raw"] - 20, abs=1e-12)
    assert figures(run, a, "rapid") is None


@pytest.mark.rule("chessa 53")
def test_a_penalty_of_an_unrated_player_waits_for_his_first_rating():
    """Article 53."""
    a, b, c = people(3)
    penalty(event_of([(a, b, "1-0")]), c)
    first = publish()
    waiting = figures(first, c)
    assert (waiting["raw"], waiting["published"], waiting["pending_penalty"]) == (None, None, 20)
    assert len(listed(run=first)) == 2
    for month in (APRIL, date(2024, 5, 1)):
        assert figures(publish(month), c)["pending_penalty"] == 20
    event_of([(c, b, "1-0")], date(2024, 6, 1))
    last = publish(date(2024, 6, 1))
    found = figures(last, c, "standard")
    assert found["pending_penalty"] == 0
    assert found["raw"] == pytest.approx(1200 + found["change"] - 20, abs=1e-9)


@pytest.mark.rule("chessa 10.1", "chessa 10.2", "chessa 44", "chessa 45")
def test_guests_abroad_are_opponents_and_get_no_rating():
    """Articles 43–45: a FIDE rating as adjusted, or else the guest's performance."""
    (home,) = people(1)
    event = event_of([], base=90)
    section = event.sections.get()
    strong = Guest.objects.create(section=section, name="A. Abroad", fide_rating=2200)
    weak = Guest.objects.create(section=section, name="B. Abroad", performance=1500)
    Game.objects.create(section=section, round=1, white=home, guest=strong, result="1-0")
    Game.objects.create(section=section, round=2, black=home, guest=weak, result="1/2-1/2")
    run = calculate()
    (found,) = Performance.objects.filter(run=run, list__code="standard")
    adjusted = [20 + 1.02 * 2200, 180 + 0.94 * 1500]
    assert (found.games, found.score) == (2, 1.5)
    assert found.average_opponent == pytest.approx(sum(adjusted) / 2, abs=1e-9)
    assert Rating.objects.filter(run=run).count() == 2


@pytest.mark.rule("chessa 35")
def test_a_late_event_takes_its_place_among_the_last_five():
    """Article 35 goes by the end of the tournament, whichever month rated it."""
    a, b = people(2)
    for month in months(MARCH, 5):
        event_of([(a, b, "1-0")], month.replace(day=20))
    for month in months(MARCH, 5):
        publish(month)
    late = event_of([(a, b, "0-1")], date(2024, 5, 1))
    august = date(2024, 8, 1)
    assert late.sections.get().period.month == august
    run = publish(august)
    columns = Rating.objects.get(run=run, player=a, list__code="main")
    recent = np.frombuffer(columns.recent, dtype=RECENT_DTYPE)
    ended = [date.fromordinal(int(day)) for day in recent["ended"]]
    assert ended == [
        date(2024, 7, 20), date(2024, 6, 20), date(2024, 5, 20), date(2024, 5, 1), date(2024, 4, 20),
    ]  # fmt: skip


@pytest.mark.rule("chessa 24")
def test_four_lists_and_four_only():
    assert list(RatingList.objects.filter(system="chessa").values_list("code", flat=True)) == [
        "main", "standard", "rapid", "blitz",
    ]  # fmt: skip


@pytest.mark.rule("chessa 4.6", "chessa 66")
def test_publishing_opens_the_next_month():
    event_of([(*people(2), "1-0")], date(2024, 12, 5))
    publish(date(2024, 12, 1))
    assert [one.month for one in RatingPeriod.objects.all()] == [date(2024, 12, 1), date(2025, 1, 1)]
    assert period(date(2024, 12, 1)).calculated_on == date(2025, 1, 1)
