"""The officers' pages for months and runs: starting and publishing are actions; a worker is woken by a message."""

from datetime import date, timedelta

import pytest

from ratings.models import RatingPeriod, RatingRun
from tests.builders import CLOCK, calculate, event_of, everything, officer, people, period, publish


@pytest.fixture
def desk(db, client):
    client.force_login(officer())
    event_of([(*people(2), "1-0")])
    return client


def act(desk, page, action, row, capture, reason=""):
    """What the page says after the action; messages to workers are sent as if the request were committed."""
    chosen = {"action": action, "_selected_action": row.pk, "reason": reason}
    with capture(execute=True):
        answer = desk.post(f"/admin/ratings/{page}/", chosen, follow=True)
    return [str(message) for message in answer.context["messages"]]


def test_the_calculation_is_started(desk, queue, django_capture_on_commit_callbacks):
    said = act(desk, "ratingperiod", "start", period(), django_capture_on_commit_callbacks, "monthly")
    run = RatingRun.objects.get()
    assert said == [f"run {run.pk} of 2024-03 is queued; its progress shows under rating runs."]
    assert (run.state, run.by.email, run.reason) == ("queued", "officer@example.org", "monthly")
    assert queue.take() == [run.pk]
    (again,) = act(desk, "ratingperiod", "start", period(), django_capture_on_commit_callbacks)
    assert "is being calculated already" in again
    assert queue.take() == []


def test_the_officer_sees_the_differences_before_he_publishes(desk):
    publish()
    players = people(2)
    first = RatingPeriod.objects.get(month="2024-03-01").published_run
    text = desk.get(f"/admin/ratings/ratingrun/{first.pk}/change/").content.decode()
    assert "2 players had rated games; 2 are rated for the first time" in text
    event_of([(*players, "1-0")], date(2024, 4, 7))
    run = calculate(date(2024, 4, 1), CLOCK + timedelta(days=40))
    text = desk.get(f"/admin/ratings/ratingrun/{run.pk}/change/").content.decode()
    assert "Main: what this run changes against the list before" in text
    assert "2 are rated for the first time" in text


def test_the_publication_is_started(desk, queue, django_capture_on_commit_callbacks):
    run = calculate()
    said = act(desk, "ratingrun", "publish", run, django_capture_on_commit_callbacks)
    run.refresh_from_db()
    assert (said, run.state) == ([f"run {run.pk} of 2024-03 is being published."], "publishing")
    assert queue.take() == [run.pk]


def test_what_cannot_be_published_is_answered(desk, queue, django_capture_on_commit_callbacks):
    run = calculate()
    event_of([(*people(4)[2:], "1-0")])
    before = everything()
    (said,) = act(desk, "ratingrun", "publish", run, django_capture_on_commit_callbacks)
    assert "2024-03 has changed since" in said
    assert everything() == before
    assert queue.take() == []


def test_months_and_runs_are_not_made_or_deleted_by_hand(desk):
    run = publish()
    before = everything()
    for model, row in (("ratingperiod", period()), ("ratingrun", run)):
        assert desk.post(f"/admin/ratings/{model}/add/", {"month": "2024-09-01"}).status_code == 403
        assert desk.post(f"/admin/ratings/{model}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    desk.post(f"/admin/ratings/ratingperiod/{period().pk}/change/", {"month": "2024-09-01"})
    desk.post(f"/admin/ratings/ratingrun/{run.pk}/change/", {"state": "failed", "progress": 3})
    after = everything()
    assert (after["ratings_ratingperiod"], after["ratings_ratingrun"]) == (
        before["ratings_ratingperiod"], before["ratings_ratingrun"],
    )  # fmt: skip


def test_the_pages_say_how_far_the_month_is(desk):
    publish()
    assert "published" in desk.get("/admin/ratings/ratingperiod/").content.decode()
    assert RatingPeriod.objects.count() == 2
