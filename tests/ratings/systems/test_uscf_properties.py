"""What holds in every USCF event."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.systems.base import Event, Game, GameResult
from ratings.systems.uscf import EDITIONS, METHODS, Result, rate
from tests.ratings.systems.uscf_builder import RATINGS, STANDINGS, against, one, sections

editions = st.sampled_from(EDITIONS)
quick = settings(deadline=None, max_examples=60)


def figures(result: Result) -> dict[str, list[float | None]]:
    return {
        name: [outcome.rating, outcome.k, outcome.expected, outcome.bonus, outcome.games, outcome.floor]
        for name, outcome in sorted(result.outcomes.items())
    }


def same(first: Result, second: Result) -> None:
    found, expected = figures(first), figures(second)
    assert found.keys() == expected.keys()
    for name in found:
        assert found[name] == pytest.approx(expected[name], abs=1e-7)


@quick
@given(sections(), st.randoms(use_true_random=False), editions, st.sampled_from(METHODS[:2]))
def test_the_order_of_players_and_games_and_the_colours_do_not_matter(section, order, edition, method):
    event, players = section
    games, names = list(event.games), list(players)
    order.shuffle(games)
    order.shuffle(names)
    turned = Event("e", tuple(turn(game, order) for game in games))
    shuffled = {name: players[name] for name in names}
    same(rate(event, players, edition, method=method), rate(turned, shuffled, edition, method=method))


TURNED = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}


def turn(game: Game, order: random.Random) -> Game:
    if order.random() < 0.5:
        return game
    return replace(game, white=game.black, black=game.white, result=GameResult(TURNED[game.result.value]))


@quick
@given(sections(), editions)
def test_floors_and_ceilings_hold(section, edition):
    found = rate(*section, edition)
    for name, outcome in found.outcomes.items():
        if outcome.formula is None:
            continue
        assert outcome.rating >= outcome.floor >= 100
        assert outcome.bonus is None or outcome.bonus >= 0
        if outcome.formula == "special":
            assert outcome.rating <= max(2700, outcome.floor)
        assert outcome.games is None or outcome.games >= found.columns.played[found.columns.standings.index[name]]
        assert abs(outcome.published - outcome.rating) <= 1


@quick
@given(STANDINGS, st.lists(RATINGS, min_size=1, max_size=8), st.data(), editions, st.booleans())
def test_a_better_score_never_gives_a_lower_rating(standing, opponents, data, edition, dual):
    halves = data.draw(st.integers(0, 2 * len(opponents) - 1))
    worse = one(standing, against(*opponents, score=halves / 2), edition.name, dual_regular=dual)
    better = one(standing, against(*opponents, score=(halves + 1) / 2), edition.name, dual_regular=dual)
    assert better.rating >= worse.rating - 1e-9
    assert better.published >= worse.published


@quick
@given(sections(), editions)
def test_outsiders_and_players_without_games_change_nothing_for_the_others(section, edition):
    event, players = section
    more = {**players, "idle": replace(next(iter(players.values())))}
    first, second = rate(event, players, edition), rate(event, more, edition)
    assert {name: second.outcomes[name] for name in players} == first.outcomes
    assert second.standings["idle"] == more["idle"]


@quick
@given(sections(), sections(), editions)
def test_sections_without_common_players_do_not_touch_each_other(one_section, other_section, edition):
    event, players = one_section
    renamed = {f"x{name}": standing for name, standing in other_section[1].items()}
    games = tuple(
        replace(
            game,
            white=f"x{game.white}" if isinstance(game.white, str) else game.white,
            black=f"x{game.black}" if isinstance(game.black, str) else game.black,
        )
        for game in other_section[0].games
    )
    together = rate(Event("e", event.games + games), {**players, **renamed}, edition)
    found = {name: row for name, row in figures(together).items() if name in players}
    expected = figures(rate(event, players, edition))
    for name in expected:
        assert found[name] == pytest.approx(expected[name], abs=1e-7)


@quick
@given(sections(), editions)
def test_every_player_can_be_explained_and_the_steps_end_in_his_rating(section, edition):
    found = rate(*section, edition)
    for name, outcome in found.outcomes.items():
        steps = found.explain(name).steps
        if outcome.formula is None:
            assert len(steps) == 1
            continue
        cells = {cell.label: cell.value for cell in steps[-1].result}
        assert cells["Published"] == outcome.published
        assert {cell.label: cell.value for cell in steps[-2].result}["New rating"] == outcome.rating
        assert all(step.source and step.formula for step in steps)
