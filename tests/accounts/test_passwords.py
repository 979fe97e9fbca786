"""Passwords: changed by whom knows the old one, set by a mailed link by whom was invited or forgot."""

import re

import pytest
from django.contrib.auth import user_logged_in
from django.contrib.auth.hashers import identify_hasher, make_password
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.core import mail
from django.db import connection
from django.db.models.signals import post_save
from django.test import RequestFactory

from accounts.forms import DeskPasswordForm, FirstPasswordForm, NewPasswordForm
from accounts.models import User
from accounts.operations import set_active
from accounts.retention.operations import close_for_good
from accounts.views import LogIn
from tests.builders import CLOCK

OLD, NEW, OTHER = "correct horse 9", "battery staple 7", "another word 5"
LINK = re.compile(r"http://127.0.0.1:8000(/account/\S+)")


@pytest.fixture
def user(db):
    return User.objects.create_user("thandi@example.org", OLD, first_name="Thandi")


def ask(client, email="thandi@example.org"):
    answer = client.post("/account/reset/", {"email": email})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/account/reset/sent/")
    assert client.get("/account/reset/sent/").status_code == 200


def follow(client, link):
    """To the page with the form, whose address says nothing."""
    answer = client.get(link)
    assert answer.status_code == 302
    return answer.headers["Location"]


def log_in(client, password):
    return client.post("/account/log-in/", {"username": "thandi@example.org", "password": password}).status_code == 302


def both(password):
    return {"new_password1": password, "new_password2": password}


def test_a_forgotten_password_is_set_by_a_link_that_works_once(user, client):
    ask(client, "Thandi@Example.ORG")
    message = mail.outbox[0]
    assert message.to == ["thandi@example.org"]
    assert "Good day Thandi," in message.body
    assert "holds for three days" in message.body
    link = LINK.findall(message.body)[0]
    page = follow(client, link)
    answer = client.post(page, both(NEW), follow=True)
    assert answer.request["PATH_INFO"] == "/account/"
    assert "Your password is set, and you are logged in." in answer.content.decode()
    client.logout()
    assert not log_in(client, OLD)
    assert log_in(client, NEW)
    client.logout()
    page = client.get(link).content.decode()
    assert "This link no longer works" in page
    assert 'href="/account/reset/"' in page


@pytest.mark.parametrize("host", ["ratings.example.org", "evil.example.org"])
def test_the_link_bears_the_address_of_the_site_and_never_the_host_that_a_request_names(user, client, settings, host):
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL = "https://ratings.example.org"
    client.post("/account/reset/", {"email": user.email}, headers={"host": host})
    assert "https://ratings.example.org/account/reset/" in mail.outbox[0].body
    assert "evil" not in mail.outbox[0].body


def test_a_link_that_is_too_old_leads_to_a_new_one(user, client, settings):
    ask(client)
    link = LINK.findall(mail.outbox[0].body)[0]
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "This link no longer works" in client.get(link).content.decode()


def test_nobody_learns_which_addresses_have_an_account(user, client):
    user.is_active = False
    user.save()
    for email in ("thandi@example.org", "nobody@example.org"):
        ask(client, email)
    assert mail.outbox == []


def test_who_was_invited_and_let_the_link_run_out_gets_another(db, client):
    User.objects.create_user("thandi@example.org")
    ask(client)
    assert len(mail.outbox) == 1


def test_setting_a_password_opens_an_address_that_wrong_ones_closed(user, client):
    for _ in range(10):
        log_in(client, "wrong")
    assert not log_in(client, OLD)
    ask(client)
    client.post(follow(client, LINK.findall(mail.outbox[0].body)[0]), both(NEW))
    client.logout()
    assert log_in(client, NEW)


@pytest.mark.parametrize(
    ("given", "said", "place"),
    [
        (both("short"), "too short", "id_new_password1"),
        (both("password1"), "too common", "id_new_password1"),
        (both("thandi@example.org"), "too similar", "id_new_password1"),
        ({"new_password1": NEW, "new_password2": "other"}, "match", "id_new_password2"),
    ],
)
def test_a_weak_password_is_refused_at_the_field_and_in_the_summary(user, client, given, said, place):
    ask(client)
    answer = client.post(follow(client, LINK.findall(mail.outbox[0].body)[0]), given)
    page = answer.content.decode()
    assert answer.status_code == 200
    summary, field = page.split('class="problems"')[1].split('<form class="stack"')
    assert said in summary
    assert f'<a href="#{place}">' in summary
    assert f'id="{place}_error"' in field
    assert log_in(client, OLD)


def test_a_password_is_changed_by_whom_knows_the_old_one(user, client):
    assert client.get("/account/password/").headers["Location"] == "/account/log-in/?next=/account/password/"
    client.force_login(user)
    answer = client.post("/account/password/", {"old_password": "wrong", **both(NEW)})
    assert 'id="id_old_password_error"' in answer.content.decode()
    answer = client.post("/account/password/", {"old_password": OLD, **both(NEW)}, follow=True)
    assert "Your password is changed." in answer.content.decode()
    client.logout()
    assert log_in(client, NEW)


def _changed(user):
    sent = RequestFactory().post("/account/password/", {"old_password": OLD, **both(NEW)})
    return NewPasswordForm(user, sent.POST, request=sent)


@pytest.mark.parametrize(
    "form_of",
    [
        _changed,
        lambda user: FirstPasswordForm(user, both(NEW)),
        lambda user: DeskPasswordForm(user, {"password1": NEW, "password2": NEW, "usable_password": "true"}),
    ],
    ids=["by the old one", "by a link", "at the desk"],
)
def test_who_is_disabled_while_the_password_is_set_stays_disabled(db, form_of):
    """An account got back its rights, marks and name: all was written as it had been read."""
    user = User.objects.create_user("old@example.org", OLD, is_officer=True)
    form = form_of(user)
    assert form.is_valid(), form.errors
    User.objects.update(is_active=False, is_officer=False, first_name="New")
    form.save()
    found = User.objects.get()
    assert (found.is_active, found.is_officer, found.first_name) == (False, False, "New")
    assert found.check_password(NEW)


def test_a_password_that_was_set_meanwhile_is_not_set_back(user, client):
    """A thief who changes it again and again would keep the account."""
    client.force_login(user)

    def another_is_set(execute, sql, *rest):
        if sql.startswith("SAVEPOINT"):
            User.objects.filter(pk=user.pk).update(password=make_password(OTHER))
        return execute(sql, *rest)

    with connection.execute_wrapper(another_is_set):
        answer = client.post("/account/password/", {"old_password": OLD, **both(NEW)}, follow=True)
    assert "Another password was set at this moment" in answer.content.decode()
    assert User.objects.get().check_password(OTHER)
    assert client.get("/account/").status_code == 302


def test_a_password_that_is_hashed_anew_is_not_set_over_another(user, client):
    """As at the first log-in of an account whose password was kept by an older way."""
    User.objects.update(password=make_password(OLD, hasher="pbkdf2_sha256"))
    assert User.objects.get().check_password(OLD)
    assert identify_hasher(User.objects.get().password).algorithm == identify_hasher(user.password).algorithm
    User.objects.update(password=make_password(OLD, hasher="pbkdf2_sha256"))
    logging_in = User.objects.get()
    User.objects.update(password=make_password(NEW))
    assert logging_in.check_password(OLD)
    assert User.objects.get().check_password(NEW)


def test_a_link_sets_one_password(user, client):
    first, second = (FirstPasswordForm(User.objects.get(), both(word)) for word in (NEW, OTHER))
    assert (first.is_valid(), second.is_valid()) == (True, True)
    first.save()
    second.save()
    assert (first.overtaken, second.overtaken) == (False, True)
    assert User.objects.get().check_password(NEW)


def test_what_is_set_at_the_desk_prevails(user):
    given = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    form = DeskPasswordForm(user, given)
    assert form.is_valid()
    User.objects.update(password=make_password(OTHER))
    form.save()
    assert User.objects.get().check_password(NEW)


def test_who_is_erased_while_the_password_is_set_stays_erased(db):
    user = User.objects.create_user("old@example.org", OLD)
    form = FirstPasswordForm(user, both(NEW))
    assert form.is_valid()
    close_for_good(User.objects.get(), at=CLOCK)
    form.save()
    found = User.objects.get()
    assert (found.email, found.is_active, found.has_usable_password()) == (
        f"account-{user.pk}@erased.invalid",
        False,
        False,
    )


def test_whose_account_is_disabled_while_the_password_is_set_is_logged_out(db, client):
    user = User.objects.create_user("old@example.org", OLD)
    client.force_login(user)

    def disabled(sender, instance, **_):
        User.objects.update(is_active=False)

    post_save.connect(disabled, sender=User)
    try:
        client.post("/account/password/", {"old_password": OLD, **both(NEW)})
    finally:
        post_save.disconnect(disabled, sender=User)
    User.objects.update(is_active=True)
    assert client.get("/account/").status_code == 302


def test_who_is_disabled_while_he_logs_in_is_not_logged_in_once_he_is_enabled(user, client):
    """His other sessions were ended just before this one began."""

    def disabled(sender, **_):
        User.objects.update(is_active=False)

    user_logged_in.connect(disabled)
    try:
        log_in(client, OLD)
    finally:
        user_logged_in.disconnect(disabled)
    User.objects.update(is_active=True)
    assert client.get("/account/").status_code == 302


def test_a_session_is_there_for_whoever_disables_the_account_just_after_the_log_in(user):
    """Sessions are written after the page otherwise: an empty one was found, and got its user then."""
    request = RequestFactory().post("/account/log-in/", {"username": "thandi@example.org", "password": OLD})
    request.session, request.user, request._dont_enforce_csrf_checks = SessionStore(), AnonymousUser(), True
    assert LogIn.as_view()(request).status_code == 302
    set_active(user, False, at=CLOCK, by=User.objects.create_superuser("chief@example.org"))
    with pytest.raises(UpdateError):
        request.session.save()
