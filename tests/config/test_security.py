"""Headers that hold on every page."""

import pytest

from config.security import headers
from tests.builders import officer

PAGES = ["/", "/players/", "/events/", "/admin/login/", "/nothing-here/"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_every_page_is_guarded(client, address):
    answer = client.get(address)
    policy = {part.split()[0]: part.split()[1:] for part in answer.headers["Content-Security-Policy"].split(";")}
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    for name in ("script-src", "style-src", "img-src", "font-src", "connect-src", "form-action"):
        assert policy[name] == ["'self'"], name
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/nothing-here/", "/account/password/", "/admin/", "/account/"])
def test_no_page_of_who_is_logged_in_stays_behind_in_a_browser(client, address):
    assert "no-store" not in client.get("/nothing-here/").headers.get("Cache-Control", "")
    client.force_login(officer())
    assert "no-store" in client.get(address).headers["Cache-Control"]


def test_over_https_cookies_are_secure_and_browsers_stay_with_it():
    plain, secure = headers(https=False), headers(https=True)
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
        assert (plain[name], secure[name]) == (False, True)
    assert (plain["SECURE_HSTS_SECONDS"], secure["SECURE_HSTS_SECONDS"]) == (0, 365 * 24 * 3600)
    assert secure["SESSION_COOKIE_HTTPONLY"] is True


@pytest.mark.django_db
def test_over_https_a_plain_request_is_sent_on(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/admin/login/")
    assert (answer.status_code, answer.headers["Location"]) == (301, "https://testserver/admin/login/")


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused():
    from django.test import Client

    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "a@example.org", "password": "b"})
    assert answer.status_code == 403


@pytest.mark.django_db
def test_an_unknown_host_is_refused(client):
    assert client.get("/", headers={"host": "evil.example.org"}).status_code == 400
