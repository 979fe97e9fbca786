"""Why a rating that is calculated here differs from the one that another bureau published: the likeliest cause. Pure.

A cause is likely when the calculation, with that one thing changed, leads to the other bureau's rating.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from config.lib import formatting
from config.lib.editions import Edition
from events.rules.time_controls import tournament_weights
from ratings.systems.chessa.columns import LISTS, RECENT, Floats, PeriodColumns
from ratings.systems.chessa.result import PeriodResult

_USUAL_MINUTES = (5, 6, 8, 10, 13, 15, 20, 25, 30, 35, 40, 45, 60, 70, 75, 90, 105, 120, 150, 180)
_MOST_PENALTIES = 5
_HALF = 0.5 + 1e-9  # what rounding to a whole number takes away at most


class Kind(StrEnum):
    """A likely cause of a difference."""

    NOT_ON_REGISTER = "not on the register"
    NOT_LISTED = "not on their list"
    MISSING_STANDING = "missing standing"
    MISSING_EVENT = "missing event"
    NOT_RATED_THERE = "not rated there"
    TIME_CONTROL = "another Tw"
    PENALTY = "penalty"
    MISSING_HISTORY = "missing history"
    PERFORMANCES = "weighted performance"
    K = "another K"
    LIMIT = "article 47"
    STANDING_DIFFERED = "another standing before"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Cause:
    """A likely cause and what it is in this case, in words."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class _Event:
    place: int  # in the columns of events
    change: float
    tw: float


@dataclass(frozen=True, slots=True)
class PlayerMonth:
    """A player's month on one of the four lists, as it was calculated here. `padded`: how many of the 24 former ratings of the
    opening balance were filled in; `highest_filled`: so was the highest rating."""

    columns: PeriodColumns
    result: PeriodResult
    edition: Edition
    previous: Floats  # (4, n) published before the month
    names: list[str]  # of the events
    list_index: int
    row: int
    padded: int = 0
    highest_filled: bool = False

    def cause(self, there: float) -> Cause:
        """Return the likely cause of a difference from the rating that the other bureau published."""
        if not self._figure(self.result.games):
            return self._without_games(there)
        return next(self._with_games(there), Cause(Kind.UNEXPLAINED, self._unexplained(there)))

    def events(self) -> list[_Event]:
        """The player's events on the list."""
        by_event = self.result.by_event
        mine = np.flatnonzero((by_event.list_index == self.list_index) & (by_event.player == self.row)).tolist()
        return [
            _Event(int(by_event.event[index]), float(by_event.change[index]), float(by_event.tw[index]))
            for index in mine
        ]

    def _figure(self, figures: NDArray[Any]) -> float:
        return float(figures[self.list_index, self.row])

    @property
    def _start(self) -> float:
        raw = self._figure(self.columns.standings.raw)
        return float(self.edition["unrated_rating"]) if np.isnan(raw) else raw

    def _published(
        self,
        change: float,
        *,
        by_performance: bool = True,
        penalty: float | None = None,
        limited: bool = True,
        floored: bool = True,
    ) -> float:
        """Return the published rating with another sum of the games' changes, without what is left out."""
        result, start = self.result, self._start
        limit = self._figure(result.limit)
        raw: float = start + (min(max(change, -limit), limit) if limited else change)
        wp = self._figure(result.weighted_performance)
        if by_performance and wp > raw:
            raw = min(wp, start + limit)
        floor = self._figure(result.floor) if floored else 0.0
        raw = max(raw, floor)
        deducted = self._figure(result.penalty) if penalty is None else penalty
        raw = max(raw - deducted, floor) if deducted else raw
        moved = raw - self._figure(result.raw)
        weighted = self._figure(result.weighted) + self.edition["window"] * moved / self.edition["window_divisor"]
        return float(max(raw, weighted))

    def _without_games(self, there: float) -> Cause:
        before = self._figure(self.previous)
        for cause in (self._penalty(0.0, there), self._history(there)):
            if cause:
                return cause
        if np.isnan(before):
            return Cause(Kind.MISSING_STANDING, "no standing was brought and no game is rated here")
        if self._figure(self.result.raw) > self._start and _agrees(self._published(0.0, floored=False), there):
            text = "raised to the floor here and not there: the highest rating before differs (article 42)"
            return Cause(Kind.STANDING_DIFFERED, text)
        if abs(there - before) <= _HALF:
            text = "there nothing moved; here the weighted rating did, of former ratings that were all brought (article 49)"
            return Cause(Kind.UNEXPLAINED, text)
        return Cause(Kind.MISSING_EVENT, "the rating moved there, and no game of the month is rated here")

    def _with_games(self, there: float) -> Iterator[Cause]:
        change, events = self._figure(self.result.change), self.events()
        names = ", ".join(self.names[event.place] for event in events)
        before = self._figure(self.previous)
        if np.isnan(before):
            yield Cause(
                Kind.MISSING_STANDING, f"unrated before here, and began at 1200: his standing may be missing ({names})"
            )
        if not np.isnan(before) and (
            abs(there - before) <= _HALF or _agrees(self._published(0.0, by_performance=False), there)
        ):
            yield Cause(Kind.NOT_RATED_THERE, f"rated here and not there: {names}")
        if cause := self._penalty(change, there):
            yield cause
        for event in events:
            if len(events) > 1 and _agrees(self._published(change - event.change), there):
                yield Cause(Kind.NOT_RATED_THERE, f"rated here and not there: {self.names[event.place]}")
        yield from self._time_controls(change, events, there)
        if self._figure(self.result.raised) and _agrees(self._published(change, by_performance=False), there):
            yield Cause(Kind.PERFORMANCES, "raised here by the weighted performance, and not there (article 40)")
        if _agrees(self._published(change, limited=False), there):
            yield Cause(Kind.LIMIT, "held here by the greatest change of article 47, and not there")
        k = self._figure(self.result.k)
        for other in self.edition["k_factors"]:
            if other != k and _agrees(self._published(change * other / k), there):
                yield Cause(
                    Kind.K, f"with K {other:g} instead of {k:g}: the highest rating before differs (article 31)"
                )
        if cause := self._history(there):
            yield cause
        known = int(np.count_nonzero(self.columns.standings.recent_ended[self.list_index, self.row]))
        most = self._start + self._figure(self.result.limit)
        if known < RECENT and self._figure(self.result.published) < there <= most + _HALF:
            text = f"higher there: only {known} of {RECENT} earlier tournaments are known here, and article 40 asks for all"
            yield Cause(Kind.PERFORMANCES, text)

    def _time_controls(self, change: float, events: list[_Event], there: float) -> Iterator[Cause]:
        if LISTS[self.list_index] != LISTS[0]:
            return
        weights = tournament_weights(np.array(_USUAL_MINUTES, dtype=np.float64), self.edition).tolist()
        for event in events:
            for of_minutes, tw in zip(_USUAL_MINUTES, weights, strict=True):
                if abs(tw - event.tw) > 1e-6 and _agrees(
                    self._published(change - event.change * (1 - tw / event.tw)), there
                ):
                    yield Cause(
                        Kind.TIME_CONTROL,
                        f"{self.names[event.place]} with Tw {tw:.3f} (about {of_minutes} minutes) instead of {event.tw:.3f}",
                    )

    def _penalty(self, change: float, there: float) -> Cause | None:
        deducted = self._figure(self.result.penalty)
        if deducted and _agrees(self._published(change, penalty=0.0), there):
            return Cause(
                Kind.PENALTY, f"{deducted:g} penalty points were deducted here and not there (articles 51 to 54)"
            )
        each = self.edition["penalty_points"]
        for count in range(1, _MOST_PENALTIES + 1):
            if _agrees(self._published(change, penalty=deducted + count * each), there):
                return Cause(Kind.PENALTY, f"{count * each:g} penalty points were deducted there and not here")
        return None

    def _history(self, there: float) -> Cause | None:
        """Name the former ratings that were not brought, where there are any that lead to the rating there: between the
        lowest possible and the player's highest, which is 500 above the present one at most if it is not known (article 42)."""
        raw, weighted = self._figure(self.result.raw), self._figure(self.result.weighted)
        left = self.padded - 1  # the oldest of 24 leaves the window
        if left < 1 or there < raw - _HALF:
            return None
        lowest, highest = float(self.edition["floor"]), self._figure(self.columns.standings.highest)
        if self.highest_filled:
            highest = max(highest, self._start + self.edition["floor_drop"])
        unrated, weight = float(self.edition["unrated_rating"]), left * (left + 1) / 2 / self.edition["window_divisor"]
        average = unrated + (there - weighted) / weight
        if _agrees(raw, there):  # any lower average leads to it, too
            average = min(average, unrated + (raw - weighted) / weight, highest)
        if not lowest - _HALF / weight <= average <= highest + _HALF / weight:
            return None
        text = (
            f"{left} of the 24 former ratings were not brought and count {unrated:g}: at about {average:.0f} on average they"
            " lead to the rating there (article 49)"
        )
        return Cause(Kind.MISSING_HISTORY, text)

    def _unexplained(self, there: float) -> str:
        games = formatting.count(int(self._figure(self.result.games)), "game")
        missing = there - self._figure(self.result.published)
        return (
            f"{games} rated here; {formatting.change(missing, 1)} there: an event or result that is missing here, or another"
            " standing before"
        )


def _agrees(calculated: float, there: float) -> bool:
    """Return whether a rating is that of the list, which may be rounded to a whole number."""
    return abs(calculated - there) <= (_HALF if there == int(there) else 1e-6)
