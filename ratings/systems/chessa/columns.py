"""A Chess SA rating period as numpy columns: what the calculation takes. Pure.

Shapes: n players, e events (rated sections), g games, p penalties, a adjustments, 4 lists in the order of `LISTS`. Days are
proleptic ordinals (`date.toordinal`). The order of the rows is the order of summation: whoever fills the columns sorts them
first.
"""

from dataclasses import dataclass, field
from datetime import date

import numpy as np
from numpy.typing import NDArray

LISTS = ("main", "standard", "rapid", "blitz")  # a game of TYPES_OF_GAME[i] updates LISTS[0] and LISTS[i + 1]
RECENT = 5  # tournaments kept for the weighted performance (article 35)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StandingColumns:
    """Where every player stands at the start of a period, and again at its end."""

    raw: Floats  # (4, n); nan: unrated
    highest: Floats  # (4, n) highest published; nan: unrated
    window_sum: Floats  # (4, n) sum of the last 24 raw ratings, missing ones at the unrated's rating
    window_weighted: Floats  # (4, n) sum of R_i × (25 − i), i = 1 the newest
    pending_penalty: Floats  # (4, n) points that wait for a first rating (article 53)
    recent_performance: Floats  # (4, n, 5) newest first; nan: none
    recent_ended: Ints  # (4, n, 5) day; 0: none
    recent_kind: Ints  # (4, n, 5) index in TYPES_OF_GAME; -1: none


def _no_ints() -> Ints:
    return np.empty(0, dtype=np.int64)


def _no_floats() -> Floats:
    return np.empty(0, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class PeriodColumns:
    """One rating period: standings at its start, events, games, penalties, adjustments."""

    calculated_on: int
    standings: StandingColumns
    oldest: Floats  # (4, n) the 24th of the last raw ratings, which leaves the window now
    event_ended: Ints  # (e,) day
    event_minutes: Floats  # (e,) time control of article 19
    event: Ints  # (g,) index of the event
    white: Ints  # (g,) index of the player; -1: not rated here, `guest` has the rating
    black: Ints  # (g,)
    white_score: Floats  # (g,) 1, ½ or 0
    guest: Floats  # (g,) rating of the side that is not rated here, already adjusted (article 45); nan: both are
    penalty_player: Ints  # (p,)
    penalty_event: Ints  # (p,)
    penalty_points: Floats  # (p,)
    adjusted_player: Ints = field(default_factory=_no_ints)  # (a,)
    adjusted_list: Ints = field(default_factory=_no_ints)  # (a,) index in LISTS
    adjusted_points: Floats = field(default_factory=_no_floats)  # (a,) added to the raw rating (article 64)


def day(value: date) -> int:
    """Return the day of a date, as the columns hold it."""
    return value.toordinal()
