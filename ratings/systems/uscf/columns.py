"""A USCF section as numpy columns: who stands where, and every side of every rated game. Pure.

Shapes: n players in the order of the standings, s sides (two for a game between players, one against an opponent who
is not rated here), x such opponents.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from config.lib.editions import Edition
from ratings.systems.base import Event, Opponent, RatingError
from ratings.systems.uscf.formulas import Flags, Floats, Ints, start_from_age, start_from_cfc, start_from_fide


class Record(StrEnum):
    """What all of a player's earlier rated games were, if they were all alike."""

    ALL_WON = "all_won"
    ALL_LOST = "all_lost"


@dataclass(frozen=True, slots=True)
class Sister:
    """A rating in the sister system: the regular one for a quick event, the quick one for a regular event."""

    rating: float
    games: float
    regular: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands before an event.

    `rating` None: unrated; then the first of `start`, `fide`, `cfc`, `sister` and `age` gives the starting rating.
    `games` None: an established player whose number of games is not known; only the ceiling counts.
    `peak`: best established rating; None: not known, none yet, or not the regular rating over the board, which alone
    has this floor. `wins`, `draws`, `events` (of three games or more) are career totals before the event.
    `granted_floor`: a floor that the office holds for the player (Original Life Master, class prize). `age` in years at
    the end of the event.
    """

    rating: float | None = None
    games: float | None = None
    record: Record | None = None
    peak: float | None = None
    start: tuple[float, float] | None = None
    fide: float | None = None
    cfc: float | None = None
    sister: Sister | None = None
    age: float | None = None
    wins: int = 0
    draws: int = 0
    events: int = 0
    granted_floor: float | None = None


@dataclass(frozen=True, slots=True)
class StandingColumns:
    """The standings as columns; the unrated stand at their starting rating."""

    names: tuple[str, ...]
    index: dict[str, int]
    rated: Flags  # (n,)
    given: Flags  # (n,) the starting rating is a given one
    start: Floats  # (n,) R0
    games: Floats  # (n,) N; inf: not known
    record: Floats  # (n,) 1 all earlier games won, −1 all lost, 0 neither, or no game yet
    peak: Floats  # (n,) nan: none
    granted_floor: Floats  # (n,) nan: none
    wins: Floats  # (n,)
    draws: Floats  # (n,)
    events: Floats  # (n,)


@dataclass(frozen=True, slots=True)
class SideColumns:
    """The sides of the rated games, in the order of the games, White first."""

    owner: Ints  # (s,) index of the player
    opponent: Ints  # (s,) index of the player, or n + index in `outside`
    score: Floats  # (s,) 1, ½ or 0
    game: Ints  # (s,) index of the game in its event
    outside: Floats  # (x,) ratings of the opponents who are not rated here


_SIGN = {None: 0.0, Record.ALL_WON: 1.0, Record.ALL_LOST: -1.0}


def starting_rating(standing: Standing, edition: Edition) -> tuple[float, float, str]:
    """Return the starting rating of an unrated player, the games that it counts for, and where it comes from."""
    if standing.start is not None:
        return float(standing.start[0]), float(standing.start[1]), "given"
    if standing.fide is not None:
        return *start_from_fide(standing.fide, edition), "FIDE rating"
    if standing.cfc is not None:
        return *start_from_cfc(standing.cfc, edition), "Canadian rating"
    least, most = edition["sister_games"]
    if standing.sister is not None and standing.sister.games >= least:
        games = min(most, standing.sister.games) if standing.sister.regular else 0.0
        return float(standing.sister.rating), games, "sister system"
    if standing.age is not None:
        return start_from_age(standing.age, edition), 0.0, "age"
    return float(edition["unknown_start"]), 0.0, "nothing known"


def standing_columns(standings: Mapping[str, Standing], edition: Edition) -> StandingColumns:
    """Return the columns of the standings, in their order."""
    rows = []
    for standing in standings.values():
        if standing.rating is None:
            rating, games, _ = starting_rating(standing, edition)
            sign = 0.0
        else:
            rating = standing.rating
            games = np.inf if standing.games is None else standing.games
            sign = _SIGN[standing.record] if games else 0.0
        rows.append(
            (
                rating,
                games,
                sign,
                np.nan if standing.peak is None else standing.peak,
                np.nan if standing.granted_floor is None else standing.granted_floor,
                standing.wins,
                standing.draws,
                standing.events,
            )
        )
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 8).T.copy()
    names = tuple(standings)
    return StandingColumns(
        names,
        {name: index for index, name in enumerate(names)},
        np.array([standing.rating is not None for standing in standings.values()], dtype=np.bool_),
        np.array([standing.start is not None for standing in standings.values()], dtype=np.bool_),
        *table,
    )


def side_columns(event: Event, index: Mapping[str, int]) -> SideColumns:
    """Return the sides of the event's played games. Raises RatingError for a player without a standing."""
    sides: list[tuple[int, int, float, int]] = []
    outside: list[float] = []
    players = len(index)

    def place(side: str | Opponent | None, game: int) -> int:
        if isinstance(side, str):
            if side not in index:
                raise RatingError(f"player {side!r} has no standing", player=side, event=event.id, game=game)
            return index[side]
        if side is None or side.rating is None:
            raise RatingError("a played game needs two sides with a rating", event=event.id, game=game)
        outside.append(side.rating)
        return players + len(outside) - 1

    for position, game in enumerate(event.games):
        if not game.result.played:
            continue
        white, black = place(game.white, position), place(game.black, position)
        if white == black:
            raise RatingError("a player cannot play against himself", event=event.id, game=position)
        points = game.result.white_score
        both = ((white, black, points, position), (black, white, 1.0 - points, position))
        sides += [side for side in both if side[0] < players]
    owner, opponent, score, number = zip(*sides, strict=True) if sides else ((), (), (), ())
    return SideColumns(
        owner=np.array(owner, dtype=np.int64),
        opponent=np.array(opponent, dtype=np.int64),
        score=np.array(score, dtype=np.float64),
        game=np.array(number, dtype=np.int64),
        outside=np.array(outside, dtype=np.float64),
    )


def most_meetings(sides: SideColumns, players: int) -> Ints:
    """(n,) How often each player met the opponent whom he met most often."""
    span = players + len(sides.outside)
    pairs, times = np.unique(sides.owner * span + sides.opponent, return_counts=True)
    most = np.zeros(players, dtype=np.int64)
    np.maximum.at(most, pairs // max(span, 1), times)
    return most
