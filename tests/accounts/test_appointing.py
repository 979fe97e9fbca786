"""Officers appoint, replace and invite Regional Administrators, and disable accounts."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core import mail

from accounts.models import Mail, User
from accounts.operations import AccountError, set_active
from accounts.permissions import Role, roles_of
from config.services import SMTP_BACKEND
from events.access import writable_regions
from events.arbiters.operations import link_arbiter
from events.models import Arbiter
from players.administrators import appoint_administrator, disable_account, end_administration
from tests.builders import officer, panel, region

pytestmark = pytest.mark.django_db

PAGE = "/admin/players/region/{}/administrator/"
# 23:30 in London is the next day's morning in Johannesburg.
AT = datetime(2024, 3, 1, 22, 30, tzinfo=UTC)
LATER = AT + timedelta(days=30)


@pytest.fixture
def by():
    return officer()


def terms(code="GAU"):
    """Who administered a region from when to when, the first one first."""
    return list(region(code).administrators.order_by("pk").values_list("user__email", "since", "until"))


@pytest.mark.rule("chessa 57")
def test_an_administration_begins_on_the_day_of_the_bureau(by):
    made = appoint_administrator(region(), "Thandi@Example.org", first_name="Thandi", last_name="Nkosi", at=AT, by=by)
    assert made.before is None
    assert terms() == [("thandi@example.org", date(2024, 3, 2), None)]
    user = made.administration.user
    assert (user.get_full_name(), user.has_usable_password()) == ("Thandi Nkosi", False)
    assert roles_of(user) == {Role.ADMINISTRATOR}


@pytest.mark.rule("chessa 57", "chessa 58")
def test_the_next_one_takes_over_and_who_it_was_when_stays(by):
    first = appoint_administrator(region(), "first@example.org", at=AT, by=by).administration
    made = appoint_administrator(region(), "second@example.org", at=LATER, by=by)
    assert made.before == first
    handed_over = date(2024, 4, 1)
    assert terms() == [
        ("first@example.org", date(2024, 3, 2), handed_over),
        ("second@example.org", handed_over, None),
    ]
    assert roles_of(first.user) == set()
    assert list(writable_regions(made.administration.user)) == [region()]
    kept = first.history.order_by("history_date").values_list("history_date", "history_user", "until")
    assert list(kept) == [(AT, by.pk, None), (LATER, by.pk, handed_over)]


def end(by):
    end_administration(region(), at=AT, by=by)


def disable(by):
    disable_account(User.objects.get(email="first@example.org"), at=AT, by=by)


def appoint(by):
    appoint_administrator(region(), "third@example.org", at=AT, by=by)


def appoint_again(by):
    made = appoint_administrator(region(), "second@example.org", at=AT, by=by)
    assert (made.before.user.email, made.administration.since) == ("first@example.org", date(2024, 3, 2))


@pytest.mark.parametrize(
    ("action", "left"),
    [
        (end, None),
        (disable, "second@example.org"),
        (appoint, "third@example.org"),
        (appoint_again, "second@example.org"),
    ],
)
def test_terms_that_a_clock_ahead_wrote_are_put_right_when_an_officer_acts(by, action, left):
    """The former administrator kept his region until the clock had caught up, and the new one had none."""
    appoint_administrator(region(), "first@example.org", at=AT - timedelta(days=90), by=by)
    appoint_administrator(region(), "second@example.org", at=AT + timedelta(days=30), by=by)
    action(by)
    former, *_, latest = terms()
    assert former == ("first@example.org", date(2023, 12, 3), date(2024, 3, 2))
    assert latest[2] is None if left else latest[1:] == (date(2024, 3, 2), date(2024, 3, 2))
    assert latest[0] == left or left is None


def test_an_administration_that_a_clock_ahead_ended_can_be_ended(by):
    first = appoint_administrator(region(), "first@example.org", at=AT, by=by).administration
    end_administration(region(), at=AT + timedelta(days=30), by=by)
    assert end_administration(region(), at=AT, by=by) == first
    assert terms() == [("first@example.org", date(2024, 3, 2), date(2024, 3, 2))]


@pytest.mark.rule("chessa 57")
def test_on_one_day_only_the_last_appointed_is_in_office(by):
    for email in ("first@example.org", "second@example.org"):
        appoint_administrator(region(), email, at=AT, by=by)
    assert [roles_of(User.objects.get(email=f"{name}@example.org")) for name in ("first", "second")] == [
        set(),
        {Role.ADMINISTRATOR},
    ]


def test_an_account_that_is_there_is_kept_with_its_name_and_password(by):
    user = User.objects.create_user("grace@example.org", "correct horse 9", first_name="Grace")
    Arbiter.objects.create(name="Grace Tenza", title="IA", user=user)
    made = appoint_administrator(region(), "grace@example.org", first_name="Other", at=AT, by=by).administration.user
    assert made == user
    assert (made.first_name, made.check_password("correct horse 9"), made.is_staff) == ("Grace", True, True)
    assert roles_of(made) == {Role.ADMINISTRATOR, Role.ARBITER}


def test_who_is_in_office_or_disabled_is_not_appointed(by):
    user = appoint_administrator(region(), "thandi@example.org", at=AT, by=by).administration.user
    with pytest.raises(AccountError, match="is the Regional Administrator of GAU"):
        appoint_administrator(region(), "THANDI@example.org", at=AT, by=by)
    disable_account(user, at=AT, by=by)
    with pytest.raises(AccountError, match="is disabled"):
        appoint_administrator(region("LCP"), "thandi@example.org", at=AT, by=by)
    assert terms("LCP") == []


@pytest.mark.rule("chessa 11")
def test_a_member_of_the_panel_gets_no_part_in_what_he_answers_appeals_of(by):
    member = panel()
    arbiter = Arbiter.objects.create(name="Grace Tenza")
    with pytest.raises(AccountError, match="is on the appeals panel"):
        appoint_administrator(region(), member.email, at=AT, by=by)
    with pytest.raises(AccountError, match="is on the appeals panel"):
        link_arbiter(arbiter, member.email, at=AT, by=by)
    assert terms() == []
    assert Arbiter.objects.get().user is None


@pytest.mark.rule("chessa 58")
def test_an_administration_ends_without_a_successor_once(by):
    appoint_administrator(region(), "thandi@example.org", at=AT, by=by)
    end_administration(region(), at=LATER, by=by)
    assert terms() == [("thandi@example.org", date(2024, 3, 2), date(2024, 4, 1))]
    with pytest.raises(AccountError, match="has no Regional Administrator"):
        end_administration(region(), at=LATER, by=by)


def test_disabling_shuts_open_sessions_and_ends_every_administration(by, client):
    for code in ("GAU", "LCP"):
        user = appoint_administrator(region(code), "thandi@example.org", at=AT, by=by).administration.user
    client.force_login(user)
    assert client.get("/account/").status_code == 200
    assert {one.region.code for one in disable_account(user, at=LATER, by=by)} == {"GAU", "LCP"}
    assert client.get("/account/").status_code == 302
    assert [terms(code)[0][2] for code in ("GAU", "LCP")] == [date(2024, 4, 1)] * 2
    set_active(user, True, at=LATER, by=by)
    user.refresh_from_db()
    assert (user.is_active, roles_of(user)) == (True, set())
    assert client.get("/account/").status_code == 302  # whoever had the session has to log in


def test_officers_disable_neither_officers_nor_themselves_and_superusers_do(by):
    other = User.objects.create_user("officer2@example.org", is_officer=True)
    chief = User.objects.create_superuser("chief@example.org")
    for user, actor in ((other, by), (chief, by), (by, by), (chief, chief)):
        with pytest.raises(AccountError):
            disable_account(user, at=AT, by=actor)
        with pytest.raises(AccountError):
            set_active(user, True, at=AT, by=actor)
    disable_account(other, at=AT, by=chief)
    other.refresh_from_db()
    assert not other.is_active


def test_an_officer_appoints_on_the_desk_and_the_invited_sets_his_password(by, client):
    client.force_login(by)
    assert "Nobody administers this region" in client.get(PAGE.format(region().pk)).content.decode()
    answer = client.post(PAGE.format(region().pk), {"appoint": "1", "email": "thandi@example.org", "first_name": "T"})
    assert answer.status_code == 302
    message = mail.outbox[0]
    assert (message.to, message.subject) == (["thandi@example.org"], "You are Regional Administrator of Gauteng")
    assert "article 57" in message.body
    link = re.findall(r"http://127.0.0.1:8000(/account/invitation/\S+)", message.body)[0]
    client.logout()
    page = client.get(link, follow=True)
    assert "Welcome: set your password" in page.content.decode()
    words = {"new_password1": "battery staple 7", "new_password2": "battery staple 7"}
    account = client.post(page.request["PATH_INFO"], words, follow=True).content.decode()
    assert "Regional Administrator" in account
    assert 'href="/events/?region=GAU"' in account
    assert client.get("/events/register/").status_code == 200


def test_who_has_a_password_is_led_to_the_log_in(by, client):
    User.objects.create_user("thandi@example.org", "correct horse 9")
    client.force_login(by)
    client.post(PAGE.format(region().pk), {"appoint": "1", "email": "thandi@example.org"})
    assert "http://127.0.0.1:8000/account/log-in/" in mail.outbox[0].body
    assert "/invitation/" not in mail.outbox[0].body


def test_what_is_wrong_is_said_at_the_field(by, client):
    client.force_login(by)
    for email, said in (("nobody", "valid email"), ("", "required")):
        answer = client.post(PAGE.format(region().pk), {"appoint": "1", "email": email})
        assert said in answer.content.decode()
    client.post(PAGE.format(region().pk), {"appoint": "1", "email": "thandi@example.org"})
    answer = client.post(PAGE.format(region().pk), {"appoint": "1", "email": "thandi@example.org"})
    assert "already" in answer.content.decode()
    assert len(terms()) == len(mail.outbox) == 1


def test_the_invitation_is_sent_again_and_the_administration_ended(by, client):
    client.force_login(by)
    client.post(PAGE.format(region().pk), {"appoint": "1", "email": "thandi@example.org"})
    client.post(PAGE.format(region().pk), {"invite": "1"})
    assert len(mail.outbox) == 2
    client.post(PAGE.format(region().pk), {"end": "1"})
    assert terms()[0][2] is not None
    answer = client.post(PAGE.format(region().pk), {"end": "1"}, follow=True)
    assert "has no Regional Administrator" in answer.content.decode()


def test_a_mail_that_cannot_be_sent_waits_and_the_appointment_stands(by, client, settings):
    settings.EMAIL_BACKEND = SMTP_BACKEND
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    client.force_login(by)
    answer = client.post(PAGE.format(region().pk), {"appoint": "1", "email": "thandi@example.org"}, follow=True)
    assert "A mail is on its way to thandi@example.org." in answer.content.decode()
    assert (len(terms()), mail.outbox, Mail.objects.get().state) == (1, [], "waiting")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_at=datetime.now(UTC))
    assert [message.to for message in mail.outbox] == [["thandi@example.org"]]


def test_the_history_of_a_region_is_read_on_its_page_and_not_edited(by, client):
    appoint_administrator(region(), "thandi@example.org", at=AT, by=by)
    client.force_login(by)
    page = client.get(f"/admin/players/region/{region().pk}/change/").content.decode()
    assert "2 Mar 2024" in page
    assert "administrators-0-since" not in page
    assert PAGE.format(region().pk) in page


def act(client, action, user):
    return client.post("/admin/accounts/user/", {"action": action, "_selected_action": user.pk}, follow=True)


def test_an_officer_disables_enables_and_invites_on_the_page_for_users(by, client):
    user = User.objects.create_user("thandi@example.org")
    client.force_login(by)
    assert "is disabled" in act(client, "disable", user).content.decode()
    assert not User.objects.get(pk=user.pk).is_active
    assert "Enable it first" in act(client, "invite", user).content.decode()
    act(client, "enable", user)
    act(client, "invite", user)
    assert User.objects.get(pk=user.pk).is_active
    assert [message.to for message in mail.outbox] == [["thandi@example.org"]]


def test_an_officer_sees_no_password_no_officer_and_edits_nothing(by, client):
    user = User.objects.create_user("thandi@example.org", "correct horse 9")
    chief = User.objects.create_superuser("chief@example.org")
    client.force_login(by)
    listed = client.get("/admin/accounts/user/").content.decode()
    assert "thandi@example.org" in listed
    assert "chief@example.org" not in listed
    page = client.get(f"/admin/accounts/user/{user.pk}/change/").content.decode()
    assert "pbkdf2" not in page
    assert client.post(f"/admin/accounts/user/{user.pk}/change/", {"email": "mine@example.org"}).status_code == 403
    act(client, "disable", chief)
    assert User.objects.get(pk=chief.pk).is_active


def test_an_officer_whose_desk_was_closed_does_not_get_it_back_with_a_region(by):
    other = User.objects.create_user("officer3@example.org", is_officer=True, is_staff=False)
    appoint_administrator(region(), other.email, at=datetime.now(UTC), by=by)
    other.refresh_from_db()
    assert not other.is_staff
