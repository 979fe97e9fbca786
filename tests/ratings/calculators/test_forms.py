"""What a calculator asks for, what it refuses, and the link that keeps an entry."""

from dataclasses import replace
from datetime import date

import pytest
from django.http import QueryDict

from ratings.systems import uscf
from tests.ratings.calculators.entries import FORMS, form, games

pytestmark = pytest.mark.django_db

VALID = {
    "chessa": {"m": "1400", "t": "1400"} | games((1500, "1"), colours="w"),
    "icu": {"rt": "1400"} | games((1500, "1")),
    "uscf": {"rt": "1400", "g": "40"} | games((1500, "1")),
    "cfc": {"rt": "1400"} | games((1500, "1")),
}


@pytest.mark.parametrize(
    ("system", "change", "field", "message"),
    [
        ("icu", {"rt": "abc"}, "rt", "Enter a rating from −500 to 4000."),
        ("icu", {"rt": "-501"}, "rt", "Enter a rating from −500 to 4000."),
        ("icu", {"rt": "4001"}, "rt", "Enter a rating from −500 to 4000."),
        ("icu", {"rt": "NaN"}, "rt", "Enter a rating from −500 to 4000."),
        ("icu", {"rt": "Infinity"}, "rt", "Enter a rating from −500 to 4000."),
        ("icu", {"rt": "1e999"}, "rt", "Enter a rating from −500 to 4000."),
        ("icu", {"rt": ""}, "rt", "Enter the rating before the event"),
        ("icu", {"t": "provisional"}, "g", "Enter how many games"),
        ("icu", {"t": "provisional", "g": "20"}, "g", "from 1 to 19"),
        ("icu", {"t": "grand"}, "t", "Choose one of the list."),
        ("icu", {"o1": ""}, "o1", "Enter the opponent of game 1."),
        ("icu", {"r1": ""}, "r1", "Choose the result of game 1."),
        ("icu", {"o1": "", "r1": ""}, "o1", "Enter at least one game"),
        ("icu", {"r1": "2"}, "r1", "Choose one of the list."),
        ("uscf", {"rt": "-1"}, "rt", "Enter a rating from 0 to 4000."),
        ("uscf", {"rt": ""}, "rt", "leave the games out"),
        ("uscf", {"sg": "5"}, "sr", "Enter the starting rating"),
        ("uscf", {"hk": "on"}, "hk", "The rules of 2025 know no half-K events."),
        ("uscf", {"on": "2000-12-31"}, "ed", "No edition was in force on 2000-12-31"),
        ("uscf", {"on": "yesterday"}, "on", "Enter a day as 2026-10-31."),
        ("uscf", {"on": "0001-01-01"}, "on", "Enter a day between 1990 and 2099."),
        ("uscf", {"m": "guide", "g": "50", "ed": "2006"}, "m", "The guide is of the system of 2001"),
        ("uscf", {"m": "guide", "g": "49"}, "g", "for players of 50 or more games"),
        ("uscf", {"m": "guide", "rt": "", "g": ""}, "rt", "for players of 50 or more games"),
        ("uscf", {"m": "guide", "g": "50", "ma": "on"}, "ma", "The guide knows no matches."),
        ("cfc", {"ro": "5"}, "ro", "The rules of 2012 go by the games: leave the rounds out."),
        ("cfc", {"ed": "article", "ro": "0"}, "ro", ""),
        ("cfc", {"rt": "1400.5"}, "rt", "Enter a whole number"),
        ("cfc", {"o1": "1500.5"}, "o1", "Enter a whole number"),
        ("cfc", {"on": "2012-07-31"}, "ed", "No edition was in force"),
        ("cfc", {"s": "provisional"}, "g", "Enter how many games"),
        ("chessa", {"c1": ""}, "c1", "Choose the colour in game 1"),
        ("chessa", {"b": "4", "i": "0"}, "b", "Games faster than 5 minutes are not rated (article 23)."),
        ("chessa", {"mh": "1399"}, "mh", "not under the rating"),
        ("chessa", {"m": "", "mh": "1500"}, "m", "goes with the highest rating"),
        ("chessa", {"player": "123"}, "player", "nine digits"),
        ("chessa", {"player": "999999999"}, "player", "Nobody on the register"),
        ("chessa", {"p1": "999999999"}, "p1", "Nobody on the register"),
        ("chessa", {"e": "2099-12-31"}, "e", "is calculated on"),
        ("chessa", {"at": "1999-01"}, "at", "Choose one of the list."),
    ],
)
def test_what_is_wrong_is_said_at_the_field(system, change, field, message):
    made = form(system, VALID[system] | change)
    assert list(made.errors) == [field]
    assert message in made.errors[field][0]
    assert made.problems[0][0] == f"id_{field}"


@pytest.mark.parametrize("system", FORMS)
def test_the_examples_above_are_valid_without_the_mistake(system):
    assert not form(system, VALID[system]).errors


@pytest.mark.parametrize(
    ("text", "rating"),
    [("1 521.9", 1521.9), ("1\u202f521,9", 1521.9), ("−20", -20), ("-500", -500), ("4000", 4000), (" 0 ", 0)],
)
def test_ratings_are_read_as_people_write_them(text, rating):
    made = form("icu", VALID["icu"] | {"rt": text})
    assert not made.errors
    assert made.cleaned_data["rt"] == rating


def test_a_match_between_players_too_far_apart_is_refused_at_its_game(client):
    """CFC, section 413: at most 400 points."""
    entry = {"rt": "1400", "ma": "on"} | games((1500, "1"), (1801, "1"))
    text = client.get("/calculators/cfc/", entry).content.decode()
    assert '<a href="#id_o2">Opponent’s rating, game 2: the ratings 1400 and 1801 are too far apart' in text
    assert 'New rating</h2><p class="new">' not in text


def test_thirty_games_are_the_most():
    thirty = {"rt": "1400"} | games(*[(1500, "1")] * 30)
    assert len(form("icu", thirty).games) == 30
    assert len(form("icu", thirty | {"o31": "1500", "r31": "1"}).games) == 30


@pytest.mark.parametrize(
    ("asked", "rows", "more"), [("", 3, 9), ("1", 1, 7), ("18", 18, 24), ("29", 29, 30), ("30", 30, None)]
)
def test_more_rows(asked, rows, more):
    made = FORMS["icu"](QueryDict(f"n={asked}"))
    assert (len(made.rows), made.more_rows) == (rows, more)


@pytest.mark.parametrize("asked", ["0", "-1", "31", "1e9", "²", "x" * 500])
def test_a_senseless_number_of_rows_is_as_good_as_a_near_one(asked):
    assert 3 <= len(FORMS["icu"]({"n": asked}).rows) <= 30


@pytest.mark.parametrize("system", FORMS)
def test_a_link_keeps_the_entry(system):
    made = form(system, VALID[system])
    again = form(system, QueryDict(made.link()).dict())
    assert again.case() == made.case()
    assert again.link() == made.link()
    assert "=&" not in made.link()


def test_blanks_are_left_out_of_the_address(client):
    blank = dict.fromkeys(FORMS["icu"]({}).fields, "") | VALID["icu"]
    response = client.get("/calculators/icu/", blank)
    assert response.status_code == 302
    assert response["Location"] == "/calculators/icu/?rt=1400&o1=1500&r1=1"
    assert client.get(response["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"i": "x", "b": "90"}, "Increment: enter a whole number from 0 to 300."),
        ({"o3": "x"}, "Opponent’s rating on Main, game 3: enter a rating from −500 to 4000."),
        ({"m": "1500"}, "Enter at least one game: an opponent and a result."),
    ],
)
@pytest.mark.django_db
def test_the_summary_of_errors_names_the_field(entry, problem):
    assert problem in [text for _, text in form("chessa", entry).problems]


def test_without_a_day_the_rules_in_force_today_hold():
    class Decided(FORMS["uscf"]):
        EDITIONS = (*uscf.EDITIONS, replace(uscf.EDITIONS[-1], name="2090", since=date(2090, 1, 1)))

    today, then = Decided(VALID["uscf"]), Decided(VALID["uscf"] | {"on": "2090-01-01"})
    assert today.is_valid()
    assert then.is_valid()
    assert today.cleaned_data["ed"] == uscf.EDITIONS[-1].name
    assert then.cleaned_data["ed"] == "2090"
