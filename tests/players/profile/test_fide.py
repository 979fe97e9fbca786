"""FIDE's ratings stand beside the national ones, with the month of their list, on the page and in the API."""

from datetime import date

import pytest

from players.models import FideList
from tests.builders import CLOCK
from tests.pages import builders

pytestmark = pytest.mark.django_db


def fide_list(month=date(2024, 4, 1), kinds="SRB"):
    return FideList.objects.create(month=month, kinds=kinds, at=CLOCK, filename="list.zip", sha256="")


def rated(player, taken, kind="S", rating=1850, **fields):
    return player.fide_ratings.create(kind=kind, rating=rating, list=taken, **fields)


def shown(client, player):
    text = client.get(f"/players/{player.number}/").content.decode()
    return [" ".join(part.partition("</p>")[0].split()) for part in text.split('<p class="note figures fide">')[1:]]


def test_the_page_names_the_list_and_who_is_inactive(client):
    player = builders.federation()[0]
    taken = fide_list()
    rated(player, taken, "B", 1720)
    rated(player, taken, inactive=True, k=20, games=0)
    assert shown(client, player) == ["FIDE’s list of April 2024: standard 1 850 (inactive), blitz 1 720"]
    answer = client.get(f"/api/v1/players/{player.number}/").json()
    assert answer["fide"] == [
        {"kind": "standard", "rating": 1850, "k": 20, "games": 0, "inactive": True, "list_date": "2024-04-01"},
        {"kind": "blitz", "rating": 1720, "k": None, "games": None, "inactive": None, "list_date": "2024-04-01"},
    ]


def test_lists_of_two_months_have_a_line_each(client):
    player = builders.players(1)[0]  # without a published rating
    rated(player, fide_list())
    rated(player, fide_list(date(2024, 5, 1), "R"), "R", 1900)
    assert shown(client, player) == [
        "FIDE’s list of April 2024: standard 1 850",
        "FIDE’s list of May 2024: rapid 1 900",
    ]


def test_without_a_fide_rating_nothing_is_said(client):
    assert shown(client, builders.players(1)[0]) == []
