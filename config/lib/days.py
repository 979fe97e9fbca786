"""Which days a person can mean, of whatever is entered: the one check of forms, files and the admin. Pure."""

from datetime import date, timedelta

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2099, 12, 31)  # of an event, a fee year, a rating period
FIRST_RATED_DAY = date(1990, 1, 1)  # of a calculator and of results from abroad: no rating system here is older
FIRST_BIRTH_DAY = date(1900, 1, 1)  # that is entered; in a file the year 1900 and all before stand for “unknown”
BIRTH_YEARS = (1880, 2100)  # that the register can hold
LONGEST = timedelta(days=366)


def day_problem(day: date, *, first: date = FIRST_DAY) -> str:
    """What is wrong with a day in another age; empty when nothing is."""
    return "" if first <= day <= LAST_DAY else f"{day.year} cannot be meant. Correct the year."


def order_problem(starts: date, ends: date) -> str:
    """What is wrong with a last day: before the first, or more than a year after it; empty when nothing is."""
    if ends < starts:
        return "The last day comes before the first. Correct one of them."
    return "That is more than a year. Correct one of the days." if ends - starts > LONGEST else ""


def is_birth_year(year: int) -> bool:
    """Whether a year in a file is one of birth: lists write 1900, or an earlier one, for a date that is not known."""
    return FIRST_BIRTH_DAY.year < year <= LAST_DAY.year


def next_month(month: date) -> date:
    """The first day of the month after the one that begins on `month`."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)
