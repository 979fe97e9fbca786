"""An arbiter's own page, and the account that opens it."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from accounts.operations import AccountError
from events.arbiters.operations import link_arbiter, unlink_arbiter
from events.arbiters.queries import arbiter_page
from events.models import Appointment, Arbiter, Entry, Event, Kind, Membership
from events.operations import move_event, register_event
from events.rules.states import State
from players.administrators import disable_account
from players.models import RegionalAdministrator
from tests.builders import CLOCK, details, event_of, officer, people, publish, region

pytestmark = pytest.mark.django_db
ACCOUNT = "/admin/events/arbiter/{}/account/"
TODAY = date(2024, 5, 1)


@pytest.fixture
def by():
    return officer()


@pytest.fixture
def grace():
    user = User.objects.create_user("grace@example.org", "correct horse 9")
    return Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000077", user=user)


def appoint(arbiter, event, position=1, first=None, last=None):
    Appointment.objects.create(event=event, arbiter=arbiter, position=position, first_round=first, last_round=last)
    return event


def rows(page):
    return {
        row.name: row.fact and (row.fact.text, row.fact.article, row.fact.mark) for row in (*page.coming, *page.past)
    }


def look(arbiter, **fields):
    return arbiter_page(arbiter, **{"today": TODAY, "begins": 1, **fields})


@pytest.mark.rule("chessa 7", "chessa 8")
def test_what_counts_and_what_does_not_with_the_reason(grace):
    Membership.objects.create(arbiter=grace, year=2024, paid_on=date(2024, 3, 3))
    white, black = people(2)
    grace.player = white
    grace.save()
    others = people(4)[2:]
    for name, ends, who, kind in (
        ("Early", date(2024, 3, 3), others, Kind.OVER_THE_BOARD),
        ("Good", date(2024, 3, 4), others, Kind.OVER_THE_BOARD),
        ("Played", date(2024, 3, 5), (white, black), Kind.OVER_THE_BOARD),
        ("Club", date(2024, 3, 6), (white, black), Kind.CLUB),
    ):
        event = event_of([(*who, "1-0"), (*who, "0-1")], ends, name=name)
        event.sections.update(planned_rounds=2)
        Event.objects.filter(pk=event.pk).update(kind=kind)
        appoint(grace, event)
    publish()
    page = look(grace)
    assert rows(page) == {
        "Early": ("The membership fee was not paid before the event started", "7", "bad"),
        "Good": ("Counts", "", "good"),
        "Played": ("Counts", "", "good"),
        "Club": ("Counts", "", "good"),
    }
    for name in ("Played", "Club"):
        section = Event.objects.get(name=name).sections.get()
        Entry.objects.create(section=section, player=white, number=1, name_in_file="x", points=1, rank=1)
    assert rows(look(grace))["Played"] == ("Entered as a player", "8", "bad")
    assert rows(look(grace))["Club"] == ("Counts", "", "good")
    (year,) = look(grace).years
    assert (year.label, year.total, year.lost, year.waiting) == ("2024", ("2", "4"), "2", "")


def test_a_page_with_nothing_on_it_yet(client, grace):
    client.force_login(grace.user)
    text = client.get("/arbiters/me/").content.decode()
    year = timezone.localdate().year
    assert f"The fee of {year} is not on record." in text
    assert "No appointments ahead." in text
    assert "No activity yet." in text


@pytest.mark.rule("chessa 7")
def test_before_an_event_it_is_said_what_is_still_due(grace):
    ahead = register_event(details(date(2024, 12, 30), date(2025, 1, 2), name="Turn"), at=CLOCK)
    appoint(grace, ahead, 4, 2, 3)
    (row,) = look(grace).coming
    assert (row.role, row.rounds) == ("Arbiter", "rounds 2–3")
    assert row.fact.text == "The fee of its year is due before 30 Dec 2024"
    Membership.objects.create(arbiter=grace, year=2024, paid_on=date(2024, 4, 1))
    assert look(grace).coming[0].fact is None
    assert look(grace, begins=10).coming[0].fact is not None
    grace.federation = "BOT"
    assert (look(grace, begins=10).coming[0].fact, look(grace).fees, look(grace).asked) == (None, [], False)


def test_an_event_is_ahead_until_its_last_day_and_withdrawn_ones_are_past(grace):
    event = appoint(grace, register_event(details(TODAY - timedelta(days=2), TODAY, name="Now"), at=CLOCK))
    assert [row.name for row in look(grace).coming] == ["Now"]
    assert look(grace, today=TODAY + timedelta(days=1)).coming == []
    move_event(event, State.WITHDRAWN, at=CLOCK, reason="no hall")
    page = look(grace)
    assert (page.coming, rows(page)) == ([], {"Now": ("The event was withdrawn", "", "bad")})


def test_past_appointments_are_shown_year_by_year(client, grace):
    for year in (2022, 2023):
        day = date(year, 6, 1)
        appoint(grace, register_event(details(day, day, name=f"Open {year}"), at=CLOCK))
    assert [row.name for row in look(grace).past] == ["Open 2023"]
    assert [row.name for row in look(grace, year=2022).past] == ["Open 2022"]
    client.force_login(grace.user)
    assert "Open 2022" in client.get("/arbiters/me/?year=2022").content.decode()
    for year in ("2021", "20222", "٢٠٢٢", "x" * 10_000, "-2022"):
        assert client.get(f"/arbiters/me/?year={year}").status_code == 404


def test_a_long_record_takes_five_queries(grace, django_assert_num_queries):
    for number in range(12):
        day = date(2023, 1, 1 + number)
        appoint(grace, register_event(details(day, day, name=f"Open {number}"), at=CLOCK))
    with django_assert_num_queries(5):
        assert len(look(grace).past) == 12


def test_who_sees_the_page(client, grace, by):
    other = User.objects.create_user("other@example.org", is_staff=True)
    Arbiter.objects.create(name="Other", title="FA", user=other)
    address = f"/arbiters/{grace.pk}/record/"
    for user, status in ((grace.user, 200), (by, 200), (other, 404)):
        client.force_login(user)
        assert client.get(address).status_code == status, user
    assert client.get("/arbiters/999999999999999999999/record/").status_code == 404
    client.logout()
    assert client.get(address).status_code == 302


def test_no_address_is_on_the_page_and_the_head_leads_there(client, grace, by):
    client.force_login(by)
    text = client.get(f"/arbiters/{grace.pk}/record/").content.decode()
    assert "grace@example.org" not in text
    assert 'href="/arbiters/me/"' not in text
    client.force_login(grace.user)
    assert 'href="/arbiters/me/"' in client.get("/events/").content.decode()
    assert 'href="/arbiters/me/"' in client.get("/account/").content.decode()


def test_an_officer_invites_an_arbiter_in_one_step(client, by):
    arbiter = Arbiter.objects.create(name="Zodwa Cele", title="NA")
    client.force_login(by)
    assert "has no account" in client.get(ACCOUNT.format(arbiter.pk)).content.decode()
    answer = client.post(ACCOUNT.format(arbiter.pk), {"link": "1", "email": "Zodwa@example.org", "first_name": "Zodwa"})
    assert answer.status_code == 302
    message = mail.outbox[0]
    assert (message.to, message.subject) == (["zodwa@example.org"], "Your page as an arbiter")
    assert "Zodwa Cele" in message.body
    assert "http://127.0.0.1:8000/arbiters/me/" in message.body
    link = re.findall(r"http://127.0.0.1:8000(/account/invitation/\S+)", message.body)[0]
    client.logout()
    page = client.get(link, follow=True)
    words = {"new_password1": "battery staple 7", "new_password2": "battery staple 7"}
    client.post(page.request["PATH_INFO"], words, follow=True)
    assert "Zodwa Cele" in client.get("/arbiters/me/").content.decode()


def test_an_account_is_one_arbiters_and_is_taken_away_again(client, by, grace):
    client.force_login(by)
    other = Arbiter.objects.create(name="Zodwa Cele", title="NA")
    answer = client.post(ACCOUNT.format(other.pk), {"link": "1", "email": "GRACE@example.org"})
    assert "is the account of Grace Tenza already" in answer.content.decode()
    for email, said in (("nobody", "valid email"), ("", "required")):
        assert said in client.post(ACCOUNT.format(other.pk), {"link": "1", "email": email}).content.decode()
    assert mail.outbox == []
    client.post(ACCOUNT.format(grace.pk), {"invite": "1"})
    assert [message.to for message in mail.outbox] == [["grace@example.org"]]
    client.post(ACCOUNT.format(grace.pk), {"unlink": "1"})
    grace.refresh_from_db()
    assert grace.user is None
    answer = client.post(ACCOUNT.format(grace.pk), {"unlink": "1"}, follow=True)
    assert "has no account" in answer.content.decode()


def test_linking_is_on_record_and_opens_no_desk_to_an_officer(by, grace):
    at = datetime(2024, 3, 1, tzinfo=UTC)
    closed = User.objects.create_user("closed@example.org", is_officer=True)
    link_arbiter(grace, "closed@example.org", at=at, by=by)
    closed.refresh_from_db()
    grace.refresh_from_db()
    assert (grace.user, closed.is_staff) == (closed, False)
    assert list(grace.history.filter(history_date=at).values_list("history_user", "user")) == [(by.pk, closed.pk)]
    unlink_arbiter(grace, at=at, by=by)
    disable_account(User.objects.get(email="grace@example.org"), at=at, by=by)
    with pytest.raises(AccountError, match="disabled"):
        link_arbiter(Arbiter.objects.get(pk=grace.pk), "grace@example.org", at=at, by=by)


def test_the_register_keeps_fees_in_order(client, by, grace):
    client.force_login(by)
    address = f"/admin/events/arbiter/{grace.pk}/change/"
    sent = {
        "name": "Grace Tenza", "title": "IA", "number": "100000077", "fide_id": "", "federation": "RSA", "player": "",
        "memberships-TOTAL_FORMS": 1, "memberships-INITIAL_FORMS": 0, "memberships-0-arbiter": grace.pk,
        "memberships-0-fee": "aoc", "reason_for_change": "The treasurer’s list.",
    }  # fmt: skip
    tomorrow = timezone.localdate() + timedelta(days=1)
    for year, day, said in (
        ("2024", tomorrow.isoformat(), "still to come"),
        ("2024", "1900-01-01", "cannot be meant"),
        ("1900", "2024-01-02", "greater than or equal to 1970"),
        ("2024", "x", "valid date"),
    ):
        answer = client.post(address, {**sent, "memberships-0-year": year, "memberships-0-paid_on": day})
        assert said in answer.content.decode()
    Arbiter.objects.create(name="Other", title="FA", number="100000078")
    assert (
        "Another arbiter has this Chess SA id."
        in client.post(address, {**sent, "number": "100000078"}).content.decode()
    )
    assert Membership.objects.count() == 0
    today = timezone.localdate().isoformat()
    client.post(address, {**sent, "memberships-0-year": "2024", "memberships-0-paid_on": today})
    assert Membership.objects.get().history.get().history_user == by
    grace.refresh_from_db()
    assert grace.user.email == "grace@example.org"


def test_addresses_and_payments_are_not_shown_to_administrators(client, grace):
    user = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=user, region=region(), since=date(2024, 1, 1))
    client.force_login(user)
    for address in ("/admin/events/arbiter/", f"/admin/events/arbiter/{grace.pk}/change/"):
        text = client.get(address).content.decode()
        assert "Grace Tenza" in text
        assert "grace@example.org" not in text
        assert "not paid" not in text
    for query in ("waiting=arbiters", "waiting=year", "user__isnull=False", f"user={user.pk}", "memberships__fee=aoc"):
        assert client.get(f"/admin/events/arbiter/?{query}").status_code in (302, 400)


@pytest.mark.parametrize("twice_in_one", [False, True])
def test_a_fee_that_is_on_record_is_not_entered_again(client, by, grace, twice_in_one):
    """From a page that was opened before, or clicked twice: it was an error of the database."""
    client.force_login(by)
    address = f"/admin/events/arbiter/{grace.pk}/change/"
    sent = {
        "name": "Grace Tenza", "title": "IA", "number": "100000077", "fide_id": "", "federation": "RSA", "player": "",
        "memberships-TOTAL_FORMS": 1 + twice_in_one, "memberships-INITIAL_FORMS": 0,
        "reason_for_change": "The treasurer’s list.",
    }  # fmt: skip
    for place in range(1 + twice_in_one):
        row = {"arbiter": grace.pk, "fee": "aoc", "year": "2026", "paid_on": "2024-01-02"}
        sent |= {f"memberships-{place}-{name}": value for name, value in row.items()}
    first, second = client.post(address, sent), client.post(address, sent)
    refused = first if twice_in_one else second
    assert refused.status_code == 200
    assert ("duplicate" if twice_in_one else "on record for the year already") in refused.content.decode()
    assert grace.memberships.filter(year=2026).count() == (0 if twice_in_one else 1)


def test_of_two_accounts_that_are_linked_at_one_moment_the_first_stays(by, grace):
    seen = Arbiter.objects.get(pk=grace.pk)
    link_arbiter(grace, "first@example.org", at=timezone.now(), by=by)
    with pytest.raises(AccountError, match="Another has linked an account meanwhile"):
        link_arbiter(seen, "second@example.org", at=timezone.now(), by=by)
    assert not User.objects.filter(email="second@example.org").exists()
