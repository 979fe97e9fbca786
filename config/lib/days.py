"""Which days a person can mean, of whatever is entered: the one check of forms, files and the desk. Pure."""

from collections.abc import Iterator
from datetime import date, timedelta

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2099, 12, 31)
LONGEST = timedelta(days=366)

Problem = tuple[str, str]  # name of the field, what is wrong and how to mend it


def span_problems(starts: date | None, ends: date | None) -> Iterator[Problem]:
    """What is wrong with a first and a last day: in another age, in the wrong order, too far apart."""
    for name, day in (("starts", starts), ("ends", ends)):
        if day and not FIRST_DAY <= day <= LAST_DAY:
            yield name, f"{day.year} cannot be meant. Correct the year."
    if starts and ends and ends < starts:
        yield "ends", "The last day comes before the first. Correct one of them."
    elif starts and ends and ends - starts > LONGEST:
        yield "ends", "That is more than a year. Correct one of the days."


def outside_problems(starts: date, ends: date, first: date, last: date) -> Iterator[Problem]:
    """What lies outside the days of the event, from the first to the last."""
    for name, day in (("starts", starts), ("ends", ends)):
        if not first <= day <= last:
            yield name, "It lies outside the event’s days."


def next_month(month: date) -> date:
    """The first day of the month after the one that begins on `month`."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)
