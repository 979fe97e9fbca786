"""A run is held by a lease: claimed, renewed, lost, taken over, given up."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from ratings.models import Rating, RatingRun
from ratings.runs.inputs import read_run_input
from ratings.runs.operations import (
    MOST_ATTEMPTS,
    Lease,
    LeaseLostError,
    claim_run,
    fail_run,
    note_error,
    publish_run,
    report_progress,
    request_publication,
    start_run,
    write_run,
)
from ratings.runs.sequential import rate_lists
from ratings.runs.worker import process_run
from ratings.systems import chessa
from tests.builders import CLOCK, calculate, event_of, everything, people, period

pytestmark = pytest.mark.django_db
LEASE = timedelta(seconds=settings.RUN_LEASE_SECONDS)
LATER = CLOCK + LEASE + timedelta(seconds=1)


@pytest.fixture
def run():
    event_of([(*people(2), "1-0")])
    return start_run(period(), at=CLOCK)


def write(lease, run):
    gathered = read_run_input(run.period)
    lists = rate_lists(gathered.input)
    return write_run(lease, gathered, chessa.rate(gathered.columns, gathered.input.edition), lists, at=CLOCK)


def test_a_claimed_run_is_nobody_elses_until_its_lease_runs_out(run):
    lease = claim_run(run.pk, at=CLOCK)
    assert claim_run(run.pk, at=CLOCK + LEASE) is None
    second = claim_run(run.pk, at=LATER)
    assert second is not None
    assert second.token != lease.token
    run.refresh_from_db()
    assert (run.attempts, run.started_at, run.state) == (2, CLOCK, "running")


def test_reporting_renews_the_lease(run):
    lease = claim_run(run.pk, at=CLOCK)
    report_progress(lease, stage="gathering", progress=5, at=CLOCK + LEASE)
    assert claim_run(run.pk, at=LATER) is None
    run.refresh_from_db()
    assert (run.stage, run.progress, run.lease_until) == ("gathering", 5, CLOCK + 2 * LEASE)


def test_whoever_lost_the_run_writes_nothing(run):
    lost = claim_run(run.pk, at=CLOCK)
    claim_run(run.pk, at=LATER)
    before = everything()
    with pytest.raises(LeaseLostError):
        report_progress(lost, stage="writing", progress=50, at=LATER)
    with pytest.raises(LeaseLostError):
        write(lost, run)
    fail_run(lost, error="I could not", at=LATER)
    assert everything() == before
    assert not Rating.objects.exists()


def test_whoever_lost_the_run_does_not_publish(run):
    done = process_run(run.pk, clock=lambda: CLOCK)
    request_publication(done, at=timezone.now())
    lost = claim_run(run.pk, at=CLOCK)
    claim_run(run.pk, at=LATER)
    before = everything()
    with pytest.raises(LeaseLostError):
        publish_run(lost, at=LATER)
    assert everything() == before


def test_a_worker_that_is_overtaken_leaves_the_run_to_the_other(run, monkeypatch):
    """The clock stands still while another worker, later, takes the run and finishes it."""

    def clock():
        if RatingRun.objects.get(pk=run.pk).stage == "gathering":
            process_run(run.pk, clock=lambda: LATER)
        return CLOCK

    assert process_run(run.pk, clock=clock).state == "calculated"
    run.refresh_from_db()
    assert run.attempts == 2
    assert Rating.objects.filter(run=run).count() == 4


def test_a_finished_run_is_nobodys(run):
    process_run(run.pk, clock=lambda: CLOCK)
    before = everything()
    assert claim_run(run.pk, at=LATER) is None
    assert process_run(run.pk, clock=lambda: LATER).state == "calculated"
    assert everything() == before


def test_a_run_is_given_up_after_five_attempts_with_a_message(run):
    for attempt in range(MOST_ATTEMPTS):
        assert claim_run(run.pk, at=CLOCK + attempt * 2 * LEASE) is not None
    end = CLOCK + MOST_ATTEMPTS * 2 * LEASE
    assert claim_run(run.pk, at=end) is None
    run.refresh_from_db()
    assert (run.state, run.finished_at, run.lease) == ("failed", end, None)
    assert run.error == "given up after 5 attempts: each ended before it had written"
    assert calculate().state == "calculated"


def hit_by_an_outage(run_id, at):
    note_error(claim_run(run_id, at=at), OperationalError("unable to open database file"))
    assert RatingRun.objects.get().error.startswith("The database did not answer")


def test_a_run_that_is_killed_too_often_after_an_outage_says_so(run):
    hit_by_an_outage(run.pk, CLOCK)
    for attempt in range(1, MOST_ATTEMPTS + 2):
        claim_run(run.pk, at=CLOCK + attempt * 2 * LEASE)
    run.refresh_from_db()
    assert (run.state, run.error[:27]) == ("failed", "given up after 5 attempts: ")


def test_what_went_on_after_an_outage_tells_no_error(run):
    hit_by_an_outage(run.pk, CLOCK)
    done = process_run(run.pk, clock=lambda: LATER)
    assert (done.state, done.error) == ("calculated", "")
    request_publication(done, at=timezone.now())
    hit_by_an_outage(run.pk, CLOCK)
    done = process_run(run.pk, clock=lambda: LATER)
    assert (done.state, done.error) == ("published", "")


def test_a_publication_has_its_own_five_attempts(run):
    for attempt in range(MOST_ATTEMPTS - 1):
        claim_run(run.pk, at=CLOCK + attempt * 2 * LEASE)
    done = process_run(run.pk, clock=lambda: CLOCK + MOST_ATTEMPTS * 2 * LEASE)
    assert (done.state, done.attempts) == ("calculated", 5)
    request_publication(done, at=timezone.now())
    assert process_run(run.pk, clock=lambda: CLOCK).state == "published"


def test_a_failure_names_its_reason(run):
    lease = claim_run(run.pk, at=CLOCK)
    fail_run(lease, error="no edition was in force", at=LATER)
    run.refresh_from_db()
    assert (run.state, run.error, run.finished_at, run.lease_until) == (
        "failed",
        "no edition was in force",
        LATER,
        None,
    )


def test_a_run_that_is_gone_is_nobodys():
    assert claim_run(0, at=CLOCK) is None


def test_a_made_up_lease_is_worth_nothing(run):
    lease = claim_run(run.pk, at=CLOCK)
    with pytest.raises(LeaseLostError):
        write(Lease(run.pk, type(lease.token)(int=1)), run)


def test_what_a_run_says_of_itself(run):
    done = process_run(run.pk, clock=lambda: CLOCK)
    assert (done.sections, done.games, done.players, done.progress, done.stage) == (1, 1, 2, 100, "")
    assert (done.edition, len(done.input_hash), done.finished_at) == ("2024", 64, CLOCK)
