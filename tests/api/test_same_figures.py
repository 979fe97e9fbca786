"""Page, API and download say the same of 200 players taken at random: ratings, changes, games."""

import csv
import io
import json
import random
import re
import zipfile
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils.html import strip_tags

from config.lib import formatting
from players.models import Player
from ratings.downloads.operations import make_downloads
from ratings.models import RatingRun
from tests.federation import load
from tests.pages import builders

pytestmark = pytest.mark.django_db

PLAYERS, COMPARED = 260, 200
MONTHS = (date(2024, 3, 1), date(2024, 4, 1))
LISTS = ("main", "standard", "rapid", "blitz")


@pytest.fixture
def numbers() -> list[str]:
    """The numbers of 200 of 260 players, most of whom played in one of two published months."""
    for seed, month in enumerate(MONTHS):
        load(players=PLAYERS, games=420, sections=10, seed=seed, month=month, active=0.7)
        builders.publish(month)
    for run in RatingRun.objects.filter(publication__isnull=False):
        make_downloads(run.pk, at=datetime(2024, 5, 1, 8, 0, tzinfo=UTC))
    everybody = list(Player.objects.order_by("pk").values_list("number", flat=True))
    return random.Random(11).sample(everybody, COMPARED)


def listed_by_api(client: Client, code: str, period: str) -> dict[str, dict]:
    """The lines of a whole list by number."""
    answer = client.get(f"/api/v1/lists/{code}/{period}/", headers={"accept": "application/x-ndjson"})
    return {row["number"]: row for row in map(json.loads, answer.getvalue().decode().splitlines())}


def downloaded(client: Client, code: str, period: str) -> dict[str, dict[str, str]]:
    """The lines of the download with the figures in full, by number."""
    archive = zipfile.ZipFile(io.BytesIO(client.get(f"/downloads/{period}/full_{code}.zip").getvalue()))
    (name,) = [name for name in archive.namelist() if name.endswith(".csv")]
    return {row["number"]: row for row in csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig")))}


def texts(pattern: str, html: str) -> list[str]:
    return [strip_tags(found).strip() for found in re.findall(pattern, html)]


def cards_on_page(page: str) -> dict[tuple[str, str], tuple[str, str]]:
    """(period, list) → rating and change, as the cards have them."""
    found = {}
    for card in page.split('<li class="card">')[1:]:
        period, code = re.search(r'class="big" href="/players/\d+/([\d-]+)/([\w-]+)/"', card).groups()
        rating, change = (
            texts(r'(?s)class="big"[^>]*>(.*?)</a>', card) + texts(r"</span><span[^>]*>(.*?)</span>", card)[:1]
        )
        found[period, code] = rating, change
    return found


def months_on_page(page: str) -> dict[tuple[str, str], str]:
    """(period, list) → change of the published rating, of the months with one."""
    links = re.findall(r'href="/players/\d+/([\d-]+)/([\w-]+)/" aria-label="Explain [^"]*">Explain ([^<]+)</a>', page)
    return {(period, code): change for period, code, change in links}


def games_on_page(page: str) -> dict[tuple[int, int], tuple[str, str, list[str]]]:
    """(event, round) → the opponent's number, the points, and what the game earned on each list."""
    found = {}
    for event in page.split('<div class="event-line">')[1:]:
        key = int(re.search(r'href="/events/(\d+)/"', event)[1])
        body = event[event.index("<tbody>") : event.index("</tbody>")]
        for row in body.split("<tr>")[1:]:
            round_, points, *figures = texts(r'<td class="num[^"]*">(.*?)</td>', row)
            found[key, int(round_)] = re.search(r"/players/(\d+)/", row)[1], points, figures[2::3]
    return found


def test_page_api_and_download_have_the_same_figures(client, numbers, get):
    periods = [f"{month:%Y-%m}" for month in MONTHS]
    api = {(code, period): listed_by_api(client, code, period) for code in LISTS for period in periods}
    files = {(code, period): downloaded(client, code, period) for code in LISTS for period in periods}
    for which, rows in api.items():
        assert {number: row["rating"] for number, row in rows.items()} == {
            number: float(row["published"]) for number, row in files[which].items()
        }
    games = moved = 0
    for number in numbers:
        page, player = client.get(f"/players/{number}/").content.decode(), get(f"players/{number}/")
        cards = cards_on_page(page)
        for rating in player["ratings"]:
            which = rating["list"], rating["period"]
            row, line = api[which][number], files[which][number]
            assert rating["rating"] == row["rating"] == float(line["published"])
            assert rating["change"] == row["change"]
            assert (float(line["raw"]), float(line["highest"])) == (rating["raw"], rating["highest"])
            if line["previous"]:
                assert row["change"] == pytest.approx(float(line["published"]) - float(line["previous"]))
            shown = formatting.rating(float(line["published"])), rating["change_shown"]
            assert cards.pop((rating["period"], rating["list"])) == shown
        assert cards == {}
        for (period, code), change in months_on_page(page).items():
            row = api[code, period][number]
            assert change == (f"new, {row['rating_shown']}" if row["change"] is None else row["change_shown"])
            moved += 1
        played = {
            (game["event"], game["round"]): (
                game["opponent"]["number"],
                formatting.score(game["points"]),
                [earned["change_shown"] for earned in game["earned"]],
            )
            for game in get(f"players/{number}/games/?limit=500")["results"]
        }
        assert games_on_page(page) == played
        games += len(played)
    assert games > 500
    assert moved > COMPARED
