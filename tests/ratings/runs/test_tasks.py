"""What the clock starts: a month that has ended, once; and workers for runs that wait."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from config.lib.days import next_month
from events.models import RatingPeriod
from ratings.models import RatingRun
from ratings.runs.operations import claim_run, start_run
from ratings.tasks import calculate_or_publish, rescue_runs, start_month, wake_worker
from tests.builders import CLOCK, calculate, event_of, people, period, publish

pytestmark = pytest.mark.django_db


@pytest.fixture
def accepted():
    event_of([(*people(2), "1-0")])


@pytest.mark.rule("chessa 65")
@pytest.mark.usefixtures("accepted")
def test_a_month_that_has_ended_is_started_once(queue, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        start_month()
        start_month()
    run = RatingRun.objects.get()
    assert (run.state, run.period, run.reason) == ("queued", period(), "the month has ended (article 65)")
    assert queue.take() == [run.pk]


@pytest.mark.usefixtures("accepted")
def test_a_failed_month_is_not_started_by_the_clock_again():
    RatingRun.objects.create(period=period(), queued_at=CLOCK, state="failed", error="given up")
    start_month()
    assert RatingRun.objects.count() == 1


@pytest.mark.rule("chessa 65")
@pytest.mark.usefixtures("accepted")
@pytest.mark.parametrize(
    ("queued", "changed", "runs"),
    [
        (datetime(2024, 3, 31, 21, 59, tzinfo=UTC), True, 2),  # 23:59 on the 31st in Johannesburg
        (datetime(2024, 3, 31, 22, 0, tzinfo=UTC), True, 1),
        (datetime(2024, 3, 20, 12, 0, tzinfo=UTC), False, 1),
    ],
)
def test_a_run_of_before_the_months_end_is_replaced_when_something_came(queued, changed, runs):
    run = calculate()
    RatingRun.objects.filter(pk=run.pk).update(queued_at=queued)
    if changed:
        event_of([(*people(4)[2:], "1-0")])
    start_month()
    assert RatingRun.objects.count() == runs


@pytest.mark.usefixtures("accepted")
def test_a_run_that_a_clock_ahead_started_is_one_of_before_once_the_clock_is_right():
    run = calculate()
    RatingRun.objects.filter(pk=run.pk).update(queued_at=timezone.now() + timedelta(days=5))
    start_month()
    assert RatingRun.objects.count() == 1
    RatingRun.objects.filter(pk=run.pk).update(state="queued")
    start_month()
    run.refresh_from_db()
    assert run.queued_at <= timezone.now()


@pytest.mark.usefixtures("accepted")
def test_a_month_that_a_clock_ahead_started_is_started_again_though_it_has_ended_when_the_clock_is_right():
    run = calculate()
    RatingRun.objects.filter(pk=run.pk).update(queued_at=timezone.now() + timedelta(days=5))
    event_of([(*people(4)[2:], "1-0")], date(2024, 3, 5))

    def breaks(execute, sql, *rest):
        if sql.startswith('INSERT INTO "ratings_ratingrun"'):
            raise OperationalError
        return execute(sql, *rest)

    with pytest.raises(OperationalError), connection.execute_wrapper(breaks):
        start_month()
    start_month()
    start_month()
    assert RatingRun.objects.count() == 2


@pytest.mark.usefixtures("accepted")
def test_a_month_waits_for_the_publication_of_the_one_before():
    calculate()
    event_of([(*people(4)[2:], "1-0")], date(2024, 4, 5))
    start_month()
    assert RatingRun.objects.count() == 1
    run = RatingRun.objects.get()
    assert run.period == period()


@pytest.mark.usefixtures("accepted")
def test_after_a_publication_the_next_month_that_has_ended_is_started():
    publish()
    start_month()
    assert RatingRun.objects.latest("pk").period.month == date(2024, 4, 1)


@pytest.mark.rule("chessa 4.6", "chessa 65")
@pytest.mark.parametrize(("months_ahead", "started"), [(-1, 1), (0, 0), (1, 0)])
def test_a_month_is_started_when_it_has_ended_and_not_before(months_ahead, started):
    this = timezone.localdate().replace(day=1)
    month = {-1: (this - timedelta(days=1)).replace(day=1), 0: this, 1: next_month(this)}[months_ahead]
    RatingPeriod.objects.create(month=month)
    start_month()
    assert RatingRun.objects.count() == started


def test_without_months_nothing_is_started():
    start_month()
    assert not RatingRun.objects.exists()


@pytest.mark.usefixtures("accepted")
def test_the_rescue_wakes_what_waits_and_nothing_else(queue):
    run = start_run(period(), at=CLOCK)
    rescue_runs()
    assert queue.take() == [run.pk]
    claim_run(run.pk, at=timezone.now())
    rescue_runs()
    assert queue.take() == []
    RatingRun.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    rescue_runs()
    assert queue.take() == [run.pk]
    for state in ("calculated", "published", "failed", "superseded"):
        RatingRun.objects.update(state=state)
        rescue_runs()
    assert queue.take() == []
    RatingRun.objects.update(state="publishing", lease=None, lease_until=None)
    rescue_runs()
    assert queue.take() == [run.pk]


@pytest.mark.usefixtures("accepted")
def test_a_worker_is_woken_once_the_run_is_committed(queue, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        wake_worker(start_run(period(), at=CLOCK))
    assert queue.take() == []
    for callback in callbacks:
        callback()
    (run_id,) = queue.take()
    calculate_or_publish(run_id)
    assert RatingRun.objects.get().state == "calculated"
