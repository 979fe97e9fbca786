"""A player of FIDE's list, and what every layout of it shares. Pure."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple, Protocol

from config.lib.days import is_birth_year
from config.lib.names import is_unseen
from config.lib.parsing import whole_number
from config.lib.texts import plain_name
from events.files.trf.player_fields import OLD_TITLES, PLAYER_TITLES

KINDS = ("standard", "rapid", "blitz")
LONGEST_NAME = 80
HIGHEST_RATING = 3999
HIGHEST_FIDE_ID = 10**11 - 1
_LONGEST_NUMBER = 15  # digits, zeros before it among them
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_MONTH = re.compile(rf"(?<![a-z])({'|'.join(_MONTHS)})_?(?:20)?(\d\d)(?!\d)", re.IGNORECASE)


Told = Callable[[str, str], None]  # is told the place of a player in the list, and what is to be said of him


class Source(Protocol):
    """The bytes of a list."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line, at most `size` bytes of it."""


class FideListError(Exception):
    """A list that cannot be read. The text names the place and says what to do."""


class UnreadablePlayerError(Exception):
    """A player whose figures cannot be read; `field` names the first of them."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field} {text[:20]!r}")


class Figure(NamedTuple):
    """A FIDE rating with its K-factor and the games of the month before; 0 where the list has none."""

    rating: int
    k: int = 0
    games: int = 0


class ListedPlayer(NamedTuple):
    """A player of the list. A rating is None for the unrated, and for a kind that the list does not hold.

    `inactive`: by the list's flag, which in the list of all three kinds speaks of standard games alone.
    """

    fide_id: int
    name: str
    federation: str
    sex: str
    title: str
    birth_year: int | None
    standard: Figure | None
    rapid: Figure | None
    blitz: Figure | None
    inactive: bool

    @property
    def figures(self) -> tuple[Figure | None, Figure | None, Figure | None]:
        """The ratings in the order of KINDS."""
        return self.standard, self.rapid, self.blitz


def listed_player(
    fide_id: str,
    name: str,
    federation: str,
    sex: str,
    title: str,
    birth: str,
    flag: str,
    figures: Sequence[tuple[str, str, str] | None],
) -> ListedPlayer:
    """Return a player from the texts of a list; `figures`: (rating, games, K) of each kind, None for one not in the list.

    Raises UnreadablePlayerError.
    """
    number = _number("id", fide_id, HIGHEST_FIDE_ID)
    if not number or not name:
        raise UnreadablePlayerError("id or name", fide_id or name)
    year = _number("year of birth", birth[:4], 9999)
    standard, rapid, blitz = [figure and _figure(*figure) for figure in figures]
    return ListedPlayer(
        number,
        name_of(name),
        name_of(federation)[:3],
        sex if sex in ("M", "F") else "",
        title_of(title) if title else "",
        year if is_birth_year(year) else None,
        standard,
        rapid,
        blitz,
        "i" in flag.lower(),
    )


def name_of(text: str) -> str:
    """Return a name of the list as names are stored: composed, without characters that cannot be seen or escape another."""
    if not text.isascii() or not text.isprintable() or "\\" in text:
        text = plain_name(text.replace("\\", " "))
    return text[:LONGEST_NAME].strip()


def has_unseen(text: str) -> bool:
    """Return whether a text has characters that cannot be seen, which `name_of` leaves out."""
    return not (text.isascii() and text.isprintable()) and any(map(is_unseen, text))


def title_of(text: str) -> str:
    """Return FIDE's code of a title, "" for what is none: lists have odd ones, as WH."""
    title = OLD_TITLES.get(text.lower(), text.upper())
    return title if title in PLAYER_TITLES else ""


def month_in(text: str) -> date | None:
    """Return the first day of the month that a heading or a file name tells, as `OCT26` or `standard_oct26frl`."""
    match = _MONTH.search(text)
    return date(2000 + int(match[2]), _MONTHS.index(match[1].upper()) + 1, 1) if match else None


def kind_in(filename: str) -> str:
    """Return which of KINDS a file name tells, as `rapid_rating_list.txt`, or ""."""
    name = filename.lower()
    return next((kind for kind in KINDS if kind in name), "")


def _figure(rating: str, games: str, k: str) -> Figure | None:
    value = _number("rating", rating, HIGHEST_RATING)
    return Figure(value, _number("K", k, 99), _number("games", games, 9999)) if value else None


def _number(field: str, text: str, highest: int) -> int:
    if not text:
        return 0
    number = whole_number(text, digits=_LONGEST_NUMBER)
    if number is None or number > highest:
        raise UnreadablePlayerError(field, text)
    return number
