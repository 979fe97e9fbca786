"""The officers' pages for months and runs: starting and publishing are actions; a worker is woken by a message."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from events.models import Game, Penalty, RatingPeriod
from ratings.models import RatingRun
from ratings.runs.inputs import read_run_input
from ratings.runs.operations import request_publication, start_run
from ratings.runs.review import reviews
from ratings.runs.worker import process_run
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS
from tests.builders import CLOCK, calculate, event_of, everything, officer, people, period, publish


@pytest.fixture
def officer_client(db, client):
    client.force_login(officer())
    event_of([(*people(2), "1-0")])
    return client


def act(officer_client, page, action, row, capture, reason=""):
    """What the page says after the action; messages to workers are sent as if the request were committed."""
    chosen = {"action": action, "_selected_action": row.pk, "reason": reason}
    with capture(execute=True):
        answer = officer_client.post(f"/admin/{page}/", chosen, follow=True)
    return [str(message) for message in answer.context["messages"]]


def test_the_calculation_is_started(officer_client, queue, django_capture_on_commit_callbacks):
    said = act(officer_client, "events/ratingperiod", "start", period(), django_capture_on_commit_callbacks, "monthly")
    run = RatingRun.objects.get()
    assert said == [f"run {run.pk} of 2024-03 is queued; its progress shows on the page of the month."]
    assert (run.state, run.by.email, run.reason) == ("queued", "officer@example.org", "monthly")
    assert queue.take() == [run.pk]
    (again,) = act(officer_client, "events/ratingperiod", "start", period(), django_capture_on_commit_callbacks)
    assert "is being calculated already" in again
    assert queue.take() == []


def test_a_month_shows_the_state_of_its_run_its_open_penalties_and_the_published_run(officer_client):
    event = event_of([(*people(2), "1-0")])
    section = event.sections.get()
    for number, player in enumerate(people(2), start=1):
        Penalty.objects.create(section=section, player=player, round=number, kind="forfeit", points=20)
    month = period()
    run = start_run(month, at=CLOCK)
    lines = officer_client.get("/admin/events/ratingperiod/").content.decode()
    assert '<td class="field-how_far">queued</td>' in lines
    query = f"status__exact=proposed&amp;section__period__id__exact={month.pk}"
    assert f'<a href="/admin/events/penalty/?{query}">2</a>' in lines
    listed = officer_client.get(
        "/admin/events/penalty/", {"status__exact": "proposed", "section__period__id__exact": month.pk}
    )
    assert listed.context["cl"].result_count == 2
    assert "None" not in officer_client.get(f"/admin/events/ratingperiod/{month.pk}/change/").content.decode()
    process_run(run.pk)
    Penalty.objects.update(status="dropped", reason="he rang")
    request_publication(RatingRun.objects.get(), at=timezone.now())
    process_run(run.pk)
    text = officer_client.get(f"/admin/events/ratingperiod/{month.pk}/change/").content.decode()
    assert f'<a href="/admin/ratings/ratingrun/{run.pk}/change/">{run}</a>' in text


@pytest.mark.parametrize(
    ("model", "heading"), [("ratings/ratingrun", "Rating runs"), ("ratings/rerating", "Re-ratings")]
)
def test_a_list_of_rows_that_are_only_shown_has_their_name_as_its_heading(officer_client, model, heading):
    page = officer_client.get(f"/admin/{model}/").content.decode()
    assert f"<h1>{heading}</h1>" in page
    assert "to change" not in page


def test_the_officer_sees_the_differences_before_he_publishes(officer_client):
    publish()
    players = people(2)
    first = RatingPeriod.objects.get(month="2024-03-01").publication.run
    text = officer_client.get(f"/admin/ratings/ratingrun/{first.pk}/change/").content.decode()
    assert "2 players had rated games; 2 are rated for the first time" in text
    event_of([(*players, "1-0")], date(2024, 4, 7))
    run = calculate(date(2024, 4, 1), CLOCK + timedelta(days=40))
    text = officer_client.get(f"/admin/ratings/ratingrun/{run.pk}/change/").content.decode()
    assert "Main: what this run changes against the list before" in text
    assert "2 are rated for the first time" in text


def published(officer_client, run, capture):
    """What the page says after the month was typed in to publish a run."""
    with capture(execute=True):
        answer = officer_client.post(f"/admin/ratings/ratingrun/{run.pk}/publish/", {"month": "2024-03"}, follow=True)
    return [str(message) for message in answer.context["messages"]]


def test_the_publication_is_started(officer_client, queue, django_capture_on_commit_callbacks):
    run = calculate()
    said = published(officer_client, run, django_capture_on_commit_callbacks)
    run.refresh_from_db()
    assert (said, run.state) == ([f"run {run.pk} of 2024-03 is being published."], "publishing")
    assert queue.take() == [run.pk]


def test_what_cannot_be_published_is_answered(officer_client, queue, django_capture_on_commit_callbacks):
    run = calculate()
    event_of([(*people(4)[2:], "1-0")])
    before = everything()
    (said,) = published(officer_client, run, django_capture_on_commit_callbacks)
    assert "2024-03 has changed since" in said
    assert everything() == before
    assert queue.take() == []


def test_months_and_runs_are_not_made_or_deleted_by_hand(officer_client):
    run = publish()
    before = everything()
    for model, row in (("events/ratingperiod", period()), ("ratings/ratingrun", run)):
        assert officer_client.post(f"/admin/{model}/add/", {"month": "2024-09-01"}).status_code == 403
        assert officer_client.post(f"/admin/{model}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    officer_client.post(f"/admin/events/ratingperiod/{period().pk}/change/", {"month": "2024-09-01"})
    officer_client.post(f"/admin/ratings/ratingrun/{run.pk}/change/", {"state": "failed", "progress": 3})
    after = everything()
    assert (after["events_ratingperiod"], after["ratings_ratingrun"]) == (
        before["events_ratingperiod"], before["ratings_ratingrun"],
    )  # fmt: skip


def test_the_pages_say_how_far_the_month_is(officer_client):
    publish()
    assert "published" in officer_client.get("/admin/events/ratingperiod/").content.decode()
    assert RatingPeriod.objects.count() == 2


@pytest.mark.rule("chessa 65", "chessa 66")
@pytest.mark.parametrize(("months_ahead", "warned"), [(0, True), (-1, False)])
def test_a_month_that_has_not_ended_is_calculated_with_a_warning(
    db, client, queue, django_capture_on_commit_callbacks, months_ahead, warned
):
    client.force_login(officer())
    this = timezone.localdate().replace(day=1)
    month = this if months_ahead == 0 else (this - timedelta(days=1)).replace(day=1)
    event_of([(*people(2), "1-0")], month)
    said = act(client, "events/ratingperiod", "start", period(month), django_capture_on_commit_callbacks)
    assert said[0].endswith("is queued; its progress shows on the page of the month.")
    assert (
        any("has not ended: what is accepted for it from now on is not in this run" in text for text in said) == warned
    )


def test_the_officer_sees_whom_the_articles_touched_as_the_explanations_say(officer_client):
    """Against the flags of the period's own calculation, not of the page."""
    players = people(8)
    for day in range(1, 6):
        games = [*((players[0], other, "1-0") for other in players[2:]), (players[1], players[7], "1-0")]
        event_of(games, date(2024, 3, day + 2), base=90, increment=30)
    run = calculate()
    found = {one.listing.code: {group.heading.split(" ")[0]: group for group in one.touched} for one in reviews(run)}
    result = chessa.rate(read_run_input(period()).columns, read_run_input(period()).input.edition)
    assert result.limited.any()
    assert result.raised.any()
    for index, code in enumerate(LISTS):
        assert found[code]["Newly"].count == int(result.rated[index].sum())
        assert found[code]["Raised"].count == int(result.raised[index].sum())
        assert found[code]["Kept"].count == int(result.floored[index].sum())
        assert found[code]["Held"].count == int((result.limited | result.capped)[index].sum())
    page = officer_client.get(f"/admin/ratings/ratingrun/{run.pk}/change/").content.decode()
    assert "Held by the limit of article 47: " in page
    assert f'/admin/ratings/ratingrun/{run.pk}/lists/main/{players[0].number}/"' in page
    Game.objects.filter(white=players[0]).first().delete()
    stale = officer_client.get(f"/admin/ratings/ratingrun/{run.pk}/change/").content.decode()
    assert "The input has changed since" in stale
    assert "Held by the limit" not in stale


def test_the_list_of_runs_says_how_far_a_run_is(officer_client):
    run = start_run(period(), at=CLOCK)
    RatingRun.objects.filter(pk=run.pk).update(state="running", progress=40, stage="calculating")
    assert "running, 40 % calculating" in officer_client.get("/admin/ratings/ratingrun/").content.decode()


def test_a_run_whose_input_has_changed_is_out_of_date_while_the_next_one_waits(officer_client):
    """Its figures are still there: it is not superseded before the next one is calculated, which may fail."""
    old = calculate()
    event_of([(*people(2), "0-1")], name="Other")
    start_run(period(), at=CLOCK)
    listed = officer_client.get("/admin/ratings/ratingrun/").content.decode()
    assert '<td class="field-how_far">out of date</td>' in listed
    assert old.ratings.exists()
