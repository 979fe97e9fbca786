from datetime import timedelta

import pytest
from django.utils import timezone

from events.operations import register_event
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import changes, publications
from tests.builders import details
from tests.conftest import ROOT
from tests.pages import builders

pytestmark = pytest.mark.django_db
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def test_an_empty_bureau_says_what_will_come(client):
    text = client.get("/").content.decode()
    assert "No list is published yet." in text
    assert "No event is registered yet." in text


def test_home_shows_the_latest_lists_and_what_changed(client):
    builders.federation()
    text = client.get("/").content.decode()
    assert "Ratings of 1 May 2024" in text
    assert "the games of <strong>April 2024</strong>: 15 games in 1 section, 6 rated players" in text
    assert text.index("Greatest rises") < text.index("Greatest falls")
    assert "6 players had rated games and nobody is rated for the first time" in text
    assert "April Rapid" in text


def test_rises_and_falls_are_in_order_and_are_none_of_the_other():
    builders.federation()
    latest = publications()[0]
    found = changes(latest.run, list_definitions()[0])
    rises = [float(row.change) for row in found.rises]
    falls = [float(row.change.replace("−", "-")) for row in found.falls]
    assert rises == sorted(rises, reverse=True)
    assert falls == sorted(falls)
    assert min(rises) > 0 > max(falls)


@pytest.mark.parametrize("count", [2, 8])
def test_queries_do_not_grow_with_the_rows(queries, count):
    builders.federation(count)
    queries("/", 10)


def test_pages_that_are_not_there(client):
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


def test_a_failure_of_ours_has_a_page_of_its_own(client, monkeypatch):
    def fail():
        raise RuntimeError("broken")

    monkeypatch.setattr("ratings.views.list_definitions", fail)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "Something went wrong here" in response.content.decode()


@pytest.mark.parametrize("address", ["/", "/lists/", "/players/", "/events/"])
def test_public_pages_are_only_read(client, address):
    assert client.post(address).status_code == 405
    assert client.head(address).status_code == 200


def test_robots_are_kept_from_searches(client):
    text = client.get("/robots.txt").content.decode()
    assert "Disallow: /admin/" in text
    assert "Disallow: /*?" in text


def test_the_strict_policy_is_sent_with_every_page(client):
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("template", TEMPLATES, ids=[str(file.relative_to(ROOT)) for file in TEMPLATES])
def test_no_template_has_anything_inline(template):
    text = template.read_text()
    for inline in (" style=", "<style", "onclick=", "onload=", "javascript:", 'src="http', 'href="http'):
        assert inline not in text
    assert text.count("<script") == text.count("<script src=")


def test_what_has_not_begun_is_no_latest_event(client):
    today = timezone.localdate()
    for name, day in (("Mopane Open", today), ("Baobab Open", today + timedelta(days=1))):
        register_event(details(day, day, name=name), at=timezone.now())
    page = client.get("/").content.decode()
    assert ("Mopane Open" in page, "Baobab Open" in page) == (True, False)


@pytest.mark.parametrize("address", ["/", "/players/?q=ash", "/lists/main/?region=GAU"])
def test_a_page_names_its_canonical_address(client, settings, address):
    settings.SITE_URL = "https://ratings.example.org"
    path = address.partition("?")[0]
    text = client.get(address, headers={"host": "localhost"}).content.decode()
    assert f'<link rel="canonical" href="https://ratings.example.org{path}">' in text
