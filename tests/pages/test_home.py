import logging
from datetime import date, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from events.operations import register_event
from events.rules.states import State
from ratings.home.queries import month_so_far
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
    assert "is registered yet." in text
    assert "No event is registered for the days to come." in text


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
    queries("/", 12)


def test_pages_that_are_not_there(client):
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


def test_a_failure_of_ours_has_a_page_of_its_own(client, monkeypatch):
    def fail():
        raise RuntimeError("broken")

    monkeypatch.setattr("ratings.home.views.list_definitions", fail)
    client.raise_request_exception = False
    response = client.get("/")
    page = response.content.decode()
    assert response.status_code == 500
    assert f"Something went wrong here · {settings.BRAND.name}" in page
    assert f"The published ratings of {settings.BRAND.federation}," in page
    assert 'rel="canonical"' not in page


@pytest.mark.parametrize("method", ["NALEDI", "TRACE"])
def test_a_method_of_no_standard_is_refused_and_not_kept(client, caplog, method):
    """Metrics would keep each invented word for ever."""
    caplog.set_level(logging.INFO)
    assert client.generic(method, "/").status_code == 501
    assert method not in caplog.text


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


def test_each_national_list_is_a_tab_and_the_others_have_a_page(client):
    made = builders.federation()
    text = client.get("/?list=rapid").content.decode()
    assert "The whole Rapid list" in text
    assert "Greatest rises" in text
    assert "The whole Main list" in client.get("/?list=nothing").content.decode()
    assert "The bureau rates by no other system." in client.get("/lists/other-systems/").content.decode()
    builders.add_list("us", system="uscf")
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 20)).sections.get(), made)
    builders.publish(date(2024, 5, 1))
    assert "/lists/us/" not in client.get("/").content.decode()
    assert "/lists/us/" in client.get("/lists/other-systems/").content.decode()


def test_what_begins_next_is_counted_from_today(client):
    today = timezone.localdate()
    for name, day in (("Mopane Open", today), ("Baobab Open", today + timedelta(days=3))):
        register_event(details(day, day, name=name), at=timezone.now())
    page = client.get("/").content.decode()
    assert page.index("Mopane Open") < page.index("today ·") < page.index("Baobab Open") < page.index("in 3 days ·")


def test_a_month_is_counted_by_what_its_events_wait_for():
    days = {"accepted": 3, "submitted": 4, "returned": 5, "registered": 6, "published": 7, "withdrawn": 8, "draft": 9}
    for state, day in days.items():
        builders.event(state, state=State(state), ends=date(2024, 3, day))
    builders.event("later", state=State.REGISTERED, ends=date(2024, 3, 20))
    builders.event("next month", state=State.REGISTERED, ends=date(2024, 4, 1))
    found = month_so_far(date(2024, 3, 1), today=date(2024, 3, 10))
    assert [(stage.code, stage.count) for stage in found.stages] == [
        ("accepted", 2),
        ("submitted", 1),
        ("awaited", 2),
        ("coming", 1),
    ]
    assert found.total == 6
    assert [round(stage.start) for stage in found.stages] == [0, 33, 50, 83]
    assert (found.day_text, found.closes_text) == ("1 Apr 2024", "30 Apr 2024")
    assert month_so_far(date(2023, 3, 1), today=date(2024, 3, 10)).total == 0
