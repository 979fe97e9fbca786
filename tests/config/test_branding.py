"""A federation's own name, colours and logo, and what cannot serve as them."""

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured

from accounts.outbox.content import render
from config.branding import Brand, brand

pytestmark = pytest.mark.django_db


@pytest.fixture
def chosen(monkeypatch):
    """The brand that variables of the environment give."""

    def choose(**variables: str) -> Brand:
        for name in ("FEDERATION", "BUREAU", "ACCENT_COLOURS", "LOGO"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return brand(environ.Env())

    return choose


def test_without_settings_it_is_chess_south_africas(chosen):
    assert chosen() == Brand("Chess South Africa", "Ratings Bureau", is_named=False)
    assert chosen(FEDERATION="Chess South Africa").is_named


def test_pages_and_mails_bear_the_name(client, settings, chosen):
    settings.BRAND = chosen(FEDERATION="Namibia Chess", BUREAU="Rating Office")
    page = client.get("/").content.decode()
    assert "Namibia Chess<small>Rating Office</small>" in page
    assert "Namibia Chess Rating Office" in page
    assert "X-WR-CALNAME:Namibia Chess: rated events" in client.get("/events/calendar.ics").content.decode()
    mail = render("accounts/mail/reset", {"user": {"email": "x@example.org"}}, links={"link": "https://x"})
    assert "the Rating Office of Namibia Chess" in mail.text


def test_pages_take_the_colours_up(client, settings, chosen):
    assert "brand/colours.css" not in client.get("/").content.decode()
    settings.BRAND = chosen(ACCENT_COLOURS="#7A1F2B, #F0A0AA")
    assert 'href="/brand/colours.css"' in client.get("/").content.decode()
    answer = client.get("/brand/colours.css")
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "--accent: #7a1f2b;" in answer.content.decode()
    assert "--accent: #f0a0aa;" in answer.content.decode().partition("dark")[2]


@pytest.mark.parametrize(
    ("colours", "message"),
    [
        ("#0b5566", "one for light and one for dark"),
        ("red,blue", "one for light and one for dark"),
        ("#0b5566,#7cc4d4,#ffffff", "one for light and one for dark"),
        ("#7cc4d4,#7cc4d4", "#7cc4d4 cannot be read on the light pages: its contrast is 1.9, and at least 4.5"),
        ("#0b5566,#0b5566", "take a lighter one"),
    ],
)
def test_colours_that_cannot_be_read_are_refused(chosen, colours, message):
    with pytest.raises(ImproperlyConfigured, match=message):
        chosen(ACCENT_COLOURS=colours)


def test_who_asks_for_an_icon_that_no_page_has_named_is_led_to_it(client):
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer.headers["Location"] in client.get("/").content.decode()


def test_a_logo_takes_the_place_of_the_rook(client, settings, chosen, tmp_path):
    file = tmp_path / "logo.svg"
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    settings.BRAND = chosen(LOGO=str(file))
    assert 'src="/brand/logo"' in client.get("/").content.decode()
    answer = client.get("/brand/logo")
    assert (answer.headers["Content-Type"], answer.content) == ("image/svg+xml", file.read_bytes())


@pytest.mark.parametrize(("name", "size"), [("logo.exe", 10), ("logo.svg", 200_001), ("", 0)])
def test_what_is_no_logo_is_refused(chosen, tmp_path, name, size):
    if name:
        (tmp_path / name).write_bytes(b"x" * size)
    with pytest.raises(ImproperlyConfigured, match="LOGO="):
        chosen(LOGO=str(tmp_path / (name or "missing.png")))
