"""Who may do what, and which events each role sees."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.operations import AccountError, set_active
from accounts.permissions import RIGHTS, Role, roles_of
from accounts.retention.operations import close_for_good
from accounts.trail.operations import role_of
from events.access import desk_events, visible_events
from events.models import Appeal, Appointment, Arbiter, Refusal
from players.models import RegionalAdministrator
from tests.builders import CLOCK, event_of, people, refused_by, region

pytestmark = pytest.mark.django_db


def user(email="someone@example.org", **fields):
    return User.objects.create_user(email, is_staff=True, **fields)


def administer(by, code="GAU", until=None):
    RegionalAdministrator.objects.create(user=by, region=region(code), since=date(2023, 1, 1), until=until)
    return by


@pytest.fixture
def events():
    """One event in each of three regions."""
    players = people(2)
    return {code: event_of([(*players, "1-0")], code=code, name=code) for code in ("GAU", "LCP", "LVT")}


def seen(by):
    return set(visible_events(by).values_list("name", flat=True))


def test_an_officer_sees_every_event_and_edits_no_users(events):
    by = user(is_officer=True)
    assert roles_of(by) == {Role.OFFICER}
    assert seen(by) == {"GAU", "LCP", "LVT"}
    assert by.has_perm("events.change_event")
    assert by.has_perm("ratings.change_ratingrun")
    assert not any(by.has_perm(f"accounts.{action}_user") for action in ("add", "change", "delete"))


def test_an_administrator_sees_his_regions_events_and_changes_none(events):
    by = administer(user())
    assert roles_of(by) == {Role.ADMINISTRATOR}
    assert seen(by) == {"GAU"}
    assert by.has_perm("events.view_event")
    assert not by.has_perm("events.change_event")
    assert not by.has_perm("ratings.view_ratingrun")


@pytest.mark.rule("chessa 58")
def test_an_administrator_who_left_sees_nothing(events):
    left = administer(user(), until=date(2024, 1, 1))
    administer(user("next@example.org"))
    assert (roles_of(left), seen(left)) == (set(), set())
    assert not left.has_perm("events.view_event")


@pytest.mark.rule("chessa 58")
@pytest.mark.parametrize(("ends", "roles"), [(0, set()), (1, {Role.ADMINISTRATOR})])
def test_the_last_day_in_office_is_the_one_before_the_end(ends, roles):
    assert roles_of(administer(user(), until=timezone.localdate() + timedelta(days=ends))) == roles


@pytest.mark.rule("chessa 58")
def test_an_administrator_who_changed_regions_sees_the_present_one_only(events):
    """The former region has somebody else in office."""
    moved = administer(administer(user(), "GAU", until=date(2024, 1, 1)), "LCP")
    administer(user("next@example.org"), "GAU")
    assert seen(moved) == {"LCP"}


def test_an_arbiter_sees_the_events_of_his_appointments(events):
    by = user()
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", user=by)
    Appointment.objects.create(event=events["LVT"], arbiter=arbiter, position=1)
    other = Arbiter.objects.create(name="Other", title="FA")
    Appointment.objects.create(event=events["GAU"], arbiter=other, position=1)
    assert (roles_of(by), seen(by)) == ({Role.ARBITER}, {"LVT"})


def test_somebody_with_two_roles_sees_each_event_once(events):
    by = administer(user())
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", user=by)
    for position, code in enumerate(("GAU", "LVT"), start=1):
        Appointment.objects.create(event=events[code], arbiter=arbiter, position=position)
        Appointment.objects.create(event=events[code], arbiter=arbiter, position=position + 5)
    assert sorted(visible_events(by).values_list("name", flat=True)) == ["GAU", "LVT"]


def test_who_has_no_role_with_events_sees_none(events):
    assert seen(user()) == seen(User.objects.create_superuser("chief@example.org")) == set()


def test_a_superuser_edits_users_and_decides_nothing_that_officers_do():
    by = User.objects.create_superuser("chief@example.org")
    assert by.has_perms(
        ["accounts.add_user", "accounts.change_user", "accounts.disable_user", "accounts.view_decision"]
    )
    assert not by.get_all_permissions() & RIGHTS[Role.OFFICER] - {
        "accounts.view_user",
        "accounts.disable_user",
        "accounts.view_decision",
        "accounts.view_health",
        "accounts.view_token",
        "accounts.withdraw_token",
        "players.view_regionaladministrator",
    }
    assert not by.has_module_perms("ratings")


def test_a_superuser_who_is_marked_as_an_officer_is_both():
    by = User.objects.create_superuser("chief@example.org", is_officer=True)
    assert by.has_perms(["accounts.change_user", "events.change_event"])
    assert role_of(by) == "ratings officer"


def test_an_inactive_officer_may_do_nothing():
    by = user(is_officer=True, is_active=False)
    assert not by.has_perm("events.view_event")
    assert by.get_all_permissions() == set()


@pytest.mark.rule("chessa 11")
def test_the_panel_sees_appeals_with_their_refusals_and_events_and_answers_them(events):
    by = user(is_panel=True)
    assert roles_of(by) == {Role.PANEL}
    assert by.get_all_permissions() == {
        "events.view_appeal", "events.answer_appeal", "events.view_refusal", "events.view_event", "events.view_section",
        "events.view_eventmove",
    }  # fmt: skip
    assert seen(by) == set()
    Appeal.objects.create(refusal=Refusal.objects.create(event=events["LVT"], at=CLOCK, reason="x"), at=CLOCK)
    assert (seen(by), set(desk_events(by).values_list("name", flat=True))) == (set(), {"LVT"})


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("role", ["is_officer", "is_superuser"])
def test_a_member_of_the_panel_is_not_of_the_bureau(role):
    with refused_by("user_of_panel_not_of_bureau"):
        user(is_panel=True, **{role: True})


@pytest.mark.rule("chessa 11")
def test_an_officer_does_not_disable_a_member_of_the_panel():
    member = user(is_panel=True)
    with pytest.raises(AccountError, match="is on the appeals panel"):
        set_active(member, False, at=timezone.now(), by=user("officer@example.org", is_officer=True))
    assert not set_active(
        member, False, at=timezone.now(), by=User.objects.create_superuser("chief@example.org")
    ).is_active


def test_an_account_that_was_closed_for_good_is_not_enabled():
    closed = user()
    close_for_good(closed, at=timezone.now())
    with pytest.raises(AccountError, match="is closed for good: open another account"):
        set_active(closed, True, at=timezone.now(), by=User.objects.create_superuser("chief@example.org"))


def test_of_two_superusers_who_disable_each_other_one_stays():
    first, second = (User.objects.create_superuser(f"{name}@example.org") for name in ("first", "second"))
    seen_by_second = User.objects.get(pk=second.pk)
    set_active(second, False, at=timezone.now(), by=first)
    with pytest.raises(AccountError, match="Your own account was disabled meanwhile"):
        set_active(first, False, at=timezone.now(), by=seen_by_second)
    assert User.objects.get(is_superuser=True, is_active=True) == first


@pytest.mark.rule("chessa 11")
def test_an_officer_reads_appeals_and_answers_none():
    by = user(is_officer=True)
    assert by.has_perm("events.view_appeal")
    assert by.has_perm("events.take_back_refusal")
    assert not any(by.has_perm(f"events.{action}_appeal") for action in ("answer", "add", "change", "delete"))


def test_only_officers_change_anything_on_the_desk():
    changing = {role: {right for right in RIGHTS[role] if ".view_" not in right} for role in Role}
    assert changing[Role.PANEL] == {"events.answer_appeal"}
    assert changing[Role.ARBITER] == set()
    assert changing[Role.ADMINISTRATOR] == {"players.keep_address"}
