"""Results by colour, strength, year and opponent, one player against another, several in one chart, and the feed."""

import re
from datetime import date
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from django.conf import settings

from config.lib.database import as_float
from events.rules.states import State
from players.profile.history import ListStanding, ranges, within
from players.profile.lines import PlayedRow
from players.profile.statistics import statistics
from ratings.lists.distribution import distribution
from ratings.lists.queries import Publication
from ratings.models import Rating, RatingList
from tests.pages import builders

ATOM = "{http://www.w3.org/2005/Atom}"


def row(id, result, *, white=True, number="100000002", year=2024, known=True):
    return PlayedRow(
        id=id, round=1, result=result, colour_known=known, is_white=white, opponent=int(number or 0) or None, number=number,
        name=f"P{number}", guest=None, section=1, section_name="", starts=date(year, 3, 1), ends=date(year, 3, 2),
        base_minutes=90, increment_seconds=30, event=1, event_name="Open", event_state="accepted", month=date(year, 3, 1),
    )  # fmt: skip


def texts(records):
    return [(record.label, *record.texts) for record in records]


def test_results_by_colour_strength_year_and_opponent():
    rows = [
        row(1, "1-0"),
        row(2, "1-0", white=False, year=2025),
        row(3, "1/2-1/2", number="100000003"),
        row(4, "1-0", number="100000003", known=False),
        row(5, "+--"),
    ]
    found = statistics(rows, {1: 1399.9, 2: 1400.0, 4: 1599.9})
    assert found.total.score_text == "2½ of 4"
    assert texts(found.by_colour) == [("White", "2", "1", "1", "0", "75 %"), ("Black", "1", "0", "0", "1", "0 %")]
    assert texts(found.by_strength) == [
        ("1\u202f400–1\u202f599", "2", "1", "0", "1", "50 %"),
        ("1\u202f200–1\u202f399", "1", "1", "0", "0", "100 %"),
        ("unrated", "1", "0", "1", "0", "50 %"),
    ]
    assert [record.label for record in found.by_year] == ["2025", "2024"]
    assert [(record.key, record.games) for record in found.opponents] == [("100000002", 2), ("100000003", 2)]
    assert [win.row.id for win in found.best_wins] == [4, 1]


def standing(month):
    return ListStanding(Publication(month, 1, 0, 0, 0, month), 1, 1, 1, 0, 40, 1200, None, 1200, 1200, None, 1200, 0)


def test_the_chart_offers_stretches_that_are_shorter_than_the_history():
    year = [standing(date(2024, month, 1)) for month in range(1, 13)]
    assert ranges(year, "1") == []
    longer = [*year, standing(date(2025, 1, 1)), standing(date(2025, 2, 1))]
    assert ranges(longer, "") == [("1 year", "1", False), ("all", "", True)]
    assert within(longer, ranges(longer, "")) == longer
    assert within(longer, ranges(longer, "1"))[0].publication.month == date(2024, 2, 1)
    assert within(longer, ranges(longer, "7")) == longer


@pytest.mark.django_db
def test_the_pages_of_statistics_and_of_two_players(client, queries):
    made = builders.federation()
    text = queries(f"/players/{made[0].number}/statistics/", 9).content.decode()
    assert f"/players/{made[0].number}/against/{made[1].number}/" in text
    assert re.search(r"Main 1\u202f\d+\.\d on the list of 1 May 2024: 100 % of the others have a\s+lower rating", text)
    assert client.get(f"/players/{made[0].number}/statistics/?list=blitz").status_code == 404
    met = client.get(f"/players/{made[0].number}/against/{made[1].number}/").content.decode()
    assert met.count(">March Open</a>") == met.count(">April Rapid</a>") == 1
    assert client.get(f"/players/{made[0].number}/against/{made[0].number}/").status_code == 404
    assert client.get(f"/players/{made[0].number}/against/999999999/").status_code == 404


@pytest.mark.django_db
def test_a_player_without_games_is_told_what_would_fill_the_pages(client):
    one, other = builders.players(2)
    assert "No games yet." in client.get(f"/players/{one.number}/statistics/").content.decode()
    assert "They have not met." in client.get(f"/players/{one.number}/against/{other.number}/").content.decode()
    assert "Nobody of them has" in client.get(f"/compare/?players={one.number}").content.decode()
    assert client.get(f"/players/{one.number}/feed.xml").status_code == 200


@pytest.mark.django_db
def test_games_that_are_not_accepted_are_in_no_statistics(client):
    made = builders.federation()
    waiting = builders.event("Secret Open", ends=date(2024, 5, 12), state=State.SUBMITTED)
    builders.round_robin(waiting.sections.get(), made)
    for page in ("statistics/", f"against/{made[1].number}/", "feed.xml"):
        assert "Secret Open" not in client.get(f"/players/{made[0].number}/{page}").content.decode()


@pytest.mark.django_db
def test_where_a_rating_stands_on_its_list():
    builders.federation()
    ratings = Rating.objects.filter(run__period__month=builders.APRIL, list__code="main")
    run, main = ratings.first().run_id, RatingList.objects.get(code="main").pk
    published = sorted(ratings.values_list(as_float("published"), flat=True))
    spread = distribution(run, main, published[1])
    assert (spread.total, spread.below, spread.place_text) == (6, 1, "20 %")
    assert sum(band.players for band in spread.bands) == 6
    assert [band.least for band in spread.bands if band.is_own] == [int(published[1] // 100) * 100]


@pytest.mark.django_db
def test_up_to_four_players_stand_in_one_chart(client):
    made = builders.federation()
    numbers = [player.number for player in made[:5]]
    text = client.get("/compare/", {"players": f"{' '.join(numbers)}, 999999999 12"}).content.decode()
    assert re.findall(r'<li data-list="(\d+)"', text) == numbers[:4]
    assert "The first 4 are shown" in text
    assert "There is no player with the number 999999999." in text
    assert "There is no player with the number 12." in text
    one = client.get("/compare/", {"players": numbers[0], "list": "rapid"}).content.decode()
    assert "Published Rapid ratings" in one
    assert client.get("/compare/?list=nonsense").status_code == 404
    assert client.get("/compare/").status_code == 200


@pytest.mark.django_db
def test_players_to_compare_are_found_by_name_too(client):
    tom, *_ = builders.federation()
    namesakes = builders.players(2, last="Mokoena")
    text = client.get("/compare/", {"players": "dlamini sipho, 100000001 , moko, Nobody"}).content.decode()
    assert re.findall(r'<li data-list="(\d+)"', text) == [tom.number, "100000004"]
    assert "<h2>Which moko?</h2>" in text
    chosen = [f"100000001, 100000004, {player.number}" for player in namesakes[::-1]]
    links = [unquote(link) for link in re.findall(r'href="/compare/\?players=([^&"]+)&amp;list=main"', text)]
    assert links == chosen
    assert "There is no player with the name “Nobody”." in text
    after = client.get("/compare/", {"players": chosen[0]}).content.decode()
    assert "Which" not in after
    assert namesakes[-1].name in after


@pytest.mark.django_db
def test_the_feed_has_an_entry_for_each_month(client):
    player = builders.federation()[0]
    answer = client.get(f"/players/{player.number}/feed.xml")
    assert answer["Content-Type"].startswith("application/atom+xml")
    entries = ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")
    assert [entry.find(f"{ATOM}title").text.partition(":")[0] for entry in entries] == ["April 2024", "March 2024"]
    assert entries[0].find(f"{ATOM}link").get("href") == f"{settings.SITE_URL}/players/{player.number}/2024-04/main/"
    assert " on average" in entries[0].find(f"{ATOM}summary").text
    assert client.get("/players/999999999/feed.xml").status_code == 404
    assert client.post(f"/players/{player.number}/feed.xml").status_code == 405
