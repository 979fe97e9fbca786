"""What holds in every event of the Irish Chess Union's system."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import Event
from ratings.systems.icu import EDITIONS, SOFTWARE_3, TEXT, PlayerType, Result, Standing, rate
from tests.ratings.systems.icu_builder import PLAYED, event, foreign, rated, tournaments

editions = st.sampled_from(EDITIONS)
orders = st.randoms(use_true_random=False)


def figures(result: Result) -> dict[str, list[float | None]]:
    return {
        name: [outcome.rating, outcome.performance, outcome.games, outcome.score, outcome.expected, outcome.bonus]
        for name, outcome in sorted(result.outcomes.items())
    }


def same(one: Result, other: Result) -> None:
    assert (one.error, one.iterations, sorted(one.unsettled)) == (
        other.error,
        other.iterations,
        sorted(other.unsettled),
    )
    first, second = figures(one), figures(other)
    assert first.keys() == second.keys()
    for name in first:
        assert first[name] == pytest.approx(second[name], abs=1e-6, nan_ok=False)


def shuffled(
    tournament: Event, players: dict[str, Standing], order: random.Random
) -> tuple[Event, dict[str, Standing]]:
    games, names = list(tournament.games), list(players)
    order.shuffle(games)
    order.shuffle(names)
    return replace(tournament, games=tuple(games)), {name: players[name] for name in names}


def renamed(
    tournament: Event, players: dict[str, Standing], names: dict[str, str]
) -> tuple[Event, dict[str, Standing]]:
    games = tuple(replace(game, white=names[game.white], black=names[game.black]) for game in tournament.games)
    return replace(tournament, games=games), {names[name]: standing for name, standing in players.items()}


@given(tournaments(), orders, editions)
def test_the_order_of_players_and_games_does_not_matter(tournament, order, edition):
    same(rate(*tournament, edition), rate(*shuffled(*tournament, order), edition))


@pytest.mark.rule("icu second-pass")
@given(tournaments(), orders)
def test_numbers_do_not_matter_in_the_text(tournament, order):
    games, players = tournament
    numbers = list(players)
    order.shuffle(numbers)
    names = dict(zip(players, numbers, strict=True))
    result = rate(*renamed(games, players, names), TEXT)
    back = {new: old for old, new in names.items()}
    outcomes = {back[name]: outcome for name, outcome in result.outcomes.items()}
    unsettled = tuple(back[name] for name in result.unsettled)
    same(rate(games, players, TEXT), replace(result, outcomes=outcomes, unsettled=unsettled))


@pytest.mark.rule("icu second-pass")
@given(tournaments(), st.integers(1, 9), st.integers(-50, 10**12))
def test_only_the_order_of_the_numbers_matters_in_the_program(tournament, factor, offset):
    games, players = tournament
    names = {name: str(factor * int(name) + offset) for name in players}
    result = rate(*renamed(games, players, names), SOFTWARE_3)
    back = {new: old for old, new in names.items()}
    outcomes = {back[name]: outcome for name, outcome in result.outcomes.items()}
    unsettled = tuple(back[name] for name in result.unsettled)
    same(rate(games, players, SOFTWARE_3), replace(result, outcomes=outcomes, unsettled=unsettled))


@pytest.mark.rule("icu change", "icu player-types")
@given(tournaments(), editions)
def test_what_holds_for_every_outcome(tournament, edition):
    games, players = tournament
    result = rate(games, players, edition)
    assert (result.error is None) == (not result.unsettled) == (set(result.outcomes) == set(players))
    for name, outcome in result.outcomes.items():
        standing = players[name]
        assert 0 <= outcome.expected <= outcome.games
        assert 0 <= outcome.score <= outcome.games
        if standing.type == PlayerType.FOREIGN:
            assert outcome.rating == standing.rating
        if standing.type == PlayerType.RATED:
            assert outcome.rating == pytest.approx(standing.rating + outcome.change + outcome.bonus)
            assert outcome.bonus >= 0
            assert outcome.change == pytest.approx(standing.k * (outcome.score - outcome.expected), abs=1e-9)
        elif standing.type != PlayerType.FOREIGN:
            assert outcome.rating == outcome.performance


@given(tournaments(), editions)
def test_a_bonus_makes_no_opponent_poorer(tournament, edition):
    games, players = tournament
    everybody = {name: rated(1500 + 10 * int(name), 24) if name != "1" else players[name] for name in players}
    with_bonuses = rate(games, everybody, edition)
    without = rate(games, everybody, edition, no_bonuses=True)
    for name, outcome in with_bonuses.outcomes.items():
        assert outcome.rating >= without.outcomes[name].rating - 1e-9


@pytest.mark.rule("icu change")
@given(st.integers(0, 3000), st.integers(0, 3000), st.sampled_from([16, 24, 32, 40]), st.sampled_from(PLAYED), editions)
def test_a_game_of_two_with_equal_k_takes_from_one_what_it_gives_the_other(first, second, k, result, edition):
    outcomes = rate(event(f"1 2 {result}"), {"1": rated(first, k), "2": rated(second, k)}, edition).outcomes
    assert outcomes["1"].change == pytest.approx(-outcomes["2"].change, abs=1e-9)


@given(tournaments(), editions, st.integers(500, 3000))
def test_who_did_not_play_moves_nobody(tournament, edition, rating):
    games, players = tournament
    found = rate(games, players | {"99": foreign(rating)}, edition)
    found.outcomes.pop("99", None)
    same(found, rate(games, players, edition))


@given(tournaments(), editions)
def test_explanations_end_with_the_outcome(tournament, edition):
    games, players = tournament
    result = rate(games, players, edition)
    for name, outcome in result.outcomes.items():
        steps = result.explain(name).steps
        assert steps[-1].label == "New rating"
        assert steps[-1].result[0].value == outcome.rating
        assert steps[0].result[0].value == outcome.games
