"""Names that two people beside one another seem to make: that of Piet Nel in `Jan Nel, Piet Botha`. Pure."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

from players.identity import fold

# Two cells of a table; the words beside a name in its cell, or in the name of a file, which are looked for this far.
_CELLS: Final = re.compile(r",(?!\s)|[\t\n\r]")
_BEFORE: Final = re.compile(r"(?:(,)\s*)?([^\W_]+)[ _.+-]+\Z")
_AFTER: Final = re.compile(r"[ _.+-]+([^\W_]+)")
_BESIDE: Final = 60  # characters


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
    begin, end = found.span()
    before = _BEFORE.search(found.string[max(0, begin - _BESIDE) : begin]) if people else None
    if before is None:
        return False
    after = _AFTER.match(found.string, end, end + _BESIDE)
    # Not where the word before is the first name of one before it: `Botha, Jan Nel, Piet`.
    is_apart = _CELLS.search(found[0]) is not None or ("," in found[0] and not before[1])
    words = fold(found[0]).split()
    for place in range(1, len(words)):
        if _is_name([before[2], *words[:place]], people):
            ends_in_name = after is not None and _is_name([*words[place:], after[1]], people)
            if is_apart or ends_in_name:
                return True
    return False


def _is_name(words: Iterable[str], people: Collection[frozenset[str]]) -> bool:
    called = set(fold(" ".join(words)).split())
    return any(called <= name for name in people)
