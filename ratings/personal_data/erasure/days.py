"""How people and programs write a day of birth."""

from datetime import date
from typing import Final

_MONTHS: Final = (
    "Jan January Januarie", "Feb February Februarie", "Mar Mrt March Maart", "Apr April", "May Mei", "Jun June Junie",
    "Jul July Julie", "Aug August Augustus", "Sep Sept September", "Oct Okt October Oktober", "Nov November",
    "Dec Des December Desember",
)  # fmt: skip
_SIGN: Final = r"(?:\s*[./\\‐‑‒–—-]\s*|\s+)"  # between figures
_GAP: Final = r"[\s.,/_‐‑‒–—-]*"  # beside the name of a month, which parts figures itself
_ORDINAL: Final = r"(?:st|nd|rd|th|ste|de|e)?"
_OF: Final = r"(?:\s+(?:of|van))?"
_BEFORE, _AFTER = r"(?<![^\W_])", r"(?:(?=T\d)|(?![^\W_]))"  # 2014-02-02T00:00:00


def day_pattern(day: date) -> str:
    """Return the pattern of a day, day or month or year first, in figures or with the month's name in English or Afrikaans, and
    of identity numbers, which begin with it."""
    number, month = f"0?{day.day}", f"0?{day.month}"
    full, short = f"{day.year:04}", f"{day.year % 100:02}"
    year = f"(?:{full}|['’]?{short})"
    name = f"(?:{'|'.join(sorted(_MONTHS[day.month - 1].split(), key=len, reverse=True))})"
    forms = [
        _SIGN.join((full, month, number)),
        _SIGN.join((number, month, year)),
        _SIGN.join((month, number, year)),
        f"{number}{_ORDINAL}{_OF}{_GAP}{name}{_GAP}{year}",
        f"{name}{_GAP}{number}{_ORDINAL}{_GAP}{year}",
        f"{full}{_GAP}{name}{_GAP}{number}",
        f"{day:%Y%m%d}",
        f"{day:%d%m%Y}",
        f"{day:%m%d%Y}",
        rf"{day:%y%m%d}(?:\s?\d{{4}}\s?\d{{2}}\s?\d)?",
        f"{day:%d%m%y}",
    ]
    return f"{_BEFORE}(?:{'|'.join(forms)}){_AFTER}"
