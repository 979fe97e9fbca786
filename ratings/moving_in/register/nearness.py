"""Whether a line of a list and a player on the register may be one person though name or birth differ a little. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from config.lib.keeping import keep_small
from players.identity import (
    BirthAgreement,
    Likelihood,
    Person,
    Strength,
    birth_agreement,
    fold,
    is_candidate,
    name_similarity,
    names_agree,
    parts_of,
)
from players.name_index import NameIndex

SOUND_LENGTH = 12
_MANY = 400  # of whom only those are compared who share a sound
_SOUNDS_LIKE = 0.7  # so much of the letters must agree of names that sound alike
_SPELLINGS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"sch|tz|ts|tj|sh|c(?=[eiy])|z", "s"),
        (r"ph", "f"),
        (r"th|dt", "t"),
        (r"ck|ch|kh|c|q", "k"),
        (r"x", "ks"),
        (r"(?<=[bdfgklmnprst])w", ""),
        (r"w", "v"),
        (r"^[jy]", "i"),
        (r"(?<=.)h", ""),
        (r"(.)\1+", r"\1"),
    )
)
_VOWELS = re.compile(r"(?<=.)[aeiouyj]")


@keep_small(100_000)  # a register has many people and few words
def sound(word: str) -> str:
    """Return what is left of a folded word when spellings that sound alike are one: `coetzee` and `kotze` are `kts`."""
    for pattern, replacement in _SPELLINGS:
        word = pattern.sub(replacement, word)
    word = _VOWELS.sub("", word)
    return re.sub(r"^[aeiouy]", "a", word)


def sound_key(last_name: str, first_name: str) -> str:
    """Return a key that near names share: how the surname sounds, and how the first name begins."""
    first = fold(first_name).split()
    begins = sound(first[0])[:1] if first else ""
    return f"{sound(fold(last_name).replace(' ', ''))[: SOUND_LENGTH - 2]} {begins}"


class NearNames:
    """People to be found by a name that agrees or sounds alike, as `may_be_one` demands, without comparing each with each.
    `people`: key → person."""

    def __init__(self, people: Mapping[int, Person]) -> None:
        self._index = NameIndex({key: parts_of(person) for key, person in people.items()})
        self._many = len(people) > _MANY
        self._by_sounds: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for key, person in people.items():
            self._by_sounds[_sounds_of(person)].append(key)

    def near(self, lines: Sequence[Person]) -> Iterator[set[int]]:
        """Yield for each line the keys of those whom it may be by its name."""
        found = self._index.agreeing([parts_of(line) for line in lines], sharing_sounds=self._many)
        for line, agreeing in zip(lines, found, strict=True):
            yield {*agreeing, *self._by_sounds.get(_sounds_of(line), ())}


def may_be_one(line: Person, known: Person, match: Likelihood) -> bool:
    """Return whether an officer is asked if a line is this player: `players.identity.is_candidate`, and beyond it if no id
    speaks against it, the names agree or sound alike, and the births differ by a slip of the pen at most."""
    if is_candidate(line, known, match):
        return True
    if match.strength is not Strength.POSSIBLE or _other_id(line, known):
        return False
    birth = birth_agreement(line, known)
    if birth is BirthAgreement.OTHER_YEAR:
        return names_agree(line, known) and _is_slip(line, known)
    if line.sex and known.sex and line.sex != known.sex:
        return False
    return _sound_alike(line, known)


def _other_id(line: Person, known: Person) -> bool:
    pairs = ((line.national_id, known.national_id), (line.fide_id, known.fide_id))
    return any(here and there and here.lstrip("0") != there.lstrip("0") for here, there in pairs)


def _is_slip(line: Person, known: Person) -> bool:
    """Return whether two years of birth are next to each other, or have the figures or all but the year in common."""
    here, there = _year(line), _year(known)
    if abs(here - there) <= 1 or sorted(str(here)) == sorted(str(there)):
        return True
    days = (line.birth_date, known.birth_date)
    return all(days) and len({(day.month, day.day) for day in days if day}) == 1 and not _is_new_year(line)


def _is_new_year(person: Person) -> bool:
    return person.birth_date is not None and (person.birth_date.month, person.birth_date.day) == (1, 1)


def _year(person: Person) -> int:
    return person.birth_date.year if person.birth_date else person.birth_year or 0


def _sound_alike(line: Person, known: Person) -> bool:
    return _sounds_of(line) == _sounds_of(known) and name_similarity(line, known) >= _SOUNDS_LIKE


def _sounds_of(person: Person) -> tuple[str, ...]:
    return tuple(sorted(map(sound, fold(f"{person.last_name} {person.first_name}").split())))
