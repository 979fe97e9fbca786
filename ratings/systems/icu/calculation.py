"""The calculation of the Irish Chess Union's system on columns: estimates, changes, bonuses, second pass. Pure."""

import math
from dataclasses import dataclass, replace

import numpy as np

from config.lib.editions import Edition
from ratings.systems.icu.columns import EventColumns, Flags, Floats, Ints


@dataclass(frozen=True, slots=True)
class Estimates:
    """What the sweeps of one phase came to."""

    shown: Floats  # (m,) the rating at which opponents see a player; nan: none
    seen: Floats  # (h,) the opponents' ratings that went into the last performances; nan: none
    credit: Floats  # (h,) the opponents' ratings with the span added or taken by score; nan: none
    performance: Floats  # (m,) nan: no opponent with a rating
    sweeps: int
    unsettled: Flags  # (m,) moved by the tolerance or more in the last sweep


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """Expected scores and changes of all games, from fixed ratings."""

    own: Floats  # (m,) the rating for a player's own games; nan: none
    seen: Floats  # (h,) the opponents' ratings; nan: none
    expected: Floats  # (h,) nan: a side has no rating
    change: Floats  # (h,) nan: no expected score, or not a rated player's side
    total: Floats  # (m,) sum of the changes


@dataclass(frozen=True, slots=True)
class Bonus:
    """The steps of one player's bonus, in points; nan where the rules stop before."""

    points: float  # what he gets; 0: none
    threshold: float = math.nan  # on the rating
    excess: float = math.nan  # of the rating before the bonus over the threshold, rounded
    raised: float = math.nan  # the excess, raised for the greatest K
    cap: float = math.nan  # greatest rating with the bonus, where it acted
    refusal: str = ""  # why there is none


@dataclass(frozen=True, slots=True)
class Calculation:
    """All columns of one event's calculation."""

    columns: EventColumns  # with the games that count
    rateable: Flags  # (m,)
    first: Estimates
    first_changes: RatingChanges
    bonus: Floats  # (m,)
    second: Estimates | None  # None: no player got a bonus
    estimates: Estimates  # the last
    changes: RatingChanges  # the last
    rating: Floats  # (m,) the new rating; nan: none
    no_bonuses: bool

    @property
    def converged(self) -> bool:
        """Whether both phases came to rest."""
        return not self.estimates.unsettled.any()

    @property
    def iterations(self) -> tuple[int, int]:
        """Sweeps of the first and of the second phase; 0: the second was not needed."""
        return self.first.sweeps, self.second.sweeps if self.second else 0


def calculate(entered: EventColumns, edition: Edition, *, no_bonuses: bool = False) -> Calculation:
    """Rate an event. When a phase does not converge, the columns are those of its last sweep."""
    rateable = _rateable(entered, edition)
    columns = entered if rateable.all() else _with_sides(entered, rateable[entered.own] & rateable[entered.opponent])
    nobody = np.full(columns.rating.size, math.nan)
    first = estimate(columns, _start(columns, edition), nobody, edition)
    first_changes = changes_of(columns, first.shown, first.shown[columns.opponent], edition)
    bonus = np.zeros(columns.rating.size)
    second, changes = None, first_changes
    if not no_bonuses and not first.unsettled.any():
        bonus = _bonuses(columns, first_changes, first.performance, edition)
        if bonus.any():
            pass_again = _second_by_number if edition["by_number"] else _second_at_once
            second, changes = pass_again(columns, first, first_changes, bonus, edition)
    estimates = second or first
    rating = np.where(columns.rated, columns.rating + changes.total + bonus, estimates.shown)
    return Calculation(columns, rateable, first, first_changes, bonus, second, estimates, changes, rating, no_bonuses)


def expected_score(own: Floats, opponent: Floats, edition: Edition) -> Floats:
    """Return expected scores against opponents, elementwise; nan where a rating is."""
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + 10.0 ** ((opponent - own) / edition["expectation_scale"])))


def estimate(columns: EventColumns, shown: Floats, performance: Floats, edition: Edition) -> Estimates:
    """Sweep until all performances move by less than the tolerance. `shown`: (m,) initial ratings; nan: none."""
    free = ~columns.full
    span = edition["performance_span"] * (2.0 * columns.score - 1.0)
    earlier = np.where(columns.before > 0, columns.before * columns.rating, 0.0)
    usable_sides, games, sweeps = -1, columns.before, 0
    while True:
        sweeps += 1
        seen = shown[columns.opponent]
        usable = ~np.isnan(seen)
        # No player loses an estimate, so that an equal number of usable sides means equal sides.
        if int(usable.sum()) != usable_sides:
            usable_sides = int(usable.sum())
            games = columns.total(usable.astype(float))
        credit = seen + span
        earned = columns.total(np.where(usable, credit, 0.0))
        estimate = np.full(games.size, math.nan)
        np.divide(earned + earlier, games + columns.before, out=estimate, where=games > 0)
        settled = (np.abs(estimate - performance) < edition["tolerance"]) | (np.isnan(estimate) & np.isnan(performance))
        performance, shown = estimate, np.where(free, estimate, shown)
        if settled.all() or sweeps == edition["sweeps"]:
            return Estimates(shown, seen, credit, performance, sweeps, ~settled)


def changes_of(columns: EventColumns, own: Floats, seen: Floats, edition: Edition) -> RatingChanges:
    """Return expected scores and changes. `own`: (m,) each player's rating for his own games; `seen`: (h,) his opponents'."""
    own = np.where(columns.full, columns.rating, own)
    expected = expected_score(own[columns.own], seen, edition)
    change = columns.k[columns.own] * (columns.score - expected)
    return RatingChanges(own, seen, expected, change, columns.total(np.where(np.isnan(change), 0.0, change)))


def bonus_of(rating: float, k: float, games: int, change: float, performance: float, edition: Edition) -> Bonus:
    """Return a rated player's bonus from the figures of the first pass (article on bonus points, Awarding Bonus Points)."""
    if not _is_bonus_k(k, edition):
        return Bonus(0.0, refusal=f"none with K {k:g}")
    if games < edition["bonus_games"]:
        return Bonus(0.0, refusal=f"none with fewer than {edition['bonus_games']} games")
    margin = edition["threshold_base"] + edition["threshold_step"] * (games - edition["threshold_games"])
    if rating + change >= edition["bonus_ceiling"]:
        return Bonus(0.0, rating + margin, refusal=f"none from {edition['bonus_ceiling']:g} on")
    excess = round_half_away(change - margin)
    if excess <= 0:
        return Bonus(0.0, rating + margin, excess, refusal="the threshold is not exceeded")
    raised = round_half_away(edition["raise"] * excess) if k >= edition["raised_k"] else excess
    cap = min(edition["bonus_cap"], performance)
    if rating + change + raised <= cap:
        return Bonus(raised, rating + margin, excess, raised)
    points = round_half_away(cap - rating - change)
    if points <= 0:
        return Bonus(0.0, rating + margin, excess, raised, cap, "the cap leaves nothing")
    return Bonus(points, rating + margin, excess, raised, cap)


def _is_bonus_k(k: float, edition: Edition) -> bool:
    if edition["bonus_ks"] is not None:
        return k in edition["bonus_ks"]
    return bool(k > edition["bonus_above_k"])


def round_half_away(value: float) -> float:
    """Return the nearest whole number; halves away from zero."""
    whole = math.floor(abs(value))
    return math.copysign(whole + (abs(value) - whole >= 0.5), value)


def _rateable(columns: EventColumns, edition: Edition) -> Flags:
    """Return the players within the edition's reach, in games, of a rated or foreign player."""
    if edition["reach"] is None:
        return np.ones(columns.full.size, bool)
    near = columns.full
    for _ in range(edition["reach"]):
        near = near | (columns.total(near[columns.opponent].astype(float)) > 0)
    return near


def _with_sides(columns: EventColumns, keep: Flags) -> EventColumns:
    return replace(
        columns,
        game=columns.game[keep],
        own=columns.own[keep],
        opponent=columns.opponent[keep],
        score=columns.score[keep],
    )


def _start(columns: EventColumns, edition: Edition) -> Floats:
    """Return the ratings to begin with: old ones and 0 for the unrated, or none for all who are to be estimated."""
    if edition["start_from_old_rating"]:
        return np.where(np.isnan(columns.rating), 0.0, columns.rating)
    return np.where(columns.full, columns.rating, math.nan)


def _bonuses(columns: EventColumns, changes: RatingChanges, performance: Floats, edition: Edition) -> Floats:
    bonus = np.zeros(columns.rating.size)
    games = columns.games()
    for row in np.flatnonzero(columns.rated & (changes.total > edition["threshold_base"])):
        bonus[row] = bonus_of(
            float(columns.rating[row]),
            float(columns.k[row]),
            int(games[row]),
            float(changes.total[row]),
            float(performance[row]),
            edition,
        ).points
    return bonus


def _second_at_once(
    columns: EventColumns, first: Estimates, before: RatingChanges, bonus: Floats, edition: Edition
) -> tuple[Estimates, RatingChanges]:
    """Calculate in the articles' order: estimates again, opponents with a bonus at their new rating; then all changes."""
    shown = first.shown + np.where(bonus > 0, before.total + bonus, 0.0)
    second = estimate(columns, shown, first.performance, edition)
    return second, changes_of(columns, second.shown, second.shown[columns.opponent], edition)


def _second_by_number(
    columns: EventColumns, first: Estimates, before: RatingChanges, bonus: Floats, edition: Edition
) -> tuple[Estimates, RatingChanges]:
    """Calculate in the program's order: changes player by player, a new bonus rating at once in force; then estimates again."""
    rank = _ranks(columns)
    old = first.shown + np.where(bonus > 0, before.total + bonus, 0.0)
    new = old.copy()
    gaining = np.flatnonzero(bonus > 0)
    by_player = np.argsort(columns.own, kind="stable")
    first_side, end_side = (np.searchsorted(columns.own[by_player], gaining, side) for side in ("left", "right"))
    for place in np.argsort(rank[gaining]):
        row, sides = gaining[place], by_player[first_side[place] : end_side[place]]
        expected = expected_score(columns.rating[row], new[columns.opponent[sides]], edition)
        change = columns.k[row] * (columns.score[sides] - expected)
        new[row] = columns.rating[row] + bonus[row] + change[~np.isnan(change)].sum()
    later = rank[columns.own] > rank[columns.opponent]
    seen = np.where(later, new[columns.opponent], old[columns.opponent])
    changes = changes_of(columns, first.shown, seen, edition)
    return estimate(columns, new, first.performance, edition), changes


def _ranks(columns: EventColumns) -> Ints:
    """Return the rows' places in the order of the players' numbers; guests, whom nothing moves, come last."""
    ranks = np.arange(columns.rating.size)
    if columns.in_order:
        return ranks
    ranks[sorted(range(len(columns.names)), key=lambda row: int(columns.names[row]))] = np.arange(len(columns.names))
    return ranks
