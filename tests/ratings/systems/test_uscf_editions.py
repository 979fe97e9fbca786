"""Which edition of the USCF rules is in force, and what each of them changes."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from config.lib.editions import EditionError, edition_on
from ratings.systems.uscf import EDITIONS
from tests.ratings.systems.uscf_builder import edition


@pytest.mark.rule("uscf bonus", "uscf editions")
@pytest.mark.parametrize(
    ("name", "since", "bonus"),
    [
        ("2001", date(2001, 1, 1), 10),
        ("2006", date(2006, 3, 1), 10),
        ("2008", date(2008, 6, 1), 6),
        ("2012", date(2012, 8, 1), 8),
        ("2013", date(2013, 5, 18), 8),
        ("2014", date(2014, 3, 20), 10),
        ("2015", date(2015, 6, 1), 12),
        ("2017", date(2017, 5, 1), 14),
        ("2020", date(2020, 6, 1), 14),
        ("2023", date(2023, 2, 1), 12),
        ("2024", date(2024, 3, 1), 12),
        ("2025", date(2025, 1, 1), 10),
    ],
)
def test_an_edition_is_in_force_from_its_first_day_on(name, since, bonus):
    assert edition_on(EDITIONS, since).name == name
    assert edition(name)["bonus_multiplier"] == bonus
    if name != "2001":
        before = EDITIONS[[one.name for one in EDITIONS].index(name) - 1].name
        assert edition_on(EDITIONS, since - timedelta(days=1)).name == before


@pytest.mark.rule("uscf editions")
def test_nothing_is_rated_before_2001():
    with pytest.raises(EditionError):
        edition_on(EDITIONS, date(2000, 12, 31))


def test_the_edition_of_2020_has_the_figures_of_2017():
    assert edition("2020").constants == edition("2017").constants


@pytest.mark.rule("uscf editions")
@pytest.mark.parametrize(
    ("constant", "first"),
    [
        ("half_k_allowed", "2006"),
        ("age_addend", "2006"),
        ("personal_floor", "2008"),
        ("whole_ratings", "2008"),
        ("effective_a", "2013"),
        ("dual_k", "2013"),
        ("peak_lowest", "2015"),
        ("bonus_meetings_least", "2025"),
    ],
)
def test_a_rule_changes_with_one_edition(constant, first):
    values = [one[constant] for one in EDITIONS]
    place = [one.name for one in EDITIONS].index(first)
    assert all(value == values[0] for value in values[:place])
    assert all(value == values[place] != values[0] for value in values[place:])


@pytest.mark.rule("uscf start-fide")
def test_the_conversion_of_fide_ratings_changes_twice():
    changes = [one.name for before, one in pairwise(EDITIONS) if before["fide_conversion"] != one["fide_conversion"]]
    assert changes == ["2008", "2024"]


def test_every_figure_has_a_source_and_the_doubtful_ones_are_marked():
    assert all(constant.source for one in EDITIONS for constant in one.constants.values())
    doubtful = {name: constant for name, constant in edition("2008").constants.items() if not constant.confirmed}
    assert {"bonus_multiplier", "fide_conversion", "whole_ratings"} <= doubtful.keys()
    assert not edition("2015").constants["peak_lowest"].confirmed
    assert edition("2025").constants["bonus_multiplier"].confirmed
