"""Names that are cut at the end of a text, which was too long for where it is stored: Mandla Hlatshwa. Pure."""

import re
from collections.abc import Collection
from typing import Final

from players.identity import fold
from ratings.personal_data.erasure.name_lists import People

# Where a name may begin, in the name of a file, too: Botha-Nel is not Nel.
_BEGINS: Final = re.compile(r"(?<![^\W_])(?<!-)[^\W_]")
_LONGEST: Final = 200  # characters in which it begins
_TELLING: Final = re.compile(r"\b\w{3}(?=\w)")  # of a word longer than “van”


class CutNames:
    """Some names, none of them a mail address, as they are found at the end of a text. A part of a name alone tells nobody:
    of the next at least three letters must stand there, too."""

    def __init__(self, names: Collection[str]) -> None:
        """`names`: of one person, in each order in which they are written; surname and first name are told by a comma."""
        parts = {fold(part) for name in names if "," in name for part in name.split(",", 1)} - {""}
        self._least = dict(_least(fold(name), parts) for name in names)

    @property
    def searched(self) -> set[str]:
        """The longest word of what a cut name has at least whole, of each name."""
        firsts = {spelled[: spelled.rfind(" ", 0, least)] for spelled, least in self._least.items() if least}
        return {max(first.split(), key=len) for first in firsts if first}

    def at_end_of(self, text: str, people: People) -> re.Pattern[str] | None:
        """Return the pattern of the cut name at the end of a text; None without one, or where it is another's whole name."""
        for begins in _BEGINS.finditer(text, max(0, len(text) - _LONGEST)):
            last = fold(text[begins.start() :])
            if not people.is_anothers(last.split()) and any(
                0 < least <= len(last) and name.startswith(last) for name, least in self._least.items()
            ):
                return re.compile(rf"{re.escape(text[begins.start() :])}\Z")
        return None


def _least(name: str, parts: Collection[str]) -> tuple[str, int]:
    """Return a name with how many of its letters a cut one has at least, of which 0 is none."""
    first = max((part for part in parts if name.startswith(f"{part} ")), key=len, default="")
    if not first:
        long = re.match(r"(?:\w{1,3} )*\w+", name)
        first = long[0] if long else ""
    telling = _TELLING.search(name, len(first) + 1)
    return name, telling.end() if telling else 0
