"""Names and ids of some players in texts of others, and what stands in their place. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from players.identity import fold

_PIECE: Final = re.compile(r"[^\s,;:()\[\]/|<>=\"“”„–—]+")
_APOSTROPHES: Final = "'’ʼ`"  # which `fold` leaves out: it leaves `nels` of `Nel's`
_AS_APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘´′", "'"))  # what else is typed for an apostrophe
_END: Final = re.compile(rf"(?:[{_APOSTROPHES}]s)?[.!?{_APOSTROPHES}]*$", re.IGNORECASE)
_ID: Final = re.compile(r"\s?\(?(?<![\w.-])(\d{5,11})(?![\w-]|\.\d)\)?")

Name = tuple[str, str]  # first and last name


class _Word(NamedTuple):
    folded: str
    start: int
    end: int


class NamesInTexts:
    """What names some players. `names`: first and last names of theirs; `ids`: their ids; `kept`: names that stay though one of
    theirs is the same; `others`: names of others, whose words are not theirs; `spared`: ids of others, before which a name is
    not theirs; `beside`: what tells of them where they are named."""

    def __init__(
        self,
        names: Iterable[Name],
        *,
        stand_in: str,
        ids: Collection[str] = (),
        kept: Iterable[Name] = (),
        others: Iterable[Name] = (),
        spared: Collection[str] = (),
        beside: Collection[str] = (),
    ) -> None:
        self.stand_in, self._ids, self._spared, self._beside = stand_in, ids, spared, beside
        self._names = {key for name in names for key in name_keys(*name) if len(key) > 1}
        self._kept = {key for name in others for key in name_keys(*name)} - self._names
        self._kept |= {key for name in kept for key in name_keys(*name)}
        self._words = {word for key in self._names for word in key}
        self._known = self._names | self._kept
        self._lengths = sorted(set(map(len, self._known)), reverse=True)

    def replaced(self, text: str) -> str:
        """Return a text with `stand_in` for each name, without the ids, and then without what stands beside them."""
        left = text
        if self._words and not self._words.isdisjoint(words_in(text)):
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
        """Yield where names begin and end, from left to right. Hazard: two names beside one another, as in `Piet Nel, Jan
        Botha`, have that of Jan Nel between them; they have to be among the `others`."""
        words, place, last = list(_words(text)), 0, 0
        while place < len(words):
            step = 1
            for size in self._lengths:
                window = words[place : place + size]
                key = _key(window)
                if len(window) < size or key not in self._known:
                    continue
                start, end = window[0].start, window[-1].end
                if key not in self._kept and start >= last and not self._is_anothers(text, end):
                    yield start, end
                    last = end
                step = size
                break
            place += step

    def _is_anothers(self, text: str, end: int) -> bool:
        behind = _ID.match(text, end)
        return behind is not None and behind[1] in self._spared


def words_in(text: str) -> set[str]:
    """Return the folded words of a text, of `Jan Nel's` both `nels` and `nel`."""
    text = text.translate(_AS_APOSTROPHES)
    words = set(fold(text).split())
    if any(sign in text for sign in _APOSTROPHES):
        words.update(word.folded for word in _words(text))
    return words


def name_keys(first: str, last: str) -> set[tuple[str, ...]]:
    """Return the folded words of a name in alphabetical order, also with the first of several first names alone."""
    first, last = first.translate(_AS_APOSTROPHES), last.translate(_AS_APOSTROPHES)
    return {tuple(sorted(fold(f"{given} {last}").split())) for given in {first, *first.split()[:1]}} - {()}


def _words(text: str) -> Iterator[_Word]:
    for piece in _PIECE.finditer(text.translate(_AS_APOSTROPHES)):
        written = _END.sub("", piece[0], count=1)
        for word in fold(written).split():
            yield _Word(word, piece.start(), piece.start() + len(written))


def _key(window: Iterable[_Word]) -> tuple[str, ...]:
    return tuple(sorted(word.folded for word in window))
