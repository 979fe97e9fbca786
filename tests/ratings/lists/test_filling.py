"""A list of another system that is added later: it changes no published month, and can be filled for them."""

from datetime import date
from html import unescape
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.db.models.signals import pre_delete
from django.utils import timezone

from accounts.models import Decision, User
from events.models import RatingPeriod
from ratings.explanations.case_files import export_period
from ratings.health.waiting import waiting
from ratings.models import Performance, Rating, RatingList
from ratings.periods import RunError, run_in_force
from ratings.runs.filling import MOST_ATTEMPTS, ask_to_fill, fill_list, process_fill, to_fill
from ratings.runs.operations import request_publication, start_run
from ratings.runs.worker import process_run
from ratings.tasks import fill_published, rescue_runs
from tests.admin_pages import sent_form
from tests.builders import everything, officer
from tests.pages import builders

pytestmark = pytest.mark.django_db

AT = timezone.now()
MARCH, APRIL = date(2024, 3, 1), builders.APRIL


def figures(code):
    """All that is written for a list, month by month."""
    ratings = Rating.objects.filter(list__code=code).order_by("run__period__month", "player")
    lines = Performance.objects.filter(list__code=code).order_by("run__period__month", "section", "player")
    return (
        list(
            ratings.values_list(
                "run__period__month", "player", "raw", "published", "highest", "k", "games", "rank", "standing"
            )
        ),
        list(lines.values_list("run", "section", "player", "score", "expected", "change")),
    )


def published_months():
    return list(RatingPeriod.objects.filter(publication__isnull=False).order_by("month"))


@pytest.mark.parametrize("starts_from", ["", "main"])
def test_filled_later_it_has_the_figures_of_one_that_was_there_from_the_start(starts_from):
    builders.add_list("first", system="uscf", position=6, starts_from=starts_from)
    builders.federation()
    before = figures("main"), figures("first")
    later = builders.add_list("later", system="uscf", position=7, starts_from=starts_from)
    assert fill_list(later, MARCH, at=timezone.now()) == len(published_months())
    assert figures("later") == figures("first")
    assert figures("first")[0]
    assert (figures("main"), figures("first")) == before


def test_a_new_list_and_another_order_change_no_published_month():
    builders.add_list("irish", system="icu", position=6)
    builders.federation()
    before = [export_period(period) for period in published_months()]
    builders.add_list("us", system="uscf", position=9)
    assert [export_period(period) for period in published_months()] == before
    for code, position in (("irish", 10), ("us", 6)):
        RatingList.objects.filter(code=code).update(position=position)
    assert [export_period(period) for period in published_months()] == before
    fill_list(RatingList.objects.get(code="us"), MARCH, at=timezone.now())
    assert [export_period(period) for period in published_months()] == before


def test_it_can_begin_with_a_later_month():
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    assert fill_list(later, APRIL, at=timezone.now()) == 1
    assert {month for month, *_ in figures("later")[0]} == {APRIL}


def test_what_cannot_be_filled_is_said():
    builders.federation()
    at = timezone.now()
    later = builders.add_list("later", system="icu", position=7)
    with pytest.raises(RunError, match="2024-01 is not published: begin with a month from which on every month is"):
        fill_list(later, date(2024, 1, 1), at=at)
    with pytest.raises(RunError, match="2030-01 is not published"):
        fill_list(later, date(2030, 1, 1), at=at)
    with pytest.raises(RunError, match="Main is one of Chess SA’s four lists"):
        fill_list(RatingList.objects.get(code="main"), MARCH, at=at)
    assert figures("later") == ([], [])
    fill_list(later, APRIL, at=at)
    with pytest.raises(RunError, match="published since 2024-04, and what is published stays as it is"):
        fill_list(later, MARCH, at=at)


def test_a_month_that_is_calculated_is_calculated_again():
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    coming = RatingPeriod.objects.filter(publication=None).order_by("month").first()
    process_run(start_run(coming, at=timezone.now()).pk)
    fill_list(later, MARCH, at=timezone.now())
    with pytest.raises(RunError, match="calculate it again"):
        request_publication(run_in_force(coming), at=timezone.now())
    run = process_run(start_run(coming, at=timezone.now()).pk)
    assert (
        Rating.objects.filter(run=run, list=later).count()
        == Rating.objects.filter(run__period__month=APRIL, list=later).count()
    )


def test_not_while_a_month_is_being_calculated():
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    coming = RatingPeriod.objects.filter(publication=None).order_by("month").first()
    start_run(coming, at=timezone.now())
    with pytest.raises(RunError, match="a month is being calculated or published"):
        fill_list(later, MARCH, at=timezone.now())
    assert figures("later") == ([], [])


def test_an_officer_has_it_filled(client, worker_at_once, django_capture_on_commit_callbacks):
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    client.force_login(officer())
    address = "/admin/ratings/ratinglist/"
    sent = {"action": "fill", "_selected_action": [later.pk], "month": "2024-03"}
    with django_capture_on_commit_callbacks(execute=True):
        assert "is being filled for" in client.post(address, sent, follow=True).content.decode()
    assert figures("later")[0]
    decision = Decision.objects.get(action="filled")
    assert (decision.actor_role, decision.after) == ("ratings officer", {"months": "2024-03 to 2024-04"})
    assert "is published since 2024-0" in client.post(address, sent, follow=True).content.decode()
    assert "is not a month" in client.post(address, sent | {"month": ""}, follow=True).content.decode()


def test_the_rules_of_a_list_that_is_filled_while_its_page_is_open_stay(client):
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    client.force_login(officer())
    address = f"/admin/ratings/ratinglist/{later.pk}/change/"
    form = sent_form(later, User.objects.get(is_officer=True), counts_rapid="", edition="")
    fill_list(RatingList.objects.get(pk=later.pk), MARCH, at=AT)
    assert "The list was filled by its present rules meanwhile" in str(form.errors)
    assert client.get(address).status_code == 200


def test_a_list_that_is_filled_while_it_is_deleted_stays(client):
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    client.force_login(officer())

    def filled(sender, instance, **_):
        pre_delete.disconnect(filled, sender=RatingList)
        raise IntegrityError  # as PostgreSQL does at the end

    pre_delete.connect(filled, sender=RatingList)
    sent = {"post": "yes", "reason_for_change": "not needed"}
    answer = client.post(f"/admin/ratings/ratinglist/{later.pk}/delete/", sent)
    assert answer.status_code == 302


@pytest.fixture
def asked():
    """A list that an officer has put up to be filled."""
    builders.federation()
    later = builders.add_list("later", system="icu", position=7)
    assert ask_to_fill(later, MARCH, at=AT, by=officer()) == 2
    return later


def test_what_was_asked_for_is_not_lost_with_its_message(asked, worker_at_once):
    assert [(row.kind, row.count) for row in waiting(at=AT) if row.kind == "fillings"] == [("fillings", 1)]
    with pytest.raises(RunError, match="LATER is being filled already, from 2024-03 on"):
        ask_to_fill(asked, APRIL, at=AT, by=None)
    rescue_runs()
    assert figures("later")[0]
    assert Decision.objects.get(action="filled").actor.email == "officer@example.org"
    before = everything()
    fill_published(asked.pk)
    assert everything() == before
    assert not to_fill().exists()


def test_a_month_that_is_calculated_meanwhile_is_waited_for(asked):
    coming = RatingPeriod.objects.filter(publication=None).order_by("month").first()
    run = start_run(coming, at=AT)
    for _ in range(MOST_ATTEMPTS + 1):
        process_fill(asked.pk)
    assert list(to_fill()) == [asked]
    process_run(run.pk)
    process_fill(asked.pk)
    assert figures("later")[0]


@pytest.mark.servers
def test_while_a_worker_fills_a_list_others_count_no_attempt(asked):
    """They would wait in the months' locks until it was given up."""
    with psycopg.connect(connection.connection.info.dsn) as other:
        other.execute("SELECT pg_advisory_lock(hashtext('filling'))")
        process_fill(asked.pk)
        other.execute("SELECT pg_advisory_unlock(hashtext('filling'))")  # closing alone leaves it for a moment more
    assert [(row.pk, row.fill_attempts) for row in to_fill()] == [(asked.pk, 0)]
    process_fill(asked.pk)
    assert figures("later")[0]


def test_what_stands_against_it_is_on_its_trail(asked):
    fill_list(asked, APRIL, at=AT)
    process_fill(asked.pk)
    assert Decision.objects.get(action="not filled").reason == (
        "LATER is published since 2024-04, and what is published stays as it is."
    )
    assert not to_fill().exists()


@pytest.mark.servers  # SQLite adds no constraint to a table
def test_a_fill_that_fails_is_given_up_and_shown_on_the_desk(asked, client):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ratings_seal ADD CONSTRAINT none CHECK (code <> 'later') NOT VALID")
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(IntegrityError):
            process_fill(asked.pk)
    process_fill(asked.pk)
    assert not to_fill().exists()
    client.force_login(User.objects.get(email="officer@example.org"))
    desk = client.get("/admin/").content.decode()
    assert "Lists that could not be filled" in desk
    page = unescape(client.get(f"/admin/ratings/ratinglist/{asked.pk}/change/").content.decode())
    assert "From 2024-03 on, asked for by officer@example.org: given up after 3 attempts" in page
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ratings_seal DROP CONSTRAINT none")
    ask_to_fill(asked, MARCH, at=AT, by=None)
    process_fill(asked.pk)
    assert figures("later")[0]


def test_by_command():
    builders.federation()
    builders.add_list("later", system="icu", position=7)
    out = StringIO()
    call_command("fill_list", "later", "2024-04", stdout=out)
    assert out.getvalue() == "LATER: 1 month filled\n"
    with pytest.raises(CommandError, match="there is no list nonsense; there are main,"):
        call_command("fill_list", "nonsense", "2024-04")
