"""Bonuses of the Irish Chess Union's system at their limits, and the second pass. Source: the article on bonus points."""

import math

import pytest

from ratings.systems.icu import EDITIONS, SOFTWARE_3, TEXT, rate
from ratings.systems.icu.calculation import bonus_of, round_half_away
from tests.ratings.systems.icu_builder import UNRATED, event, expected, foreign, provisional, rated, wins

both = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)


def points(edition, *, rating=1500.0, k=32.0, games=5, change=45.0, performance=3000.0):
    """Bonus; by default the threshold is 35 over the rating, and the excess 10."""
    return bonus_of(rating, k, games, change, performance, edition).points


@pytest.mark.rule("icu rounding")
@pytest.mark.parametrize(
    ("value", "rounded"), [(22.5, 23), (22.49, 22), (-22.5, -23), (-0.4, 0), (0.49999999999999994, 0), (0.5, 1)]
)
def test_halves_are_rounded_away_from_zero(value, rounded):
    assert round_half_away(value) == rounded


@pytest.mark.rule("icu bonus-example", "icu bonus-raise", "icu bonus-threshold")
@both
def test_the_example_of_the_article(edition):
    bonus = bonus_of(1906, 40, 9, 69, 2109, edition)
    assert (bonus.threshold, bonus.excess, bonus.points) == (1953, 22, 28)
    assert points(edition, rating=1906, k=32, games=9, change=69, performance=2109) == 22


@pytest.mark.rule("icu bonus-eligibility", "icu bonus-raise")
@both
@pytest.mark.parametrize(("k", "bonus"), [(16, 0), (24, 0), (32, 10), (40, 13)])
def test_a_bonus_needs_k_32_or_40_and_is_a_quarter_greater_with_40(edition, k, bonus):
    assert points(edition, k=k) == bonus


@pytest.mark.rule("icu bonus-eligibility")
@pytest.mark.parametrize(("k", "bonus"), [(24.5, 10), (36, 10), (39.5, 10), (48, 13)])
def test_only_the_program_gives_bonuses_with_other_k_factors_over_24(k, bonus):
    assert points(SOFTWARE_3, k=k) == bonus
    assert points(TEXT, k=k) == 0


@pytest.mark.rule("icu bonus-eligibility", "icu bonus-threshold")
@both
def test_a_bonus_needs_five_games_and_each_more_raises_the_threshold_by_three(edition):
    assert points(edition, games=4, change=60) == 0
    assert points(edition, games=5, change=60) == 25
    assert points(edition, games=6, change=60) == 22


@pytest.mark.rule("icu bonus-threshold")
@both
@pytest.mark.parametrize(("change", "bonus"), [(35.49, 0), (35.5, 1), (36.49, 1), (36.5, 2)])
def test_the_excess_is_rounded_and_must_be_a_point(edition, change, bonus):
    assert points(edition, change=change) == bonus


@pytest.mark.rule("icu bonus-raise")
@both
@pytest.mark.parametrize(("change", "bonus"), [(35.5, 1), (36.5, 3), (53, 23)])
def test_the_excess_is_rounded_again_when_it_is_raised(edition, change, bonus):
    # 1 → 1.25, 2 → 2.5, 18 → 22.5
    assert points(edition, k=40, change=change) == bonus


@pytest.mark.rule("icu bonus-cap", "icu bonus-eligibility")
@pytest.mark.parametrize(("change", "text", "program"), [(48.4, 1, 2), (49.5, 0, 1), (49.99, 0, 0), (50, 0, 0)])
def test_the_rating_before_the_bonus_is_below_2100(change, text, program):
    # 2098.4, 2099.5 … the cap leaves what is missing, rounded.
    assert points(TEXT, rating=2050, change=change) == text
    assert points(SOFTWARE_3, rating=2050, change=change) == program


@pytest.mark.rule("icu bonus-eligibility")
@both
def test_at_2100_it_is_not_the_cap_that_refuses_the_bonus(edition):
    assert bonus_of(2050, 32, 5, 50, 3000, edition).refusal == "none from 2100 on"
    assert bonus_of(2050, 32, 5, 49.99, 3000, edition).refusal == "the cap leaves nothing"


@pytest.mark.rule("icu bonus-cap")
def test_the_cap_is_2099_in_the_text_and_2100_in_the_program():
    # 2040 + 55 + 20 × 1.25 = 2120
    assert points(TEXT, rating=2040, k=40, change=55) == 4
    assert points(SOFTWARE_3, rating=2040, k=40, change=55) == 5


@pytest.mark.rule("icu bonus-cap")
@pytest.mark.parametrize(("rating", "text", "program"), [(2044, 10, 10), (2045, 9, 10), (2046, 8, 9)])
def test_the_cap_is_reached_but_not_exceeded(rating, text, program):
    assert points(TEXT, rating=rating) == text
    assert points(SOFTWARE_3, rating=rating) == program


@pytest.mark.rule("icu bonus-cap")
@both
@pytest.mark.parametrize(
    ("performance", "bonus"), [(1555, 10), (1554.6, 10), (1554.4, 9), (1545.5, 1), (1545.4, 0), (1500, 0)]
)
def test_the_cap_is_the_performance_too(edition, performance, bonus):
    assert points(edition, performance=performance) == bonus


@both
def test_a_cap_that_acted_is_told(edition):
    assert bonus_of(1500, 32, 5, 45, 1550.25, edition).cap == 1550.25
    assert math.isnan(bonus_of(1500, 32, 5, 45, 1555, edition).cap)


@both
def test_no_excess_is_told(edition):
    assert bonus_of(1500, 32, 5, 35.4, 3000, edition).refusal == "the threshold is not exceeded"
    assert bonus_of(1500, 32, 5, 35.5, 3000, edition).refusal == ""


# A player of 1500 who beats five of 1500 gains 2.5 K: with K 40 a hundred, with K 32 eighty.
FIELD = [str(number) for number in range(11, 16)]


def field(standing=None):
    return {name: standing or rated(1500, 24) for name in FIELD}


@pytest.mark.rule("icu second-pass")
@both
def test_a_bonus_player_is_rated_from_his_old_rating_and_his_opponents_against_the_new_one(edition):
    result = rate(event(*wins("1", FIELD)), {"1": rated(1500, 40)} | field(), edition)
    # 65 × 1.25 = 81.25 over the threshold of 1535; the performance is 1900.
    winner = result.outcomes["1"]
    assert (winner.change, winner.bonus, winner.rating) == (100, 81, 1681)
    assert result.iterations[1] > 0
    for name in FIELD:
        assert result.outcomes[name].change == pytest.approx(24 * (0 - expected(1500, 1681)))
        assert result.outcomes[name].performance == 1281


@pytest.mark.rule("icu no-bonuses")
@both
def test_without_bonuses_there_is_no_second_pass(edition):
    players = {"1": rated(1500, 40)} | field()
    result = rate(event(*wins("1", FIELD)), players, edition, no_bonuses=True)
    assert (result.outcomes["1"].rating, result.outcomes["1"].bonus, result.iterations[1]) == (1600, 0, 0)
    assert result.outcomes["11"].change == -12
    four = rate(event(*wins("1", FIELD[:4])), players, edition)
    assert (four.outcomes["1"].bonus, four.iterations[1]) == (0, 0)


@pytest.mark.rule("icu rest")
def test_bonuses_wait_for_the_first_phase_to_come_to_rest():
    # 2 and 3, who met each other ten times, do not come to rest; 1 would have a bonus.
    players = {"1": rated(1500, 40), "2": UNRATED, "3": UNRATED} | field()
    games = event(*wins("1", FIELD), "2 11 1/2-1/2", *["2 3 1/2-1/2"] * 10)
    result = rate(games, players, TEXT)
    assert (result.error, result.iterations) == ("did not converge", (50, 0))


@pytest.mark.rule("icu rest")
def test_the_second_phase_may_fail_to_come_to_rest():
    # 2 and 3 stand at their old rating from the first sweep on, until 1, whom 2 met, has his bonus.
    players = {"1": rated(1500, 40), "2": provisional(1500, 1), "3": provisional(1500, 1)} | field()
    games = event(*wins("1", FIELD), "1 2 1/2-1/2", *["2 3 1/2-1/2"] * 40)
    result = rate(games, players, TEXT)
    assert (result.error, result.iterations, result.outcomes) == ("did not converge", (2, 50), {})
    assert "3" in result.unsettled
    assert result.explain("3").steps[2].label == "Second calculation: estimate of the rating"
    assert "this player still moved" in result.explain("3").steps[2].remark


@pytest.mark.rule("icu bonus-eligibility")
@both
def test_players_who_are_not_rated_get_no_bonus(edition):
    players = {"1": provisional(1500), "2": UNRATED, "3": foreign(1500)} | field()
    result = rate(event(*wins("1", FIELD), *wins("2", FIELD), *wins("3", FIELD)), players, edition)
    assert [result.outcomes[name].bonus for name in ("1", "2", "3")] == [None] * 3


@pytest.mark.rule("icu second-pass")
def test_second_pass_of_the_text_rates_against_the_last_estimates():
    # 1 gains a bonus; 2, unrated, met 1; 3, rated, met 2.
    players = {"1": rated(1500, 40), "2": UNRATED, "3": rated(1500)} | field()
    games = event(*wins("1", [*FIELD, "2"]), "2 3 1/2-1/2")
    outcomes = rate(games, players, TEXT).outcomes
    assert outcomes["1"].bonus > 0
    assert outcomes["3"].expected == pytest.approx(expected(1500, outcomes["2"].rating), abs=1e-12)


@pytest.mark.rule("icu second-pass")
def test_second_pass_of_the_program_rates_against_the_estimates_of_the_first():
    players = {"1": rated(1500, 40), "2": UNRATED, "3": rated(1500)} | field()
    games = event(*wins("1", [*FIELD, "2"]), "2 3 1/2-1/2")
    outcomes = rate(games, players, SOFTWARE_3).outcomes
    first = rate(games, players, SOFTWARE_3, no_bonuses=True).outcomes
    assert outcomes["2"].rating > first["2"].rating + 10
    assert outcomes["3"].expected == pytest.approx(expected(1500, first["2"].rating), abs=1e-12)


@pytest.mark.rule("icu second-pass")
def test_second_pass_of_the_program_goes_through_the_players_by_number():
    # 1 and 2 both gain a bonus and drew with each other.
    players = {"1": rated(1500, 40), "2": rated(1500, 32)} | field()
    games = event(*wins("1", FIELD), *wins("2", FIELD), "1 2 1/2-1/2")
    outcomes = rate(games, players, SOFTWARE_3).outcomes
    # First pass: 100 and 80; six games, thresholds 38 over the rating: 62 × 1.25 = 77.5, and 42.
    assert (outcomes["1"].bonus, outcomes["2"].bonus) == (78, 42)
    change = 40 * (5.5 - 2.5 - expected(1500, 1500 + 80 + 42))
    assert outcomes["1"].change == pytest.approx(change)
    assert outcomes["2"].change == pytest.approx(32 * (5.5 - 2.5 - expected(1500, 1500 + change + 78)))


@pytest.mark.rule("icu second-pass")
def test_second_pass_of_the_text_is_at_once():
    players = {"1": rated(1500, 40), "2": rated(1500, 32)} | field()
    games = event(*wins("1", FIELD), *wins("2", FIELD), "1 2 1/2-1/2")
    outcomes = rate(games, players, TEXT).outcomes
    assert outcomes["1"].change == pytest.approx(40 * (3 - expected(1500, 1500 + 80 + 42)))
    assert outcomes["2"].change == pytest.approx(32 * (3 - expected(1500, 1500 + 100 + 78)))


@pytest.mark.rule("icu second-pass")
def test_numbers_are_compared_as_numbers():
    players = {"10": rated(1500, 40), "9": rated(1500, 32)} | field()
    outcomes = rate(event(*wins("10", FIELD), *wins("9", FIELD), "10 9 1/2-1/2"), players, SOFTWARE_3).outcomes
    change = 32 * (3 - expected(1500, 1500 + 100 + 78))
    assert outcomes["9"].change == pytest.approx(change)
    assert outcomes["10"].change == pytest.approx(40 * (3 - expected(1500, 1500 + change + 42)))


@pytest.mark.rule("icu bonus-cap", "icu second-pass")
def test_a_bonus_is_not_capped_again_after_the_second_pass():
    # 1's bonus takes him to the cap; 2's, whom he met, adds to his change afterwards.
    strong = {name: rated(2040, 24) for name in FIELD}
    players = {"1": rated(2020, 32), "2": rated(1950, 40)} | strong
    games = event(*wins("1", FIELD[:4]), *wins("2", FIELD), "1 2 1/2-1/2", "1 2 1-0")
    for edition in EDITIONS:
        first = rate(games, players, edition, no_bonuses=True).outcomes["1"]
        final = rate(games, players, edition).outcomes["1"]
        assert abs(first.rating + final.bonus - edition["bonus_cap"]) <= 0.5
        assert final.rating > edition["bonus_cap"] + 0.5
