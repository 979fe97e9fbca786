"""An event of the Irish Chess Union's system as numpy columns: what its calculation takes. Pure.

Shapes: n players in the order of the standings, then one row for each opponent who is not rated here (a guest), m rows in
all; h = 2 × games sides of games, White's then Black's of each game that counts, in the order of the event. The order of
the sides is the order of summation.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from config.lib.editions import Edition
from ratings.systems.base import Event, GameResult, Opponent, RatingError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
_Number = TypeVar("_Number", np.float64, np.int64)


class PlayerType(StrEnum):
    """What a player is in one event."""

    RATED = "rated"
    PROVISIONAL = "provisional"
    UNRATED = "unrated"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Standing:
    """A player before an event.

    A rated player has a rating and K, a provisional one a rating and the number of his games so far, a foreign one a
    rating, an unrated one none of them.
    """

    type: PlayerType
    rating: float | None = None
    k: float | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class EventColumns:
    """The rows of the players and guests, and the sides of the games that were played."""

    names: tuple[str, ...]  # n ids
    full: Flags  # (m,) rated or foreign: the rating stays fixed while the others are estimated
    rated: Flags  # (m,)
    rating: Floats  # (m,) before the event; nan: unrated
    k: Floats  # (m,) nan: not rated
    before: Floats  # (m,) games before the event of a provisional player, else 0
    game: Ints  # (h,) index in the event's games
    own: Ints  # (h,) row
    opponent: Ints  # (h,) row
    score: Floats  # (h,) 1, ½ or 0
    in_order: bool = False  # the rows of the players are in the order of their numbers, and their ids say nothing of it

    def total(self, values: Floats) -> Floats:
        """Return the sum of a column of sides by row, added in the order of the sides."""
        return np.bincount(self.own, values, self.rating.size).astype(float, copy=False)

    def games(self) -> Ints:
        """Return the number of games by row."""
        return np.bincount(self.own, minlength=self.rating.size)


def columns_of(
    event: Event, standings: Mapping[str, Standing], edition: Edition, *, in_order: bool = False
) -> EventColumns:
    """Return an event's columns; `in_order` as in `EventColumns`.

    Raises RatingError for standings, sides or results that make no sense.
    """
    types: list[PlayerType] = []
    ratings: list[float] = []
    ks: list[float] = []
    before: list[float] = []
    for name, standing in standings.items():
        problem = _problem(standing, edition)
        if problem:
            raise RatingError(f"player {name!r}: {problem}", player=name, event=event.id)
        types.append(standing.type)
        ratings.append(math.nan if standing.rating is None else standing.rating)
        ks.append(math.nan if standing.k is None else standing.k)
        before.append(standing.games or 0)
    sides = _sides(event, standings)
    guests = len(sides.guests)
    return EventColumns(
        names=tuple(standings),
        full=np.array([kind in _FULL for kind in types] + [True] * guests, bool),
        rated=np.array([kind == PlayerType.RATED for kind in types] + [False] * guests, bool),
        rating=np.array(ratings + sides.guests, float),
        k=np.array(ks + [math.nan] * guests, float),
        before=np.array(before + [0.0] * guests, float),
        game=np.repeat(np.array(sides.game, np.int64), 2),
        own=_interleaved(sides.white, sides.black, np.int64),
        opponent=_interleaved(sides.black, sides.white, np.int64),
        score=_interleaved(sides.score, [1.0 - score for score in sides.score], np.float64),
        in_order=in_order,
    )


_FULL = (PlayerType.RATED, PlayerType.FOREIGN)


def _problem(standing: Standing, edition: Edition) -> str | None:
    kind, rating, k, games = standing.type, standing.rating, standing.k, standing.games
    if kind == PlayerType.UNRATED:
        if rating is not None:
            return "an unrated player has no rating"
    elif rating is None or not math.isfinite(rating):
        return f"a {kind} player needs a rating"
    if kind == PlayerType.RATED:
        if k is None or not (math.isfinite(k) and k > 0):
            return "a rated player needs a K-factor greater than 0"
    elif k is not None:
        return f"only a rated player has a K-factor, not one who is {kind}"
    if kind == PlayerType.PROVISIONAL:
        most = edition["full_games"] - 1
        if games is None or not 1 <= games <= most:
            return f"a provisional player has played 1 to {most} games"
    elif games is not None:
        return f"only a provisional player has a number of games, not one who is {kind}"
    return None


def _interleaved(first: Sequence[float], second: Sequence[float], dtype: type[_Number]) -> NDArray[_Number]:
    column = np.empty(2 * len(first), dtype)
    column[0::2] = first
    column[1::2] = second
    return column


@dataclass(frozen=True, slots=True)
class _Sides:
    """The games that count: index in the event, rows of the players, White's score; and the ratings of the guests."""

    game: list[int] = field(default_factory=list)
    white: list[int] = field(default_factory=list)
    black: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    guests: list[float] = field(default_factory=list)


def _sides(event: Event, names: Collection[str], without: Collection[int] = ()) -> _Sides:
    """Return the games that were played, without those of the given indices."""
    rows: dict[str | Opponent | None, int] = {name: row for row, name in enumerate(names)}
    scores = {result: result.white_score for result in GameResult if result.played}
    sides = _Sides()
    rounds: list[int | None] = []
    for index, game in enumerate(event.games):
        score = scores.get(game.result)
        if score is None or index in without:
            continue
        white, black = rows.get(game.white), rows.get(game.black)
        if white is None or black is None:
            white, black = _with_guest(event, index, white, black, len(names), sides.guests)
        if white == black:
            raise _refusal(event, index, f"player {game.white!r} plays against himself")
        if game.round is not None and game.round < 1:
            raise _refusal(event, index, f"round {game.round} was found, rounds begin with 1")
        sides.game.append(index)
        sides.white.append(white)
        sides.black.append(black)
        sides.score.append(score)
        rounds.append(game.round)
    if not without and _twice_in_a_round(rounds, sides):
        repeated = _repeated(event, sides.game)
        if repeated:
            return _sides(event, names, repeated)
    return sides


def _with_guest(
    event: Event, index: int, white: int | None, black: int | None, players: int, guests: list[float]
) -> tuple[int, int]:
    """Return the rows of a game's sides, with a new row for the one who is not rated here."""
    game = event.games[index]
    row = players + len(guests)
    for side, known in ((game.white, white), (game.black, black)):
        if known is not None:
            continue
        if side is None:
            raise _refusal(event, index, "a played game has no opponent")
        if isinstance(side, str):
            raise _refusal(event, index, f"player {side!r} has no standing")
        if side.rating is None or not math.isfinite(side.rating):
            raise _refusal(event, index, "an opponent who is not rated here needs a rating")
        guests.append(side.rating)
    if white is None and black is None:
        raise _refusal(event, index, "one side of a game must be a player who is rated here")
    return (row if white is None else white), (row if black is None else black)


def _twice_in_a_round(rounds: list[int | None], sides: _Sides) -> bool:
    seen = list(zip(rounds, sides.white, strict=True)) + list(zip(rounds, sides.black, strict=True))
    if None in rounds:
        seen = [pair for pair in seen if pair[0] is not None]
    return len(set(seen)) < len(seen)


def _repeated(event: Event, indices: list[int]) -> set[int]:
    """Return games that repeat an earlier one. Raises RatingError if two games of a player's round contradict each other."""
    repeated: set[int] = set()
    met: dict[tuple[int, str], tuple[str | Opponent | None, float]] = {}
    for index in indices:
        game = event.games[index]
        if game.round is None:
            continue
        score = game.result.white_score
        for own, opponent, points in ((game.white, game.black, score), (game.black, game.white, 1.0 - score)):
            if not isinstance(own, str):
                continue
            if (game.round, own) not in met:
                met[game.round, own] = (opponent, points)
                continue
            if met[game.round, own][0] != opponent:
                raise _refusal(event, index, f"player {own!r} has two opponents in round {game.round}", own)
            if met[game.round, own][1] != points:
                raise _refusal(event, index, f"player {own!r} has two results in round {game.round}", own)
            repeated.add(index)
    return repeated


def _refusal(event: Event, index: int, message: str, player: str | None = None) -> RatingError:
    white = event.games[index].white
    name = player or (white if isinstance(white, str) else None)
    return RatingError(message, player=name, event=event.id, game=index)
