"""The formulas of the CFC rating rules, in exact fractions: a half decides a rounding. Pure.

Sections are those of the CFC Handbook; ratings are whole numbers.
"""

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Context
from fractions import Fraction
from math import floor

from config.lib.editions import Edition

_PRECISE = Context(prec=60)


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, a half upwards."""
    return floor(value + Fraction(1, 2))


def expected_score(rating: int, opponent: int, edition: Edition) -> Fraction:
    """Return the expected score of a game by the two-decimal table (section 414b)."""
    band = bisect_left(edition["expected_bands"], abs(rating - opponent))
    higher: Fraction = edition["expected_first"] + band * edition["expected_step"]
    return higher if rating >= opponent else 1 - higher


def expected_total(rating: int, opponents: Sequence[int], edition: Edition) -> Fraction:
    """Return the expected score against opponents together: the sum of `expected_score`, added in whole bands of the table."""
    bands: Sequence[int] = edition["expected_bands"]
    higher = steps = 0
    for opponent in opponents:
        band = bisect_left(bands, abs(rating - opponent))
        if rating >= opponent:
            higher += 1
            steps += band
        else:
            steps -= band
    first: Fraction = edition["expected_first"]
    total: Fraction = higher * first + (len(opponents) - higher) * (1 - first) + steps * edition["expected_step"]
    return total


def performance(opponents: Sequence[int], balance: int, edition: Edition) -> Fraction:
    """Rp over the opponents' ratings; `balance` is wins − losses (section 414a)."""
    games = len(opponents)
    return Fraction(sum(opponents) + edition["performance_span"] * balance, games)


def k_factor(rating: int, edition: Edition) -> int:
    """K from the rating before the event (section 414b)."""
    return int(edition["k_from"] if rating >= edition["k_boundary"] else edition["k_below"])


def natural_rating(rating: int, change: Fraction, edition: Edition) -> Fraction:
    """R + K (S − Sx) without bonus; what goes beyond the boundary of K counts at the other K (section 414b)."""
    raw = rating + change
    boundary: int = edition["k_boundary"]
    if rating < boundary < raw:
        return boundary + Fraction(edition["crossing_up"]) * (raw - boundary)
    if rating >= boundary > raw:
        return boundary - Fraction(edition["crossing_down"]) * (boundary - raw)
    return raw


def bonus_k(rating: int, edition: Edition) -> int:
    """Return the K that the bonuses of a player of this rating before the event go by (Ke = this / K below 2200)."""
    return int(edition["k_from"] if rating >= edition["bonus_k_boundary"] else edition["k_below"])


def bonus_threshold(n: int, k: int, edition: Edition) -> Fraction:
    """Return the gain above which the jump bonus begins, over n games or rounds; exact for square numbers, else to 60
    figures."""
    root = Fraction(_PRECISE.sqrt(n))
    return Fraction(edition["threshold_factor"]) * Fraction(k, edition["k_below"]) * root


def bonuses(rating: int, natural: Fraction, high: int, n: int, k: int, edition: Edition) -> tuple[Fraction, Fraction]:
    """Return the bonus for a lifetime high and the bonus for a jump, over n games or rounds; `k` as `bonus_k` gives it."""
    if n < edition["bonus_least_games"]:
        return Fraction(0), Fraction(0)
    share = Fraction(k, edition["k_below"])
    excess = natural - rating - bonus_threshold(n, k, edition)
    return (
        edition["bonus_high"] * share if natural > high else Fraction(0),
        edition["bonus_jump"] * share * excess if excess > 0 else Fraction(0),
    )


def low_floor(before: int, edition: Edition) -> int:
    """Return the rating under which an established player of the rating `before` cannot be listed (section 416)."""
    if before < edition["low_boundary"]:
        return max(before, int(edition["list_minimum"]))
    return int(edition["low_floor"])
