"""Names and ids of some players in texts of others, and what stands in their place. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from players.identity import fold

_PIECE: Final = re.compile(r"[^\s,;:()\[\]/|<>=\"“”„–—]+")
_END: Final = re.compile(r"(?:['’ʼ]s)?[.!?'’]*$", re.IGNORECASE)
_ID: Final = re.compile(r"\s?\(?(?<![\w.-])(\d{5,11})(?![\w-]|\.\d)\)?")

Name = tuple[str, str]  # first and last name


class _Word(NamedTuple):
    """A folded word, and where the piece of the text is of which it is a part, or all."""

    folded: str
    start: int
    end: int
    is_first: bool
    is_last: bool


class NamesInTexts:
    """What names some players. `names`: first and last names of theirs; `ids`: their ids; `kept`: names of others, which may
    have words of theirs; `spared`: ids of others, before which a name is not theirs; `beside`: what tells of them where
    they are named."""

    def __init__(
        self,
        names: Iterable[Name],
        *,
        stand_in: str,
        ids: Collection[str] = (),
        kept: Iterable[Name] = (),
        spared: Collection[str] = (),
        beside: Collection[str] = (),
    ) -> None:
        self.stand_in, self._ids, self._spared, self._beside = stand_in, ids, spared, beside
        self._names = {key for name in names for key in name_keys(*name) if len(key) > 1}
        self._kept = {key for name in kept for key in name_keys(*name)}
        self._words = {word for key in self._names for word in key}
        self._known = self._names | self._kept
        self._lengths = sorted(set(map(len, self._known)), reverse=True)

    def replaced(self, text: str) -> str:
        """Return a text with `stand_in` for each name, without the ids, and then without what stands beside them."""
        left = text
        if self._words and not self._words.isdisjoint(fold(text).split()):
            for start, end in reversed(list(self._found(text))):
                left = f"{left[:start]}{self.stand_in}{left[end:]}"
        if self._ids:
            left = _ID.sub(lambda found: "" if found[1] in self._ids else found[0], left)
        if left != text:
            for told in self._beside:
                left = left.replace(told, "–")
        return left

    def are_in(self, text: str) -> bool:
        """Return whether a text has a name or id of theirs."""
        return self.replaced(text) != text

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where names begin and end, from left to right."""
        words, place = list(_words(text)), 0
        while place < len(words):
            step = 1
            for size in self._lengths:
                window = words[place : place + size]
                key = _key(window)
                if len(window) < size or key not in self._known or not _is_one_name(text, words, place, place + size):
                    continue
                start, end = window[0].start, window[-1].end
                if key not in self._kept and not self._is_anothers(text, end):
                    yield start, end
                step = size
                break
            place += step

    def _is_anothers(self, text: str, end: int) -> bool:
        behind = _ID.match(text, end)
        return behind is not None and behind[1] in self._spared


def _is_one_name(text: str, words: list[_Word], first: int, end: int) -> bool:
    """Return whether some words are of one name: with blanks between, or one comma, and no part of a longer one. `Piet Nel, Jan
    Botha` has no Jan Nel, and `Jan Nel-Botha` neither."""
    window = words[first:end]
    if not (window[0].is_first and window[-1].is_last):
        return False
    gaps = [text[one.end : two.start] for one, two in pairwise(window) if one.start != two.start]
    if any(gap.strip(" .\u00a0") not in ("", ",") for gap in gaps):
        return False
    commas = sum("," in gap for gap in gaps)
    before = first > 0 and _is_name_beside(text, words[first - 1], window[0])
    behind = end < len(words) and _is_name_beside(text, window[-1], words[end])
    return commas == 0 or (commas == 1 and not (before and behind))


def _is_name_beside(text: str, one: _Word, two: _Word) -> bool:
    """Return whether two pieces that stand beside one another both begin with a capital."""
    return text[one.end : two.start].isspace() and all(text[word.start].isupper() for word in (one, two))


def name_keys(first: str, last: str) -> set[tuple[str, ...]]:
    """Return the folded words of a name in alphabetical order, also with the first of several first names alone."""
    return {tuple(sorted(fold(f"{given} {last}").split())) for given in {first, *first.split()[:1]}} - {()}


def _words(text: str) -> Iterator[_Word]:
    for piece in _PIECE.finditer(text):
        written = _END.sub("", piece[0], count=1)
        words = fold(written).split()
        for place, word in enumerate(words):
            end = piece.start() + len(written)
            yield _Word(word, piece.start(), end, is_first=place == 0, is_last=place == len(words) - 1)


def _key(window: Iterable[_Word]) -> tuple[str, ...]:
    return tuple(sorted(word.folded for word in window))
