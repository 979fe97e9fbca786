"""Reads the names that stand beside one another in a text: `Jan Nel, Piet Botha` has no Piet Nel. Pure.

What stands around a place where a person's name is found is divided into names of known people, what looks like names of
others, and single words. Of all ways to divide it that with the most points is right: it leaves the fewest words over, and its
names run across the fewest separators. Where none is better than one with his name in it, the name is his.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final

from players.identity import folded_words
from players.pseudonyms import PSEUDONYM

# The groups of a pattern with the names whose first name stands in brackets, those that have another sign than a comma in them,
# and those whose first name comes first.
BRACKETED: Final = "bracketed"
LISTED: Final = "listed"
SWAPPED: Final = "swapped"

# Hazard: a file has 5 megabytes. This much is read before what was found, and at once from there on. Characters.
_BEFORE: Final = 200
_AT_ONCE: Final = 2_000
_AT_EDGE: Final = 60  # where a name may be of which not all is read
_LONGEST: Final = 6  # words of a name that is another's
_MOST_PAIRS: Final = 10_000  # of words that are kept with the names that have both
_WORD: Final = re.compile(
    rf"%2[0Cc]|\b{PSEUDONYM[1:-1]}\b|(?:[^\W_]|[\u0300-\u036f])+(?:['’‘ʼ`´](?![sS]\b)(?:[^\W_]|[\u0300-\u036f])+)*"
)
PARTICLES: Final = frozenset({
    "al", "ap", "bin", "d", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "janse", "la", "le", "st", "te", "ten",
    "ter", "van", "von", "zu",
})  # fmt: skip

# What stands between two words, the more of a separator the later. A table has cells.
_JOINED, _COMMA, _CELL, _BREAK, _ODD = range(5)
_KINDS: Final = (
    (_ODD, re.compile(r"[:/()]")),
    (_BREAK, re.compile(r"[\n\r&]|[.!?]\s|\s[-‐‑‒–—]+\s|[^\S\t]{3}")),
    (_CELL, re.compile(r"[;|\t]|,(?!\s)")),
    (_COMMA, re.compile(r",")),
)

_NEXT_WORD: Final = re.compile(r"[ \t]+([^\W\d_])")
# Words that people are called, too: months, and what sentences about chess have.
_MONTHS: Final = frozenset({
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "january", "february", "march",
    "april", "june", "july", "august", "september", "october", "november", "december", "mei", "junie", "julie", "augustus",
})  # fmt: skip
_COMMON: Final = frozenset({
    "bill", "bishop", "black", "castle", "chase", "day", "draw", "drew", "field", "grace", "guy", "hope", "king", "knight",
    "long", "major", "mark", "may", "page", "queen", "short", "white", "will", "win", "young",
})  # fmt: skip

# Points of each word of a name: of somebody known; of one without some word; of what looks like a name.
_KNOWN: Final = 20
_IN_PART: Final = 10
_UNKNOWN: Final = 7
# Points off his name, where the first name comes first.
_IS_SWAPPED: Final = 20
# Points off for a comma or where a name fills its cells: his name, whose order is known, another's, one of nobody known.
_COMMA_OF_HIS: Final = 7
_COMMA_OF_ANOTHER: Final = 12
_COMMA_OF_UNKNOWN: Final = 5
# Points off where it runs from one cell into another, by whether the rest of a cell is left over on one side or both.
_REST: Final = 20
_REST_ON_BOTH: Final = 25
_ODD_SIGN: Final = 30
_ODD_SIGN_AND_REST_ON_BOTH: Final = 35
# Points off a word by itself: half of a name in a table, and perhaps in a list.
_ALONE_IN_CELL: Final = 20
_ALONE_BETWEEN_COMMAS: Final = 5


class People:
    """What people are called: whoever is sought, and others."""

    def __init__(self, his: Iterable[frozenset[str]], others: Iterable[frozenset[str]]) -> None:
        """`his`, `others`: the folded words of each name."""
        self._others = {name for name in others if len(name) > 1}
        self._names = self._others.union(name for name in his if len(name) > 1)
        self._with: dict[str, set[frozenset[str]]] = defaultdict(set)
        for name in self._names:
            for word in name:
                self._with[word].add(name)
        # Hazard: thousands are called “van der”, whom a file could have looked through at each of its words. To keep each pair
        # of words of each name would take gigabytes.
        self._with_both = lru_cache(maxsize=_MOST_PAIRS)(self._called_both)

    def _called_both(self, first: str, second: str) -> frozenset[frozenset[str]]:
        """Return the names with two words."""
        names = self._with.get(first), self._with.get(second)
        return frozenset(names[0] & names[1]) if names[0] and names[1] and first != second else frozenset()

    def is_anothers(self, words: Collection[str]) -> bool:
        """Return whether another is called so, without any word more or less."""
        return frozenset(words) in self._others

    def names_at(self, words: list[str], first: int) -> Iterator[tuple[int, bool]]:
        """Yield the ends of the names, and of what may be others' but for a missing word, that begin at a word, and whether
        they are whole."""
        if first + 1 == len(words):
            return
        called = self._with_both(words[first], words[first + 1])
        for last in range(first + 1, min(first + _LONGEST, len(words))):
            if last > first + 1:
                called = called & self._with.get(words[last], set())
            if not called or words[last] in words[first:last]:
                return
            name = frozenset(words[first : last + 1])
            if name in called:
                yield last + 1, True
            elif len(name - PARTICLES) > 1 and any(one in self._others for one in called):
                yield last + 1, False


def substituted(
    pattern: re.Pattern[str],
    text: str,
    stand_in: Callable[[re.Match[str]], str],
    people: People,
    *,
    is_cut: bool = False,
    in_words: bool = False,
) -> str:
    """Return a text with what stands in for each place that a pattern finds, but for those that are of others. `people`: all
    who are known, himself among them; `is_cut`: the text may end within a name; `in_words`: a hyphen after or before what is
    found makes another name of it, as of Botha in Botha-Nel, unless somebody who is known stands behind it."""
    parts: list[str] = []
    begin = search_from = 0
    stretch: _Stretch | None = None
    while found := pattern.search(text, search_from):
        if "@" not in found[0]:
            if stretch is None or not stretch.covers(found):
                stretch = _Stretch(text, found, people, is_cut=is_cut)
            is_part = in_words and stretch.is_part(found)
            if is_part or _is_prose(found) or not stretch.is_his(found):
                search_from = found.start() + 1  # his own name may begin in what was found
                continue
        parts += text[begin : found.start()], stand_in(found)
        begin = search_from = found.end()
    return "".join([*parts, text[begin:]])


class _Stretch:
    """A stretch of a text, divided into words. `_divided` has the points of the best way to divide all words before each, and
    `_divided_after` of those from there on."""

    def __init__(self, text: str, found: re.Match[str], people: People, *, is_cut: bool) -> None:
        self._begin = max(0, found.start() - _BEFORE)
        self._end = min(len(text), found.end() + _AT_ONCE)
        self._is_whole = self._end == len(text)
        self._text, self._people = text, people
        words = [word for word in _WORD.finditer(text, self._begin, self._end) if word[0][0] != "%"]
        self._begins, self._ends = [word.start() for word in words], [word.end() for word in words]
        self._words = ["".join(folded_words(word[0])) for word in words]
        self._are_names = [
            len(folded) > 1 and folded.isalpha() and word[0][0].isupper()
            for folded, word in zip(self._words, words, strict=True)
        ]
        between = zip(self._ends, self._begins[1:], strict=False)
        kinds = (_kind(text[end : min(begin, end + _AT_EDGE)]) for end, begin in between)
        self._gaps = [_BREAK, *kinds, _JOINED if is_cut else _BREAK]
        self._readings = [self._readings_at(first, people) for first in range(len(words))]
        self._divide()

    def covers(self, found: re.Match[str]) -> bool:
        """Return whether what was found, and enough around it, is in the stretch."""
        return self._is_whole or found.end() + _BEFORE <= self._end

    def is_his(self, found: re.Match[str]) -> bool:
        """Return whether no way to divide the words has more points than the best one with what was found as his name."""
        first, end = self._place(found)
        if first >= end:  # no letters of any script
            return True
        is_after_name = first > 0 and self._gaps[first] == _JOINED and self._are_names[first - 1]
        in_brackets = found.lastgroup == BRACKETED and not is_after_name  # Nel (Piet), but not Jan Nel (Piet)
        his = _KNOWN * self._count(first, end)
        his -= _COMMA_OF_HIS if in_brackets else self._across(first, end, _COMMA_OF_HIS)
        his -= _IS_SWAPPED if found.lastgroup == SWAPPED else 0
        # Each other way has one part in which the first word stands.
        others = (
            self._divided[begin] + points + self._divided_after[last]
            for begin in range(max(0, first + 1 - _LONGEST), first + 1)
            for last, points in self._readings[begin]
            if last > first and (begin, last) != (first, end)
        )
        return max(others, default=0) <= self._divided[first] + his + self._divided_after[end]

    def is_part(self, found: re.Match[str]) -> bool:
        """Return whether a hyphen joins what was found to a word that is of no name by itself: Botha in Jan Botha-Nel, but not
        in Jan Botha-Piet Nel."""
        (first, end), words = self._place(found), self._words
        if first > 0 and self._text[self._ends[first - 1] : found.start()] == "-" and words[first - 1].isalpha():
            begins = range(max(0, first - _LONGEST), first - 1)
            if not any((first, True) in self._people.names_at(words, begin) for begin in begins):
                return True
        if found.lastgroup == BRACKETED or end == len(words):
            return False
        if self._text[found.end() : self._begins[end]] == "-" and words[end].isalpha():
            return not any(is_whole for _, is_whole in self._people.names_at(words, end))
        return False

    def _place(self, found: re.Match[str]) -> tuple[int, int]:
        """Return the first of the words that were found, and the end of them."""
        return bisect_right(self._ends, found.start()), bisect_left(self._begins, found.end())

    def _divide(self) -> None:
        count = len(self._words)
        self._divided = [0] + [-1_000_000] * count
        self._divided_after = [0] * (count + 1)
        for first, readings in enumerate(self._readings):
            for end, points in readings:
                self._divided[end] = max(self._divided[end], self._divided[first] + points)
        for first in reversed(range(count)):
            self._divided_after[first] = max(points + self._divided_after[end] for end, points in self._readings[first])

    def _readings_at(self, first: int, people: People) -> list[tuple[int, int]]:
        """Return the ends of what may begin at a word, that by itself and names, with their points."""
        readings = [(first + 1, self._points_alone(first))]
        for end, count in self._unknown_at(first):
            readings.append((end, _UNKNOWN * count - self._across(first, end, _COMMA_OF_UNKNOWN)))
        for end, is_whole in people.names_at(self._words, first):
            written = {self._are_names[place] for place in range(first, end) if self._words[place] not in PARTICLES}
            if len(written) < 2:  # in small letters is all of a name, or nothing
                points = (_KNOWN if is_whole else _IN_PART) * self._count(first, end)
                readings.append((end, points - self._across(first, end, _COMMA_OF_ANOTHER)))
        return readings

    def _points_alone(self, place: int) -> int:
        is_after_edge = self._begin > 0 and self._ends[place] < self._begin + _AT_EDGE
        if is_after_edge or (not self._is_whole and self._begins[place] > self._end - _AT_EDGE):
            return _KNOWN  # it may be of a name that is not read whole
        around = self._gaps[place : place + 2]
        if not self._are_names[place] or _JOINED in around:
            return 0
        return -_ALONE_IN_CELL if _CELL in around else -_ALONE_BETWEEN_COMMAS if _COMMA in around else 0

    def _unknown_at(self, first: int) -> Iterator[tuple[int, int]]:
        """Yield the ends of what looks like a name, two words with capitals or more and one separator at most, and how many
        those are."""
        count = separators = 0
        for place in range(first, min(first + _LONGEST, len(self._words))):
            separators += place > first and self._gaps[place] != _JOINED
            if separators > 1:
                return
            if self._words[place] in PARTICLES:
                continue
            if not self._are_names[place]:
                return
            count += 1
            if count > 1:
                yield place + 1, count

    def _count(self, first: int, end: int) -> int:
        """Return how many words of a name tell whose it is."""
        telling = sum(word not in PARTICLES for word in self._words[first:end])
        return max(telling, min(end - first, 2))  # Al Smith

    def _across(self, first: int, end: int, comma: int) -> int:
        """Return the points off for the separators in a name. `comma`: for one that may be in it."""
        kind = max(self._gaps[first + 1 : end], default=_JOINED)
        rests = (self._gaps[first] < kind) + (self._gaps[end] < kind)
        if kind == _JOINED:
            return 0
        if kind == _COMMA:
            return _REST if rests == 2 and comma == _COMMA_OF_ANOTHER else comma
        if kind == _ODD:
            return _ODD_SIGN_AND_REST_ON_BOTH if _JOINED == self._gaps[first] == self._gaps[end] else _ODD_SIGN
        return (comma, _REST, _REST_ON_BOTH)[rests]


@lru_cache(1000)
def _kind(between: str) -> int:
    """Return what kind of separator stands between two words."""
    plain = re.sub('["“”]', "", between.replace("%20", " ").replace("%2C", ",").replace("%2c", ","))
    return next((kind for kind, pattern in _KINDS if pattern.search(plain)), _JOINED)


def _is_prose(found: re.Match[str]) -> bool:
    """Return whether what was found around a sign is of a sentence, or months: `Black: will be forfeited`, `Black: Will be
    forfeited`, `May/April`."""
    words = _WORD.findall(found[0])
    following = _NEXT_WORD.match(found.string, found.end())
    goes_on = following is not None and following[1].islower()
    is_small = not all(word[0].isupper() or word in PARTICLES for word in words)
    if found.lastgroup is None:
        return "," in found[0] and is_small and goes_on and _COMMON.issuperset(map(str.lower, words))
    if not re.search(r"[:/]|;\s", found[0]):
        return False
    folded = set(map(str.lower, words))
    return is_small or (goes_on and not _COMMON.isdisjoint(folded)) or _MONTHS.issuperset(folded)
