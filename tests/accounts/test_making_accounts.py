"""A superuser makes the accounts of officers and of the panel; what was given stands on the trail."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models.signals import pre_save

from accounts.models import Decision, User
from tests.admin_pages import form_errors, posted_form
from tests.builders import CLOCK

pytestmark = pytest.mark.django_db
ADD = "/admin/accounts/user/add/"
DATA = {
    "email": "new@example.org",
    "usable_password": "true",
    "password1": "baobab-baobab",
    "password2": "baobab-baobab",
}


JOINED = {"date_joined_0": "2026-01-31", "date_joined_1": "00:30:00"}


@pytest.fixture
def chief(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    return client


@pytest.mark.parametrize("role", ["is_officer", "is_panel", "is_superuser"])
def test_who_gets_a_role_at_the_desk_may_enter_it(chief, role):
    assert chief.post(ADD, {**DATA, role: "on"}).status_code == 302
    made = User.objects.get(email="new@example.org")
    assert (getattr(made, role), made.is_staff) == (True, True)


def test_an_officer_who_is_of_the_panel_is_refused_where_he_is_made(chief):
    answer = chief.post(ADD, {**DATA, "is_officer": "on", "is_panel": "on"})
    assert answer.status_code == 200
    assert "is neither a ratings officer nor a superuser" in answer.content.decode()
    assert not User.objects.filter(email="new@example.org").exists()


def test_the_trail_says_what_was_given_and_no_password(chief):
    chief.post(ADD, {**DATA, "is_officer": "on"})
    step = Decision.objects.get(action="added")
    assert step.actor_role == "superuser"
    assert step.after["Ratings officer"] == "yes"
    assert step.after["Staff status"] == "yes"
    assert "baobab" not in str(step.after)


def test_the_last_active_superuser_stays_one(chief):
    last = User.objects.get(email="chief@example.org")
    User.objects.create_superuser("gone@example.org", is_active=False)
    address = f"/admin/accounts/user/{last.pk}/change/"
    data = posted_form(chief, address, **JOINED)
    data.pop("is_superuser")
    assert form_errors(chief.post(address, data)) == [
        "chief@example.org is the last active superuser: make another one first."
    ]
    User.objects.filter(email="gone@example.org").update(is_active=True)
    assert chief.post(address, data).status_code == 302
    last.refresh_from_db()
    assert not last.is_superuser


def test_no_account_is_disabled_by_the_form(chief):
    last = User.objects.get(email="chief@example.org")
    address = f"/admin/accounts/user/{last.pk}/change/"
    data = posted_form(chief, address, **JOINED)
    assert "is_active" not in data
    assert chief.post(address, data).status_code == 302
    last.refresh_from_db()
    assert last.is_active


@pytest.mark.parametrize(
    ("first", "last", "email", "logged_in", "refused"),
    [
        ("Naledi", "Dube", "naledi@example.org", True, True),
        ("Naledi", "Dube", "naledi@example.org", False, False),  # not used yet: a mistake is put right
        ("THABO", "Dube", "naledi@example.org", True, False),  # married
        ("Naledi", "Dube", "thabo@example.org", True, False),
        ("Thabo", "Nkosi", "naledi@example.org", True, False),
    ],
)
def test_an_account_is_not_handed_on_to_another_person(chief, first, last, email, logged_in, refused):
    user = User.objects.create_user("thabo@example.org", first_name="Thabo", last_name="Nkosi")
    User.objects.filter(pk=user.pk).update(last_login=CLOCK if logged_in else None)
    address = f"/admin/accounts/user/{user.pk}/change/"
    data = posted_form(chief, address, **JOINED, first_name=first, last_name=last, email=email)
    answer = chief.post(address, data)
    user.refresh_from_db()
    if refused:
        (error,) = form_errors(answer)
        assert "if this is no longer Thabo Nkosi, disable the account" in error
        assert (user.email, user.first_name) == ("thabo@example.org", "Thabo")
    else:
        assert answer.status_code == 302
        assert (user.email, user.first_name) == (email, first)


@pytest.mark.parametrize("name", ["Tha\u200bndi", "\u202eThandi"])
def test_names_of_accounts_can_be_read(chief, name):
    other = User.objects.create_user("other@example.org")
    address = f"/admin/accounts/user/{other.pk}/change/"
    (error,) = form_errors(chief.post(address, posted_form(chief, address, first_name=name, **JOINED)))
    assert "cannot be seen" in error


@pytest.mark.servers
def test_an_account_that_another_makes_at_the_same_moment_is_found_when_this_one_is_kept(chief):
    """The form has been looked at by then. The other one is kept by a connection of its own."""

    def elsewhere(work):
        def and_close():
            work()
            connection.close()

        with ThreadPoolExecutor(1) as thread:
            thread.submit(and_close).result()

    def other_first(sender, instance, **_):
        pre_save.disconnect(other_first, User)
        elsewhere(lambda: User.objects.create_user("new@example.org"))

    pre_save.connect(other_first, User)
    try:
        answer = chief.post(ADD, {**DATA, "is_officer": "on"})
        assert answer.status_code == 200
        assert form_errors(answer) == ["User with this E-mail address already exists."]
        assert not User.objects.get(email="new@example.org").is_officer
        assert not Decision.objects.filter(action="added").exists()
    finally:
        pre_save.disconnect(other_first, User)
        elsewhere(lambda: User.objects.filter(email="new@example.org").delete())


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_an_account_was_opened_on_a_day_that_can_be_meant(chief, day):
    other = User.objects.create_user("other@example.org")
    address = f"/admin/accounts/user/{other.pk}/change/"
    data = posted_form(chief, address, date_joined_0=day, date_joined_1="00:00:00")
    assert form_errors(chief.post(address, data)) == ["This day cannot be meant."]
