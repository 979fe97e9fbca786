"""Tells in which order a list writes day and month, by those of its dates that can be read one way only. Pure."""

import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache

from events.files.collector import Kind, Report, quoted
from events.files.dates import LONGEST

_FIRST_TWO = re.compile(r"(\d{1,2})\s*[./ -]\s*(\d{1,2})\s*[./ -]\s*(\d{4})\.?")
_YEAR_FIRST = re.compile(r"(\d{4})\s*[./ -]\s*(\d{1,2})\s*[./ -]\s*(\d{1,2})\.?")
_DAY, _MONTH = "day", "month"  # which of the two stands first
Place = tuple[int, int | None, int | None]  # line, first and last column


def _matched(form: re.Pattern[str], text: str) -> re.Match[str] | None:
    date_text = text.strip()
    return form.fullmatch(date_text) if len(date_text) <= LONGEST else None


def stands_first(text: str) -> str | None:
    """Return which of day and month stands first in a date such as 17/05/1990; "" if it may be either, None if the date is
    not of this form or is the same either way."""
    date_text = text.strip()
    return _stands_first(date_text) if len(date_text) <= LONGEST else None


@lru_cache(
    maxsize=1 << 15
)  # as many births as a long list has; hazard: what is kept stays in memory, so nothing long is
def _stands_first(date_text: str) -> str | None:
    match = _FIRST_TWO.fullmatch(date_text)
    if match is None:
        return None
    first, second = int(match[1]), int(match[2])
    if first == second or not 1 <= min(first, second) <= 12:
        return None
    return _DAY if first > 12 else _MONTH if second > 12 else ""


def day_first(text: str) -> str:
    """Return a date that has the month first with the day first."""
    match = _matched(_FIRST_TWO, text)
    return f"{match[2]}/{match[1]}/{match[3]}" if match else text


class DayOrder:
    """Reads the dates of a list of which day or month may stand first: 05/06/1999 is 5 June or 6 May.

    The other dates of the list tell which; if none does, or they contradict one another, it is an error.
    """

    def __init__(self, dates: Callable[[], Iterable[tuple[int, str]]], error: Kind, note: Kind) -> None:
        """`dates`: gives all dates of the list with their lines, asked for at most once; `error`, `note`: the kinds of
        finding of a date that is not read, and of the order in which the dates were read."""
        self._dates, self._error, self._note = dates, error, note
        self._told: dict[str, tuple[int, str]] = {}  # order → line and text of the first date that tells it
        self._looked = False

    def read(self, text: str, day: date, place: Place, report: Report) -> date | None:
        """Return the date that a text means; None with a finding. `day`: as it is if the day stands first."""
        year_first = _matched(_YEAR_FIRST, text) if text[:4].isdecimal() else None
        if year_first is not None and int(year_first[2]) > 12:
            if report.counts(self._error):
                return None
            message = (
                f"In {quoted(text)} the day stands before the month: write it as {day}, if that is right, and all dates of the"
                " list as YYYY-MM-DD."
            )
            report.add(self._error, message, *place)
            return None
        order = stands_first(text)
        if order is None:
            return day
        if order:
            return self._certain(order, text, day, place, report)
        return self._either(text, day, place, report)

    def _certain(self, order: str, text: str, day: date, place: Place, report: Report) -> date | None:
        self._told.setdefault(order, (place[0], text))
        other = _MONTH if order == _DAY else _DAY
        if other not in self._told:
            return day
        if report.counts(self._error):
            return None
        line, shown = self._told[other]
        message = (
            f"{quoted(text)} has the {order} first, line {line} ({quoted(shown)}) the {other}: write the dates of the list as"
            " YYYY-MM-DD, so that none is taken for another."
        )
        report.add(self._error, message, *place)
        return None

    def _either(self, text: str, day: date, place: Place, report: Report) -> date | None:
        if not self._told and not self._looked:
            self._looked = True
            for line, shown in self._dates():
                if order := stands_first(shown):
                    self._told[order] = line, shown
                    break
        if len(self._told) == 1:
            ((order, (line, shown)),) = self._told.items()
            meant = day if order == _DAY else _swapped(day)
            if report.counts(self._note):
                return meant
            message = (
                f"Dates such as {quoted(text)} are read with the {order} first, here {meant}, since line {line} has"
                f" {quoted(shown)}. If that is wrong, write the dates of the list as YYYY-MM-DD."
            )
            report.add(self._note, message, *place)
            return meant
        if report.counts(self._error):
            return None
        why = "the list has both orders" if self._told else "no other date of the list tells which"
        either = f"{day} (day first) or {_swapped(day)} (month first)"
        message = f"{quoted(text)} can be {either}, and {why}: write the one that is meant."
        report.add(self._error, message, *place)
        return None


def _swapped(day: date) -> date:
    return day.replace(month=day.day, day=day.month)
