"""The formulas of the USCF system: published figures, the guide's tables, and both sides of every limit."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems.uscf.columns import Sister, Standing, starting_rating
from ratings.systems.uscf.formulas import (
    absolute_floor,
    adjusted_prior,
    bonus_points,
    bonus_threshold,
    effective_games,
    k_factor,
    peak_floor,
    provisional_expectancy,
    special_excess,
    special_ratings,
    standard_expectancy,
    start_from_age,
    start_from_cfc,
    start_from_fide,
    whole,
)
from tests.ratings.systems.uscf_builder import RATINGS, edition

FACTS = json.loads((Path(__file__).parent.parent / "cases" / "uscf" / "facts.json").read_text(encoding="utf-8"))


def guide_tables(rating, opponents, score, we, rules):
    """The guide of 15 May 2001, step by step with its rounded figures."""
    k = round(float(k_factor(rating, effective_games(rating, 50, rules), len(opponents), rules)))
    cutoff = round(float(bonus_threshold(len(opponents), rules)))
    change = k * (score - sum(we))
    bonus = max(0.0, change - cutoff)
    figures = {"we_sum": sum(we), "k": k, "cutoff": cutoff, "change": change, "bonus": bonus}
    return figures | {"rating": rating + change + bonus}


def k(rules, effective_games, m, rating=1500.0, **options):
    return {"k": k_factor(rating, effective_games, m, rules, **options)}


READ = {
    "guide_tables": lambda rules, **given: guide_tables(rules=rules, **given),
    "k": k,
    "effective_games": lambda rules, rating, games: {
        "effective_games": effective_games(rating, np.inf if games is None else games, rules)
    },
    "bonus_threshold": lambda rules, m: {"threshold": bonus_threshold(m, rules)},
    "standard_expectancy": lambda rules, difference: {"expected": standard_expectancy(difference, 0.0, rules)},
    "provisional_expectancy": lambda rules, difference: {"expected": provisional_expectancy(difference, 0.0, rules)},
    "peak_floor": lambda rules, peak: {"floor": peak_floor(peak, rules)},
    "absolute_floor": lambda rules, wins, draws, events: {"floor": absolute_floor(wins, draws, events, rules)},
    "start_from_fide": lambda rules, fide: {"rating": start_from_fide(fide, rules)[0]},
    "start_from_cfc": lambda rules, cfc: {"rating": start_from_cfc(cfc, rules)[0]},
    "start_from_age": lambda rules, age: {"rating": start_from_age(age, rules)},
}


@pytest.mark.rule(
    "uscf absolute-floor",
    "uscf bonus",
    "uscf effective-games",
    "uscf expectancy",
    "uscf guide-example",
    "uscf k",
    "uscf peak-floor",
    "uscf start-age",
    "uscf start-cfc",
    "uscf start-fide",
)
@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["id"])
def test_published_figures(fact):
    found = READ[fact["fact"]](edition(fact.get("rules", "2025")), **fact["input"])
    for name, value in fact["expected"].items():
        expected = np.nan if value is None else value
        assert float(found[name]) == pytest.approx(expected, abs=fact["tolerance"] + 1e-12, nan_ok=True), name


# The guide's table 2: K for 3 to 9 games. 59 and 46 at 600 are printed for 58.42 and 45.21.
TABLE_2 = {
    600: (63, 58, 54, 51, 48, 45, 43),
    800: (57, 53, 50, 47, 44, 42, 40),
    1000: (51, 48, 45, 43, 41, 39, 37),
    1200: (44, 42, 40, 38, 36, 35, 33),
    1400: (37, 36, 34, 33, 32, 30, 29),
    1600: (30, 29, 28, 27, 26, 26, 25),
    1800: (24, 23, 22, 22, 21, 21, 20),
    2000: (18, 17, 17, 17, 16, 16, 16),
    2200: (15, 15, 15, 14, 14, 14, 14),
}


@pytest.mark.rule("uscf guide-tables", "uscf k")
@pytest.mark.parametrize("rating", TABLE_2)
def test_the_guides_table_of_k(rating):
    rules = edition("2001")
    ceiling = effective_games(float(rating), np.inf, rules)
    assert [round(float(k_factor(rating, ceiling, m, rules))) for m in range(3, 10)] == list(TABLE_2[rating])


@pytest.mark.rule("uscf bonus", "uscf guide-tables")
def test_the_guides_table_of_cut_offs():
    assert [round(float(bonus_threshold(m, edition("2001")))) for m in range(3, 10)] == [20, 20, 22, 24, 26, 28, 30]


@pytest.mark.rule("uscf effective-games")
@pytest.mark.parametrize(
    ("rules", "rating", "games"),
    [
        ("2001", 2200.0, 50.0),
        ("2001", 2200.1, 50.0),
        ("2001", 2199.0, 49.99975),
        ("2013", 2355.0, 49.98919),
        ("2013", 2355.1, 50.0),
        ("2012", 2355.0, 50.0),
    ],
)
def test_the_ceiling_of_effective_games_ends_where_the_text_says(rules, rating, games):
    assert float(effective_games(rating, np.inf, edition(rules))) == pytest.approx(games, abs=1e-4)


@pytest.mark.rule("uscf effective-games")
def test_effective_games_are_the_games_up_to_the_ceiling():
    ceiling = float(effective_games(1500.0, np.inf, edition("2025")))
    assert float(effective_games(1500.0, 16, edition("2025"))) == 16 < ceiling < 17
    assert float(effective_games(1500.0, 17, edition("2025"))) == ceiling
    assert float(effective_games(1500.0, 0, edition("2025"))) == 0


@pytest.mark.rule("uscf dual-k")
@pytest.mark.parametrize(
    ("rules", "rating", "share"),
    [
        ("2013", 2200.0, 1.0),
        ("2013", 2200.4, 0.999),
        ("2013", 2499.9, 0.25025),
        ("2013", 2500.0, 0.25),
        ("2013", 2800.0, 0.25),
        ("2012", 2300.0, 1.0),
    ],
)
def test_the_lower_k_of_dual_rated_events(rules, rating, share):
    found = k_factor(rating, 20.0, 4.0, edition(rules), dual_regular=True)
    assert float(found) == pytest.approx(share * 800 / 24)


@pytest.mark.rule("uscf bonus-allowed")
@pytest.mark.parametrize(
    ("rules", "played", "most", "allowed"),
    [
        ("2001", 2, 1, False),
        ("2001", 3, 1, True),
        ("2001", 3, 2, True),
        ("2001", 3, 3, False),
        ("2024", 3, 2, True),
        ("2025", 3, 1, True),
        ("2025", 3, 2, False),
        ("2025", 4, 2, True),
        ("2025", 4, 3, False),
    ],
)
def test_who_may_have_a_bonus(rules, played, most, allowed):
    assert (float(bonus_points(500.0, played, most, edition(rules))) > 0) is allowed


@pytest.mark.rule("uscf bonus")
def test_a_bonus_is_what_is_above_the_threshold():
    rules = edition("2025")  # 10 × √4
    assert float(bonus_points(20.0, 4, 1, rules)) == 0
    assert float(bonus_points(20.5, 4, 1, rules)) == 0.5
    assert float(bonus_points(-50.0, 4, 1, rules)) == 0


@pytest.mark.rule("uscf peak-floor")
@pytest.mark.parametrize(
    ("rules", "peak", "floor"),
    [
        ("2001", 1599.4, None),
        ("2001", 1599.5, 1400),
        ("2014", 1599.4, None),
        ("2015", 1399.4, None),
        ("2015", 1399.5, 1200),
        ("2025", 1999.49, 1700),
        ("2025", 2299.4, 2000),
        ("2025", 2299.5, 2100),
        ("2025", 2800, 2100),
    ],
)
def test_the_floor_of_the_best_rating(rules, peak, floor):
    found = float(peak_floor(peak, edition(rules)))
    assert np.isnan(found) if floor is None else found == floor


@pytest.mark.rule("uscf absolute-floor")
def test_personal_floors_exist_since_2008():
    assert float(absolute_floor(12, 0, 5, edition("2006"))) == 100
    assert float(absolute_floor(0, 0, 0, edition("2008"))) == 100
    assert float(absolute_floor(11, 1, 3, edition("2008"))) == 149
    assert float(absolute_floor(11, 1, 4, edition("2008"))) == 150
    assert float(absolute_floor(11, 1, 5, edition("2008"))) == 150


@pytest.mark.rule("uscf start-age")
@pytest.mark.parametrize(
    ("rules", "age", "start"),
    [
        ("2001", 3.99, 1300),
        ("2001", 4, 500),
        ("2001", 20, 1300),
        ("2001", 20.01, 1300),
        ("2001", 19, 1250),
        ("2006", 1.9, 100),
        ("2006", 2.1, 105),
        ("2006", 25.99, 1299.5),
        ("2006", 26, 1300),
        ("2025", 0, 100),
    ],
)
def test_starting_ratings_by_age(rules, age, start):
    assert start_from_age(age, edition(rules)) == pytest.approx(start)


@pytest.mark.rule("uscf start-fide")
@pytest.mark.parametrize(
    ("rules", "fide", "start", "games"),
    [
        ("2001", 2150, 2200, 5),
        ("2006", 2151, 2201, 10),
        ("2008", 2000, 2060, 5),
        ("2023", 2100, 2162, 5),
        ("2024", 2000, 2060.4, 5),
        ("2024", 2001, 2061.02, 5),
        ("2025", 2151, 2214.02, 10),
    ],
)
def test_starting_ratings_from_fide(rules, fide, start, games):
    assert start_from_fide(fide, edition(rules)) == pytest.approx((start, games))


@pytest.mark.rule("uscf start-cfc")
@pytest.mark.parametrize(("cfc", "start", "games"), [(1500, 1410, 0), (1501, 1411.1, 5), (1000, 910, 0)])
def test_starting_ratings_from_canada(cfc, start, games):
    assert start_from_cfc(cfc, edition("2001")) == pytest.approx((start, games))


@pytest.mark.rule("uscf start")
def test_the_first_starting_rating_that_is_known_counts():
    rules = edition("2001")
    everything = {
        "start": (900.0, 3.0),
        "fide": 2000.0,
        "cfc": 1000.0,
        "sister": Sister(1700.0, 12, regular=True),
        "age": 10.0,
    }
    found = []
    for name in list(everything):
        found.append(starting_rating(Standing(**everything), rules))
        del everything[name]
    found.append(starting_rating(Standing(), rules))
    assert found == [
        (900.0, 3.0, "given"),
        (2050.0, 5.0, "FIDE rating"),
        (910.0, 0.0, "Canadian rating"),
        (1700.0, 10.0, "sister system"),
        (800.0, 0.0, "age"),
        (750.0, 0.0, "nothing known"),
    ]


@pytest.mark.rule("uscf start-sister")
@pytest.mark.parametrize(
    ("sister", "start"),
    [
        (Sister(1700.0, 3, regular=True), (750.0, 0.0)),
        (Sister(1700.0, 4, regular=True), (1700.0, 4.0)),
        (Sister(1700.0, 11, regular=True), (1700.0, 10.0)),
        (Sister(1700.0, 40, regular=False), (1700.0, 0.0)),
    ],
)
def test_a_rating_of_the_sister_system_counts_from_four_games_on(sister, start):
    assert starting_rating(Standing(sister=sister), edition("2001"))[:2] == start


@pytest.mark.rule("uscf rounding")
def test_whole_numbers_are_the_nearest_and_a_half_goes_up():
    assert whole(np.array([1052.5, 1052.49, 1052.4999999999999, -0.5])).tolist() == [1053, 1052, 1053, 0]


def special(rating, opponents, effective, score, record, rules):
    prior, target = adjusted_prior(rating, effective, score, record, rules)
    columns = (
        np.zeros(len(opponents), dtype=np.int64),
        np.array(opponents, dtype=float),
        np.array([prior]),
        np.array([effective]),
        np.array([target]),
    )
    found = special_ratings(np.array([rating]), *columns, rules)
    return float(found[0]), lambda at: float(special_excess(np.array([at]), *columns, rules)[0])


@pytest.mark.rule("uscf special-formula")
@settings(deadline=None)
@given(
    RATINGS,
    st.lists(RATINGS, min_size=1, max_size=12),
    st.one_of(st.just(0.0), st.floats(0.5, 50)),
    st.integers(0, 24),
    st.sampled_from([-1.0, 0.0, 1.0]),
)
def test_the_special_rating_is_a_root_and_the_nearest_to_the_old_rating(rating, opponents, effective, halves, record):
    score = min(halves / 2, float(len(opponents)))
    found, excess = special(rating, opponents, effective, score, record, edition("2025"))
    assert abs(excess(found)) < 1e-9
    if found != rating:
        step = 0.01 if found < rating else -0.01
        assert abs(excess(found + step)) > 1e-7 or abs(found - rating) < 0.01


@pytest.mark.rule("uscf special-formula")
@pytest.mark.parametrize(
    ("start", "opponents", "score", "found"),
    [
        (1000, [400] * 4, 4, 1000),  # every rating from 800 on fits
        (700, [400] * 4, 4, 800),
        (1300, [1520], 1, 1920),
        (1300, [1520], 0, 1120),
        (1300, [1520], 0.5, 1520),
        (1000, [1000, 2000], 1, 1400),  # from 1400 to 1600 every rating fits
        (1500, [1000, 2000], 1, 1500),
        (1900, [1000, 2000], 1, 1600),
    ],
)
def test_a_stretch_of_roots_gives_its_point_nearest_to_the_start(start, opponents, score, found):
    assert special(float(start), opponents, 0.0, score, 0.0, edition("2025"))[0] == pytest.approx(found, abs=1e-9)


def test_long_sums_do_not_blur_the_special_rating():
    rules, players = edition("2025"), 20_000
    owner = np.repeat(np.arange(players), 3)
    opponent = np.tile([1500.0, 1700.0, 1300.0], players)
    columns = (owner, opponent, np.full(players, 1400.0), np.full(players, 4.0), np.full(players, 3.5))
    found = special_ratings(np.full(players, 1400.0), *columns, rules)
    assert np.abs(found - 1442.857142857143).max() < 1e-9
