"""Plausible days, for forms, files and the admin alike, and the month after a month. Pure."""

from datetime import date, timedelta

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2099, 12, 31)  # of events, fee years, rating periods
FIRST_RATED_DAY = date(1990, 1, 1)  # in calculators and results from abroad: no rating system here is older
FIRST_BIRTH_DAY = date(1900, 1, 1)  # in forms; in files the year 1900 and all before stand for “unknown”
BIRTH_YEARS = (1880, 2100)  # that the register accepts
LONGEST = timedelta(days=366)  # that an event lasts


def is_plausible(day: date, *, first: date = FIRST_DAY) -> bool:
    """Return whether a person can mean a day: it is not before `first` and not in another century."""
    return first <= day <= LAST_DAY


def is_birth_year(year: int) -> bool:
    """Return whether a year in a file is one of birth: lists write 1900 or an earlier year for an unknown date."""
    return FIRST_BIRTH_DAY.year < year <= LAST_DAY.year


def middle_of_year(year: int) -> date:
    """Return the day that stands for a birth of which no more than the year is known."""
    return date(year, 7, 1)


def next_month(month: date) -> date:
    """Return the first day of the month after the one that begins on `month`."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def months_back(month: date, count: int) -> date:
    """Return the first day of the month that lies `count` months before."""
    months = month.year * 12 + month.month - 1 - count
    return date(months // 12, months % 12 + 1, 1)
