"""Two workers or two officers with the same month make one run."""

import contextlib

import pytest

from tests.faults.bureau import Bureau
from tests.faults.month import START
from tests.faults.test_killed import STATE, WAKE


def test_two_officers_start_the_same_month(month, undisturbed):
    bureau = month("accepted")
    both = bureau.spawn("calculate", "2024-03"), bureau.spawn("calculate", "2024-03")
    assert 0 in [process.wait() for process in both]  # the other one does not wait, or finds it done
    assert bureau.value("SELECT count(*) FROM ratings_ratingrun") == 1
    assert bureau.figures() == undisturbed


def test_two_workers_get_the_same_run(month, undisturbed):
    bureau = month("accepted")
    bureau.worker()
    bureau.worker()
    bureau.python(START + WAKE + "from ratings.tasks import calculate_or_publish\nfrom ratings.models import RatingRun\n"
                  "for _ in range(4): calculate_or_publish.delay(RatingRun.objects.get().pk)")  # fmt: skip
    bureau.wait_until(STATE, {"calculated"})
    assert bureau.rows("SELECT count(*), max(attempts) FROM ratings_ratingrun") == [(1, 1)]
    assert bureau.figures() == undisturbed


def test_one_officer_publishes_while_another_does(month, undisturbed):
    bureau = month("calculated")
    both = bureau.spawn("publish", "2024-03"), bureau.spawn("publish", "2024-03")
    assert 0 in [process.wait() for process in both]
    assert bureau.value("SELECT count(*) FROM ratings_publishedrun") == 1
    assert bureau.figures() == undisturbed


DECLARED = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from events.models import Declaration
from tests.events.submission.world import known, played, taken
known()
event = played()
taken(event)
by = User.objects.create_user("region@example.org", is_officer=True)
Declaration.objects.create(event=event, by=by, at=timezone.now() - timedelta(minutes=2), language="en-gb")
"""
WOKEN = """
from events.models import Declaration
from events.submission.tasks import rescue_declarations, submit_large
for row in Declaration.objects.all():
    submit_large(row.event_id)
rescue_declarations()
"""
BEING_SENT = """
from events.models import Event
from events.submission.declarations import is_being_sent
print(is_being_sent(Event.objects.get()))
"""
GIVEN_UP = "SELECT attempts, error != '' FROM events_declaration"


@pytest.mark.servers
def test_workers_who_are_woken_while_one_sends_an_event_in_count_no_attempt_and_give_nothing_up(tmp_path):
    """They waited for the event, and the third was told that it was a fault."""
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        bureau.python(DECLARED)
        with contextlib.closing(bureau.connect()) as worker:
            worker.execute("BEGIN")
            worker.execute("SELECT id FROM events_event FOR UPDATE")
            bureau.python(WOKEN)
            assert bureau.rows(GIVEN_UP) == [(0, False)]
            bureau.python("from events.models import Declaration\nDeclaration.objects.update(attempts=3)" + WOKEN)
            assert bureau.rows(GIVEN_UP) == [(3, False)]
            assert bureau.python(BEING_SENT) == "True\n"
            worker.execute("ROLLBACK")
        bureau.python("from events.submission.tasks import rescue_declarations\nrescue_declarations()")
        assert bureau.rows(GIVEN_UP) == [(3, True)]
    finally:
        bureau.close()
