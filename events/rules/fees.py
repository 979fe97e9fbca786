"""The fee years of the AOC (Arbiters and Organisers Commission), and what article 7 asks of them. Pure.

A fee year begins on the first day of the month `begins`: 1 is the calendar year, 10 the commission's own, October to
September. Its number is the calendar year in which it ends, so that January to September have one number either way.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from config.lib.days import FIRST_DAY, LAST_DAY
from events.rules.constants import HOME
from events.rules.days import day_errors
from events.rules.findings import Finding, field_error


def fee_year(day: date, *, begins: int) -> int:
    """Return the number of the fee year in which a day lies."""
    return day.year + (begins > 1 and day.month >= begins)


def fee_year_label(year: int, *, begins: int) -> str:
    """Return the name of a fee year: `2024`, or `2023/24` if it lies in two calendar years."""
    return str(year) if begins == 1 else f"{year - 1}/{year % 100:02}"


def fee_year_days(year: int, *, begins: int) -> tuple[date, date]:
    """Return the first and the last day of a fee year."""
    first = year if begins == 1 else year - 1
    return date(first, begins, 1), date(first + 1, begins, 1) - timedelta(days=1)


def read_fee_year(text: str, *, begins: int) -> int | None:
    """Return the fee year that a text names: `2024`, or `2023/24`, `2023/2024`, `2023-24` if it lies in two calendar years.

    None for any other text, and for an implausible year.
    """
    if not text.isascii():
        return None
    if re.fullmatch(r"\d{4}", text):
        year = int(text)
    else:
        parts = re.fullmatch(r"(\d{4}) ?[/-] ?(\d{4}|\d{2})", text)
        if parts is None or begins == 1:
            return None
        year = int(parts[1]) + 1
        if year % 10 ** len(parts[2]) != int(parts[2]):
            return None
    return year if FIRST_DAY.year <= year <= LAST_DAY.year else None


def payment_errors(day: date, *, today: date) -> Iterator[Finding]:
    """Yield what is wrong with a day of payment, at the field `paid_on`: implausible, or in the future."""
    yield from day_errors("paid_on", day)
    if day > today:
        message = f"The payment of {day} is still to come. Correct the day."
        yield field_error("paid_on", "payment-to-come", message)


def asks_fee(federation: str) -> bool:
    """Return whether arbiters of a federation pay the AOC's fee: article 7 is about RSA arbiters."""
    return federation == HOME


def has_paid(paid: Iterable[tuple[int, date]], starts: date, *, begins: int) -> bool:
    """Return whether the fee for the year of an event was paid before the event starts (article 7).

    `paid`: fees as (fee year, day of payment); the year of an event is that of its first day, `starts`.
    """
    wanted = fee_year(starts, begins=begins)
    return any(year == wanted and day < starts for year, day in paid)


LICENCE_YEAR_BEGINS = 1  # FIDE counts calendar years


def has_licence(federation: str, paid: Iterable[tuple[int, date]], starts: date) -> bool:
    """Return whether FIDE's licence fee for the year of an event was paid before its start, or is not asked (article 12.3).

    It is asked of the AOC's arbiters, as the membership fee is; `paid` as in `has_paid`.
    """
    return is_covered(federation, paid, starts, begins=LICENCE_YEAR_BEGINS)


def is_covered(federation: str, paid: Iterable[tuple[int, date]], starts: date, *, begins: int) -> bool:
    """Return whether article 7 allows an arbiter at an event that starts on a day: no fee is asked, or it is paid."""
    return not asks_fee(federation) or has_paid(paid, starts, begins=begins)
