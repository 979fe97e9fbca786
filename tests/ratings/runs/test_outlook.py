"""What the officer reads while the worker of a run is silent."""

from datetime import UTC, datetime, timedelta

import pytest

from ratings.runs.operations import MOST_ATTEMPTS, claim_run, report_progress, request_publication, start_run
from ratings.runs.outlook import QUIET, outlook
from tests.builders import calculate, event_of, officer, people, period

pytestmark = pytest.mark.django_db
START = datetime(2024, 4, 1, 8, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def run():
    event_of([(*people(2), "1-0")])
    return start_run(period(), at=START)


def test_a_run_that_no_worker_takes_says_since_when(run):
    assert outlook(run, at=START + QUIET) == ""
    assert outlook(run, at=START + QUIET + SECOND) == "no worker has taken it since 10:00:00: is one running?"


def test_a_moment_of_another_day_has_its_day(run):
    since = "no worker has taken it since 1 Apr 2024, 10:00:00: is one running?"
    assert outlook(run, at=START + timedelta(hours=26)) == since
    assert outlook(run, at=START + timedelta(hours=14)) == since  # midnight in South Africa


def test_a_publication_that_no_worker_takes_says_since_when():
    event_of([(*people(2), "1-0")])
    run = calculate(at=START)
    asked_at = START + timedelta(days=1)
    request_publication(run, at=asked_at)
    run.refresh_from_db()
    assert outlook(run, at=asked_at + QUIET) == ""
    assert outlook(run, at=asked_at + QUIET + SECOND) == "no worker has taken it since 10:00:00: is one running?"


def test_a_silent_worker_is_given_up_at_a_moment_that_is_named(run, settings):
    settings.RUN_LEASE_SECONDS, settings.RESCUE_SECONDS = 120, 30
    lease = claim_run(run.pk, at=START)
    report_progress(lease, stage="calculating", progress=40, at=START + 3 * SECOND)
    run.refresh_from_db()
    assert outlook(run, at=START + 3 * SECOND + QUIET) == ""
    assert outlook(run, at=START + 4 * SECOND + QUIET) == (
        f"no sign of its worker since 10:00:03; if it is lost, attempt 2 of {MOST_ATTEMPTS} begins by 10:02:33"
    )


def test_the_last_attempt_says_that_it_is_the_last(run, settings):
    settings.RUN_LEASE_SECONDS, settings.RESCUE_SECONDS = 120, 30
    run.state, run.attempts, run.lease_until = "running", MOST_ATTEMPTS, START + timedelta(seconds=120)
    assert outlook(run, at=START + timedelta(seconds=60)).endswith("if it is lost, it is given up by 10:02:30")


@pytest.mark.parametrize("state", ["calculated", "published", "failed", "superseded"])
def test_what_is_not_under_way_has_none(run, state):
    run.state = state
    assert outlook(run, at=START + timedelta(days=1)) == ""


def test_the_list_and_the_page_show_it(run, client):
    client.force_login(officer())
    for page in ("", f"{run.pk}/change/"):
        assert "no worker has taken it since" in client.get(f"/admin/ratings/ratingrun/{page}").content.decode()
