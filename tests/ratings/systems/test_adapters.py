"""How the bureau's own lists use the systems that rate one event after the other."""

from datetime import date

import pytest

from config.lib.editions import EditionError
from ratings.systems.adapters import ADAPTERS, PlayerFacts, edition_of
from ratings.systems.base import Event, Game, GameResult

DAY = date(2026, 3, 1)
ADULT = PlayerFacts(born=date(1980, 1, 1), joined=date(2000, 1, 1))


def lost(players=2):
    return Event("e", tuple(Game("1", str(number), GameResult.BLACK_WINS) for number in range(2, players + 1)), DAY)


def rated(code, ratings, event, person=ADULT):
    adapter = ADAPTERS[code]
    edition = edition_of(adapter, "", DAY)
    standings = {
        name: adapter.standing_on(adapter.newcomer(rating, edition), person, DAY, edition)
        for name, rating in ratings.items()
    }
    return adapter, adapter.rate(event, standings, edition)


@pytest.mark.rule("icu list-minimum")
def test_an_irish_list_shows_nobody_under_700_and_goes_on_from_the_rating_itself():
    adapter, result = rated("icu", {"1": 690.0, "2": 700.0}, lost())
    assert result.lines["1"].published == 700
    assert result.lines["1"].rating < 690
    assert adapter.to_json(result.standings["1"])["rating"] == round(result.lines["1"].rating)


def test_irish_k_follows_age_and_membership():
    young = PlayerFacts(born=date(2010, 1, 1), joined=date(2000, 1, 1))
    new = PlayerFacts(born=date(1980, 1, 1), joined=date(2024, 1, 1))
    found = {name: rated("icu", {"1": 1500.0, "2": 1500.0}, lost(), who)[1].lines["1"].k
             for name, who in (("adult", ADULT), ("young", young), ("new", new))}  # fmt: skip
    assert found == {"adult": 24, "young": 40, "new": 32}


def test_a_canadian_rating_on_two_games_is_kept_and_not_shown():
    _, two = rated("cfc", {"1": None, "2": 1500.0, "3": 1500.0}, lost(3))
    assert (two.lines["1"].rating, two.lines["1"].published) == (1100, None)
    _, three = rated("cfc", {"1": None, "2": 1500.0, "3": 1500.0, "4": 1500.0}, lost(4))
    assert three.lines["1"].published == 1100


@pytest.mark.parametrize("code", list(ADAPTERS))
def test_a_standing_survives_its_keeping(code):
    adapter, result = rated(code, {"1": None, "2": 1500.0, "3": 1600.0, "4": 1700.0}, lost(4))
    for standing in result.standings.values():
        kept = adapter.from_json(adapter.to_json(standing))
        assert adapter.to_json(kept) == adapter.to_json(standing)


def test_an_edition_is_the_fixed_one_or_that_of_the_day():
    assert edition_of(ADAPTERS["uscf"], "", date(2016, 1, 1)).name == "2015"
    assert edition_of(ADAPTERS["uscf"], "2001", date(2016, 1, 1)).name == "2001"
    with pytest.raises(EditionError, match="no edition"):
        edition_of(ADAPTERS["uscf"], "1899", DAY)
