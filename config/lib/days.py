"""Which days a person can mean, of whatever is entered: the one check of forms, files and the admin. Pure."""

from collections.abc import Iterator
from datetime import date, timedelta

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2099, 12, 31)  # of an event, a fee year, a rating period
FIRST_RATED_DAY = date(1990, 1, 1)  # of a calculator and of results from abroad: no rating system here is older
FIRST_BIRTH_DAY = date(1900, 1, 1)  # that is entered; in a file the year 1900 and all before stand for “unknown”
BIRTH_YEARS = (1880, 2100)  # that the register can hold
LONGEST = timedelta(days=366)

Problem = tuple[str, str]  # name of the field, what is wrong and how to mend it


def day_problem(day: date, *, first: date = FIRST_DAY) -> str:
    """What is wrong with a day in another age; empty when nothing is."""
    return "" if first <= day <= LAST_DAY else f"{day.year} cannot be meant. Correct the year."


def order_problem(starts: date, ends: date) -> str:
    """What is wrong with a last day: before the first, or more than a year after it; empty when nothing is."""
    if ends < starts:
        return "The last day comes before the first. Correct one of them."
    return "That is more than a year. Correct one of the days." if ends - starts > LONGEST else ""


def span_problems(starts: date | None, ends: date | None) -> Iterator[Problem]:
    """What is wrong with a first and a last day: in another age, in the wrong order, too far apart."""
    for name, day in (("starts", starts), ("ends", ends)):
        if day and (message := day_problem(day)):
            yield name, message
    if starts and ends and (message := order_problem(starts, ends)):
        yield "ends", message


def is_birth_year(year: int) -> bool:
    """Whether a year in a file is one of birth: lists write 1900, or an earlier one, for a date that is not known."""
    return FIRST_BIRTH_DAY.year < year <= LAST_DAY.year


def outside_problems(starts: date, ends: date, first: date, last: date) -> Iterator[Problem]:
    """What lies outside the days of the event, from the first to the last."""
    for name, day in (("starts", starts), ("ends", ends)):
        if not first <= day <= last:
            yield name, "It lies outside the event’s days."


def next_month(month: date) -> date:
    """The first day of the month after the one that begins on `month`."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)
