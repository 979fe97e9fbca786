"""Days that a person enters for an event or a section: plausible, in order, within the event. Pure.

Each function yields what is wrong as errors at the fields `starts` and `ends` of a form.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from config.lib.days import FIRST_DAY, LONGEST, is_plausible
from events.rules.findings import Finding, field_error


def day_errors(field: str, day: date, *, first: date = FIRST_DAY, article: str = "") -> Iterator[Finding]:
    """Yield an error for a day before `first` or in another century."""
    if not is_plausible(day, first=first):
        yield field_error(field, "date-implausible", f"{day.year} cannot be meant. Correct the year.", article)


def order_errors(starts: date, ends: date, *, article: str = "") -> Iterator[Finding]:
    """Yield an error for a last day that is before the first, or more than a year after it."""
    if ends < starts:
        message = "The last day comes before the first. Correct one of them."
        yield field_error("ends", "dates-in-no-order", message, article)
    elif ends - starts > LONGEST:
        yield field_error("ends", "dates-in-no-order", "That is more than a year. Correct one of the days.", article)


def span_errors(starts: date | None, ends: date | None) -> Iterator[Finding]:
    """Yield what is wrong with a first and a last day by themselves."""
    for field, day in (("starts", starts), ("ends", ends)):
        if day:
            yield from day_errors(field, day)
    if starts and ends:
        yield from order_errors(starts, ends)


def outside_errors(starts: date, ends: date, first: date, last: date) -> Iterator[Finding]:
    """Yield an error for each day of a section outside those of its event, from `first` to `last`."""
    for field, day in (("starts", starts), ("ends", ends)):
        if not first <= day <= last:
            yield field_error(field, "date-outside", "It lies outside the event’s days.")


# How the rounds of a section follow one another: pattern → (rounds a day, days from one day of play to the next).
ROUND_PATTERNS = {"one-day": (31, 1), "daily": (1, 1), "two-a-day": (2, 1), "weekly": (1, 7)}


def round_days(first: date, rounds: int, pattern: str) -> list[date]:
    """Return the days of a section's rounds in order, from its first day on, by a pattern of `ROUND_PATTERNS`.

    Raises KeyError for another pattern, ValueError for a first day that nobody can mean.
    """
    a_day, apart = ROUND_PATTERNS[pattern]
    if not is_plausible(first):
        raise ValueError(first)
    return [first + timedelta(days=number // a_day * apart) for number in range(rounds)]
