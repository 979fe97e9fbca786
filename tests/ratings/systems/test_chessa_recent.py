"""The last five tournaments of article 35, and the weighted performance of 36 to 38."""

import math

import pytest

from events.rules.time_controls import TYPES_OF_GAME
from ratings.systems.chessa.columns import LISTS
from tests.ratings.systems.chessa_builder import (
    BLITZ,
    CALCULATED_ON,
    RAPID,
    document,
    event,
    game,
    outcome,
    performances,
    player,
    rate_case,
)


def _recent(case, list_name="standard"):
    """Player a's last five after the period: (days of age, performance rounded, type)."""
    standings = rate_case(case).standings
    here = LISTS.index(list_name), 0
    return [
        (int(day), round(float(value)), TYPES_OF_GAME[kind])
        for value, day, kind in zip(
            standings.recent_performance[here], standings.recent_ended[here], standings.recent_kind[here], strict=True
        )
        if day
    ]


def _ages(case, list_name="standard"):
    return [CALCULATED_ON.toordinal() - day for day, _, _ in _recent(case, list_name)]


def _case(*events, stored=()):
    lists = {"standard": {"raw": 1400, "last_performances": performances(*stored)}}
    return document([player("a", lists=lists), player("b", 1400)], list(events))


@pytest.mark.rule("chessa 35")
def test_this_periods_tournaments_push_the_oldest_out():
    stored = [(1500.0 + age, "standard", age) for age in (40, 50, 60, 70, 80)]
    case = _case(event(game("a", "b"), age=5), event(game("a", "b"), id="f", age=9), stored=stored)
    assert _ages(case) == [5, 9, 40, 50, 60]


@pytest.mark.rule("chessa 35")
def test_an_older_tournament_that_came_in_late_takes_its_place():
    stored = [(1500.0, "standard", age) for age in (40, 50, 60)]
    case = _case(event(game("a", "b"), age=5), event(game("a", "b"), id="f", age=55), stored=stored)
    assert _ages(case) == [5, 40, 50, 55, 60]


@pytest.mark.rule("chessa 35")
def test_a_late_tournament_older_than_the_five_is_not_kept():
    stored = [(1500.0, "standard", age) for age in (40, 50, 60, 70, 80)]
    assert _ages(_case(event(game("a", "b"), age=90), stored=stored)) == [40, 50, 60, 70, 80]


@pytest.mark.rule("chessa 35")
def test_on_one_day_this_period_comes_before_stored_and_later_listed_before_earlier():
    stored = [(1111.0, "standard", 10), (1112.0, "standard", 10)]
    draw, win = event(game("a", "b", "1/2-1/2"), age=10), event(game("a", "b"), id="f", age=10)
    assert [value for _, value, _ in _recent(_case(draw, win, stored=stored))] == [1825, 1400, 1111, 1112]


@pytest.mark.rule("chessa 35")
def test_more_than_five_tournaments_of_one_period():
    events = [event(game("a", "b"), id=f"e{age}", age=age) for age in (3, 8, 1, 12, 5, 7, 2)]
    assert _ages(_case(*events)) == [1, 2, 3, 5, 7]


@pytest.mark.rule("chessa 35")
def test_a_player_without_a_game_keeps_his_tournaments():
    stored = [(1500.0, "standard", 40), (1400.0, "standard", 4000)]
    assert _ages(_case(stored=stored)) == [40, 4000]


@pytest.mark.rule("chessa 37")
def test_main_keeps_the_type_of_each_tournament():
    case = _case(event(game("a", "b"), control=BLITZ, age=3), event(game("a", "b"), id="f", control=RAPID, age=4))
    assert [kind for _, _, kind in _recent(case, "main")] == ["blitz", "rapid"]
    assert [kind for _, _, kind in _recent(case, "blitz")] == ["blitz"]


@pytest.mark.rule("chessa 35")
def test_fewer_than_five_tournaments_give_no_weighted_performance():
    stored = [(1500.0, "standard", age) for age in (40, 50, 60)]
    assert math.isnan(outcome(_case(event(game("a", "b")), stored=stored), "a")["weighted_performance"])
    stored.append((1500.0, "standard", 70))
    assert outcome(_case(event(game("a", "b")), stored=stored), "a")["weighted_performance"] > 0


@pytest.mark.rule("chessa 37", "chessa 38")
@pytest.mark.parametrize(("control", "weight"), [({"base": 120, "increment": 0}, 1.00), (RAPID, 0.95), (BLITZ, 0.90)])
def test_the_type_of_game_weighs_on_main_only(control, weight):
    # Articles 37 and 38: five events on the day of calculation, each a performance of 1400.
    events = [event(game("a", "b", "1/2-1/2"), id=f"e{number}", control=control, age=0) for number in range(5)]
    case = document([player("a", 1400), player("b", 1400)], events)
    own = {1.00: "standard", 0.95: "rapid", 0.90: "blitz"}[weight]
    assert outcome(case, "a", "main")["weighted_performance"] == pytest.approx(1400 * weight)
    assert outcome(case, "a", own)["weighted_performance"] == pytest.approx(1400)


@pytest.mark.rule("chessa 36")
def test_newer_tournaments_weigh_more_and_older_ones_fade():
    # Article 36: i = 5 … 1, A = (2920 − days) / 2920.
    stored = [(1000.0 + age, "standard", age) for age in (100, 200, 300, 400)]
    result = outcome(_case(event(game("a", "b", "1/2-1/2"), age=50), stored=stored), "a")
    rows = [(1400, 50, 5), (1100, 100, 4), (1200, 200, 3), (1300, 300, 2), (1400, 400, 1)]
    expected = sum(value * (2920 - age) / 2920 * i for value, age, i in rows) / 15
    assert result["weighted_performance"] == pytest.approx(expected)
