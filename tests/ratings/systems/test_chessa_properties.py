"""What holds for any Chess SA rating period."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratings.systems.chessa import rate
from ratings.systems.chessa.columns import LISTS
from tests.ratings.systems.chessa_builder import document, event, game, outcome, periods, player, rate_case, read

FIGURES = ("games", "k", "change", "weighted_performance", "raw", "weighted", "published", "highest", "pending_penalty")


def _figures(case):
    """Player by player, whatever their rows."""
    period = read(case)
    result = rate(period.columns, period.edition)
    return {
        name: np.array([getattr(result, field)[:, row] for field in FIGURES], dtype=float)
        for row, name in enumerate(period.player_ids)
    }


@given(periods(), st.randoms(use_true_random=False))
def test_the_order_of_players_and_games_does_not_matter(case, random):
    shuffled = deepcopy(case)
    random.shuffle(shuffled["players"])
    for section in shuffled["events"]:
        random.shuffle(section["games"])
    before, after = _figures(case), _figures(shuffled)
    for name, figures in before.items():
        np.testing.assert_allclose(after[name], figures, rtol=0, atol=1e-9)


@given(periods(), st.randoms(use_true_random=False))
def test_the_order_of_events_does_not_matter_when_their_days_differ(case, random):
    ages = [section["ended"] for section in case["events"]]
    assume(len(set(ages)) == len(ages))
    shuffled = deepcopy(case)
    random.shuffle(shuffled["events"])
    before, after = _figures(case), _figures(shuffled)
    for name, figures in before.items():
        np.testing.assert_allclose(after[name], figures, rtol=0, atol=1e-9)


@given(periods())
def test_the_same_columns_give_the_same_bits(case):
    period = read(case)
    first, second = rate(period.columns, period.edition), rate(period.columns, period.edition)
    for field in FIGURES:
        assert getattr(first, field).tobytes() == getattr(second, field).tobytes()


@pytest.mark.rule("chessa 33", "chessa 41")
@given(st.floats(500, 2700), st.floats(500, 2700), st.sampled_from(["1-0", "0-1", "1/2-1/2"]))
def test_one_game_between_equal_k_is_zero_sum_on_the_lists_without_tournament_weight(white, black, result):
    players = [player("a", white, highest=2800), player("b", black, highest=2800)]
    case = document(players, [event(game("a", "b", result))])
    assert outcome(case, "a")["change"] + outcome(case, "b")["change"] == pytest.approx(0, abs=1e-9)


@given(periods(), st.data())
def test_a_better_score_never_lowers_the_rating(case, data):
    # Change, performance and weighted performance rise with the score; limit, floor and penalties only cut.
    games = [
        (number, row)
        for number, section in enumerate(case["events"])
        for row, played in enumerate(section["games"])
        if isinstance(played["white"], str) and played["result"] in ("0-1", "1/2-1/2")
    ]
    assume(games)
    number, row = data.draw(st.sampled_from(games))
    better = deepcopy(case)
    chosen = better["events"][number]["games"][row]
    chosen["result"] = {"0-1": "1/2-1/2", "1/2-1/2": "1-0"}[chosen["result"]]
    name = chosen["white"]
    raw, published = FIGURES.index("raw"), FIGURES.index("published")
    before, after = _figures(case)[name], _figures(better)[name]
    for figure in (raw, published):
        assert not (after[figure] < before[figure] - 1e-9).any()


@pytest.mark.rule("chessa 47")
@given(periods())
def test_a_raw_rating_moves_within_the_greatest_change_but_for_floor_penalties_and_adjustments(case):
    period = read(case)
    result = rate(period.columns, period.edition)
    start = np.where(np.isnan(period.columns.standings.raw), 1200.0, period.columns.standings.raw)
    rated = result.rated
    highest = np.maximum(start + result.limit, result.floor) + np.maximum(result.adjustment, 0)
    assert (result.raw <= highest + 1e-9)[rated].all()
    lowest = start - result.limit - result.penalty + np.minimum(result.adjustment, 0)
    assert (result.raw >= lowest - 1e-9)[rated].all()


@pytest.mark.rule("chessa 42")
@given(periods())
def test_the_floor_is_never_broken(case):
    result = rate_case(case)
    assert (result.raw >= result.floor)[result.rated].all()
    assert (result.floor >= 500).all()


@pytest.mark.rule("chessa 50")
@given(periods())
def test_published_lies_between_the_raw_rating_and_the_best_of_the_window(case):
    period = read(case)
    result = rate(period.columns, period.edition)
    for row, listed in enumerate(case["players"]):
        for index, name in enumerate(LISTS):
            if not result.rated[index, row]:
                continue
            history = listed["lists"].get(name, {}).get("raw_history", [])
            best = max([*history[:23], result.raw[index, row], 1200.0 if len(history) < 23 else 0.0])
            assert result.raw[index, row] <= result.published[index, row] <= best + 1e-9
            assert result.highest[index, row] >= result.published[index, row]


@pytest.mark.rule("chessa 53")
@given(periods())
def test_rated_once_is_rated_for_good_and_pending_points_end_there(case):
    period = read(case)
    result = rate(period.columns, period.edition)
    was_rated = ~np.isnan(period.columns.standings.raw)
    assert (result.rated == (was_rated | (result.games > 0))).all()
    assert (result.pending_penalty[result.rated] == 0).all()
    assert np.isnan(result.published[~result.rated]).all()


@given(periods())
def test_events_add_up_to_the_period(case):
    result = rate_case(case)
    shape = result.change.shape
    by_event = result.by_event
    change, games = np.zeros(shape), np.zeros(shape)
    np.add.at(change, (by_event.list_index, by_event.player), by_event.change)
    np.add.at(games, (by_event.list_index, by_event.player), by_event.games)
    np.testing.assert_allclose(change, result.change, atol=1e-9)
    np.testing.assert_array_equal(games, result.games)
    np.testing.assert_allclose(np.nansum(result.by_game.change[0]), result.change[0].sum(), atol=1e-9)
    np.testing.assert_allclose(np.nansum(result.by_game.change[1]), result.change[1:].sum(), atol=1e-9)
