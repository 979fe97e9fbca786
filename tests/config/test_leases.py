"""Who may take up a job that is held by a lease; and beat, when the clock is set back."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery
from celery.schedules import schedule
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.models import Mail
from accounts.outbox.tasks import clear_mails
from config.lib.leases import free, spare_attempt
from config.models import SignOfLife
from config.signs_of_life import DISTRUST, LEAST_LEAP, Scheduler, may_clear
from ratings.models import RatingRun
from ratings.runs.operations import claim_run, start_run
from ratings.tasks import rescue_runs
from tests.builders import event_of, people, period
from tests.ratings.runs.queue import Queue

pytestmark = pytest.mark.django_db
NOW = timezone.now()
LEASE = timedelta(seconds=settings.RUN_LEASE_SECONDS)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("until", "is_free"),
    [
        (None, True),
        (NOW - SECOND, True),
        (NOW, False),
        (NOW + LEASE, False),
        (NOW + 3 * LEASE, False),  # of a machine whose clock is ahead by two leases
        (NOW + 3 * LEASE + SECOND, True),
        (NOW + timedelta(hours=5), True),  # of a clock that was ahead, and was set right
    ],
)
def test_who_holds_a_job(until, is_free):
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=NOW)
    RatingRun.objects.filter(pk=run.pk).update(state="running", lease_until=until)
    assert RatingRun.objects.filter(free(at=NOW)).exists() == is_free
    assert (claim_run(run.pk, at=NOW) is not None) == is_free


@pytest.mark.parametrize(("in_a_worker", "asked_anew", "left"), [(True, False, 0), (True, True, 0), (False, False, 1)])
def test_an_attempt_that_an_outage_ended_is_taken_back_before_the_next_task(in_a_worker, asked_anew, left):
    """Not once the job counts from nought again; nor by a request or a command, which has no next task."""
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=NOW)
    rows = RatingRun.objects.filter(pk=run.pk)

    def gone(*_):
        raise OperationalError("database is locked")

    def fails():
        rows.update(attempts=1)
        with connection.execute_wrapper(gone):
            spare_attempt(rows, OperationalError("database is locked"))
        transaction.set_rollback(False)  # outside a test none is open

    Celery("outage", set_as_current=False).task(fails).apply() if in_a_worker else fails()
    assert rows.get().attempts == 1
    if asked_anew:
        rows.update(attempts=0)
    rescue_runs.apply()
    assert rows.get().attempts == left


def test_a_run_whose_worker_was_lost_before_the_clock_was_set_back_is_begun_again():
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=NOW)
    lost = claim_run(run.pk, at=timezone.now() + timedelta(hours=5))
    queue = Queue()
    queue.take()
    rescue_runs()
    assert queue.take() == [run.pk]
    taken = claim_run(run.pk, at=timezone.now())
    assert taken is not None
    assert taken != lost


def test_for_a_day_after_a_leap_of_the_clock_nothing_is_cleared():
    assert not may_clear(at=NOW - 2 * DISTRUST)  # the first look, before which no leap could be seen
    assert may_clear(at=NOW)
    assert may_clear(at=NOW - timedelta(hours=2))  # the clock of another machine is two hours late
    assert may_clear(at=NOW)
    assert may_clear(at=NOW + LEAST_LEAP)
    ahead = NOW + timedelta(days=3650)
    assert not may_clear(at=ahead)
    assert not may_clear(at=ahead + timedelta(minutes=30))
    assert not may_clear(at=ahead - SECOND)  # another machine, a second behind
    back = NOW + LEAST_LEAP + SECOND
    assert not may_clear(at=back)
    assert not may_clear(at=back + DISTRUST - SECOND)
    assert may_clear(at=back + DISTRUST)


def test_a_clock_ten_years_ahead_for_a_minute_clears_nothing():
    assert not may_clear(at=timezone.now() - DISTRUST)
    old = Mail.objects.create(kind="x", to="a@example.org", created_at=NOW, state="sent", sent_at=NOW, next_at=None)
    clear_mails()
    SignOfLife.objects.filter(process="clearing").update(at=NOW - timedelta(days=3650))
    Mail.objects.filter(pk=old.pk).update(sent_at=NOW - timedelta(days=3649))
    clear_mails()
    assert Mail.objects.filter(pk=old.pk).exists()
    SignOfLife.objects.filter(process="leap").update(at=NOW - DISTRUST)
    clear_mails()
    assert not Mail.objects.filter(pk=old.pk).exists()


def clock_of(folder: Path) -> Scheduler:
    app = Celery("clock", broker="memory://", set_as_current=False)
    app.conf.timezone = settings.TIME_ZONE
    app.conf.beat_schedule = {
        name: {"task": name, "schedule": schedule(timedelta(seconds=seconds))}
        for name, seconds in (("often", 0.01), ("seldom", 0.02))
    }
    return Scheduler(app=app, schedule_filename=str(folder / "beat"))


def test_beat_begins_again_that_was_killed_while_it_made_its_file(tmp_path):
    """Or whose disk was full then: Berkeley DB waits for the file that it had begun, and gives up after minutes."""
    (tmp_path / "__db.beat.db").write_bytes(b"")
    for _ in range(2):
        clock = clock_of(tmp_path)
        assert {"often", "seldom"} <= set(clock.schedule)
        clock.close()


def test_beat_goes_on_when_the_clock_is_set_back(tmp_path):
    clock = clock_of(tmp_path)
    app = clock.app
    try:
        ahead = app.now() + timedelta(hours=5)
        for entry in clock.schedule.values():
            entry.last_run_at = ahead
        for _ in range(20):
            clock.tick()
            time.sleep(0.01)
        assert min(clock.schedule[name].total_run_count for name in ("often", "seldom")) > 0
    finally:
        clock.close()
