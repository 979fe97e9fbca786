"""Time controls: in minutes, the type of game that they make, and their weight (articles 19, 20, 23 and 27). Pure.

Functions of the edition work on whole columns of time controls too: the calculation of a month uses them. Those of a day look
the edition up, as it is in force when the month of a section that ended on that day is calculated.
"""

from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from config.lib.days import LAST_DAY, next_month
from config.lib.editions import Edition
from events.rules.constants import edition_for

TYPES_OF_GAME = ("standard", "rapid", "blitz")


def minutes(base: float, increment: float, edition: Edition) -> float:
    """A time control in minutes (article 19) of a base time in minutes and an increment in seconds a move."""
    return base + float(edition["increments"]) / 60 * increment


def types_of_game(of_minutes: NDArray[np.float64], edition: Edition) -> NDArray[np.int64]:
    """The types of game (articles 20 and 23) of time controls in minutes, as indices in TYPES_OF_GAME; -1: not rated."""
    types = edition["types_of_game"]
    indices = np.array([-1, *(TYPES_OF_GAME.index(name) for _, name in types)])
    return indices[np.searchsorted([least for least, _ in types], of_minutes, side="right")]


def tournament_weights(of_minutes: NDArray[np.float64], edition: Edition) -> NDArray[np.float64]:
    """Tw of article 27, on Main, of time controls in minutes."""
    a, b, c, d = edition["tournament_weight"]
    weights: NDArray[np.float64] = a - b / (1 + (of_minutes / c) ** d)
    return weights


@lru_cache(maxsize=1024)
def type_of_game(base: int, increment: int, ends: date) -> str:
    """`standard`, `rapid` or `blitz` for a section that ends on a day; `not rated` below the least time."""
    index = int(types_of_game(*_column(base, increment, ends))[0])
    return "not rated" if index < 0 else TYPES_OF_GAME[index]


def tournament_weight(base: int, increment: int, ends: date) -> float:
    """Tw on Main of a section that ends on a day, 0 to 1.2 (article 27)."""
    return float(tournament_weights(*_column(base, increment, ends))[0])


def too_fast(base: int, increment: int, ends: date) -> str:
    """That a section that ends on a day is too fast to be rated, as a sentence (article 23); empty when it is not."""
    edition = _edition_on(ends)
    least = edition["types_of_game"][0][0]
    reached = minutes(base, increment, edition)
    if reached >= least:
        return ""
    return f"{base}+{increment} makes {reached:g} minutes; under {least:g} is not rated."


def time_control_text(base: int, increment: int) -> str:
    """`90 min + 30 s`, or `15 min` without an increment."""
    return f"{base} min + {increment} s" if increment else f"{base} min"


def _column(base: int, increment: int, ends: date) -> tuple[NDArray[np.float64], Any]:
    edition = _edition_on(ends)
    return np.array([minutes(base, increment, edition)]), edition


def _edition_on(ends: date) -> Edition:
    return edition_for(next_month(min(ends, LAST_DAY).replace(day=1)))
