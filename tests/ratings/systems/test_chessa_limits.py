"""Every limit of the Chess SA regulations, on both sides."""

import math

import numpy as np
import pytest

from events.rules import time_controls
from events.rules.time_controls import TYPES_OF_GAME, tournament_weights, types_of_game
from ratings.systems.chessa import EDITIONS, adjusted_fide
from ratings.systems.chessa.calculation import greatest_changes
from ratings.systems.chessa.games import expected_scores, k_factors
from tests.ratings.systems.chessa_builder import document, event, game, outcome, performances, player

EDITION = EDITIONS[-1]


@pytest.mark.rule("chessa 19")
@pytest.mark.parametrize(("base", "increment", "minutes"), [(90, 30, 120), (60, 0, 60), (3, 2, 5), (4.5, 0.5, 5)])
def test_time_control_is_the_base_time_and_60_increments(base, increment, minutes):
    # Article 19; 90 + 30 is the usual classical control.
    assert time_controls.minutes(base, increment, EDITION) == minutes


@pytest.mark.rule("chessa 20", "chessa 20.1", "chessa 20.2", "chessa 20.3", "chessa 20.4", "chessa 23")
@pytest.mark.parametrize(
    ("minutes", "kind"),
    [
        (0, None),
        (4.99, None),
        (math.nextafter(5, 0), None),
        (5, "blitz"),
        (9.99, "blitz"),
        (math.nextafter(10, 0), "blitz"),
        (10, "rapid"),
        (59.99, "rapid"),
        (math.nextafter(60, 0), "rapid"),
        (60, "standard"),
        (119.99, "standard"),
        (120, "standard"),
        (600, "standard"),
    ],
)
def test_type_of_game_by_minutes(minutes, kind):
    # Articles 20 and 23.
    expected = -1 if kind is None else TYPES_OF_GAME.index(kind)
    assert types_of_game(np.array([float(minutes)]), EDITION).tolist() == [expected]


@pytest.mark.rule("chessa 27")
@pytest.mark.parametrize(("minutes", "weight"), [(5, 0.180), (10, 0.290), (25, 0.543), (60, 0.830), (120, 1.000)])
def test_tournament_weight(minutes, weight):
    # Article 27 names 18, 29, 83 and 100 %; the example 54 % for 25 minutes.
    assert tournament_weights(np.array([float(minutes)]), EDITION)[0] == pytest.approx(weight, abs=0.0005)


@pytest.mark.rule("chessa 27")
def test_tournament_weight_has_no_ceiling():
    assert tournament_weights(np.array([240.0]), EDITION)[0] > 1.05


@pytest.mark.rule("chessa 31")
@pytest.mark.parametrize(
    ("highest", "k"),
    [
        (math.nan, 40),
        (500, 40),
        (1199.99, 40),
        (1200, 36),
        (1399.99, 36),
        (1400, 32),
        (1599.99, 32),
        (1600, 28),
        (1799.99, 28),
        (1800, 24),
        (1999.99, 24),
        (2000, 20),
        (2199.99, 20),
        (2200, 16),
        (2399.99, 16),
        (2400, 12),
        (2900, 12),
    ],
)
def test_k_by_highest_rating(highest, k):
    # Article 31.
    assert k_factors(np.array([highest]), EDITION).tolist() == [k]


@pytest.mark.rule("chessa 33", "chessa 34")
@pytest.mark.parametrize(
    ("difference", "score"),
    [
        (0, 0.541767),
        (100, 0.658167),
        (389, 0.994563),
        (390, 0.995727),
        (391, 0.995727),
        (2000, 0.995727),
        (-459, 0.007491),
        (-460, 0.006327),
        (-461, 0.006327),
        (-2000, 0.006327),
    ],
)
def test_expected_score_of_white(difference, score):
    # Articles 33 and 34.
    assert expected_scores(np.array([float(difference)]), EDITION)[0] == pytest.approx(score, abs=1e-12)


@pytest.mark.rule("chessa 47")
@pytest.mark.parametrize(("rating", "change"), [(1200, 165.8), (1400, 124.7), (2400, 30.00)])
def test_greatest_change(rating, change):
    # Article 47, restored: a factor of e to the power.
    assert greatest_changes(np.array([float(rating)]), EDITION)[0] == pytest.approx(change, abs=0.05)


@pytest.mark.rule("chessa 45", "chessa 45.1", "chessa 45.2")
@pytest.mark.parametrize(
    ("rating", "adjusted"), [(1500, 1590), (2000, 2060), (2000.01, 2060.0102), (2001, 2061.02), (2500, 2570)]
)
def test_adjusted_fide_rating(rating, adjusted):
    # Article 45: 2000 itself belongs to the lower formula.
    assert adjusted_fide(rating, EDITION) == pytest.approx(adjusted, abs=1e-9)


def _winner_of(games: int) -> dict[str, float]:
    case = document([player("a", 1406.3), player("b", 1406.3)], [event(*[game("a", "b")] * games)])
    return outcome(case, "a")


@pytest.mark.rule("chessa 41", "chessa 47")
def test_a_change_within_the_greatest_change_stands():
    # One win between equals at K 32 is 14.66; the greatest change at 1406.3 is 123.59.
    result = _winner_of(8)
    assert result["change"] == pytest.approx(8 * 32 * 0.458233)
    assert result["temporary"] == 1406.3 + result["change"]
    assert not result["limited"]


@pytest.mark.rule("chessa 47")
def test_a_gain_beyond_the_greatest_change_is_cut():
    result = _winner_of(9)
    assert result["change"] == pytest.approx(9 * 32 * 0.458233)
    assert result["raw"] == 1406.3 + result["limit"]
    assert result["limited"]


@pytest.mark.rule("chessa 47")
def test_a_loss_beyond_the_greatest_change_is_cut():
    case = document([player("a", 1406.3), player("b", 1406.3)], [event(*[game("b", "a")] * 9)])
    result = outcome(case, "a")
    assert result["raw"] == 1406.3 - result["limit"]
    assert result["limited"]


@pytest.mark.rule("chessa 36")
@pytest.mark.parametrize(("age", "counts"), [(2919, True), (2920, True), (2921, False)])
def test_tournaments_older_than_2920_days_are_ignored(age, counts):
    # Article 36: at 2920 days a tournament weighs nothing, but is still one of the five.
    stored = performances(
        (1500, "standard", 100), (1500, "standard", 200), (1500, "standard", 300), (1500, "standard", age)
    )
    case = document(
        [player("a", lists={"standard": {"raw": 1400, "last_performances": stored}}), player("b", 1400)],
        [event(game("a", "b"))],
    )
    assert math.isnan(outcome(case, "a")["weighted_performance"]) is not counts


@pytest.mark.rule("chessa 42")
@pytest.mark.parametrize(
    ("highest", "floor"), [(900, 500), (999.9, 500), (1000, 500), (1000.1, 500.1), (1600, 1100), (2400, 1900)]
)
def test_floor_by_highest_rating(highest, floor):
    # Article 42: 500 under the highest, and never under 500.
    case = document([player("a", min(highest, 900), highest=highest), player("b", 2000)], [event(game("b", "a"))])
    assert outcome(case, "a")["floor"] == pytest.approx(floor, abs=1e-9)


@pytest.mark.rule("chessa 42")
@pytest.mark.parametrize(("raw", "floored"), [(1100.119, True), (1100.120, False)])
def test_a_loss_stops_at_the_floor(raw, floored):
    # A loss as Black beyond the bound of 390 costs K × (1 − 0.995727), with K 28 for a highest rating of 1600: 0.119644.
    case = document([player("a", raw, highest=1600), player("b", 2400)], [event(game("b", "a"))])
    result = outcome(case, "a")
    assert result["change"] == pytest.approx(-0.119644)
    assert result["floored"] is floored
    assert result["raw"] == pytest.approx(max(1100, raw - 0.119644), abs=1e-9)
