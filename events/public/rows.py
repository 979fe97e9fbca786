"""The lines of a section's tables, as texts with the numbers behind them."""

from dataclasses import dataclass, field

from events.rules.game_result import Result


@dataclass(frozen=True, slots=True)
class RoundCell:
    """A round in the crosstable. `opponent`: number of the opponent's line; `outcome`: win, draw, loss, unplayed or none.

    `value` are the points as a number, `result` how the game ended; None without a game.
    """

    opponent: str
    colour: str
    points: str
    outcome: str
    value: float | None = None
    result: Result | None = None

    @property
    def text(self) -> str:
        """The opponent and the colour: `12w`; a name stands apart from it."""
        apart = " · " if self.colour and not self.opponent.isdecimal() else ""
        return f"{self.opponent}{apart}{self.colour}"


EMPTY = RoundCell("", "", "", "none")


@dataclass(slots=True)
class Figures:
    """The numbers of a line, unrounded. `changes`: by list, None for who is new to a list of another system."""

    points: float
    before: float | None = None
    performance: float | None = None
    changes: dict[int, float | None] = field(default_factory=dict)
    tie_breaks: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ListFigures:
    """What a section earned on a list: performance, change and its direction, as texts."""

    performance: str
    change: str
    direction: str


@dataclass(slots=True)
class StandingRow:
    """A player's line; `number` is "" of a hidden one. `cells`: the rounds; `lists`: what was earned, by id of the
    list; `tie_breaks`: in the table's order.

    `figures`: the numbers behind the texts. `before`: Main rating before the period; `performance`, `main`: on Main.
    `team` and `board`: of teams only.
    """

    line: int
    rank: int
    number: str
    name: str
    title: str
    region: str
    points: str
    figures: Figures
    team: str = ""
    team_key: int | None = None
    board: int | None = None
    before: str = ""
    performance: str = ""
    main: str = ""
    main_direction: str = ""
    cells: list[RoundCell] = field(default_factory=list)
    lists: dict[int, ListFigures] = field(default_factory=dict)
    tie_breaks: list[str] = field(default_factory=list)
