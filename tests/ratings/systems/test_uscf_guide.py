"""The guide of 15 May 2001 to the letter: its three tables, and both sides of every limit."""

from fractions import Fraction

import pytest

from ratings.systems.base import RatingError
from ratings.systems.uscf import rate
from ratings.systems.uscf.guide import cutoff, expected_score, half_up, k_factor
from tests.ratings.systems.uscf_builder import UNRATED, edition, event, rated

RULES = edition("2001")

pytestmark = pytest.mark.rule("uscf guide-letter")


@pytest.mark.parametrize(
    ("difference", "hundredths"),
    [
        *((0, 50), (30, 55), (70, 60), (100, 65), (150, 70), (200, 75), (300, 85), (400, 90), (500, 95), (800, 99)),
        *((250, 80), (15, 53), (3, 51), (2, 50), (799, 99), (801, 99), (2000, 99)),
        *((-30, 45), (-800, 1), (-2000, 1), (-15, 48)),  # either side is rounded by itself
    ],
)
def test_expected_scores_lie_straight_between_the_rows_of_table_1(difference, hundredths):
    assert expected_score(Fraction(1500 + difference), Fraction(1500), RULES) == Fraction(hundredths, 100)


@pytest.mark.parametrize(
    ("rating", "games", "k"),
    [
        *((600, 3, 63), (2200, 9, 14), (1400, 6, 33)),
        *((100, 3, 63), (599, 4, 59), (2201, 3, 15), (2800, 9, 14)),
        *((1235, 6, 37), (1900, 4, 20), (700, 5, 52), (699, 5, 52)),
    ],
)
def test_k_lies_straight_between_the_ratings_of_table_2(rating, games, k):
    assert k_factor(Fraction(rating), games, RULES) == k


def test_cut_offs_are_those_of_table_3():
    assert [cutoff(games, RULES) for games in range(3, 10)] == [20, 20, 22, 24, 26, 28, 30]


def test_a_bonus_is_what_the_change_exceeds_the_cut_off_by():
    just, over = (
        rate(event("p =1900 1-0", "p =1900 1-0", opponent, "p =1900 0-1"), {"p": rated(1900)}, RULES, method="guide")
        for opponent in ("p =1900 1-0", "p =1930 1-0")
    )
    assert just.outcomes["p"].bonus == 0  # K is 20: a point above expectation is the cut-off of 20
    assert over.outcomes["p"].bonus == pytest.approx(20 * 1.05 - 20)


def test_no_rule_on_how_often_an_opponent_is_met():
    games = event(*["p q 1-0"] * 3)
    found = rate(games, {"p": rated(1500), "q": rated(1500)}, RULES, method="guide").outcomes
    assert found["p"].bonus == pytest.approx(1.5 * k_factor(Fraction(1500), 3, RULES) - 20)
    assert found["q"].bonus == 0


def test_a_half_is_rounded_upwards():
    assert [half_up(Fraction(value)) for value in ("1.5", "2.5", "2.4", "-0.5")] == [2, 3, 2, 0]


def test_players_without_a_game_keep_what_they_had():
    found = rate(
        event(*["p =1500 1-0"] * 3), {"p": rated(1500), "q": rated(1600.4, 10), "n": UNRATED}, RULES, method="guide"
    )
    assert (found.outcomes["q"].rating, found.outcomes["q"].published, found.outcomes["q"].formula) == (
        1600.4,
        1600,
        None,
    )
    assert found.outcomes["n"].rating is None
    assert found.standings["q"] == rated(1600.4, 10)
    assert (found.standings["p"].games, found.standings["p"].wins) == (103, 3)


def test_the_guide_is_of_the_system_of_2001():
    with pytest.raises(RatingError, match="not of edition 2006"):
        rate(event(), {}, edition("2006"), method="guide")
    with pytest.raises(RatingError, match="no standing"):
        rate(event(), {}, RULES, method="guide").explain("p")
