"""How people and programs write a day of birth."""

from datetime import date
from typing import Final

_MONTHS: Final = (
    "Jan January Januarie", "Feb February Februarie", "Mar Mrt March Maart", "Apr April", "May Mei", "Jun June Junie",
    "Jul July Julie", "Aug August Augustus", "Sep Sept September", "Oct Okt October Oktober", "Nov November",
    "Dec Des December Desember",
)  # fmt: skip
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_SIGN: Final = r"(?:\s*[./\\_,;|⁄‐‑‒–—-]\s*|\s+|[\"”]\s?[,;]\s?[\"“]|%2[0DF])"  # between figures
_SHORT_SIGN: Final = r"(?:\s?[./-]\s?|_|%2[DF])"  # where the year has two
_GAP: Final = r"(?:[\s.,/_(‐‑‒–—-]|%2[0CDF])*"  # beside the name of a month, which parts figures itself
_ORDINAL: Final = r"(?:st|nd|rd|th|ste|de|e)?(?:\s+(?:day|dag)\b)?"
_OF, _THE = r"(?:\s+(?:of|van))?", r"(?:the\s+)?"
_NO_WORD: Final = (r"(?<![^\W_])", r"(?:(?=T\d)|(?![^\W_]))")  # 2014-02-02T00:00:00
# dob20140202, dob=02%2F02%2F2014, 20140202000000
_NO_FIGURE: Final = (r"(?:(?<!\d)|(?<=%2[0DF]))", r"(?:(?!\d)|(?=\d{6}(?!\d)))")
_WITHIN: Final = r"[\s-]?"  # an identity number, wherever somebody parts it
_REST: Final = rf"(?:{_WITHIN}\d){{7}}"  # of it


def day_pattern(day: date) -> str:
    """Return the pattern of a day, day or month or year first, in figures or with the month's name in English or Afrikaans, and
    of identity numbers, which begin with it."""
    number, month = f"0?{day.day}", f"0?{day.month}"
    full, short = f"{day.year:04}", f"{day.year % 100:02}"
    year = f"(?:{full}|['’]?{short})"
    name = f"(?:{'|'.join(sorted(_MONTHS[day.month - 1].split(), key=len, reverse=True))})"
    with_words = [
        f"{number}{_ORDINAL}{_OF}{_GAP}{name}{_OF}{_GAP}{year}",
        f"{name}{_GAP}{_THE}{number}{_ORDINAL}{_GAP}{year}",
        f"{full}{_GAP}{name}{_GAP}{number}{_ORDINAL}",
        f"{full}{_GAP}{number}{_ORDINAL}{_OF}{_GAP}{name}",
        _SIGN.join((number, _ROMAN[day.month - 1], year)),
        _SHORT_SIGN.join((number, month, f"['’]?{short}")),
        _SHORT_SIGN.join((month, number, f"['’]?{short}")),
        _SHORT_SIGN.join((short, month, number)),
        f"{day:%y%m%d}",
        f"{day:%d%m%y}",
    ]
    in_figures = [
        _SIGN.join((full, month, number)),
        _SIGN.join((number, month, full)),
        _SIGN.join((month, number, full)),
        f"{day:%Y%m%d}",
        f"{day:%d%m%Y}",
        f"{day:%m%d%Y}",
        _WITHIN.join(f"{short}{day:%m%d}") + _REST,
    ]
    return f"{_around(_NO_FIGURE, in_figures)}|{_around(_NO_WORD, with_words)}"


def _around(around: tuple[str, str], forms: list[str]) -> str:
    before, after = around
    return f"{before}(?:{'|'.join(forms)}){after}"
