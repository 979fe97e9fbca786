"""Reads dates as tournament files write them. Pure."""

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from config.lib.days import LAST_DAY, is_birth_year
from config.lib.formatting import MONTHS

_NO_YEAR, _FOUR_FIGURES = re.compile(r"0000\b"), re.compile(r"\d{4}")
_BETWEEN = r"(?:\s*[./-]\s*|\s+)"  # hazard: were the blank one of the signs, each of a row of blanks could be it
_PARTS = re.compile(rf"(\d{{1,4}}){_BETWEEN}(\d{{1,2}}){_BETWEEN}(\d{{1,4}})\.?")
_DIGITS = re.compile(r"(\d{4})(\d\d)(\d\d)")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.? ([A-Za-z]{3,9})\.?,? (\d{4})")
_CANONICAL = re.compile(r"\d{4}/\d\d/\d\d")
_CANONICAL_SHORT = re.compile(r"\d\d/\d\d/\d\d")
_YEAR = re.compile(r"(\d{4})[./ -]*(?:0{1,2}[./ -]+0{1,2}[./ -]*)?")
LONGEST = 40  # letters of a date
_CENTURY_TURN = 70  # 70 is 1970, 69 is 2069


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date, and whether it was written in the form that its record demands."""

    day: date
    canonical: bool


@dataclass(frozen=True, slots=True)
class Birth:
    """A year or date of birth, as far as known; `canonical` as in `ReadDate`. `stand_in`: a year stands for an unknown one."""

    year: int | None = None
    day: date | None = None
    canonical: bool = True
    stand_in: bool = field(default=False, compare=False)


def read_date(text: str, short: bool = False) -> ReadDate | None:
    """Return the date in a text, or None. `short`: the record's form is YY/MM/DD instead of YYYY/MM/DD.

    Separators may differ. Of several possible orders of day and month the record's own is tried first, then day first.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    canonical = (_CANONICAL_SHORT if short else _CANONICAL).fullmatch(text) is not None
    if match := _PARTS.fullmatch(text) or _DIGITS.fullmatch(text):
        day = _from_parts(*match.groups())
    elif match := _MONTH_FIRST.fullmatch(text):
        day = _with_month(match[3], match[1], match[2])
    elif match := _DAY_FIRST.fullmatch(text):
        day = _with_month(match[3], match[2], match[1])
    else:
        return None
    return ReadDate(day, canonical) if day else None


def read_birth(text: str) -> Birth | None:
    """Return the birth date in `YYYY/MM/DD`, `YYYY` or `YYYY/00/00`, with any separator; None if it cannot be read.

    Years up to 1900 mean an unknown date, as lists write it.
    """
    text = text.strip()
    return _read_short_birth(text) if len(text) <= LONGEST else _read_birth(text)


def _read_birth(text: str) -> Birth | None:
    if not text.strip("./- 0") or _NO_YEAR.match(text):
        return Birth()
    canonical = _CANONICAL.fullmatch(text) is not None
    if match := _YEAR.fullmatch(text):
        return _birth(int(match[1]), None, canonical)
    read = read_date(text) if _FOUR_FIGURES.search(text) else None
    return _birth(read.day.year, read.day, canonical) if read else None


# A list of 50,000 players has half as many births. Hazard: whatever is kept here stays in memory, so nothing long is.
_read_short_birth = lru_cache(maxsize=1 << 15)(_read_birth)


def stand_in_message(text: str, place: str = "") -> str:
    """Return the note on a birth date that stands for an unknown one. `text`: as the file has it, in quotes."""
    return f"{place}{'the' if place else 'The'} birth date {text} stands for one that is not known; it is left out."


def _birth(year: int, day: date | None, canonical: bool) -> Birth | None:
    if is_birth_year(year):
        return Birth(year, day, canonical)
    return None if year > LAST_DAY.year else Birth(canonical=canonical, stand_in=True)


def _from_parts(first: str, second: str, third: str) -> date | None:
    if len(first) > 2:
        orders = [(first, second, third), (first, third, second)]
    elif len(third) > 2:
        orders = [(third, second, first), (third, first, second)]
    else:
        orders = [(first, second, third), (first, third, second), (third, second, first)]
    return next((day for order in orders if (day := _date(*order))), None)


def _with_month(year: str, month: str, day: str) -> date | None:
    number = next((i for i, name in enumerate(MONTHS, 1) if name.lower().startswith(month.lower())), 0)
    return _date(year, str(number), day)


def _date(year: str, month: str, day: str) -> date | None:
    if len(year) not in (2, 4) or len(day) > 2:
        return None
    value = int(year)
    if len(year) == 2:
        value += 2000 if value < _CENTURY_TURN else 1900
    try:
        return date(value, int(month), int(day))
    except ValueError:
        return None
