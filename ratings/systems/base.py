"""The values that every rating system speaks in, and the small interface that it offers. Pure.

A rating system is a package of this one with

- `CODE`, `NAME`: its word in cases and addresses, and its name for readers;
- `EDITIONS`: its rules from a date on, oldest first (a table, `constants.py` of the system's package);
- `rate(...)`: the calculation, which returns a result with `outcomes` by player and `explain(player)`.

`chessa` rates a whole period at once; `icu`, `uscf` and `cfc` rate one event after the other, each from the then current
standings.
"""

import math
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import SupportsFloat


class RatingError(ValueError):
    """Something that cannot be rated. `player`, `event` and `game` (index in its event) name the place, where known."""

    def __init__(
        self, message: str, *, player: str | None = None, event: str | None = None, game: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.player = player
        self.event = event
        self.game = game


class GameResult(StrEnum):
    """A game's result from White's side. Only the first three were played and are rated."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    FORFEIT_WHITE_WINS = "+--"
    FORFEIT_BLACK_WINS = "--+"
    FORFEIT_BOTH_LOSE = "---"
    BYE = "bye"

    @property
    def played(self) -> bool:
        """Whether the game was played, and so is rated."""
        return self in _WHITE_SCORE

    @property
    def white_score(self) -> float:
        """White's points, 1, ½ or 0, of a played game."""
        return _WHITE_SCORE[self]


_WHITE_SCORE = {GameResult.WHITE_WINS: 1.0, GameResult.BLACK_WINS: 0.0, GameResult.DRAW: 0.5}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Base time in minutes, increment in seconds a move."""

    base: float
    increment: float


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent who is not rated here: a plain rating, or (foreign events) his FIDE rating or his performance."""

    rating: float | None = None
    fide: float | None = None
    performance: float | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game between two sides, each a player's id or an `Opponent`; `black` is None for a bye."""

    white: str | Opponent
    black: str | Opponent | None
    result: GameResult
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A section that is rated as a unit."""

    id: str
    games: tuple[Game, ...]
    ended: date | None = None
    time_control: TimeControl | None = None


Words = str | tuple[str | float, ...]  # sentences, with the figures among them unrounded


def sentences(*parts: Words) -> Words:
    """Sentences one after the other; those that are empty are left out."""
    pieces: list[str | float] = []
    for part in parts:
        if part:
            pieces += [" "] if pieces else []
            pieces += [part] if isinstance(part, str) else part
    return tuple(pieces) if any(isinstance(piece, float) for piece in pieces) else "".join(map(str, pieces))


class CellKind(StrEnum):
    """What a cell holds: pages write, group and link cells by their kind, never by their labels."""

    FIGURE = "figure"  # any number without a kind of its own
    RATING = "rating"  # `ref`: the player whose rating it is, where pages say where it came from
    CHANGE = "change"  # points gained or lost, written with their sign
    SCORE = "score"  # points, or a number of games
    ROUND = "round"
    DAY = "day"  # as in 2024-03-29
    TEXT = "text"
    PLAYER = "player"  # `ref`: his id in the calculation
    OUTSIDE = "outside"  # in the place of an opponent who is not rated here; `ref`: the index of the game in its event
    EVENT = "event"  # `ref`: its id
    PENALTY = "penalty"  # in words; `ref`: the id of its event
    ADJUSTMENT = "adjustment"  # in words


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a step with its label.

    `decimals` is how many places a reader wants at first sight; the value itself is never rounded. `ref` is the id of the
    player, event or game that the value speaks of (see `CellKind`); empty: of none that has a page.
    """

    label: str
    value: float | Words | None
    decimals: int = 2
    kind: CellKind = CellKind.FIGURE
    ref: str = ""

    @classmethod
    def figure(cls, label: str, value: SupportsFloat | None, decimals: int = 2) -> "Cell":
        """Return a number without a kind of its own; nan is none, as in all cells with a number."""
        return cls(label, _number(value), decimals)

    @classmethod
    def rating(cls, label: str, value: SupportsFloat | None, decimals: int = 2, ref: str = "") -> "Cell":
        """Return a rating."""
        return cls(label, _number(value), decimals, CellKind.RATING, ref)

    @classmethod
    def change(cls, label: str, value: SupportsFloat | None, decimals: int = 2) -> "Cell":
        """Points gained or lost."""
        return cls(label, _number(value), decimals, CellKind.CHANGE)

    @classmethod
    def score(cls, label: str, value: SupportsFloat | None, decimals: int = 0) -> "Cell":
        """Points or a number of games."""
        return cls(label, _number(value), decimals, CellKind.SCORE)

    @classmethod
    def text(cls, label: str, value: Words) -> "Cell":
        """Words."""
        return cls(label, value, kind=CellKind.TEXT)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an explanation, in the order in which a person would check it.

    `id` names the step within its explanation. `formula` is the rule in words and letters, `rows` the figures put in (one
    row a game, tournament or term), `result` what comes out, `source` the article or document, `remark` what a reader must
    know (a limit that acted).
    """

    id: str
    label: str
    formula: str
    rows: tuple[tuple[Cell, ...], ...]
    result: tuple[Cell, ...]
    source: str
    remark: Words = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a player's rating is what it is: the steps, from the calculation's own columns. `player`: his id there."""

    player: str
    title: str
    steps: tuple[Step, ...]

    def step(self, id: str) -> Step | None:
        """Return the step of that id; None where the explanation has none."""
        return next((step for step in self.steps if step.id == id), None)


def opponent_cells(game: int, round_: int | None, opponent: str | None) -> tuple[Cell, Cell]:
    """Round and opponent of a game, given by its index in the event; `opponent`: his id, None for one not rated here."""
    if opponent is None:
        met = Cell("Opponent", "not rated here", kind=CellKind.OUTSIDE, ref=str(game))
    else:
        met = Cell("Opponent", opponent, kind=CellKind.PLAYER, ref=opponent)
    return Cell("Round", round_, 0, CellKind.ROUND), met


def _number(value: SupportsFloat | None) -> float | None:
    number = None if value is None else float(value)
    return None if number is None or math.isnan(number) else number
