"""How figures, scores and dates are written on every page. Pure, and quick: a page writes thousands of them.

Thousands are parted by a narrow no-break space, a negative change has a real minus sign.
"""

from datetime import date

MINUS = "−"
NARROW_SPACE = "\u202f"
NONE = "–"

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def rating(value: float | None, decimals: int = 1) -> str:
    """A rating, `1 521.9`, with one decimal unless told; a dash for none."""
    return NONE if value is None else _grouped("%.*f" % (decimals, value))


def whole(value: float | None) -> str:
    """A rating or performance as a whole number, `1 612`, halves upwards; a dash for none."""
    if value is None:
        return NONE
    return _grouped(str(int(value + 0.5) if value >= 0 else -int(0.5 - value)))


def decimal(value: float, decimals: int) -> str:
    """A figure with so many decimals, `1 521.95`; what rounds to nothing has no sign."""
    text = "%.*f" % (decimals, value)
    return _grouped(text.removeprefix("-") if float(text) == 0 else text)


def number(value: int) -> str:
    """A count or a rank, `7 812`."""
    return _grouped(str(value))


def change(value: float | None, decimals: int = 1) -> str:
    """A change with its sign, `+16.3`, `−8.4`, `0.0`, with one decimal unless told; a dash for none."""
    if value is None:
        return NONE
    text = "%+.*f" % (decimals, value)
    if float(text) == 0:
        return text[1:]
    return text.replace("-", MINUS)


def direction(value: float | None, decimals: int = 1) -> str:
    """`up`, `down` or `same`, as `change` writes the value; empty for none."""
    if value is None:
        return ""
    first = change(value, decimals)[0]
    return "up" if first == "+" else "down" if first == MINUS else "same"


def score(value: float) -> str:
    """Points with ½ for a half, `5½`, `½`, `0`."""
    points = int(value)
    if value - points < 0.25:
        return str(points)
    return f"{points}½" if points else "½"


def day(value: date) -> str:
    """A date, `29 Mar 2024`."""
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"


def long_day(value: date) -> str:
    """A date in a heading, `29 March 2024`."""
    return f"{value.day} {_MONTH_NAMES[value.month - 1]} {value.year}"


def days(first: date, last: date) -> str:
    """From the first day to the last: `17–19 May 2024`, `31 May – 2 Jun 2024`."""
    if first == last:
        return day(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{day(last)}"
    if first.year == last.year:
        return f"{first.day} {_MONTHS[first.month - 1]} – {day(last)}"
    return f"{day(first)} – {day(last)}"


def since(value: date, today: date) -> str:
    """Since when something waits, `since 18 May 2024, 2 days`."""
    waited = (today - value).days
    return f"since {day(value)}, {count(waited, 'day') if waited else 'today'}"


def month(value: date) -> str:
    """A month, `March 2024`."""
    return f"{_MONTH_NAMES[value.month - 1]} {value.year}"


def short_month(value: date) -> str:
    """A month in a narrow place, `Mar 2024`."""
    return f"{_MONTHS[value.month - 1]} {value.year}"


def count(value: int, noun: str, plural: str = "") -> str:
    """A count and what is counted: `1 game`, `17 games`."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def _grouped(text: str) -> str:
    negative = text.startswith("-")
    whole_part, dot, decimals = text.lstrip("-").partition(".")
    if len(whole_part) > 3:
        first = len(whole_part) % 3
        parts = [whole_part[:first]] if first else []
        parts += [whole_part[place : place + 3] for place in range(first, len(whole_part), 3)]
        whole_part = NARROW_SPACE.join(parts)
    return (MINUS if negative else "") + whole_part + dot + decimals


def sentence(text: str) -> str:
    """A text with its first letter a capital."""
    return text[:1].upper() + text[1:]
