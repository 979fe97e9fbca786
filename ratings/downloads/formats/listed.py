"""A published list as what all layouts are written from. Pure."""

import unicodedata
from dataclasses import dataclass
from datetime import date

from config.lib import formatting
from config.lib.names import normalized


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player's line on a published list. `born`: the day, or 1 January where only the year is to be told; None: unknown.

    `club`: of the register when the file is made, or "". Ratings are those of article 25, unrounded; `previous` is the
    published rating a month before, None for a newcomer. A hidden player has no number; `key` tells him from others in making
    the files, and is in none.
    """

    rank: int
    number: str
    fide_id: int | None
    last_name: str
    first_name: str
    born: date | None
    sex: str  # M, F or "" where it is not known
    title: str  # GM, WIM, ... or ""
    federation: str
    region: str
    club: str
    published: float
    raw: float | None
    weighted: float | None
    highest: float | None
    previous: float | None
    k: float | None
    games: int
    activity: int | None  # games that count towards it in its window (article 55); None on other systems' lists
    key: int | None = None

    @property
    def name(self) -> str:
        """Last name first, as pairing programs write it."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part)

    @property
    def rounded(self) -> int:
        """The rating as article 25 exports it: the nearest whole number, a half rounded up."""
        return formatting.rounded(self.published)

    @property
    def is_inactive(self) -> bool:
        """Whether the list knows activity and the player has none."""
        return self.activity == 0


@dataclass(frozen=True, slots=True)
class PublishedList:
    """A list of a published month: `month` of the games, `day` from which it counts, `players` by last and first name.

    `is_national`: one of the regulations' own lists; `rules`: what it follows, in words.
    """

    code: str
    name: str
    is_national: bool
    rules: str
    month: date
    day: date
    published_on: date
    players: tuple[ListedPlayer, ...]


_PLAIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D"}
    | {"þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ı": "i", "’": "'", "‘": "'", "–": "-"}
)


def ascii_text(text: str) -> str:
    """Return a text in ASCII, for layouts that have no other letters: without accents, and “?” for what has no likeness."""
    decomposed = normalized("NFKD", formatting.one_line(text).translate(_PLAIN))
    return "".join(char for char in decomposed if not unicodedata.combining(char)).encode("ascii", "replace").decode()
