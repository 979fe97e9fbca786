"""Where the editions of the Irish Chess Union's system begin their estimates, and whom they can rate."""

import pytest

from ratings.systems.icu import EDITIONS, SOFTWARE_3, TEXT, rate
from tests.ratings.systems.icu_builder import UNRATED, event, expected, foreign, provisional, rated

both = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)


@pytest.mark.rule("icu start")
def test_the_text_starts_from_the_old_rating_and_the_program_from_none():
    # Both of 1500 drew: from the old rating the first sweep finds what the second confirms.
    players = {"1": rated(1500), "2": provisional(1500)}
    assert rate(event("1 2 1/2-1/2"), players, TEXT).iterations == (2, 0)
    assert rate(event("1 2 1/2-1/2"), players, SOFTWARE_3).iterations == (3, 0)


@pytest.mark.rule("icu start")
def test_the_text_starts_from_0_for_the_unrated():
    # 2 is the mean of 1500 and of 3's last estimate, 3 is 2's last estimate; both begin at 0.
    players = {"1": foreign(1500), "2": UNRATED, "3": UNRATED}
    games = event("1 2 1/2-1/2", "2 3 1/2-1/2")
    sweeps, value, before = 0, (0.0, 0.0), (1e9, 1e9)
    while max(abs(new - old) for new, old in zip(value, before, strict=True)) >= 0.1:
        before, value = value, ((1500 + value[1]) / 2, value[0])
        sweeps += 1
    outcomes = rate(games, players, TEXT).outcomes
    assert (outcomes["2"].rating, outcomes["3"].rating) == pytest.approx(value, abs=1e-9)
    assert rate(games, players, SOFTWARE_3).outcomes["3"].rating == 1500


@pytest.mark.rule("icu start")
def test_the_program_leaves_games_out_until_the_opponent_has_an_estimate():
    # First sweep: 2 has 1900 from 1 alone. Second: 3 has 1900 from 2. Third: all stand.
    players = {"1": rated(1500), "2": UNRATED, "3": UNRATED}
    result = rate(event("2 1 1-0", "3 2 1/2-1/2"), players, SOFTWARE_3)
    assert result.outcomes["2"].rating == result.outcomes["3"].rating == 1900
    assert result.iterations == (3, 0)


@pytest.mark.rule("icu reach")
def test_reach_of_the_text_is_two_and_of_the_program_any():
    players = {"1": rated(1500), "2": UNRATED, "3": provisional(1400), "4": UNRATED}
    games = event("1 2 1/2-1/2", "2 3 1/2-1/2", "3 4 1/2-1/2")
    program = rate(games, players, SOFTWARE_3).outcomes
    assert all(outcome.rating is not None for outcome in program.values())
    text = rate(games, players, TEXT).outcomes
    assert text["3"].rating is not None
    assert (text["4"].rating, text["4"].performance, text["4"].games, text["4"].score) == (None, None, 0, 0)
    # The game of 3 against 4 is left out for 3 as well.
    assert (text["3"].games, text["3"].score, program["3"].games) == (1, 0.5, 2)
    without = rate(event("1 2 1/2-1/2", "2 3 1/2-1/2"), players, TEXT).outcomes
    assert text == without


@pytest.mark.rule("icu reach")
@both
def test_a_foreign_player_is_an_anchor(edition):
    assert rate(event("1 2 1/2-1/2"), {"1": foreign(1500), "2": UNRATED}, edition).outcomes["2"].rating == 1500


@pytest.mark.rule("icu reach")
@both
def test_a_group_that_met_nobody_with_a_rating_stays_without_and_is_no_error(edition):
    players = {"1": rated(1500), "2": rated(1500), "3": provisional(1400), "4": UNRATED, "5": provisional(1600)}
    result = rate(event("1 2 1-0", "3 4 1/2-1/2", "4 5 1-0"), players, edition)
    assert result.error is None
    assert result.outcomes["1"].change == 12
    assert [result.outcomes[name].rating for name in "345"] == [None] * 3
    counted = 0 if edition is TEXT else 2
    assert (result.outcomes["4"].games, result.outcomes["4"].expected) == (counted, 0)


@pytest.mark.rule("icu reach")
@both
def test_an_event_without_an_anchor_rates_nobody(edition):
    result = rate(event("1 2 1-0"), {"1": provisional(1500), "2": UNRATED}, edition)
    assert (result.error, result.outcomes["1"].rating, result.outcomes["2"].rating) == (None, None, None)


@pytest.mark.rule("icu expected-score")
def test_expectations_of_the_estimated_are_from_their_own_estimate():
    players = {"1": rated(1500), "2": UNRATED, "3": foreign(1700)}
    for edition in EDITIONS:
        outcome = rate(event("2 1 1-0", "2 3 0-1"), players, edition).outcomes["2"]
        assert outcome.rating == 1600
        assert outcome.expected == pytest.approx(expected(1600, 1500) + expected(1600, 1700))
