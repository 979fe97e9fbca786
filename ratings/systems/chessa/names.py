"""What stands behind the rows of a period's columns, for explanations. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Abroad:
    """The rating that a guest brought: his FIDE rating, or his performance where he has none.

    `month`: of FIDE's list that has the rating, as 2024-03, "" if it was not compared.
    """

    rating: float
    fide: bool
    month: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A player or an event: the id by which pages know it (empty: it has no page), and what readers call it."""

    ref: str
    name: str


@dataclass(frozen=True, slots=True)
class Names:
    """What stands behind the rows of the columns: players and events by row, guests and rounds by row of their game."""

    players: Sequence[Named]
    events: Sequence[Named]
    guests: Mapping[int, str] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)
    abroad: Mapping[int, Abroad] = field(default_factory=dict)  # by row of the guest's game
    earlier: Mapping[tuple[int, float], Named] = field(default_factory=dict)  # by day of end and performance
    controls: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # base and increment, by row of the event
    penalties: Sequence[tuple[int, str]] = ()  # round and kind, by row of the columns' penalties
    adjustments: Sequence[str] = ()  # why, by row of the columns' adjustments
