"""A page in the reader's language: what he chose, else what his browser asks for, else English."""

from datetime import date

import pytest
from django.conf import settings
from django.core.cache import caches
from django.template import Context, Template
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy

from accounts.outbox.content import render
from accounts.trail.operations import record
from config import languages, page_cache, services
from config.lib import formatting
from tests.builders import officer
from tests.pages import builders

AFRIKAANS = {"accept-language": "af-ZA,af;q=0.9,en;q=0.5"}
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("cookie", "header", "language"),
    [
        (None, None, "en-GB"),
        (None, "af-ZA,af;q=0.9,en;q=0.5", "af"),
        (None, "en-US,en;q=0.9,af;q=0.5", "en-GB"),
        (None, "xx, *;q=0.1", "en-GB"),
        ("af", "en-ZA", "af"),
        ("en-gb", "af", "en-GB"),
        ("xx", "af", "af"),
        ("../%00", None, "en-GB"),
        ("a" * 600, None, "en-GB"),
    ],
)
def test_the_choice_comes_before_the_browser_s_languages(client, cookie, header, language):
    if cookie:
        client.cookies["language"] = cookie
    page = client.get("/players/", headers={"accept-language": header} if header else {})
    assert f'<html lang="{language}">' in page.content.decode()
    assert page.headers["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(page.headers["Vary"].split(", "))


def test_a_page_of_one_language_never_answers_a_reader_of_another(settings, monkeypatch):
    settings.CACHES = {**settings.CACHES, "pages": services.page_cache("")}
    monkeypatch.setattr(page_cache, "_failed_at", 0.0)
    monkeypatch.setattr(page_cache, "PLACES", 1)  # even where both share the place
    caches["pages"].clear()
    builders.players(1)
    for _ in range(2):
        english, afrikaans = Client().get("/lists/"), Client().get("/lists/", headers=AFRIKAANS)
        assert (b">Find player<" in english.content, b">Soek speler<" in afrikaans.content) == (True, True)
        assert english.headers["ETag"] != afrikaans.headers["ETag"]
    tag = {"if-none-match": english.headers["ETag"]}
    unchanged = Client().get("/lists/", headers=tag)
    assert (unchanged.status_code, unchanged.headers["Vary"]) == (304, "Cookie, Accept-Language")
    other = Client().get("/lists/", headers=tag | AFRIKAANS)
    assert (other.status_code, b">Soek speler<" in other.content) == (200, True)


def test_the_choice_is_kept_and_leads_back_to_the_page():
    client = Client(enforce_csrf_checks=True)
    address = "/players/?q=a&region=GP"
    asked_from = {"referer": f"http://testserver{address}"}
    answer = client.post("/language/", {"language": "af"}, headers=asked_from)
    assert (answer.status_code, answer.headers["Location"]) == (302, asked_from["referer"])
    assert list(answer.cookies) == ["language"]
    assert 'lang="af" aria-pressed="true">Afrikaans</button>' in client.get(address).content.decode()
    client.post("/language/", {"language": "en-gb"}, headers=asked_from)
    assert '<html lang="en-GB">' in client.get(address, headers=AFRIKAANS).content.decode()


def test_the_choice_leads_to_no_other_site(client):
    for elsewhere in ("https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"):
        answer = client.post("/language/", {"language": "af", "next": elsewhere}, headers={"referer": elsewhere})
        assert answer.headers["Location"] == "/"
    assert client.get("/language/").status_code == 405


@pytest.mark.parametrize("address", ["/api/v1/regions/", "/api/v1/docs/", "/events/calendar.ics", "/robots.txt"])
def test_what_programs_read_is_the_same_for_all(client, address):
    answer = client.get(address, headers=AFRIKAANS)
    assert answer.status_code == 200
    assert answer.getvalue() == client.get(address).getvalue()
    assert "Content-Language" not in answer.headers


def test_errors_speak_the_reader_s_language(client):
    page = client.get("/nowhere/", headers=AFRIKAANS)
    assert (page.status_code, "Daar is nie so ’n bladsy nie" in page.content.decode()) == (404, True)
    page = client.get("/players/?q=%00", headers=AFRIKAANS)
    assert (page.status_code, "NUL-karakter in die adres" in page.content.decode()) == (400, True)


def test_numbers_and_days_as_afrikaans_writes_them():
    with formatting.written(languages.style("af")):
        assert formatting.rating(1521.949) == "1\u202f521,9"
        assert (formatting.change(16.3), formatting.change(-8.44), formatting.change(0.0)) == ("+16,3", "−8,4", "0,0")
        assert (formatting.number(7812), formatting.whole(1611.5)) == ("7\u202f812", "1\u202f612")
        assert formatting.day(date(2024, 3, 29)) == "29 Mrt 2024"
        assert formatting.days(date(2024, 5, 31), date(2024, 10, 2)) == "31 Mei – 2 Okt 2024"
        assert (formatting.long_day(date(2026, 12, 1)), formatting.month(date(2026, 1, 1))) == (
            "1 Desember 2026",
            "Januarie 2026",
        )
    assert formatting.rating(1521.949) == "1\u202f521.9"


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_numbers_in_pictures_keep_their_point(language):
    """What a template writes of a number itself is read by browsers; what people read goes through `formatting`."""
    with translation.override(language):
        picture = Template('<rect x="{{ x }}" width="{{ width }}" />').render(Context({"x": 12.5, "width": 1234}))
    assert picture == '<rect x="12.5" width="1234" />', "see docs/translations.md"


def test_the_trail_is_in_english_whoever_decides():
    chief = officer()
    with translation.override("af"):
        decision = record("tried", chief, at=timezone.now(), by=chief, after={"shown": gettext_lazy("Players")})
    assert decision.after == {"shown": "Players"}


def test_mails_are_in_english_whoever_asks_for_them():
    with translation.override("af"):
        subject = render("accounts/mail/password_set", {}).subject
        assert translation.get_language() == "af"
    assert subject == render("accounts/mail/password_set", {}).subject


def test_what_the_script_of_a_page_shows_is_in_the_language_of_the_page(client):
    for language, headers in (("en-GB", {}), ("af", AFRIKAANS)):
        found = client.get("/calculators/players.json?q=nobody", headers=headers)
        assert found.headers["Content-Language"] == language
        assert {"Accept-Language", "Cookie"} <= set(found.headers["Vary"].split(", "))
