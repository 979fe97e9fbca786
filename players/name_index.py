"""Finds the people of a register whose names agree with those of a file, without comparing each with each. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from config.lib.keeping import keep_small
from players.identity import NAME_AGREES, NameParts, similarity_of_parts

_AT_ONCE = 256  # lines compared in one step: a table of as many rows
_USUAL_WORDS, _RAREST = 6, 3  # words of most names; of a longer one the sounds by which it is looked for
_MOST_WORDS = 12  # of a name that is compared: the time of a line grows with its words, and nobody has more
_FEW = 200  # pairs that are compared sooner in Python than told apart at a glance
_SPELLINGS = (("ph", "f"), ("ck", "k"), ("x", "ks"))
_SOUNDS = str.maketrans("cqzv", "kksf", "aeiouyjwh")


@keep_small(100_000)  # a register has many people and few words
def sound(word: str) -> str:
    """Return a key that usual spellings of a folded word share, as `mokoena` and `mokwena` or `philip` and `filip`.

    It is the word's consonants that are heard, each once where it is doubled; the word itself where fewer than two are left.
    """
    key = word
    for spelling, plain in _SPELLINGS:
        key = key.replace(spelling, plain)
    key = key.translate(_SOUNDS)
    key = "".join(letter for letter, before in zip(key, f" {key}", strict=False) if letter != before)
    return key if len(key) > 1 else word


def sounds(folded: str) -> set[str]:
    """Return the sounds of the words of a folded name, initials left out."""
    return {sound(word) for word in folded.split() if len(word) > 1}


class NameIndex:
    """People to be found by the sounds of the words of their names. `names`: key → name.

    Equal names, of the people or of those who are looked for, are compared once: a file may have one name in each line.
    """

    def __init__(self, names: Mapping[int, NameParts]) -> None:
        self._bearers: dict[NameParts, list[int]] = defaultdict(list)
        for key, name in names.items():
            self._bearers[name].append(key)
        self._by_sound = _by_sound((name, sounds(name.text)) for name in self._bearers)

    def agreeing(self, names: Sequence[NameParts], *, sharing_sounds: bool = True) -> list[frozenset[int]]:
        """Return for each name the keys of those whose names share a sound with it and agree (`names_agree`); for one of more
        than _MOST_WORDS words those with the name itself. `sharing_sounds`: False among a few hundred people, of whom all are
        compared, since two slips of the pen may leave no sound that is shared."""
        found: dict[NameParts, set[int]] = {name: set() for name in names}
        compared = [name for name in found if len(name.words) <= _MOST_WORDS]
        for name in found.keys() - set(compared):
            found[name].update(self._bearers.get(name, ()))
        groups = [(compared, list(self._bearers))]
        if sharing_sounds:
            heard = _by_sound((name, self._telling_sounds(name)) for name in compared)
            groups = [(given, self._by_sound.get(key, [])) for key, given in heard.items()]
        for given, known in groups:
            bearers = [self._bearers[name] for name in known]
            keys = [found[name] for name in given]
            for row, column in _near(given, known):
                if (
                    bearers[column][0] not in keys[row]
                    and similarity_of_parts(given[row], known[column]) >= NAME_AGREES
                ):
                    keys[row].update(bearers[column])
        frozen = {name: frozenset(agreeing) for name, agreeing in found.items()}
        return [frozen[name] for name in names]

    def _telling_sounds(self, name: NameParts) -> set[str]:
        """Return the sounds of a name, of more than _USUAL_WORDS words the rarest of all and of its last name. Who agrees with
        it has nearly all of its words, or with initials all of its last name. Without a comma it may be any."""
        keys = sounds(name.text)
        if len(name.words) > _USUAL_WORDS and name.first_words and name.last_words:
            return {*self._rarest(keys, _RAREST), *self._rarest(sounds(" ".join(name.last_words)), 1)}
        return keys

    def _rarest(self, keys: Iterable[str], count: int) -> list[str]:
        """Return those of some sounds that the fewest people have, but somebody."""
        known = sorted((len(self._by_sound[key]), key) for key in keys if key in self._by_sound)
        return [key for _, key in known[:count]]


def _by_sound(heard: Iterable[tuple[NameParts, set[str]]]) -> dict[str, list[NameParts]]:
    """Return the names by their sounds."""
    names: dict[str, list[NameParts]] = defaultdict(list)
    for name, keys in heard:
        for key in keys:
            names[key].append(name)
    return names


def _near(names: Sequence[NameParts], known: Sequence[NameParts]) -> Iterator[tuple[int, int]]:
    """Yield the places of the pairs of names that may agree: by most letters, or by initials."""
    theirs = _Initials(known)
    for start in range(0, len(names) if known else 0, _AT_ONCE):
        given = names[start : start + _AT_ONCE]
        ours = _Initials(given)
        abbreviated = ours.shortest[:, None] <= theirs.lengths[None, :]
        abbreviated |= theirs.shortest[None, :] <= ours.lengths[:, None]
        if np.count_nonzero(abbreviated) > _FEW:
            abbreviated &= _may_abbreviate(ours, theirs) | _may_abbreviate(theirs, ours).T
        near = abbreviated | _similar((parts.text for parts in given), (parts.text for parts in known))
        near |= _similar((parts.sorted_text for parts in given), (parts.sorted_text for parts in known))
        for row, column in np.argwhere(near).tolist():
            yield start + row, column


def _similar(texts: Iterable[str], others: Iterable[str]) -> np.ndarray:
    least = NAME_AGREES - 0.001  # no pair at the limit is lost by rounding
    table = process.cdist(
        list(texts), list(others), scorer=Indel.normalized_similarity, score_cutoff=least, dtype=np.float32
    )
    return table > 0  # below the cutoff a pair has 0


class _Initials:
    """What tells of names at a glance that one may be another with initials: sets of words and letters as bits of numbers, of
    which several may share one."""

    def __init__(self, names: Sequence[NameParts]) -> None:
        self._names = names
        self.lengths = np.array([len(name.words) for name in names])
        self.shortest = np.array([name.shortest for name in names])

    @cached_property
    def heads(self) -> np.ndarray:
        """The first letters of the words."""
        return _numbers(_union(_letter(word[0]) for word in name.words) for name in self._names)

    @cached_property
    def longer(self) -> np.ndarray:
        """The words of more than one letter."""
        return _numbers(_union(_word(word) for word in name.words if len(word) > 1) for name in self._names)

    @cached_property
    def last_names(self) -> np.ndarray:
        """Equal numbers for equal last names."""
        return _numbers(hash(name.last_words) for name in self._names)

    @cached_property
    def one_letter_first(self) -> np.ndarray:
        """Whether the first of the first names is one letter."""
        return np.array([bool(name.first_words) and len(name.first_words[0]) == 1 for name in self._names])

    @cached_property
    def first_letters(self) -> np.ndarray:
        """The first letter of the first of the first names."""
        return _numbers(_letter(name.first_words[0][0]) if name.first_words else 0 for name in self._names)

    @cached_property
    def first_initials(self) -> np.ndarray:
        """The first of the words that are one letter."""
        return _numbers(next((_letter(word) for word in name.words if len(word) == 1), 0) for name in self._names)

    @cached_property
    def words(self) -> list[tuple[int, int, int, int]]:
        """The words that may be first letters of others: of which name, how many letters, which, and the longer words beside
        it."""
        return [
            (row, len(word), _letters(word), _union(_word(other) for other in longer - {word}))
            for row, name in enumerate(self._names)
            for longer in [{word for word in name.words if len(word) > 1}]
            for word in longer
        ]


def _may_abbreviate(short: _Initials, full: _Initials) -> np.ndarray:
    """Return the table of which names may be others with initials: it has all pairs that `similarity_of_parts` takes for such,
    and should have few others, for each is compared in Python.

    Either a first name is one letter, with which the other's begins, and the last names are equal; or there is a letter, with
    which a word of the full name begins, and all longer words stand there; or all but one do, which is made of first letters
    of the full name's words.
    """
    near: np.ndarray = short.one_letter_first[:, None] & (short.last_names[:, None] == full.last_names[None, :])
    near &= short.first_letters[:, None] == full.first_letters[None, :]
    initials = (short.shortest == 1)[:, None] & ((short.longer[:, None] & ~full.longer[None, :]) == 0)
    near |= initials & ((short.first_initials[:, None] & ~full.heads[None, :]) == 0)
    longest = full.lengths.max(initial=0)
    if words := [word for word in short.words if word[1] < longest]:
        rows, sizes, letters, beside = (np.array(column, dtype=np.int64) for column in zip(*words, strict=True))
        made = (letters[:, None] & ~full.heads[None, :]) == 0
        made &= (beside[:, None] & ~full.longer[None, :]) == 0
        made &= sizes[:, None] < full.lengths[None, :]
        np.logical_or.at(near, rows, made)
    return near


def _numbers(values: Iterable[int]) -> np.ndarray:
    return np.array(list(values), dtype=np.int64)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _letter(letter: str) -> int:
    return 1 << ord(letter) % 62


@keep_small(100_000)
def _letters(word: str) -> int:
    return _union(map(_letter, word))


@keep_small(100_000)
def _word(word: str) -> int:
    return 1 << hash(word) % 62
