"""Hundreds of penalties without an answer are applied at once when their event is accepted, as each would be by itself."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Decision
from config.lib.shown_rows import MOST_SHOWN
from events.models import Penalty
from events.operations import EventError, accept_event
from events.penalty_decisions import UNANSWERED, applied_unanswered, record_penalty_decision
from tests.builders import event_of, officer, people

pytestmark = pytest.mark.django_db
CONFIRMED = Penalty.Status.CONFIRMED


def proposed(count: int):
    """A submitted event with so many proposed penalties of one of its players, beside a dropped and a confirmed one."""
    players = people(2)
    event = event_of([(*players, "1-0")], accept=False)
    rounds = [(number, "proposed") for number in range(2, 2 + count)]
    for number, status in [*rounds, (200, "dropped"), (201, "confirmed")]:
        Penalty.objects.create(
            section=event.sections.get(), player=players[0], round=number, kind="forfeit", points=20, status=status
        )
    return event


def written():
    """Penalties, their lines on the trail and their histories, without keys of lines and moments of histories."""
    own = {"id", "history_id", "history_date"}
    lines = Decision.objects.filter(subject__startswith="events.penalty ").order_by("pk")
    rows = [Penalty.objects.order_by("pk"), lines, Penalty.history.order_by("history_id")]
    return [[{name: row[name] for name in row.keys() - own} for row in found.values()] for found in rows]


def test_rows_trail_and_histories_are_those_of_one_after_the_other():
    event, by, at = proposed(5), officer(), timezone.now()
    with transaction.atomic():
        for penalty in Penalty.objects.filter(status="proposed").order_by("pk"):
            record_penalty_decision(penalty, CONFIRMED, f"{UNANSWERED} The region is silent.", by=by, at=at)
        one_by_one = written()
        transaction.set_rollback(True)
    accept_event(event, at=at, by=by, penalty_reason="The region is silent.")
    assert written() == one_by_one
    assert [len(rows) for rows in one_by_one] == [7, 5, 7 + 5]


def queries_for(count: int, by) -> int:
    event = proposed(count)
    with CaptureQueriesContext(connection) as queries:
        accept_event(event, at=timezone.now(), by=by, penalty_reason="The region is silent.")
    assert Penalty.objects.filter(section__event=event, status="confirmed").count() == count + 1
    return len(queries)


def test_the_number_of_queries_is_that_of_a_few():
    """3,000 of them took 13 seconds, in which nobody else could write."""
    by = officer()
    queries_for(1, by)
    assert queries_for(50, by) == queries_for(3, by)


def test_no_round_counts_twice_among_them():
    event = proposed(3)
    last = Penalty.objects.get(round=4)
    last.kind, last.round, last.points = "withdrawal", 3, 40
    last.save()
    with pytest.raises(EventError, match=r"for round 3 he loses points already, by the forfeit in round 3"):
        accept_event(event, at=timezone.now(), penalty_reason="The region is silent.")
    assert not Penalty.objects.filter(status="confirmed").exclude(round=201).exists()
    last.kind, last.round = "forfeit", 200
    last.save()
    with pytest.raises(EventError, match=r"for round 201 he loses points already, by the forfeit in round 201"):
        accept_event(event, at=timezone.now(), penalty_reason="The region is silent.")


def test_the_first_hundred_are_told():
    event, at = proposed(MOST_SHOWN + 3), timezone.now()
    accept_event(event, at=at, penalty_reason="The region is silent.")
    told = applied_unanswered(event, at=at)
    assert told.count("forfeit in round") == MOST_SHOWN
    assert told.endswith("; and 3 more.")
