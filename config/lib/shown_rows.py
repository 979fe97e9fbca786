"""What a page shows of rows that may be thousands: the first ones, and how many more there are. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

MOST_SHOWN = 100  # on a page, of the rows of one part: so many that are open, and so many others
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Shown(Generic[Row]):
    """The rows that a page shows, and how many more there are that are open, as without an answer, and how many others."""

    rows: list[Row]
    more_open: int
    more_answered: int

    @property
    def more(self) -> int:
        """How many more there are."""
        return self.more_open + self.more_answered

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self.rows) + self.more


def first_of(rows: Iterable[Row], is_open: Callable[[Row], bool] = lambda row: True) -> Shown[Row]:
    """Return the first MOST_SHOWN rows that are open and the first MOST_SHOWN others, in their order."""
    counts, shown = {True: 0, False: 0}, list[Row]()
    for row in rows:
        kind = is_open(row)
        counts[kind] += 1
        if counts[kind] <= MOST_SHOWN:
            shown.append(row)
    return Shown(shown, *(max(0, counts[kind] - MOST_SHOWN) for kind in (True, False)))
