"""The Irish Chess Union's system: expectations, K, performances, estimates, what counts. Sources: `editions/icu.py`."""

from datetime import date

import pytest

from config.lib.editions import edition_named
from ratings.systems.base import Event, Game, GameResult, Opponent, RatingError
from ratings.systems.icu import (
    EDITIONS,
    SOFTWARE_3,
    TEXT,
    Outcome,
    PlayerType,
    Standing,
    k_factor,
    rate,
    standing_after,
    years_between,
)
from tests.ratings.systems.icu_builder import UNRATED, event, expected, foreign, guest, provisional, rated

both = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)


def test_the_text_is_the_default():
    assert EDITIONS[-1] is TEXT
    assert edition_named(EDITIONS, "software-3") is SOFTWARE_3
    drawn = event("1 2 1/2-1/2")
    assert rate(drawn, {"1": rated(1500), "2": UNRATED}).edition is TEXT


@both
def test_every_figure_has_a_source(edition):
    assert all(constant.source for constant in edition.constants.values())


@pytest.mark.rule("icu k-factor")
@pytest.mark.parametrize(
    ("rating", "age", "years", "k"),
    [
        (2100, 15, 1, 16),
        (2099.5, 15, 1, 40),
        (2099.5, 20.99, 20, 40),
        (2099.5, 21, 7.99, 32),
        (1000, 21, 8, 24),
        (1000, 60, 0, 32),
        (1000, None, 1, 32),
        (1000, 15, None, 40),
        (1000, None, None, 24),
        (2100, None, None, 16),
    ],
)
def test_k_is_the_first_of_rating_age_and_membership_that_fits(rating, age, years, k):
    assert k_factor(rating, age, years) == k


@pytest.mark.rule("icu k-factor")
def test_years_count_days_in_years_of_366_so_that_a_leap_day_moves_a_birthday():
    assert years_between(date(2000, 5, 1), date(2021, 5, 1)) == 21 - 1 / 366
    assert years_between(date(2001, 3, 1), date(2022, 3, 1)) == 21
    assert years_between(date(2001, 3, 1), date(2020, 3, 1)) == 19 + 1 / 366
    assert years_between(date(2001, 12, 31), date(2022, 1, 1)) == 21 - 364 / 366


@pytest.mark.rule("icu change", "icu expected-score")
@both
def test_a_change_is_k_times_score_less_expectation(edition):
    outcomes = rate(event("1 2 1-0"), {"1": rated(1600, 32), "2": rated(2000, 16)}, edition).outcomes
    assert outcomes["1"] == Outcome(
        rating=pytest.approx(1600 + 32 * 10 / 11),
        performance=2400,
        games=1,
        score=1,
        expected=pytest.approx(1 / 11),
        change=pytest.approx(32 * 10 / 11),
        bonus=0,
    )
    assert outcomes["2"].change == pytest.approx(-16 * 10 / 11)


@pytest.mark.rule("icu expected-score")
@both
def test_a_difference_of_ratings_is_not_capped(edition):
    outcome = rate(event("1 2 0-1"), {"1": rated(2800), "2": foreign(800)}, edition).outcomes["1"]
    assert outcome.expected == pytest.approx(1 / (1 + 10**-5))


@pytest.mark.rule("icu change")
@both
def test_ratings_may_be_fractions_zero_or_negative(edition):
    outcomes = rate(event("1 2 1/2-1/2"), {"1": rated(-12.5), "2": rated(0)}, edition).outcomes
    assert outcomes["1"].rating == pytest.approx(-12.5 + 24 * (0.5 - expected(-12.5, 0)))


@pytest.mark.rule("icu performance")
@both
@pytest.mark.parametrize(("result", "rating"), [("1-0", 1900), ("1/2-1/2", 1500), ("0-1", 1100)])
def test_an_unrated_player_gets_his_performance(edition, result, rating):
    result = rate(event(f"2 1 {result}"), {"1": rated(1500), "2": UNRATED}, edition)
    outcome = result.outcomes["2"]
    assert (outcome.rating, outcome.performance) == (rating, rating)
    assert (outcome.change, outcome.bonus) == (None, None)


@pytest.mark.rule("icu performance")
@both
def test_a_provisional_player_keeps_the_weight_of_his_earlier_games(edition):
    players = {"1": rated(1500), "2": provisional(1200, 19)}
    assert rate(event("2 1 1-0"), players, edition).outcomes["2"].rating == pytest.approx((19 * 1200 + 1900) / 20)


@pytest.mark.rule("icu estimates")
@both
def test_an_opponent_of_an_estimated_player_is_rated_against_the_estimate(edition):
    outcome = rate(event("2 1 1-0"), {"1": rated(1500), "2": UNRATED}, edition).outcomes["1"]
    assert outcome.expected == pytest.approx(expected(1500, 1900))
    assert outcome.performance == 1500


@pytest.mark.rule("icu estimates")
@both
def test_estimates_of_two_who_met_agree_with_each_other(edition):
    # A draws with a rated 1500 and with B, who has no other game: both are 1500, exactly.
    outcomes = rate(
        event("1 2 1/2-1/2", "2 3 1/2-1/2"), {"1": rated(1500), "2": UNRATED, "3": UNRATED}, edition
    ).outcomes
    assert outcomes["2"].rating == pytest.approx(1500, abs=0.2)
    assert outcomes["3"].rating == pytest.approx(1500, abs=0.2)


@pytest.mark.rule("icu performance", "icu player-types")
@both
def test_a_foreign_player_keeps_his_rating_and_has_a_performance(edition):
    outcome = rate(event("1 2 1-0"), {"1": rated(1500), "2": foreign(2000)}, edition).outcomes["2"]
    assert outcome == Outcome(2000, 1100, 1, 0, pytest.approx(expected(2000, 1500)), None, None)


@pytest.mark.rule("icu no-games")
@both
def test_a_player_without_games(edition):
    players = {"1": rated(1500), "2": provisional(1400), "3": UNRATED, "4": foreign(2000)}
    result = rate(event(), players, edition)
    assert {name: outcome.rating for name, outcome in result.outcomes.items()} == {
        "1": 1500,
        "2": None,
        "3": None,
        "4": 2000,
    }
    assert {outcome.performance for outcome in result.outcomes.values()} == {None}
    assert result.iterations == (1, 0)


@both
def test_an_event_of_nobody_is_fine(edition):
    result = rate(event(), {}, edition)
    assert (result.error, result.outcomes, result.iterations) == (None, {}, (1, 0))


@pytest.mark.rule("icu games")
@both
@pytest.mark.parametrize("unplayed", ["1 2 +--", "1 2 --+", "1 2 ---", "1 - bye"])
def test_games_that_were_not_played_do_not_count(edition, unplayed):
    outcome = rate(event("1 2 1-0", unplayed), {"1": rated(1500), "2": rated(1500)}, edition).outcomes["1"]
    assert (outcome.games, outcome.score, outcome.change) == (1, 1, 12)


@both
def test_an_opponent_who_is_not_rated_here_counts_as_a_foreign_player(edition):
    players = {"1": rated(1500, 40), "2": UNRATED}
    with_guests = event(
        Game("1", guest(1700), GameResult.WHITE_WINS), Game(guest(1450), "2", GameResult.DRAW), "1 2 0-1"
    )
    with_players = event("1 3 1-0", "4 2 1/2-1/2", "1 2 0-1")
    found = rate(with_guests, players, edition)
    assert set(found.outcomes) == {"1", "2"}
    same = rate(with_players, players | {"3": foreign(1700), "4": foreign(1450)}, edition)
    assert found.iterations == same.iterations
    assert all(found.outcomes[name] == same.outcomes[name] for name in found.outcomes)


@pytest.mark.rule("icu games")
@both
@pytest.mark.parametrize("again", ["1 2 1-0 1", "2 1 0-1 1"])
def test_a_result_entered_twice_counts_once(edition, again):
    players = {"1": rated(1500), "2": rated(1500)}
    once = rate(event("1 2 1-0 1", "1 2 1/2-1/2 2"), players, edition)
    assert rate(event("1 2 1-0 1", again, "1 2 1/2-1/2 2"), players, edition).outcomes == once.outcomes


@both
def test_without_rounds_a_result_entered_twice_is_two_games(edition):
    assert rate(event("1 2 1-0", "1 2 1-0"), {"1": rated(1500), "2": rated(1500)}, edition).outcomes["1"].games == 2


@pytest.mark.rule("icu games")
@pytest.mark.parametrize(
    ("games", "index", "message"),
    [
        (["1 2 1-0 1", "2 1 1-0 1"], 1, "two results in round 1"),
        (["1 2 1-0 1", "1 3 1-0 1"], 1, "two opponents in round 1"),
        (["1 2 1-0 1", "1 1 1-0 2"], 1, "plays against himself"),
        (["1 2 1-0 0"], 0, "rounds begin with 1"),
        (["1 2 1-0", "1 4 1-0"], 1, "player '4' has no standing"),
        ([Game("1", None, GameResult.DRAW)], 0, "no opponent"),
        ([Game("1", Opponent(fide=2000), GameResult.DRAW)], 0, "needs a rating"),
        ([Game("1", Opponent(rating=float("nan")), GameResult.DRAW)], 0, "needs a rating"),
        ([Game(guest(1500), guest(1600), GameResult.DRAW)], 0, "one side of a game must be a player"),
    ],
)
def test_a_game_that_makes_no_sense_is_refused_by_its_index(games, index, message):
    with pytest.raises(RatingError, match=message) as caught:
        rate(event(*games), {"1": rated(1500), "2": rated(1500), "3": rated(1500)})
    assert (caught.value.event, caught.value.game) == ("e", index)


@pytest.mark.rule("icu player-types")
@pytest.mark.parametrize(
    ("standing", "message"),
    [
        (Standing(PlayerType.RATED, None, 24), "rated player needs a rating"),
        (Standing(PlayerType.RATED, float("inf"), 24), "rated player needs a rating"),
        (Standing(PlayerType.RATED, 1500), "K-factor greater than 0"),
        (Standing(PlayerType.RATED, 1500, 0), "K-factor greater than 0"),
        (Standing(PlayerType.RATED, 1500, float("nan")), "K-factor greater than 0"),
        (Standing(PlayerType.RATED, 1500, 24, 30), "number of games"),
        (Standing(PlayerType.PROVISIONAL, None, games=5), "provisional player needs a rating"),
        (Standing(PlayerType.PROVISIONAL, 1500), "1 to 19 games"),
        (Standing(PlayerType.PROVISIONAL, 1500, games=0), "1 to 19 games"),
        (Standing(PlayerType.PROVISIONAL, 1500, games=20), "1 to 19 games"),
        (Standing(PlayerType.PROVISIONAL, 1500, 24, 5), "only a rated player has a K-factor"),
        (Standing(PlayerType.UNRATED, 1500), "unrated player has no rating"),
        (Standing(PlayerType.UNRATED, games=5), "number of games"),
        (Standing(PlayerType.FOREIGN), "foreign player needs a rating"),
        (Standing(PlayerType.FOREIGN, 1500, 24), "only a rated player has a K-factor"),
        (Standing(PlayerType.FOREIGN, 1500, games=5), "number of games"),
    ],
)
def test_a_standing_that_makes_no_sense_is_refused_by_its_player(standing, message):
    with pytest.raises(RatingError, match=message) as caught:
        rate(event(), {"1": rated(1500), "2": standing})
    assert caught.value.player == "2"


@pytest.mark.rule("icu player-types")
@both
def test_provisional_players_have_played_1_to_19_games(edition):
    players = {"1": provisional(1500, 1), "2": provisional(1500, 19), "3": foreign(1600)}
    assert rate(event("1 3 1/2-1/2", "2 3 1/2-1/2"), players, edition).error is None


def test_only_the_program_needs_numbers():
    players = {"anna": rated(1500), "ben": rated(1500)}
    assert rate(event("anna ben 1-0"), players, TEXT).outcomes["anna"].change == 12
    with pytest.raises(RatingError, match="must be a number"):
        rate(event("anna ben 1-0"), players, SOFTWARE_3)
    with pytest.raises(RatingError, match="the same number"):
        rate(event(), {"1": rated(1500), "01": rated(1500)}, SOFTWARE_3)


def line(players: int) -> tuple[Event, dict[str, Standing]]:
    """A rated player and unrated ones, each of whom drew with the one before: all end at 1500, one more in each sweep."""
    games = [f"{number} {number + 1} 1/2-1/2" for number in range(1, players)]
    return event(*games), {str(number): UNRATED if number > 1 else rated(1500) for number in range(1, players + 1)}


@pytest.mark.rule("icu rest")
def test_fifty_sweeps_are_enough():
    result = rate(*line(50), SOFTWARE_3)
    assert (result.error, result.iterations) == (None, (50, 0))
    assert {outcome.rating for outcome in result.outcomes.values()} == {1500}


@pytest.mark.rule("icu rest")
def test_after_fifty_sweeps_whoever_still_moves_is_named():
    result = rate(*line(51), SOFTWARE_3)
    assert (result.error, result.iterations, result.outcomes) == ("did not converge", (50, 0), {})
    assert result.unsettled == ("51",)


@pytest.mark.rule("icu rest")
def test_a_move_by_the_tolerance_is_not_yet_rest():
    # From 0: first sweep 2 is 0.1; second 3 follows, by 0.1; third 2 is 0.15 and 3 stands.
    players = {"1": foreign(0.2), "2": UNRATED, "3": UNRATED}
    result = rate(event("1 2 1/2-1/2", "2 3 1/2-1/2"), players, TEXT)
    assert result.iterations == (3, 0)
    assert (result.outcomes["2"].rating, result.outcomes["3"].rating) == pytest.approx((0.15, 0.1), abs=1e-12)


def test_a_guest_who_still_moves_is_named_by_the_player_who_met_him():
    # 1 moves in odd sweeps only, 2 and whoever else met 1 in even ones: the last is the fiftieth.
    games = ["1 2 1/2-1/2"] * 10
    players = {"1": UNRATED, "2": UNRATED}
    result = rate(event(*games, "1 3 1/2-1/2"), players | {"3": foreign(1500)}, TEXT)
    assert (result.error, result.unsettled) == ("did not converge", ("2", "3"))
    result = rate(event(*games, Game("1", guest(1500), GameResult.DRAW)), players, TEXT)
    assert (result.error, result.unsettled) == ("did not converge", ("1", "2"))


@pytest.mark.rule("icu no-games", "icu player-types", "icu standing-after")
@pytest.mark.parametrize(
    ("standing", "outcome", "after"),
    [
        (rated(1500, 40), Outcome(1510.5, 1600, 9, 5, 4, 10.5, 0), rated(1511, 40)),
        (rated(1500, 40), Outcome(1510.49, 1600, 9, 5, 4, 10.49, 0), rated(1510, 40)),
        (foreign(2000.5), Outcome(2000.5, 2100, 9, 5, 4, None, None), foreign(2000.5)),
        (UNRATED, Outcome(1400.2, 1400.2, 9, 5, 5, None, None), provisional(1400, 9)),
        (UNRATED, Outcome(None, None, 9, 5, 0, None, None), UNRATED),
        (UNRATED, Outcome(1400.2, 1400.2, 20, 5, 5, None, None), rated(1400, 24)),
        (provisional(1300, 10), Outcome(1400.2, 1400.2, 9, 5, 5, None, None), provisional(1400, 19)),
        (provisional(1300, 10), Outcome(1400.2, 1400.2, 10, 5, 5, None, None), rated(1400, 24)),
        (provisional(2300, 19), Outcome(2100.0, 2100.0, 1, 0, 1, None, None), rated(2100, 16)),
        (provisional(1300, 10), Outcome(None, None, 10, 5, 0, None, None), provisional(1300, 10)),
    ],
)
def test_the_standing_after_an_event(standing, outcome, after):
    assert standing_after(standing, outcome) == after
