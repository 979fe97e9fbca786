"""Time controls: their length in minutes, type of game and tournament weight (articles 19, 20, 23 and 27). Pure.

Base times are in minutes, increments in seconds a move. Functions that take an edition also accept numpy columns; the
calculation of a month uses them. Functions that take the last day of a section look up the edition by which the month of
that day is calculated.
"""

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from config.lib.days import LAST_DAY, next_month
from config.lib.editions import Edition
from events.rules.constants import events_edition
from events.rules.findings import Finding, field_error

TYPES_OF_GAME = ("standard", "rapid", "blitz")


def minutes(base: float, increment: float, edition: Edition) -> float:
    """Return the length of a time control in minutes (article 19)."""
    return base + float(edition["increments"]) / 60 * increment


def types_of_game(of_minutes: NDArray[np.float64], edition: Edition) -> NDArray[np.int64]:
    """Return the types of game of time controls in minutes (articles 20 and 23), as indices of TYPES_OF_GAME; -1: not rated."""
    types = edition["types_of_game"]
    indices = np.array([-1, *(TYPES_OF_GAME.index(name) for _, name in types)])
    return indices[np.searchsorted([least for least, _ in types], of_minutes, side="right")]


def tournament_weights(of_minutes: NDArray[np.float64], edition: Edition) -> NDArray[np.float64]:
    """Return the tournament weights Tw on Main of time controls in minutes (article 27)."""
    a, b, c, d = edition["tournament_weight"]
    weights: NDArray[np.float64] = a - b / (1 + (of_minutes / c) ** d)
    return weights


@lru_cache(maxsize=1024)
def type_of_game(base: int, increment: int, ends: date) -> str:
    """Return `standard`, `rapid` or `blitz` for a section that ends on a day, `not rated` below the least time."""
    index = int(types_of_game(*_column(base, increment, ends))[0])
    return "not rated" if index < 0 else TYPES_OF_GAME[index]


def tournament_weight(base: int, increment: int, ends: date) -> float:
    """Return the tournament weight Tw on Main of a section that ends on a day, 0 to 1.2 (article 27)."""
    return float(tournament_weights(*_column(base, increment, ends))[0])


def speed_errors(base: int, increment: int, ends: date, *, field: str = "") -> Iterator[Finding]:
    """Yield an error for a section that ends on a day and is too fast to be rated (article 23), at a form's field."""
    edition = edition_at(ends)
    least, given = edition["types_of_game"][0][0], minutes(base, increment, edition)
    if given < least:
        message = (
            f"{base}+{increment} makes {given:g} {'minute' if given == 1 else 'minutes'}; under {least:g} is not rated."
        )
        yield field_error(field, "too-fast", message, "23")


def time_control_text(base: int, increment: int) -> str:
    """Return a time control in words: `90 min + 30 s`, or `15 min` without an increment."""
    return f"{base} min + {increment} s" if increment else f"{base} min"


def _column(base: int, increment: int, ends: date) -> tuple[NDArray[np.float64], Any]:
    edition = edition_at(ends)
    return np.array([minutes(base, increment, edition)]), edition


def edition_at(ends: date) -> Edition:
    """Return the edition by which the month of a section that ends on a day is calculated."""
    return events_edition(next_month(min(ends, LAST_DAY).replace(day=1)))
