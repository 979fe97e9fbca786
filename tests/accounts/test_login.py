"""Users log in with their e-mail address; superusers make them."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib import auth
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.forms import AppointForm
from accounts.models import User

PASSWORD = "correct horse 9"
LOG_IN = "/account/log-in/"


def authenticate(username, password):
    request = RequestFactory().post(LOG_IN)
    return auth.authenticate(request, username=username, password=password)


@pytest.fixture
def user(db):
    return User.objects.create_user("Thandi.Nkosi@Example.ORG", PASSWORD, is_staff=True)


@pytest.mark.parametrize("email", ["thandi.nkosi@example.org", "Thandi.Nkosi@example.org", "THANDI.NKOSI@EXAMPLE.ORG"])
def test_the_address_is_known_in_any_letters(user, email, client):
    assert user.email == "thandi.nkosi@example.org"
    assert authenticate(username=email, password=PASSWORD) == user
    answer = client.post(LOG_IN, {"username": email, "password": PASSWORD, "next": "/admin/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")


def test_a_wrong_password_or_address_is_refused_in_the_same_words(user, client):
    pages = [
        client.post(LOG_IN, {"username": name, "password": word}).content.decode()
        for name, word in ((user.email, "wrong"), ("nobody@example.org", PASSWORD))
    ]
    said = [page[page.index('class="problems"') :].partition("</div>")[0] for page in pages]
    assert "This address and password do not go together" in said[0]
    assert '<a href="#id_username">' in said[0]
    assert said[0] == said[1]


def test_an_inactive_user_does_not_get_in(user, client):
    user.is_active = False
    user.save()
    assert authenticate(username=user.email, password=PASSWORD) is None
    answer = client.post(LOG_IN, {"username": user.email, "password": PASSWORD})
    assert "This address and password do not go together" in answer.content.decode()


def test_after_the_log_in_one_comes_to_ones_account_and_never_to_another_site(user, client):
    for going_to in ("", "https://elsewhere.example.org/"):
        answer = client.post(LOG_IN, {"username": user.email, "password": PASSWORD, "next": going_to})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/account/")


def test_logging_out_needs_a_form(user, client):
    client.force_login(user)
    assert client.get("/account/log-out/").status_code == 405
    assert "You are logged out" in client.post("/account/log-out/").content.decode()
    assert client.get("/account/").headers["Location"] == "/account/log-in/?next=/account/"


def test_the_desk_has_no_log_in_of_its_own(user, client):
    answer = client.get("/admin/events/event/", follow=True)
    assert answer.redirect_chain[-1] == (f"{LOG_IN}?next=/admin/events/event/", 302)
    client.force_login(user)
    assert client.get("/admin/login/?next=/admin/").headers["Location"] == "/admin/"
    assert client.post("/admin/logout/").status_code == 200
    client.force_login(User.objects.create_user("nobody@example.org"))
    assert client.get("/admin/", follow=True).status_code == 403


def wrong(client, times=10, email="thandi.nkosi@example.org", **request):
    for _ in range(times):
        answer = client.post(LOG_IN, {"username": email, "password": "wrong"}, **request)
    return answer


def right(client, email="thandi.nkosi@example.org", **request):
    return client.post(LOG_IN, {"username": email, "password": PASSWORD}, **request).status_code


def test_the_tenth_wrong_password_closes_the_address_to_where_it_came_from(user, client):
    assert wrong(client, 9).status_code == 200
    answer = wrong(client, 1)
    assert answer.status_code == 429
    page = answer.content.decode()
    assert "Too many wrong passwords" in page
    assert 'href="/account/reset/"' in page
    assert right(client) == 429
    assert right(client, REMOTE_ADDR="10.9.8.7") == 302


def test_nine_wrong_passwords_do_not_and_the_right_one_begins_the_count_again(user, client):
    for _ in range(2):
        wrong(client, 9)
        assert right(client) == 302


def test_capitals_and_headers_do_not_begin_the_count_again(user, client):
    spellings = ["thandi.nkosi@example.org", "Thandi.Nkosi@example.org", "THANDI.NKOSI@EXAMPLE.ORG"]
    for number in range(10):
        wrong(client, 1, email=spellings[number % 3], HTTP_X_FORWARDED_FOR=f"10.0.0.{number}")
    assert right(client, HTTP_X_FORWARDED_FOR="10.0.0.99") == 429


def test_others_behind_the_same_proxy_get_in(user, client):
    User.objects.create_user("other@example.org", PASSWORD)
    wrong(client)
    assert right(Client(), email="other@example.org") == 302


def test_after_half_an_hour_it_is_open_again_even_if_somebody_went_on_trying(user, client):
    wrong(client, 10)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=29))
    wrong(client, 1)
    assert right(client) == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=31))
    assert right(client) == 302


def test_a_user_without_a_password_does_not_get_in(db):
    User.objects.create_user("nobody@example.org")
    assert authenticate(username="nobody@example.org", password="") is None


def test_an_address_is_needed_and_is_one_users(user):
    with pytest.raises(ValueError, match="needs an e-mail address"):
        User.objects.create_user("")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("THANDI.nkosi@example.org", PASSWORD)


def test_a_superuser_makes_an_officer(db, client):
    client.force_login(User.objects.create_superuser("chief@example.org", PASSWORD))
    answer = client.post(
        "/admin/accounts/user/add/",
        {
            "email": "New.Officer@Example.org", "password1": PASSWORD, "password2": PASSWORD, "is_staff": "on",
            "is_officer": "on", "usable_password": "true",
        },
    )  # fmt: skip
    assert answer.status_code == 302, answer.context["adminform"].errors
    made = User.objects.get(email="new.officer@example.org")
    assert made.is_officer
    assert authenticate(username="new.officer@example.org", password=PASSWORD) == made


def test_small_letters_may_be_more_than_their_capitals(db, client):
    """İ is two characters in small letters: the address that is counted fits its column all the same."""
    answer = client.post(LOG_IN, {"username": "İ" * 254, "password": PASSWORD})
    assert answer.status_code == 200
    assert len(AccessAttempt.objects.get().username) == 254


@pytest.mark.parametrize("letter", ["İ", "ı", "ſ", "\u212a"])
def test_an_address_is_in_plain_letters(db, client, letter):
    """Django's own check takes them for i, s and K, and the mail cannot be sent."""
    address = f"{letter}@example.org"
    assert (
        "Write the address in plain Latin letters"
        in client.post("/account/reset/", {"email": address}).content.decode()
    )
    form = AppointForm({"email": address})
    assert form.errors["email"] == ["Write the address in plain Latin letters, without accents."]
    with pytest.raises(ValidationError, match="plain Latin letters"):
        User(email=address, password="x").full_clean()
