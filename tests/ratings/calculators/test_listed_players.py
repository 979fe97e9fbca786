"""The calculators of the other systems from the bureau's own lists: picked players and opponents."""

from datetime import date

import pytest

from config.lib.database import as_float
from ratings.models import Rating
from tests.kept import kept
from tests.pages import builders
from tests.ratings.calculators.entries import calculate, form, games
from tests.ratings.calculators.test_forms import VALID

pytestmark = pytest.mark.django_db
SYSTEMS = ("icu", "uscf", "cfc")


@pytest.fixture
@kept
def made():
    """Six players with two published months, on a list of each system from Main on."""
    for position, code in enumerate(SYSTEMS, start=5):
        builders.add_list(code, position=position, starts_from="" if code == "uscf" else "main")
    return builders.federation()


def standing(player, code, month=builders.APRIL):
    row = Rating.objects.filter(player=player, list__code=code, run__period__month=month)
    row = row.filter(run__publication__isnull=False)
    return row.values_list("standing", flat=True).get()


@pytest.mark.parametrize("code", SYSTEMS)
def test_a_picked_player_brings_his_standing_on_the_list(made, code):
    entry = {"player": made[0].number, "p1": made[1].number, "r1": "1"}
    filled, kept = form(code, entry), standing(made[0], code)
    assert not filled.errors
    for name, value in filled.standing().items():
        if name != "k":
            assert value == kept[name], name
    assert filled.games[0].rating == standing(made[1], code)["rating"]
    assert filled.standing()["rating"] == kept["rating"]


def test_irish_k_comes_from_the_register(made):
    """Twenty-two years of age, and on the register for three months: the K of the first years of membership."""
    entry = {"player": made[0].number} | games((1500, "1"))
    assert form("icu", entry).standing()["k"] == 32
    assert form("icu", entry | {"y": "9"}).standing()["k"] == 24
    assert form("icu", entry | {"a": "20"}).standing()["k"] == 40
    assert form("icu", entry | {"k": "16"}).standing()["k"] == 16


@pytest.mark.parametrize("code", SYSTEMS)
def test_what_is_entered_takes_the_place_of_what_the_list_says(made, code):
    entry = {"player": made[0].number, "rt": "1800", "p1": made[1].number, "o1": "1750", "r1": "h"}
    filled = form(code, entry)
    assert not filled.errors
    assert filled.standing()["rating"] == 1800
    assert filled.games[0].rating == 1750


def test_who_enters_a_rating_for_an_unrated_player_is_calculated_from_it(made):
    (newcomer,) = builders.players(1, last="New")
    for code in ("icu", "cfc"):
        entry = {"player": newcomer.number} | games((1500, "1"), (1400, "0"), (1600, "h"))
        kind = "type" if code == "icu" else "status"
        assert form(code, entry).standing() == {kind: "unrated"}
        assert form(code, entry | {"rt": "1500"}).standing()["rating"] == 1500
    # The year of birth is 2001; the day is nobody's business.
    assert form("uscf", {"player": newcomer.number} | games((1500, "1"))).standing()["age"] == 23


def test_a_player_new_to_the_list_brings_his_main_rating(made):
    player = made[0]
    main = Rating.objects.filter(player=player, list__code="main", run__period__month=builders.MARCH)
    published = main.values_list(as_float("published"), flat=True).get()
    entry = {"player": player.number, "at": "2024-04"} | games((1500, "1"))
    assert form("icu", entry).standing()["rating"] == round(published)


def test_the_list_before_the_event_counts(made):
    """The day of the event is in April: the list of 1 April, after the games of March."""
    entry = {"player": made[0].number, "on": "2024-04-20"} | games((1500, "1"))
    early, late = form("uscf", entry), form("uscf", entry | {"on": "2024-05-20"})
    assert early.standing()["rating"] == standing(made[0], "uscf", builders.MARCH)["rating"]
    assert late.standing()["rating"] == standing(made[0], "uscf")["rating"]
    chosen = form("uscf", entry | {"at": "2024-05"})
    assert chosen.standing()["rating"] == late.standing()["rating"]
    before = form("uscf", entry | {"on": "2023-04-20"})
    assert "rating" not in before.standing()


@pytest.mark.parametrize("code", SYSTEMS)
def test_an_opponent_whom_the_list_does_not_know_is_an_error_at_his_field(made, code):
    (newcomer,) = builders.players(1, last="New")
    filled = form(code, VALID[code] | {"o1": "", "p1": newcomer.number})
    assert list(filled.errors) == ["p1"]
    day = f"{code.upper()} list of 1 May 2024"
    assert filled.errors["p1"] == [
        f"{newcomer.name} has no rating on the {day}: enter one beside the number in game 1."
    ]
    assert not form(code, VALID[code] | {"o1": "1500", "p1": newcomer.number}).errors


@pytest.mark.parametrize("code", SYSTEMS)
@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"player": "999999999"}, "player", "Nobody on the register has the number 999999999."),
        ({"player": "123"}, "player", "Enter a Chess SA id of nine digits."),
        ({"p1": "999999999"}, "p1", "Nobody on the register has the number 999999999."),
        ({"p1": "x"}, "p1", "Enter a Chess SA id of nine digits."),
        ({"player": "100000001", "p1": "100000001"}, "p1", "Nobody plays against himself."),
        ({"list": "main"}, "list", "Choose one of the list."),
    ],
)
def test_numbers_are_checked(made, code, change, field, message):
    filled = form(code, VALID[code] | change)
    assert list(filled.errors) == [field]
    assert filled.errors[field] == [message]


def test_without_a_list_of_the_system_the_page_says_so_and_ratings_are_entered(client):
    player, other = builders.federation()[:2]
    text = client.get("/calculators/icu/", {"player": player.number}).content.decode()
    assert "No list of this system is published here: the number gives the name alone." in text
    assert "no event of it played again" in text
    assert 'data-list="none"' in text
    suggested = client.get("/calculators/players.json", {"q": "ash", "list": "none"}).json()["players"][0]
    assert (suggested["ratings"], suggested["told"]) == ({}, "")
    assert f'Calculating for <a href="/players/{player.number}/">Tom Ashby</a>' in text
    assert 'class="problem"' not in text
    filled = form("icu", {"player": player.number, "rt": "1500", "p1": other.number, "r1": "1"})
    assert filled.errors["p1"] == [
        f"No list of this system knows {other.name}: enter the rating beside the number in game 1."
    ]
    filled = form("icu", {"player": player.number, "p1": other.number, "o1": "1500", "r1": "1"})
    assert list(filled.errors) == ["rt"]


def test_several_lists_of_a_system_can_be_chosen(client, made):
    builders.add_list("irish-club", system="icu", position=9, starts_from="standard")
    april = builders.event("May Open", ends=date(2024, 5, 11))
    builders.round_robin(april.sections.get(), made)
    builders.publish(date(2024, 5, 1))
    text = client.get("/calculators/icu/", {"player": made[0].number}).content.decode()
    assert '<option value="irish-club">IRISH-CLUB</option>' in text
    entry = {"player": made[0].number} | games((1500, "1"))
    first, second = form("icu", entry), form("icu", entry | {"list": "irish-club"})
    assert first.standing()["rating"] == standing(made[0], "icu", date(2024, 5, 1))["rating"]
    assert second.standing()["rating"] == standing(made[0], "irish-club", date(2024, 5, 1))["rating"]
    found = client.get("/calculators/players.json", {"q": "ash", "list": "irish-club"}).json()["players"][0]
    assert set(found["ratings"]) == {"irish-club"}
    assert found["told"].startswith("IRISH-CLUB 1\u202f")


def test_one_list_is_not_asked_for(client, made):
    text = client.get("/calculators/icu/").content.decode()
    assert '<input type="hidden" name="list" id="id_list">' in text
    assert 'data-list="icu"' in text


@pytest.mark.parametrize("code", SYSTEMS)
def test_the_page_says_where_the_player_stands(client, made, code):
    text = client.get(f"/calculators/{code}/", {"player": made[0].number}).content.decode()
    assert f"On the {code.upper()} list of 1 May 2024: " in text
    rating = f"{standing(made[0], code)['rating']:,.2f}".replace(",", "\u202f").removesuffix(".00")
    assert f'placeholder="{rating}"' in text
    assert 'class="problem"' not in text


def test_opponents_have_their_names_and_pages_in_the_steps(client, made):
    entry = {"player": made[0].number, "p1": made[1].number, "r1": "1", "o2": "1500", "r2": "0"}
    text = client.get("/calculators/icu/", entry).content.decode()
    assert f'data-label="Opponent"><a href="/players/{made[1].number}/">{made[1].name}</a>' in text
    assert 'data-label="Opponent">opponent in game 2<' in text


@pytest.mark.parametrize("code", SYSTEMS)
@pytest.mark.parametrize("opponents", [1, 5])
def test_the_number_of_queries_does_not_grow_with_the_games(client, django_assert_num_queries, made, code, opponents):
    entry = {"player": made[0].number}
    for number, other in enumerate(made[1 : opponents + 1], start=1):
        entry |= {f"p{number}": other.number, f"r{number}": "h"}
    with django_assert_num_queries(8 if code == "uscf" else 9):
        assert client.get(f"/calculators/{code}/", entry).status_code == 200


def test_the_edition_is_that_of_the_list_unless_another_is_chosen(made):
    builders.add_list("program", system="icu", position=9, edition="software-3")
    may = builders.event("May Open", ends=date(2024, 5, 11))
    builders.round_robin(may.sections.get(), made)
    builders.publish(date(2024, 5, 1))
    entry = {"list": "program", "player": made[0].number, "t": "rated", "rt": "1500"} | games((1500, "1"))
    assert form("icu", entry).cleaned_data["ed"] == "software-3"
    assert form("icu", entry | {"ed": "text"}).cleaned_data["ed"] == "text"
    assert form("icu", VALID["icu"]).cleaned_data["ed"] == "text"
    assert calculate("icu", entry)
