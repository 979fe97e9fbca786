"""The month on the desk: what is in it and what is missing, its run and the result, the preview, the publication."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from accounts.models import User
from config.lib import formatting
from config.lib.days import next_month
from events.models import Game, Guest, Penalty, Round
from players.models import Player
from ratings.lists.definitions import list_definitions
from ratings.models import Rating, RatingRun
from ratings.months.checks import checks, contents
from ratings.months.queries import estimate, month_page
from ratings.months.results import differences_of, movement
from ratings.periods import stuck_runs
from ratings.runs.inputs import read_input
from ratings.runs.operations import claim_run, fail_run, request_publication, start_run
from ratings.runs.worker import process_run
from tests.builders import (
    CLOCK,
    MARCH,
    TODAY,
    calculate,
    event_of,
    everything,
    officer,
    people,
    period,
    player,
    publish,
    submitted,
)
from tests.events.submission.world import played
from tests.federation import load

pytestmark = pytest.mark.django_db
APRIL = date(2024, 4, 1)


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def count(name: str, month: date = MARCH, today: date = TODAY) -> int:
    """How many cases a check has."""
    (check,) = [check for check in checks(period(month), today=today) if check.name == name]
    return check.count


def text(client, address: str) -> str:
    """A page's text with single blanks."""
    return " ".join(client.get(address, follow=True).content.decode().split())


def test_a_month_without_a_case_says_so_of_each_check():
    event_of([(*people(2), "1-0")])
    found = checks(period(), today=TODAY)
    assert [(check.name, check.count) for check in found] == [
        (name, 0)
        for name in (
            "earlier",
            "undecided",
            "missing",
            "penalties",
            "submitted-penalties",
            "left-out",
            "two-events",
            "twice",
        )
    ]


def test_submitted_events_count_in_the_month_in_which_they_would_be_rated():
    event_of([(*people(2), "1-0")])
    submitted()
    assert count("undecided") == 1
    publish()
    assert count("undecided", APRIL) == 1  # March is closed: it goes into the first open month


@pytest.mark.parametrize(("ends", "today", "missing"), [
    (date(2024, 3, 31), date(2024, 3, 31), 0),
    (date(2024, 3, 31), date(2024, 4, 1), 1),
    (date(2024, 4, 1), date(2024, 4, 2), 0),
])  # fmt: skip
def test_what_was_played_in_the_month_and_not_sent_in_is_missing(ends, today, missing):
    event_of([(*people(2), "1-0")])
    played(first=ends, last=ends)
    assert count("missing", today=today) == missing


@pytest.mark.rule("chessa 51", "chessa 52")
def test_proposed_penalties_forbid_the_publication():
    event = event_of([(*people(2), "1-0")])
    Penalty.objects.create(section=event.sections.get(), player=people(2)[0], round=1, kind="forfeit", points=20)
    (check,) = [check for check in checks(period(), today=TODAY) if check.count]
    assert (check.name, check.forbids, check.article) == ("penalties", True, "51, 52")


@pytest.mark.rule("chessa 23")
def test_the_page_of_a_run_says_what_keeps_its_month_from_being_published(desk):
    players = people(2)
    section = event_of([(*players, "1-0")]).sections.get()
    page = f"/admin/ratings/ratingrun/{calculate().pk}/change/"
    assert "Not yet:" not in text(desk, page)
    Penalty.objects.create(section=section, player=players[0], round=1, kind="forfeit", points=20)
    shown = text(desk, page)
    assert (
        f'<a href="/admin/events/ratingperiod/{period().pk}/change/#penalties">Proposed penalties without a decision</a>'
        in shown
    )
    assert "1. Confirm or drop each." in shown


def test_sections_that_are_too_fast_are_named_with_the_article():
    event = event_of([(*people(2), "1-0")])
    event.sections.update(base_minutes=1, increment_seconds=0)
    (check,) = [check for check in checks(period(), today=TODAY) if check.count]
    assert check.name == "left-out"
    assert "(article 23)" in check.examples[0].text


@pytest.mark.parametrize(("second_day", "double"), [(2, 1), (3, 0)])
def test_a_player_in_two_events_on_one_day_is_asked_about(second_day, double):
    players = people(3)
    for name, other, day in (("A", players[1], 2), ("B", players[2], second_day)):
        event = event_of([(players[0], other, "1-0")], name=name)
        Round.objects.update_or_create(section=event.sections.get(), number=1, defaults={"date": date(2024, 3, day)})
    assert count("two-events") == double


def test_two_rows_of_the_register_with_one_name_and_birth_are_asked_about():
    first, second = people(2)
    event_of([(first, second, "1-0")])
    Player.objects.filter(pk=first.pk).update(birth_date=date(1990, 5, 1), birth_year=1990)
    twin = player(first.last_name, first.first_name, birth_date=date(1990, 5, 2))
    assert count("twice") == 0
    Player.objects.filter(pk=twin.pk).update(birth_date=date(1990, 5, 1))
    assert count("twice") == 1


def test_an_earlier_month_comes_first_and_nothing_can_be_calculated(desk):
    event_of([(*people(2), "1-0")])
    event_of([(*people(2), "0-1")], date(2024, 4, 7))
    page = text(desk, f"/admin/events/ratingperiod/{period(APRIL).pk}/change/")
    assert "An earlier month comes first." in page
    assert "Calculate 2024-04" not in page


def test_what_is_in_the_month():
    players = people(3)
    event_of([(players[0], players[1], "1-0"), (players[1], players[2], "0-1")])
    event_of([(players[0], players[2], "1-0")], name="Other")
    assert contents(period(), read_input(period())).text == "2 events, 2 sections, 3 games"


@pytest.mark.rule("chessa 23")
def test_a_month_has_the_sections_and_games_that_its_run_rates(desk):
    white, black = people(2)
    section = event_of([(white, black, "1-0"), (white, black, "+--"), (white, black, "1/2-1/2")]).sections.get()
    guest = Guest.objects.create(section=section, name="Rasmussen, Konstantin", fide_rating=2100)
    for round_, result in ((4, "1-0"), (5, "--+")):
        Game.objects.create(section=section, round=round_, white=white, guest=guest, result=result)
    event_of([(white, black, "1-0")], name="Too fast").sections.update(base_minutes=1)
    page = f"/admin/events/ratingperiod/{period().pk}/change/"
    words = "2 events, 1 section, 3 games"
    assert f"{words} accepted so far" in text(desk, page)
    run = calculate()
    assert (run.sections, run.games) == (1, 3)
    assert f"{words} accepted so far" in text(desk, page)


def test_from_the_month_to_its_result_and_the_publication(desk, queue, django_capture_on_commit_callbacks):
    event_of([(*people(2), "1-0")])
    address = f"/admin/events/ratingperiod/{period().pk}/"
    assert "Calculate it." in text(desk, f"{address}change/")
    with django_capture_on_commit_callbacks(execute=True):
        page = " ".join(desk.post(f"{address}calculate/", {"reason": "monthly"}, follow=True).content.decode().split())
    run = RatingRun.objects.get()
    assert queue.take() == [run.pk]
    assert (run.reason, run.by.email) == ("monthly", "officer@example.org")
    assert "data-under-way" in page
    process_run(run.pk)
    page = text(desk, f"{address}change/")
    assert "Calculated: look at the result and publish it." in page
    result = f"/admin/ratings/ratingrun/{run.pk}/"
    assert "Type 2024-03." in text(desk, f"{result}change/")
    before = everything()
    answer = desk.post(f"{result}publish/", {"month": "2024-04"}, follow=True).content.decode()
    assert "you typed “2024-04”" in answer
    assert everything() == before
    with django_capture_on_commit_callbacks(execute=True):
        desk.post(f"{result}publish/", {"month": " 2024-03 "})
    process_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.published_by.email) == ("published", "officer@example.org")
    assert "This month is published." in text(desk, f"{address}change/")
    assert "id_month" not in text(desk, f"{result}change/")


def test_a_month_that_changed_since_is_calculated_again(desk):
    event_of([(*people(2), "1-0")])
    calculate()
    assert not month_page(period(), at=CLOCK).may_calculate
    event_of([(*people(2), "0-1")], name="Other")
    page = month_page(period(), at=CLOCK)
    assert (page.is_stale, page.may_calculate) == (True, True)
    assert "Calculate again" in text(desk, f"/admin/events/ratingperiod/{period().pk}/change/")


def test_before_it_ends_a_month_can_be_calculated_but_not_published():
    event_of([(*people(2), "1-0")])
    before_its_end = CLOCK - timedelta(days=5)
    assert "The clock calculates it on 1 Apr 2024." in month_page(period(), at=before_its_end).next
    process_run(start_run(period(), at=before_its_end).pk)
    assert "It can be published from 1 Apr 2024 on" in month_page(period(), at=before_its_end).next


def offers_publication(desk, run) -> bool:
    """Whether the page of a run has the form that publishes it; without it there stands why."""
    page = text(desk, f"/admin/ratings/ratingrun/{run.pk}/change/")
    assert ("Not yet:" in page) != ("id_month" in page)
    assert ('id="publish"' in page) == ("id_month" in page)
    return "id_month" in page


@pytest.mark.rule("chessa 66")
def test_a_run_offers_its_publication_from_the_first_day_of_the_next_month_on(desk):
    today = timezone.localdate()
    event_of([(*people(2), "1-0")], today)
    run = calculate(today.replace(day=1), timezone.now())
    assert not offers_publication(desk, run)
    opens = formatting.day(next_month(today))
    assert f"can be published from {opens} on (article 66)" in text(desk, f"/admin/ratings/ratingrun/{run.pk}/change/")
    answer = desk.post(f"/admin/ratings/ratingrun/{run.pk}/publish/", {"month": str(run.period)}, follow=True)
    assert f"can be published from {opens} on (article 66)" in answer.content.decode()


def test_a_run_offers_its_publication_when_nothing_keeps_its_month_from_it(desk):
    players = people(2)
    section = event_of([(*players, "1-0")]).sections.get()
    run = calculate()
    assert offers_publication(desk, run)
    penalty = Penalty.objects.create(section=section, player=players[0], round=1, kind="forfeit", points=20)
    assert not offers_publication(desk, run)
    penalty.delete()
    event_of([(*players, "0-1")], name="Other")
    assert not offers_publication(desk, run)
    assert "calculate it again" in text(desk, f"/admin/ratings/ratingrun/{run.pk}/change/")


def test_a_run_waits_for_a_worker_until_one_has_it():
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=CLOCK)
    assert month_page(period(), at=CLOCK).next.startswith("It waits for a worker;")
    assert claim_run(run.pk, at=CLOCK)
    assert month_page(period(), at=CLOCK).next.startswith("A worker has it;")


def test_how_long_a_run_takes_is_told_by_the_last_one():
    event_of([(*people(2), "1-0")])
    assert estimate(10) == ""
    run = calculate()
    RatingRun.objects.update(started_at=CLOCK, finished_at=CLOCK + timedelta(seconds=40), games=1000)
    assert estimate(4000).startswith("About 3 minutes, as")
    assert estimate(1000).startswith(f"About 40 seconds, as {run} took 40.0 seconds for 1")


def test_the_lists_in_preview_are_those_that_are_published(desk, client):
    event_of([(*people(6)[:2], "1-0")])
    run = calculate()
    preview = text(desk, f"/admin/ratings/ratingrun/{run.pk}/lists/main/")
    assert "Preview: not published." in preview
    request_publication(run, at=timezone.now())
    process_run(run.pk)
    public = text(client, "/lists/main/2024-03/")
    rows = preview[preview.index("<tbody>") : preview.index("</tbody>")]
    assert rows in public
    assert desk.get(f"/admin/ratings/ratingrun/{run.pk}/lists/none/").status_code == 404


def test_a_rating_is_explained_before_it_is_published(desk):
    players = people(2)
    event_of([(*players, "1-0")])
    run = calculate()
    address = f"/admin/ratings/ratingrun/{run.pk}/lists/main/{players[0].number}/"
    page = text(desk, address)
    assert "From what is in the month now." in page
    assert "The month has changed since" not in page
    event_of([(*players, "0-1")], name="Other")
    assert "The month has changed since" in text(desk, address)
    assert desk.get(f"/admin/ratings/ratingrun/{run.pk}/lists/main/199999999/").status_code == 404


@pytest.mark.parametrize(("moved", "named"), [(12.0, False), (40.0, True)])
def test_who_moved_beyond_three_standard_deviations_is_named(moved, named):
    """Among many who moved by 5, up or down, 12 is not far out and 40 is."""
    load(players=60, games=150, sections=2, active=1)
    run = calculate()
    main = list_definitions()[0]
    rows = list(Rating.objects.filter(run=run, list=main.id, position__isnull=False, games__gt=0).order_by("position"))
    assert len(rows) >= 20
    for place, row in enumerate(rows):
        change = moved if place == 0 else 5 if place % 2 else -5
        Rating.objects.filter(run=run, list=main.id, player=row.player_id).update(
            previous=float(row.published) - change
        )
    found = movement(run, main)
    assert sum(bar.count for bar in found.bars) == len(rows)
    assert [
        (anomaly.row.player.number, anomaly.what.split(" (")[0])
        for anomaly in found.anomalies
        if "moved" in anomaly.what
    ] == ([(rows[0].player.number, "moved: +40.0")] if named else [])


@pytest.mark.parametrize(("moved", "text"), [
    (-100.1, "fell by more than 100"), (-100, "fell by up to 100"), (-50.1, "fell by up to 100"), (-0.1, "fell by up to 10"),
    (0, "unchanged"), (0.1, "rose by up to 10"), (10, "rose by up to 10"), (10.1, "rose by up to 25"),
    (100, "rose by up to 100"), (100.1, "rose by more than 100"),
])  # fmt: skip
def test_the_bars_of_the_distribution_have_their_limits(moved, text):
    event_of([(*people(2), "1-0")])
    run = calculate()
    main = list_definitions()[0]
    chosen = Rating.objects.filter(run=run, list=main.id, position=1)
    chosen.update(previous=Decimal(1500) - Decimal(str(moved)), published=Decimal(1500))
    assert [bar.text for bar in movement(run, main).bars if bar.count] == [text]


def test_only_officers_start_publish_and_see_it(client):
    event_of([(*people(2), "1-0")])
    run = calculate()
    client.force_login(User.objects.create_user("staff@example.org", is_staff=True))
    before = everything()
    assert client.post(f"/admin/events/ratingperiod/{period().pk}/calculate/").status_code == 403
    assert client.post(f"/admin/ratings/ratingrun/{run.pk}/publish/", {"month": "2024-03"}).status_code == 403
    assert client.get(f"/admin/ratings/ratingrun/{run.pk}/lists/main/").status_code == 403
    assert everything() == before


def test_the_addresses_of_its_forms_lead_to_the_pages_and_start_nothing(desk):
    event_of([(*people(2), "1-0")])
    run = calculate()
    before = everything()
    month, result = f"/admin/events/ratingperiod/{period().pk}/", f"/admin/ratings/ratingrun/{run.pk}/"
    assert desk.get(f"{month}calculate/").headers["Location"] == f"{month}change/"
    assert desk.get(f"{result}publish/").headers["Location"] == f"{result}change/"
    assert everything() == before


def test_a_run_says_how_it_differs_from_the_one_before_it(desk):
    players = people(4)
    event_of([(players[0], players[1], "1-0")])
    first = calculate()
    assert first.against == {}
    event_of([(players[2], players[3], "1-0")], name="Other")
    second = calculate()
    assert second.against["run"] == first.pk
    found = {row.listing.code: row for row in differences_of(second)}
    assert found["main"].count == 2
    assert {(row.player.pk, row.old) for row in found["main"].greatest} == {
        (players[2].pk, "not on the list"), (players[3].pk, "not on the list"),
    }  # fmt: skip
    page = text(desk, f"/admin/ratings/ratingrun/{second.pk}/change/")
    assert f"Against run {first.pk}, which was calculated before it" in page
    assert "Main: 2 ratings differ." in page


def test_a_calculation_that_failed_says_why_until_another_one_comes(desk):
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=CLOCK)
    fail_run(claim_run(run.pk, at=CLOCK), error="no list of February", at=CLOCK)
    address = f"/admin/events/ratingperiod/{period().pk}/"
    page = text(desk, address)
    assert "Its calculation failed: settle what it says below, and calculate it again." in page
    assert "no list of February" in page
    assert "open, its calculation failed" in text(desk, "/admin/events/ratingperiod/")
    assert "See why the calculation failed" in text(desk, "/admin/")
    assert desk.get("/admin/tray/runs/begin/")["Location"] == f"{address}change/"
    calculate()
    assert "no list of February" not in text(desk, address)
    assert "Calculations that failed" not in text(desk, "/admin/").partition("Empty")[0]
    assert list(stuck_runs(TODAY)) == []


def test_a_month_whose_publication_a_worker_refused_waits_on_the_desk(desk):
    event_of([(*people(2), "1-0")])
    run = calculate()
    request_publication(run, at=timezone.now())
    Game.objects.update(result="0-1")
    process_run(run.pk)
    assert list(stuck_runs(TODAY)) == [run]
    assert "Calculations that failed or were not published" in text(desk, "/admin/").partition("Empty")[0]
    address = f"/admin/events/ratingperiod/{period().pk}/"
    assert desk.get("/admin/tray/runs/begin/")["Location"] == f"{address}change/"
    assert "has changed since it was calculated. Calculate it again" in text(desk, address)
    calculate()
    assert list(stuck_runs(TODAY)) == []
