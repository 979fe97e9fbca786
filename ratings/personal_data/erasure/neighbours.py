"""Names that two people beside one another seem to make: that of Piet Nel in `Jan Nel, Piet Botha`. Pure."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

from players.identity import fold

# Two cells of a table; the words beside a name in its cell, or in the name of a file, and the cells beside it, which are
# looked for this far.
_CELLS: Final = re.compile(r",(?!\s)|[\t\n\r;:/(]")
_BEFORE: Final = re.compile(r"(?:(,)\s*)?([^\W_]+)[ _.+-]+\Z")
_AFTER: Final = re.compile(r"[ _.+-]+([^\W_]+)")
_CELL_BEFORE: Final = re.compile(r"([^\W\d_]+)\s*[,;]\s*\Z")
_CELL_AFTER: Final = re.compile(r"\s*[,;]\s*([^\W\d_]+)")
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)[ \t]+\Z")
_WORD_AFTER: Final = re.compile(r"[ \t]+([^\W\d_]+)")
_BESIDE: Final = 60  # characters
# The groups of a pattern with the names that have another sign than a comma in them, and those whose first name comes first.
LISTED: Final = "listed"
SWAPPED: Final = "swapped"


def substituted(
    pattern: re.Pattern[str],
    text: str,
    stand_in: Callable[[re.Match[str]], str],
    people: Collection[frozenset[str]],
) -> str:
    """Return a text with what stands in for each place that a pattern finds, but for those that are of two people. `people`:
    the folded words of each name."""
    parts: list[str] = []
    begin = search_from = 0
    while found := pattern.search(text, search_from):
        if _is_of_two(found, people):
            search_from = found.start() + 1  # his own name may begin in what was found
            continue
        parts += text[begin : found.start()], stand_in(found)
        begin = search_from = found.end()
    return "".join([*parts, text[begin:]])


def _is_of_two(found: re.Match[str], people: Collection[frozenset[str]]) -> bool:
    """Return whether what was found begins in one name and ends in the next. That may be nobody's who is known, if it stands
    in another cell of a table, `Jan Nel,Piet Retief Chess Club`, or a list is of first names before surnames."""
    left = _without_escapes(found.string[max(0, found.start() - _BESIDE) : found.start()])
    right = _without_escapes(found.string[found.end() : found.end() + _BESIDE])
    text = _without_escapes(found[0])
    if found.lastgroup is not None and _stands_in_list(left, right, is_swapped=found.lastgroup == SWAPPED):
        return True
    if not people:
        return False
    before, after = _BEFORE.search(left), _AFTER.match(right)
    if before is None:
        return _are_cells_of_two(left, text, right, people)
    # Not where the word before is the first name of one before it: `Botha, Jan Nel, Piet`.
    is_apart = _CELLS.search(text) is not None or ("," in text and not before[1])
    words = fold(text).split()
    for place in range(1, len(words)):
        if _is_name([before[2], *words[:place]], people):
            ends_in_name = after is not None and _is_name([*words[place:], after[1]], people)
            if is_apart or ends_in_name:
                return True
    return False


def _are_cells_of_two(left: str, text: str, right: str, people: Collection[frozenset[str]]) -> bool:
    """Return whether the cells beside a name make two with those of its own: `Jan,Nel,Piet,Botha`."""
    before, after = _CELL_BEFORE.search(left), _CELL_AFTER.match(right)
    cells = re.split(r"[,;]", text)
    if before is None or after is None or len(cells) != 2:
        return False
    return _is_name([before[1], cells[0]], people) and _is_name([cells[1], after[1]], people)


def _stands_in_list(left: str, right: str, *, is_swapped: bool) -> bool:
    """Return whether what is written as a name seldom is has another name beside it, be that of nobody who is known: it is
    more often two names, `Jan Nel; Piet Botha`. `is_swapped`: the first name comes first, as in `Botha, Piet, Nel, Jan`."""
    beside = _WORD_BEFORE.search(left), _WORD_AFTER.match(right)
    if any(word and word[1][0].isupper() for word in beside):
        return True
    return is_swapped and _CELL_BEFORE.search(left) is not None


def _without_escapes(text: str) -> str:
    return text.replace("%20", " ").replace("%2C", ",").replace("%2c", ",")


def _is_name(words: Iterable[str], people: Collection[frozenset[str]]) -> bool:
    called = set(fold(" ".join(words)).split())
    return any(called <= name for name in people)
