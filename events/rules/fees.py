"""The fee years of the AOC (Arbiters and Organisers Commission), and what article 7 asks of them. Pure.

A fee year begins on the first day of a month, `begins`: 1 is the calendar year, 10 the commission's own, October to
September. It bears the number of the calendar year in which it ends, so that January to September have one number either way.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from config.lib.days import FIRST_DAY, LAST_DAY, day_problem
from events.rules.constants import HOME


def fee_year(day: date, *, begins: int) -> int:
    """The number of the fee year in which a day lies."""
    return day.year + (begins > 1 and day.month >= begins)


def fee_year_label(year: int, *, begins: int) -> str:
    """A fee year as it is called: `2024`, or `2023/24` when it lies in two calendar years."""
    return str(year) if begins == 1 else f"{year - 1}/{year % 100:02}"


def fee_year_days(year: int, *, begins: int) -> tuple[date, date]:
    """The first and the last day of a fee year."""
    first = year if begins == 1 else year - 1
    return date(first, begins, 1), date(first + 1, begins, 1) - timedelta(days=1)


def read_fee_year(text: str, *, begins: int) -> int | None:
    """The fee year that a text names: `2024`, or `2023/24`, `2023/2024`, `2023-24` where it lies in two calendar years."""
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


def payment_problem(day: date, *, today: date) -> str:
    """What is wrong with a day of payment; empty when nothing is."""
    return day_problem(day) or (f"The payment of {day} is still to come. Correct the day." if day > today else "")


def asks_fee(federation: str) -> bool:
    """Whether the AOC's fee is asked of an arbiter of this federation: article 7 speaks of RSA arbiters."""
    return federation == HOME


def has_paid(paid: Iterable[tuple[int, date]], starts: date, *, begins: int) -> bool:
    """Whether the fee for the year of an event was paid before the event starts (article 7).

    `paid` are fees as (fee year, day of payment); the year of an event is that of its first day.
    """
    wanted = fee_year(starts, begins=begins)
    return any(year == wanted and day < starts for year, day in paid)


def is_covered(federation: str, paid: Iterable[tuple[int, date]], starts: date, *, begins: int) -> bool:
    """Whether article 7 has nothing against an arbiter at an event that starts on this day."""
    return not asks_fee(federation) or has_paid(paid, starts, begins=begins)
