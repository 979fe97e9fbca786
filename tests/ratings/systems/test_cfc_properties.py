"""What holds in every CFC event."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems.base import Event, Game, GameResult
from ratings.systems.cfc import Status, rate
from ratings.systems.cfc.formulas import expected_score, expected_total
from tests.ratings.systems.cfc_builder import RATINGS, RULES, STANDINGS, against, one, tournaments

quick = settings(deadline=None, max_examples=80)


TURNED = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}


def turned(game: Game, order: random.Random) -> Game:
    if order.random() < 0.5:
        return game
    return replace(game, white=game.black, black=game.white, result=GameResult(TURNED[game.result.value]))


@quick
@given(tournaments(), st.randoms(use_true_random=False))
def test_the_order_of_players_and_games_and_the_colours_do_not_matter(tournament, order):
    event, players = tournament
    games, names = list(event.games), list(players)
    order.shuffle(games)
    order.shuffle(names)
    other = Event("e", tuple(turned(game, order) for game in games))
    expected = rate(event, players, RULES, preliminary=1200).outcomes
    assert rate(other, {name: players[name] for name in names}, RULES, preliminary=1200).outcomes == expected


@pytest.mark.rule("cfc 416", "cfc 417.7")
@quick
@given(tournaments())
def test_floors_hold_and_bonuses_only_add(tournament):
    found = rate(*tournament, RULES, preliminary=1200)
    for name, outcome in found.outcomes.items():
        before = tournament[1][name]
        if outcome.performance is None:
            assert found.standings[name] == before
            continue
        assert outcome.rating >= 200
        if before.status is Status.ESTABLISHED:
            assert outcome.rating >= min(before.rating, 799)
            assert outcome.exact == outcome.natural + outcome.bonus_high + outcome.bonus_jump
            assert min(outcome.bonus_high, outcome.bonus_jump) >= 0
            assert outcome.high >= outcome.rating
        assert abs(outcome.rating - outcome.exact) <= 0.5 or outcome.rating > outcome.exact


@quick
@given(STANDINGS, st.lists(RATINGS, min_size=1, max_size=10), st.data())
def test_a_better_score_never_gives_a_lower_rating(standing, opponents, data):
    halves = data.draw(st.integers(0, 2 * len(opponents) - 1))
    worse = one(standing, against(*opponents, score=halves / 2))
    better = one(standing, against(*opponents, score=(halves + 1) / 2))
    assert better.rating >= worse.rating


@pytest.mark.rule("cfc 417.6")
@quick
@given(tournaments())
def test_a_bonus_reaches_no_opponent(tournament):
    event, players = tournament
    found = rate(event, players, RULES, preliminary=1200).outcomes
    without = {
        name: replace(standing, high=9999) if standing.status is Status.ESTABLISHED else standing
        for name, standing in players.items()
    }
    other = rate(event, without, RULES, preliminary=1200).outcomes
    for name in players:
        assert (found[name].performance, found[name].natural) == (other[name].performance, other[name].natural)


@quick
@given(tournaments(), st.booleans())
def test_every_player_can_be_explained_and_the_steps_end_in_his_rating(tournament, match):
    found = rate(*tournament, RULES, preliminary=1200)
    for name, outcome in found.outcomes.items():
        steps = found.explain(name).steps
        if outcome.performance is None:
            assert len(steps) == 1
            continue
        figures = {cell.label: cell.value for cell in steps[-1].result}
        assert (figures["New rating"], figures["Games"]) == (outcome.rating, outcome.games)
        assert all(step.source and step.formula for step in steps)


@given(RATINGS, st.lists(RATINGS, max_size=12))
def test_expected_scores_are_added_exactly(rating, opponents):
    single = sum((expected_score(rating, opponent, RULES) for opponent in opponents), Fraction(0))
    assert expected_total(rating, opponents, RULES) == single
