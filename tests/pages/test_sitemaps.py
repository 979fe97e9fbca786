"""The site maps name every public page, and none that is not."""

import re
from datetime import date

import pytest

from events.models import Arbiter
from events.rules.states import State
from tests.pages import builders

pytestmark = pytest.mark.django_db


def addresses(client, name: str) -> list[str]:
    answer = client.get(f"/sitemap{name}.xml")
    assert answer.status_code == 200
    return re.findall("<loc>([^<]+)</loc>", answer.content.decode())


def test_each_public_page_is_named_with_the_sites_address(client, settings):
    settings.SITE_URL = "https://ratings.example.org"
    people = builders.federation()
    draft = builders.event("Draft Open", state=State.DRAFT, ends=date(2024, 5, 5))
    parts = addresses(client, "")
    kinds = [part.rpartition("-")[2].removesuffix(".xml") for part in parts]
    assert kinds == ["pages", "lists", "players", "events", "regions", "arbiters"]
    unnamed = Arbiter.objects.create(name="Grace Tenza", title="IA")
    named = [place for kind in kinds for place in addresses(client, f"-{kind}")]
    assert all(place.startswith("https://ratings.example.org/") for place in named)
    paths = [place.removeprefix("https://ratings.example.org") for place in named]
    assert f"/players/{people[0].number}/" in paths
    assert "/lists/main/2024-03/" in paths
    assert f"/events/{draft.pk}/" not in paths
    assert "/regions/GAU/" in paths
    assert f"/arbiters/{Arbiter.objects.exclude(pk=unnamed.pk).get().pk}/" in paths
    assert f"/arbiters/{unnamed.pk}/" not in paths
    assert {client.get(path).status_code for path in paths} == {200}


def test_robots_are_told_of_the_site_map(client, settings):
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in client.get("/robots.txt").content.decode()


@pytest.mark.parametrize("address", ["/sitemap-nothing.xml", "/sitemap-players.xml?p=99", "/sitemap-players.xml?p=x"])
def test_there_is_no_other_part(client, address):
    assert client.get(address).status_code == 404
