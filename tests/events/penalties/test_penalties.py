"""Proposed penalties are confirmed or dropped, until their month is published."""

import re
from datetime import date

import pytest
from django.utils import timezone

from events.models import Penalty
from events.operations import EventError
from events.penalties.operations import decide_penalties
from events.penalty_decisions import penalty_words
from ratings.runs.operations import request_publication
from tests.builders import CLOCK, calculate, event_of, everything, officer, people, publish

pytestmark = pytest.mark.django_db
CONFIRMED, DROPPED = Penalty.Status.CONFIRMED, Penalty.Status.DROPPED


def decided(penalty, *more, status, **options):
    """Decide penalties as they are now."""
    rows = [Penalty.objects.get(pk=row.pk) for row in (penalty, *more)]
    decide_penalties(rows, status, at=CLOCK, **options)


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


def test_of_two_decisions_at_one_moment_the_second_is_told(penalty):
    decide_penalties([Penalty.objects.get()], CONFIRMED, at=CLOCK)
    with pytest.raises(EventError, match="was decided, or its results sent in anew, by another meanwhile"):
        decide_penalties([penalty], DROPPED, at=CLOCK, reason="he rang")
    assert Penalty.objects.get().status == "confirmed"


def test_a_decision_on_what_a_new_file_has_replaced_is_not_told_as_made(penalty):
    given = Penalty.objects.get()
    penalty.delete()
    with pytest.raises(EventError, match="its results sent in anew"):
        decide_penalties([given], CONFIRMED, at=CLOCK, final=True)


def test_an_older_list_decides_nothing_over_what_was_decided_since(penalty, client):
    client.force_login(officer())
    name, shown = re.search(
        r'name="(shown-\d+)" value="(\w+)"', client.get("/admin/events/penalty/").content.decode()
    ).groups()
    decide_penalties([penalty], CONFIRMED, at=CLOCK)
    dropping = {"action": "drop", "_selected_action": penalty.pk, "reason": "He rang."}
    told = client.post("/admin/events/penalty/", {**dropping, name: shown}, follow=True).content.decode()
    assert "was changed by another meanwhile" in told
    assert Penalty.objects.get().status == "confirmed"
    shown = re.search(f'name="{name}" value="(\\w+)"', told)[1]
    client.post("/admin/events/penalty/", {**dropping, name: shown})
    assert Penalty.objects.get().status == "dropped"


def test_dropped_only_with_a_reason(penalty):
    before = everything()
    with pytest.raises(EventError, match="give the reason"):
        decide_penalties([penalty], DROPPED, at=CLOCK, reason=" \u200b")
    assert everything() == before


@pytest.mark.rule("chessa 64")
def test_a_published_one_stays_and_so_do_those_beside_it(penalty):
    decided(penalty, status=DROPPED, reason="he rang")
    publish()
    players = people(4)[2:]
    open_one = proposed(event_of([(*players, "1-0")], date(2024, 4, 5)), players[0])
    before = everything()
    with pytest.raises(EventError, match="is part of the published list of 2024-03"):
        decided(open_one, penalty, status=CONFIRMED)
    assert everything() == before


def test_one_that_is_being_published_stays(penalty):
    decided(penalty, status=DROPPED, reason="he rang")
    request_publication(calculate(), at=timezone.now())
    before = everything()
    with pytest.raises(EventError, match="is being published"):
        decided(penalty, status=CONFIRMED)
    assert everything() == before


def test_those_of_the_event_decide_until_the_month_is_calculated(penalty):
    decided(penalty, status=CONFIRMED)
    calculate()
    with pytest.raises(EventError, match="the month is calculated"):
        decided(penalty, status=DROPPED, reason="he was in hospital")
    decided(penalty, status=DROPPED, reason="he was in hospital", final=True)
    penalty.refresh_from_db()
    assert (penalty.status, penalty.final) == ("dropped", True)
    with pytest.raises(EventError, match="the month is calculated"):
        decided(penalty, status=CONFIRMED)


@pytest.mark.rule("chessa 51", "chessa 52")
def test_a_round_is_not_counted_twice_by_confirming(penalty):
    """A withdrawal from round 1 on covers the forfeit of round 2."""
    withdrawal = Penalty.objects.create(
        section=penalty.section, player=penalty.player, round=1, kind="withdrawal", points=40
    )
    decided(penalty, status=CONFIRMED, final=True)
    before = everything()
    with pytest.raises(EventError, match="for round 2 he loses points already, by the forfeit in round 2"):
        decided(withdrawal, status=CONFIRMED, final=True)
    assert everything() == before
    decided(penalty, status=DROPPED, reason="it belongs to his withdrawal", final=True)
    decided(withdrawal, status=CONFIRMED, final=True)
    assert Penalty.objects.get(status=CONFIRMED) == withdrawal


def test_one_point_is_one_point(penalty):
    assert f"{penalty.player}: 20 points," in str(penalty)
    penalty.points = 1
    assert f"{penalty.player}: 1 point," in str(penalty)
    assert penalty_words([penalty]) == f"{penalty.player}, 1 point, forfeit in round 2"
