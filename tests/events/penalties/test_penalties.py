"""Proposed penalties are confirmed or dropped, until their month is published."""

from datetime import date

import pytest
from django.utils import timezone

from events.models import Penalty
from events.operations import EventError, penalty_words
from events.penalties.operations import decide_penalties
from ratings.runs.operations import request_publication
from tests.builders import CLOCK, calculate, event_of, everything, people, publish

pytestmark = pytest.mark.django_db
CONFIRMED, DROPPED = Penalty.Status.CONFIRMED, Penalty.Status.DROPPED


def proposed(event, player, number=2):
    return Penalty.objects.create(section=event.sections.get(), player=player, round=number, kind="forfeit", points=20)


@pytest.fixture
def penalty():
    players = people(2)
    return proposed(event_of([(*players, "1-0")]), players[0])


@pytest.mark.rule("chessa 51")
def test_confirmed_and_dropped_again(penalty):
    decide_penalties([penalty], CONFIRMED, at=CLOCK)
    penalty.refresh_from_db()
    assert penalty.status == "confirmed"
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="he was in hospital")
    penalty.refresh_from_db()
    assert (penalty.status, penalty.reason) == ("dropped", "he was in hospital")
    assert [row.status for row in penalty.history.order_by("history_id")] == ["proposed", "confirmed", "dropped"]


def test_dropped_only_with_a_reason(penalty):
    before = everything()
    with pytest.raises(EventError, match="give the reason"):
        decide_penalties([penalty], DROPPED, at=CLOCK, reason=" \u200b")
    assert everything() == before


@pytest.mark.rule("chessa 64")
def test_a_published_one_stays_and_so_do_those_beside_it(penalty):
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="he rang")
    publish()
    players = people(4)[2:]
    open_one = proposed(event_of([(*players, "1-0")], date(2024, 4, 5)), players[0])
    before = everything()
    with pytest.raises(EventError, match="is part of the published list of 2024-03"):
        decide_penalties([open_one, penalty], CONFIRMED, at=CLOCK)
    assert everything() == before


def test_one_that_is_being_published_stays(penalty):
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="he rang")
    request_publication(calculate(), at=timezone.now())
    before = everything()
    with pytest.raises(EventError, match="is being published"):
        decide_penalties([penalty], CONFIRMED, at=CLOCK)
    assert everything() == before


def test_those_of_the_event_decide_until_the_month_is_calculated(penalty):
    decide_penalties([penalty], CONFIRMED, at=CLOCK)
    calculate()
    with pytest.raises(EventError, match="the month is calculated"):
        decide_penalties([penalty], DROPPED, at=CLOCK, reason="he was in hospital")
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="he was in hospital", final=True)
    penalty.refresh_from_db()
    assert (penalty.status, penalty.final) == ("dropped", True)
    with pytest.raises(EventError, match="the month is calculated"):
        decide_penalties([penalty], CONFIRMED, at=CLOCK)


@pytest.mark.rule("chessa 51", "chessa 52")
def test_a_round_is_not_counted_twice_by_confirming(penalty):
    """A withdrawal from round 1 on covers the forfeit of round 2."""
    withdrawal = Penalty.objects.create(
        section=penalty.section, player=penalty.player, round=1, kind="withdrawal", points=40
    )
    decide_penalties([penalty], CONFIRMED, at=CLOCK, final=True)
    before = everything()
    with pytest.raises(EventError, match="for round 2 he loses points already, by the forfeit in round 2"):
        decide_penalties([withdrawal], CONFIRMED, at=CLOCK, final=True)
    assert everything() == before
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="it belongs to his withdrawal", final=True)
    decide_penalties([withdrawal], CONFIRMED, at=CLOCK, final=True)
    assert Penalty.objects.get(status=CONFIRMED) == withdrawal


def test_one_point_is_one_point(penalty):
    assert f"{penalty.player}: 20 points," in str(penalty)
    penalty.points = 1
    assert f"{penalty.player}: 1 point," in str(penalty)
    assert penalty_words([penalty]) == f"{penalty.player}, 1 point, forfeit in round 2"
