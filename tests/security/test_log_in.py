"""Passwords cannot be tried on many accounts from one place, and sessions end."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.utils import timezone

from accounts.login_throttle import MOST_ADDRESSES
from accounts.models import User

pytestmark = pytest.mark.django_db
LOG_IN = "/account/log-in/"
PASSWORD = "Kings-and-pawns-64"
CLOSED = "closed for half an hour"


@pytest.fixture(autouse=True)
def users():
    return [User.objects.create_user(f"user{number}@example.org", PASSWORD) for number in range(30)]


def log_in(number: int, password: str, client: Client | None = None, **request) -> int:
    sent = {"username": f"user{number}@example.org", "password": password}
    return (client or Client()).post(LOG_IN, sent, **request).status_code


def spray(first: int, last: int, **request) -> list[int]:
    return [log_in(number, "Summer-2026", **request) for number in range(first, last)]


def test_one_password_on_many_accounts():
    assert spray(0, MOST_ADDRESSES - 1) == [200] * (MOST_ADDRESSES - 1)
    assert log_in(29, PASSWORD) == 302
    assert spray(MOST_ADDRESSES - 1, 25) == [429] * (26 - MOST_ADDRESSES)
    answer = Client().post(LOG_IN, {"username": "user29@example.org", "password": PASSWORD})
    assert answer.status_code == 429
    assert "from your network" in answer.content.decode()
    assert log_in(29, PASSWORD, REMOTE_ADDR="10.9.8.7") == 302
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=31))
    assert log_in(29, PASSWORD) == 302


def test_a_school_behind_one_address_gets_in():
    """Every pupil mistypes twice; whoever gets it right in the end is not counted."""
    for number in range(30):
        assert [log_in(number, "mistyped"), log_in(number, "mistyped"), log_in(number, PASSWORD)] == [200, 200, 302]


def test_an_own_account_does_not_begin_the_count_again():
    """Neither the right password for one's own, nor a session that one has, nor a link that was mailed."""
    own = Client()
    for number in range(MOST_ADDRESSES):
        log_in(number, "Summer-2026", own)
        log_in(29, PASSWORD, own)
    assert log_in(25, "Summer-2026", own) == 429


def test_whoever_holds_a_session_cannot_try_its_password():
    """Where it is changed they are counted as at the log-in."""
    own, new = Client(), {"new_password1": "Rooks-and-files-64", "new_password2": "Rooks-and-files-64"}
    own.force_login(User.objects.get(email="user3@example.org"))
    sent = [own.post("/account/password/", {"old_password": f"wrong{number}", **new}) for number in range(11)]
    assert [answer.status_code for answer in sent] == [200] * 9 + [429] * 2
    assert "user3@example.org" in sent[-1].content.decode()
    kept = AccessAttempt.objects.get().post_data
    assert "wrong0" not in kept
    assert new["new_password1"] not in kept
    assert own.post("/account/password/", {"old_password": PASSWORD, **new}).status_code == 429
    assert log_in(3, PASSWORD) == 429
    assert log_in(4, PASSWORD) == 302
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=31))
    assert own.post("/account/password/", {"old_password": PASSWORD, **new}).status_code == 302


def test_of_a_failed_log_in_is_kept_what_the_privacy_page_says():
    page, browser = f"{LOG_IN}?next=/events/7/", {"user-agent": "Firefox", "accept": "text/html"}
    sent = {
        "username": "user3@example.org",
        "password": "Qzwrong",
        "csrfmiddlewaretoken": "Qztoken",
        "next": "/Qznext/",
    }
    Client().post(page, sent, headers=browser)
    kept = AccessAttempt.objects.get()
    assert (kept.username, kept.user_agent, kept.http_accept) == ("user3@example.org", "Firefox", "text/html")
    assert "Qz" not in " ".join(map(str, AccessAttempt.objects.values_list().get()))
    assert "/events/7/" not in kept.get_data
    said = Client().get("/privacy/").content.decode()
    assert "the network that it came from, and what the browser said of itself" in said


def test_behind_a_proxy_the_origin_is_the_clients(settings):
    settings.PROXIES = 1
    spray(0, 25, HTTP_X_FORWARDED_FOR="203.0.113.7")
    assert log_in(29, PASSWORD, HTTP_X_FORWARDED_FOR="203.0.113.7") == 429
    assert log_in(29, PASSWORD, HTTP_X_FORWARDED_FOR="203.0.113.8") == 302
    spray(0, 25, HTTP_X_FORWARDED_FOR="2001:db8:1:2::7")
    assert log_in(29, PASSWORD, HTTP_X_FORWARDED_FOR="2001:db8:1:2:aaaa::8") == 429
    assert log_in(29, PASSWORD, HTTP_X_FORWARDED_FOR="2001:db8:1:3::7") == 302
