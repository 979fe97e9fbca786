"""The rating system of the Irish Chess Union: one event after the other, each from the then current standings. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from config.lib.editions import Edition
from ratings.systems.base import Event, Explanation, RatingError
from ratings.systems.icu.calculation import Calculation, calculate, round_half_away
from ratings.systems.icu.columns import EventColumns, Floats, PlayerType, Standing, columns_of
from ratings.systems.icu.constants import TEXT
from ratings.systems.icu.explanation import explain

CODE = "icu"
NAME = "Irish Chess Union"
NOT_CONVERGED = "did not converge"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one event did to a player: ratings and changes in points, unrounded.

    `rating` and `performance` are None where nothing can be said; `change` and `bonus` are None but for rated players.
    `games`, `score` and `expected` leave out what does not count, `expected` also opponents without a rating.
    """

    rating: float | None
    performance: float | None
    games: int
    score: float
    expected: float
    change: float | None
    bonus: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """A rated event. With an `error` it has no outcomes, and `unsettled` names the players who still moved."""

    event: Event
    edition: Edition
    error: str | None
    unsettled: tuple[str, ...]
    iterations: tuple[int, int]  # sweeps of the first and of the second phase
    outcomes: dict[str, Outcome]
    calculation: Calculation

    def explain(self, player: str) -> Explanation:
        """Return the steps to a player's rating, also where the event did not converge. RatingError if he has no standing."""
        try:
            row = self.calculation.columns.names.index(player)
        except ValueError:
            raise RatingError(f"player {player!r} has no standing", player=player, event=self.event.id) from None
        return explain(self.event, self.calculation, row, self.edition)


def rate(
    event: Event,
    standings: Mapping[str, Standing],
    edition: Edition = TEXT,
    *,
    no_bonuses: bool = False,
    in_order: bool = False,
) -> Result:
    """Rate an event. Every player with a standing has an outcome, whether he played or not.

    `in_order`: the standings are in the order of the players' numbers, and their ids may be anything.

    Opponents who are not rated here count as foreign players. Games that were not played are left out, and so is a game
    that repeats another of the same round. Raises RatingError for standings or games that make no sense, and, in `software-3`,
    for players whose ids are not numbers or are the same number.
    """
    if edition["by_number"] and not in_order:
        _check_numbers(event, standings)
    calculation = calculate(columns_of(event, standings, edition, in_order=in_order), edition, no_bonuses=no_bonuses)
    converged = calculation.converged
    return Result(
        event=event,
        edition=edition,
        error=None if converged else NOT_CONVERGED,
        unsettled=() if converged else _unsettled(calculation),
        iterations=calculation.iterations,
        outcomes=_outcomes(calculation) if converged else {},
        calculation=calculation,
    )


def standing_after(standing: Standing, outcome: Outcome, edition: Edition = TEXT) -> Standing:
    """Return a player's standing for the next event.

    The rating is rounded to a whole number, as the Irish Chess Union's application stores it. Who got no rating keeps
    his standing. The games of provisional and unrated players add up; with the full number of games the last estimate
    becomes a full rating. K stays as it was, and is that of an adult of long membership for who becomes rated: age and
    membership are for the caller to know, see `k_factor`.
    """
    if standing.type == PlayerType.FOREIGN or outcome.rating is None:
        return standing
    rating = round_half_away(outcome.rating)
    if standing.type == PlayerType.RATED:
        return Standing(PlayerType.RATED, rating, standing.k)
    games = (standing.games or 0) + outcome.games
    if games >= edition["full_games"]:
        return Standing(PlayerType.RATED, rating, k_factor(rating, None, None, edition))
    return Standing(PlayerType.PROVISIONAL, rating, games=games)


def k_factor(rating: float, age: float | None, years: float | None, edition: Edition = TEXT) -> float:
    """K of a rated player, from his rating before the event and his age and years of membership at its start.

    An unknown age is an adult's, an unknown membership a long one.
    """
    if rating >= edition["k_high_rating"]:
        return float(edition["k_high"])
    if age is not None and age < edition["k_junior_age"]:
        return float(edition["k_junior"])
    if years is not None and years < edition["k_new_years"]:
        return float(edition["k_new"])
    return float(edition["k_otherwise"])


def years_between(first: date, last: date, edition: Edition = TEXT) -> float:
    """Years from one day to another, as the Irish Chess Union counts ages and memberships: a birthday may be a day off."""
    days = last.timetuple().tm_yday - first.timetuple().tm_yday
    return last.year - first.year + days / float(edition["days_in_year"])


def _check_numbers(event: Event, standings: Mapping[str, Standing]) -> None:
    seen: dict[int, str] = {}
    for name in standings:
        try:
            number = int(name)
        except ValueError:
            raise RatingError(f"player {name!r}: his id must be a number", player=name, event=event.id) from None
        if number in seen:
            raise RatingError(
                f"players {seen[number]!r} and {name!r} have the same number", player=name, event=event.id
            )
        seen[number] = name


def _unsettled(calculation: Calculation) -> tuple[str, ...]:
    """Return the players who still moved, in the order of the standings; a guest stands for the player who met him."""
    columns: EventColumns = calculation.columns
    moving = calculation.estimates.unsettled.copy()
    players = len(columns.names)
    moving[columns.opponent[moving[columns.own] & (columns.own >= players)]] = True
    return tuple(columns.names[row] for row in np.flatnonzero(moving[:players]))


def _outcomes(calculation: Calculation) -> dict[str, Outcome]:
    columns, changes = calculation.columns, calculation.changes
    figures = zip(
        _values(calculation.rating),
        _values(calculation.estimates.performance),
        columns.games().tolist(),
        columns.total(columns.score).tolist(),
        columns.total(np.where(np.isnan(changes.expected), 0.0, changes.expected)).tolist(),
        _values(np.where(columns.rated, changes.total, np.nan)),
        _values(np.where(columns.rated, calculation.bonus, np.nan)),
        strict=True,
    )
    return {name: Outcome(*row) for name, row in zip(columns.names, figures, strict=False)}


def _values(column: Floats) -> list[float | None]:
    return [None if value != value else value for value in column.tolist()]
