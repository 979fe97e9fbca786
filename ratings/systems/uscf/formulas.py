"""The formulas of the USCF rating system, on numpy columns or single numbers. Pure.

Sources: the Glickman texts of 2001–2004 and later, by edition. R is a rating, N games before the event, N' effective
games, m games of the event, S the score.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from config.lib.editions import Edition
from ratings.systems.base import RatingError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

ZERO = 1e-7  # |f| below this is a zero of the special formula (its own tolerance)


def totals(owner: Ints, values: Floats | Flags, players: int) -> Floats:
    """(players,) The sum of the values of each player's rows."""
    return np.bincount(owner, values, players).astype(np.float64, copy=False)


def standard_expectancy(rating: Any, opponent: Any, edition: Edition) -> Any:
    """We, the expected score of a game by the standard formula."""
    return 1.0 / (1.0 + 10.0 ** ((opponent - rating) / edition["scale"]))


def provisional_expectancy(rating: Any, opponent: Any, edition: Edition) -> Any:
    """PWe, the expected score of a game by the special formula: a straight line, 0 and 1 beyond 400 points."""
    return np.clip(0.5 + (rating - opponent) / (2.0 * edition["scale"]), 0.0, 1.0)


def effective_games(rating: Any, games: Any, edition: Edition) -> Any:
    """N' = min(N, N*(R)), never rounded. N infinite: only N* counts."""
    squared = (edition["effective_pivot"] - rating) ** 2
    curve = edition["effective_numerator"] / np.sqrt(edition["effective_a"] + edition["effective_b"] * squared)
    ceiling = np.where(rating <= edition["effective_last"], curve, edition["effective_numerator"])
    return np.minimum(games, ceiling)


def k_factor(
    rating: Any, effective: Any, played: Any, edition: Edition, *, half_k: bool = False, dual_regular: bool = False
) -> Any:
    """K of the standard formula. `half_k`: a half-K event; `dual_regular`: the regular side of a dual-rated event."""
    if half_k:
        return edition["k"] * edition["half_k"] / (effective + edition["half_k"] * played)
    weight = edition["k"] / (effective + played)
    if not dual_regular or edition["dual_k"] is None:
        return weight
    above, a, b, top, top_k = edition["dual_k"]
    lower = np.where(rating >= top, top_k / (effective + played), weight * (a - b * rating))
    return np.where(rating > above, lower, weight)


def bonus_threshold(played: Any, edition: Edition) -> Any:
    """Return the gain above which there is a bonus: B √max(m, 4)."""
    return edition["bonus_multiplier"] * np.sqrt(np.maximum(played, edition["bonus_least_root"]))


def bonus_points(gain: Any, played: Any, most_meetings: Any, edition: Edition) -> Any:
    """Return the bonus for a gain K (S − E) over m games; `most_meetings`: how often the opponent met most often was met."""
    least = edition["bonus_least_games"]
    meetings = np.where(played == least, edition["bonus_meetings_least"], edition["bonus_meetings"])
    allowed = (played >= least) & (most_meetings <= meetings)
    return np.where(allowed, np.maximum(0.0, gain - bonus_threshold(played, edition)), 0.0)


def adjusted_prior(rating: Any, effective: Any, score: Any, record: Any, edition: Edition) -> tuple[Any, Any]:
    """R0' and S' of the special formula. `record`: 1 all earlier games won, −1 all lost, 0 neither."""
    return rating - record * edition["scale"], score + 0.5 * (1.0 + record) * effective


def special_excess(
    rating: Floats, owner: Ints, opponent: Floats, prior: Floats, effective: Floats, target: Floats, edition: Edition
) -> Floats:
    """f(R) = N' PWe(R, R0') + ΣPWe(R, Ri) − S' of p players. Rows of `owner`, `opponent`: a game each."""
    games = totals(owner, provisional_expectancy(rating[owner], opponent, edition), len(rating))
    total: Floats = effective * provisional_expectancy(rating, prior, edition) + games - target
    return total


def special_ratings(
    rating: Floats, owner: Ints, opponent: Floats, prior: Floats, effective: Floats, target: Floats, edition: Edition
) -> Floats:
    """Return the zero of f for each of p players; where f is zero on a stretch, its point nearest to R0 (`rating`); not capped.

    f never falls and is straight between the knots R0' ± 400 and Ri ± 400: it is summed up along the sorted knots. R0' is
    within 400 of R0, so that R0 lies between the first knot and the last.
    """
    players = len(rating)
    scale = edition["scale"]
    centre = np.concatenate([prior, opponent])
    weight = np.concatenate([effective, np.ones(len(opponent))]) / (2.0 * scale)
    whose = np.concatenate([np.arange(players), owner])
    knot = np.concatenate([centre - scale, centre + scale])
    whose = np.concatenate([whose, whose])
    order = np.lexsort((knot, whose))
    knot, whose = knot[order], whose[order]
    slope = np.cumsum(np.concatenate([weight, -weight])[order])  # on the way to the next knot
    counts = np.bincount(whose, minlength=players)
    first = np.cumsum(counts) - counts
    rise = np.zeros(len(knot))
    rise[1:] = slope[:-1] * np.diff(knot)
    rise[first] = 0.0
    height = np.cumsum(rise)
    height += -height[first][whose] - target[whose]
    below = np.bincount(whose[height < -ZERO], minlength=players)  # knots left of the zero
    not_above = np.bincount(whose[height <= ZERO], minlength=players)
    stretch = not_above > below
    lower = knot[first + np.minimum(below, counts - 1)]
    upper = knot[first + np.maximum(not_above - 1, 0)]
    left = first + np.maximum(below - 1, 0)
    steepness = np.where(slope[left] > 0.0, slope[left], 1.0)
    crossing = knot[left] - height[left] / steepness
    root = np.where(stretch, np.clip(rating, lower, upper), crossing)
    # One step of Newton on f itself takes away what the long sums have lost.
    excess = special_excess(root, owner, opponent, prior, effective, target, edition)
    return np.where(stretch, root, root - excess / steepness)


def approximate_special(rating: Any, games: Any, performance: Any, played: Any) -> Any:
    """Return the guide's one-player formula up to eight games: (N R0 + Σ(Ri ± 400)) / (N + m); `performance` is that sum."""
    return (games * rating + performance) / (games + played)


def start_from_fide(fide: float, edition: Edition) -> tuple[float, float]:
    """Return the starting rating of a player with a FIDE rating, and the games that it counts for."""
    bound, few, many = edition["fide_games"]
    for last, addend, factor in edition["fide_conversion"]:
        if last is None or fide <= last:
            return float(addend + factor * fide), float(many if fide > bound else few)
    raise RatingError(f"no conversion of the FIDE rating {fide}")


def start_from_cfc(cfc: float, edition: Edition) -> tuple[float, float]:
    """Return the starting rating of a player with a Canadian rating, and the games that it counts for."""
    for last, addend, factor, games in edition["cfc_conversion"]:
        if last is None or cfc <= last:
            return float(addend + factor * cfc), float(games)
    raise RatingError(f"no conversion of the CFC rating {cfc}")


def start_from_age(age: float, edition: Edition) -> float:
    """Return the starting rating of a player of whom only the age in years, at the end of the event, is known."""
    last = edition["age_last"]
    young = age <= last if edition["age_last_included"] else age < last
    if age < edition["age_first"] or not young:
        return float(edition["adult_start"])
    return float(max(edition["age_lowest_start"], edition["age_addend"] + edition["age_factor"] * age))


def whole(value: Any) -> Any:
    """Return the nearest whole number, a half upwards. Noise of the last digits does not decide a half."""
    return np.floor(np.round(value, 9) + 0.5)


def peak_floor(peak: Any, edition: Edition) -> Any:
    """Return the floor that a best established rating gives; nan: none. The peak counts as it is published."""
    step = edition["peak_step"]
    floor = np.floor((whole(peak) - edition["peak_drop"]) / step) * step
    return np.where(floor >= edition["peak_lowest"], np.minimum(floor, edition["peak_highest"]), np.nan)


def absolute_floor(wins: Any, draws: Any, events: Any, edition: Edition) -> Any:
    """Return the floor under everybody, raised by career totals that include this event."""
    lowest = edition["absolute_floor"]
    if edition["personal_floor"] is None:
        return np.full_like(wins, lowest, dtype=np.float64)
    highest, a_win, a_draw, an_event = edition["personal_floor"]
    return np.minimum(highest, lowest + a_win * wins + a_draw * draws + an_event * events)
