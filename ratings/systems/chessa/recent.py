"""The last five tournaments of a player on a list (article 35) and their weighted performance (36–38). Pure.

Shapes: m rows, each a player on a list; the tournaments newest first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from config.lib.editions import Edition
from events.rules.time_controls import TYPES_OF_GAME
from ratings.systems.chessa.columns import RECENT, Floats, Ints, PeriodColumns
from ratings.systems.chessa.result import EventColumns

_COLUMN_BITS = 4
_KIND_BITS = 2


@dataclass(frozen=True, slots=True)
class RecentColumns:
    """Up to five tournaments a row."""

    performance: Floats  # (m, 5) newest first; nan: none
    ended: Ints  # (m, 5) day; 0: none
    kind: Ints  # (m, 5) index in TYPES_OF_GAME; -1: none


def newest_of_period(columns: PeriodColumns, kind: Ints, by_event: EventColumns, runs: Ints) -> RecentColumns:
    """Return up to five tournaments of the period itself for every player on a list who played, in the order of `by_event`.

    `runs` (m,): where in `by_event` each of them begins.
    """
    lengths = np.diff(runs, append=len(by_event.event))
    position = np.arange(len(by_event.event)) - np.repeat(runs, lengths)
    chosen = np.flatnonzero(position < RECENT)
    place = (np.repeat(np.arange(len(runs)) * RECENT, lengths) + position).take(chosen)
    event = by_event.event.take(chosen)
    performance = np.full((len(runs), RECENT), np.nan)
    ended = np.zeros((len(runs), RECENT), dtype=np.int64)
    kinds = np.full((len(runs), RECENT), -1, dtype=np.int64)
    performance.ravel()[place] = by_event.performance.take(chosen)
    ended.ravel()[place] = columns.event_ended.take(event)
    kinds.ravel()[place] = kind.take(event)
    return RecentColumns(performance, ended, kinds)


def merge_recent(new: RecentColumns, stored: RecentColumns) -> RecentColumns:
    """Return the newest five by end date of this period's and the stored ones; on one day this period's come first.

    Both are newest first already, and on one day keep their order.
    """
    columns = np.arange(2 * RECENT)
    # One integer a tournament sorts by day, then by column, and carries the type along: much faster than an argsort.
    new_keys, stored_keys = (
        ((-recent.ended << _COLUMN_BITS) + places << _KIND_BITS) + (recent.kind + 1)
        for recent, places in ((new, columns[:RECENT]), (stored, columns[RECENT:]))
    )
    # The first five of two ordered fives: each against its mirror image in the other.
    keys = np.minimum(new_keys, stored_keys[:, ::-1])
    keys.sort(axis=1)
    column = (keys >> _KIND_BITS) & ((1 << _COLUMN_BITS) - 1)
    performance = np.concatenate((new.performance, stored.performance), axis=1)
    first = np.arange(len(performance))[:, np.newaxis] * (2 * RECENT)
    return RecentColumns(
        performance=performance.take(column + first),
        ended=-(keys >> (_COLUMN_BITS + _KIND_BITS)),
        kind=(keys & ((1 << _KIND_BITS) - 1)) - 1,
    )


def age_weights(ended: Ints, calculated_on: int, edition: Edition) -> Floats:
    """Return A of article 36: (2920 − days)/2920, days from the end to the day of calculation; nan if older, or none."""
    whole: int = edition["recent_days"]
    left = whole - calculated_on + ended
    # A day of 0 is far out of range: no tournament needs no rule of its own.
    weights: Floats = np.where(left >= 0, left / whole, np.nan)
    return weights


def type_weights(kind: Ints, main: Any, edition: Edition) -> Floats:
    """R of articles 37 and 38: by type of game where `main` holds, else 1. `main` is broadcast against `kind`."""
    weights: Floats = np.array([*(edition["type_weights"][name] for name in TYPES_OF_GAME), 1.0])
    return weights.take(np.where(main, kind, len(TYPES_OF_GAME)))


def weighted_terms(recent: RecentColumns, main: Any, calculated_on: int, edition: Edition) -> Floats:
    """P × R × A × i of article 36 (m, 5); nan: no tournament, or too old. `main` (m, 1): the list is Main."""
    terms = recent.performance * type_weights(recent.kind, main, edition)
    terms *= age_weights(recent.ended, calculated_on, edition)
    terms *= np.array(edition["recent_weights"])
    return terms


def weighted_performances(terms: Floats, edition: Edition) -> Floats:
    """Wp (m,) of terms (m, 5); nan with fewer than five tournaments young enough."""
    total: Floats = terms.sum(axis=1) / edition["recent_divisor"]
    return total
