"""Formats numbers, scores and dates for every page. Pure, and fast: a page writes thousands of them.

Thousands are separated by a narrow no-break space; a negative number has a minus sign (U+2212), not a hyphen. Months and the
decimal sign are English unless a page is `written` in the style of another language.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from typing import NamedTuple

MINUS = "−"
NARROW_SPACE = "\u202f"
NONE = "–"

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_SHORT_MONTHS = tuple(name[:3] for name in MONTHS)


class Style(NamedTuple):
    """How a language writes numbers and dates."""

    months: tuple[str, ...] = MONTHS
    short_months: tuple[str, ...] = _SHORT_MONTHS
    decimal_sign: str = "."


ENGLISH = Style()
_style: ContextVar[Style] = ContextVar("style", default=ENGLISH)


@contextmanager
def written(style: Style) -> Iterator[None]:
    """Write in a style."""
    before = _style.set(style)
    try:
        yield
    finally:
        _style.reset(before)


def rating(value: float | None, decimals: int = 1) -> str:
    """Return a rating, `1 521.9`, or a dash for None."""
    return NONE if value is None else _grouped("%.*f" % (decimals, value))


def whole(value: float | None) -> str:
    """Return a rating or performance rounded half up to a whole number, `1 612`, or a dash for None."""
    return NONE if value is None else _grouped(str(rounded(value)))


def rounded(value: float) -> int:
    """Return the nearest whole number, of two equally near the one farther from zero."""
    return int(value + 0.5) if value >= 0 else -int(0.5 - value)


def decimal(value: float, decimals: int) -> str:
    """Return a number with a fixed count of decimals, `1 521.95`; zero after rounding has no sign."""
    text = "%.*f" % (decimals, value)
    return _grouped(text.removeprefix("-") if float(text) == 0 else text)


def number(value: int) -> str:
    """Return a count or a rank, `7 812`."""
    return _grouped(str(value))


def change(value: float | None, decimals: int = 1) -> str:
    """Return a change with its sign, `+16.3`, `−8.4`, `0.0`, or a dash for None."""
    if value is None:
        return NONE
    text = "%+.*f" % (decimals, value)
    text = text[1:] if float(text) == 0 else text.replace("-", MINUS)
    return in_style(text)


def megabytes(size: int) -> str:
    """Return a size in bytes, `1.2 MB`; below a tenth of one in kB."""
    return in_style(f"{size / 1e6:.1f} MB") if size >= 100_000 else f"{max(1, round(size / 1e3))} kB"


def in_style(text: str) -> str:
    """Return a number that was written with a decimal point, `1.2 MB`, with the decimal sign of the page."""
    return text.replace(".", _style.get().decimal_sign)


def direction(value: float | None, decimals: int = 1) -> str:
    """Return `up`, `down` or `same` by the value as `change` rounds it; an empty text for None."""
    if value is None:
        return ""
    first = change(value, decimals)[0]
    return "up" if first == "+" else "down" if first == MINUS else "same"


def score(value: float) -> str:
    """Return points with ½ for a half: `5½`, `½`, `0`."""
    points = int(value)
    if value - points < 0.25:
        return str(points)
    return f"{points}½" if points else "½"


def day(value: date) -> str:
    """Return a date, `29 Mar 2024`."""
    return f"{value.day} {_style.get().short_months[value.month - 1]} {value.year}"


def long_day(value: date) -> str:
    """Return a date for a heading, `29 March 2024`."""
    return f"{value.day} {_style.get().months[value.month - 1]} {value.year}"


def days(first: date, last: date) -> str:
    """Return a range of days: `17–19 May 2024`, `31 May – 2 Jun 2024`."""
    if first == last:
        return day(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{day(last)}"
    if first.year == last.year:
        return f"{first.day} {_style.get().short_months[first.month - 1]} – {day(last)}"
    return f"{day(first)} – {day(last)}"


def month(value: date) -> str:
    """Return a month, `March 2024`."""
    return f"{_style.get().months[value.month - 1]} {value.year}"


def short_month(value: date) -> str:
    """Return a month in a narrow column, `Mar 2024`."""
    return f"{_style.get().short_months[value.month - 1]} {value.year}"


def count(value: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 game`, `17 games`."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def points(value: float | str) -> str:
    """Return points of a game or a penalty with their noun: `1 point`, `0.5 points`, `20 points`."""
    shown = f"{float(value):g}"
    return f"{shown} point{'' if shown == '1' else 's'}"


def _grouped(text: str) -> str:
    negative = text.startswith("-")
    whole_part, dot, decimals = text.lstrip("-").partition(".")
    if len(whole_part) > 3:
        first = len(whole_part) % 3
        parts = [whole_part[:first]] if first else []
        parts += [whole_part[place : place + 3] for place in range(first, len(whole_part), 3)]
        whole_part = NARROW_SPACE.join(parts)
    return (MINUS if negative else "") + whole_part + (dot and _style.get().decimal_sign) + decimals


def one_line(text: str) -> str:
    """Return a text for a file of lines or XML: a blank for each character that ends a line, controls a device or is none."""
    if text.isprintable():
        return text
    return text.translate({ord(char): " " for char in set(text) if breaks_a_line(char)})


def breaks_a_line(char: str) -> bool:
    """Return whether a character ends a line, controls a device or is none."""
    code = ord(char)
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def sentence(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
