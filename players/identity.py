"""Whether a line of a file and a player on the register are the same person, and why. Pure.

The likelihood is a plain sum of evidence that a person can check, not a probability: each piece of evidence is named, and
what speaks against is named too. A match on an id alone is never enough when the name speaks against it.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"})


@lru_cache(maxsize=50_000)  # a register is compared with itself over and over
def fold(text: str) -> str:
    """Lower-case words without accents or punctuation, single blanks between: `O'Brien, Zoë` → `obrien zoe`."""
    # Some letters have a lower case only once they are taken apart.
    lowered = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    plain = (char for char in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(char))
    letters = "".join("" if char in "'’`" else char if char.isalnum() else " " for char in plain)
    return " ".join(letters.split())


def folded_name(last_name: str, first_name: str) -> str:
    """A name as the register is searched: a blank before every word, the last name first."""
    return f" {fold(last_name)} {fold(first_name)}".rstrip()


class Strength(StrEnum):
    """What may be done with a candidate."""

    CERTAIN = "certain"  # taken, with the reason on record
    POSSIBLE = "possible"  # a person decides
    AGAINST = "against"  # an id matches and the person does not: a person decides


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of a person, in a file or on the register. Ids are digits as text, or empty."""

    last_name: str
    first_name: str
    national_id: str = ""
    fide_id: str = ""
    birth_date: date | None = None
    birth_year: int | None = None
    sex: str = ""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How well two persons agree: `score` from 0 to 1, with the evidence in words."""

    score: float
    strength: Strength
    evidence: tuple[str, ...]

    @property
    def reason(self) -> str:
        """The evidence as one text."""
        return "; ".join(self.evidence)


# The names agree when this share of letters does; below the second figure they speak against each other.
_NAME_AGREES, _NAME_DIFFERS = 0.85, 0.55
_WORD_AGREES = 0.6  # … and of a single word


def name_similarity(first: Person, second: Person) -> float:
    """The share of letters that two names have in common, whichever order their words stand in, from 0 to 1.

    Figures are no letters: `Player 12` and `Player 13` have nothing in common.
    """
    if _figures(first) != _figures(second):
        return 0.0
    return max(
        _similarity(_words(first), _words(second)),
        _similarity(sorted(_words(first)), sorted(_words(second))),
        _with_initials(first, second),
    )


def likelihood(line: Person, known: Person) -> Likelihood:
    """How likely a line of a file is a player on the register."""
    evidence: list[str] = []
    same_id = _ids(line, known, evidence)
    similarity = name_similarity(line, known)
    nameless = not _words(line) or not _words(known)
    if nameless:
        evidence.append("no name to compare")
    elif similarity == 1.0:
        evidence.append("same name")
    else:
        evidence.append(f"names agree by {similarity:.0%}")
    born = _births(line, known, evidence)
    sex_differs = bool(line.sex and known.sex and line.sex != known.sex)
    if sex_differs:
        evidence.append("sex differs")

    score = max(0.0, min(1.0, 0.6 * similarity + 0.35 * same_id + 0.2 * born - 0.1 * sex_differs))
    if same_id > 0:
        doubtful = not nameless and similarity < _NAME_DIFFERS
        doubtful |= born < 0 and similarity < _NAME_AGREES
        doubtful |= (born < 1.0 or sex_differs) and _given_names_differ(line, known)
        doubtful |= sex_differs and born < 1.0 and similarity < 1.0 and not nameless
        strength = Strength.AGAINST if doubtful else Strength.CERTAIN
    elif same_id < 0:
        strength = Strength.POSSIBLE
    elif similarity == 1.0 and born == 1.0 and not sex_differs:
        strength = Strength.CERTAIN
    else:
        strength = Strength.POSSIBLE
    return Likelihood(score, strength, tuple(evidence))


def is_candidate(line: Person, known: Person, found: Likelihood) -> bool:
    """Whether a person should be asked about this player at all: not when the names differ, nor when an id and the birth
    date, as far as both sides have them, say that it is somebody else."""
    if found.strength is not Strength.POSSIBLE:
        return True
    ignored: list[str] = []
    same_id, born = _ids(line, known, ignored), _births(line, known, ignored)
    return name_similarity(line, known) >= _NAME_AGREES and born > -1.0 and (same_id == 0 or born == 1.0)


def is_same_newcomer(line: Person, other: Person) -> bool:
    """Whether two lines of one event, each of somebody who is on no register yet, are the same person: by what makes a line
    certain, or by the same name when nothing speaks against it."""
    found = likelihood(line, other)
    if found.strength is not Strength.POSSIBLE:
        return found.strength is Strength.CERTAIN
    ignored: list[str] = []
    against = _ids(line, other, ignored) < 0 or _births(line, other, ignored) < 0
    return (
        name_similarity(line, other) == 1.0 and not against and not (line.sex and other.sex and line.sex != other.sex)
    )


def same_newcomers(lines: Iterable[Person], others: Iterable[Person]) -> list[Person]:
    """Those of the lines who are the same person as one of the others, by `is_same_newcomer`, and as no second one."""
    known: dict[str, list[Person]] = defaultdict(list)
    for other in others:
        for key in _keys(other):
            known[key].append(other)
    pairs = [
        (line, other)
        for line in lines
        for other in {id(one): one for key in _keys(line) for one in known[key]}.values()
        if is_same_newcomer(line, other)
    ]
    ours, theirs = (Counter(id(pair[side]) for pair in pairs) for side in (0, 1))
    return [line for line, other in pairs if ours[id(line)] == theirs[id(other)] == 1]


def _keys(person: Person) -> set[str]:
    """What two lines of one person have in common: an id, or the words of the name in any order."""
    name = " ".join(sorted(_words(person)))
    return {
        f"{kind} {value}" for kind, value in (("c", person.national_id), ("f", person.fide_id), ("n", name)) if value
    }


def _given_names_differ(line: Person, known: Person) -> bool:
    """Whether two names share a word, and of the others none is a spelling, a short form or an initial of one on the other
    side: siblings, or somebody of another last name."""
    ours, theirs = set(_words(line)), set(_words(known))
    left, right = ours - theirs, theirs - ours
    if not (ours & theirs and left and right):
        return False
    return not any(
        one.startswith(other) or other.startswith(one) or _similarity([one], [other]) >= _WORD_AGREES
        for one in left
        for other in right
    )


def _ids(line: Person, known: Person, evidence: list[str]) -> int:
    """1: an id agrees; −1: one is on both sides and differs, and none agrees; 0: nothing to compare."""
    verdict = 0
    for label, ours, theirs in (
        ("Chess SA id", line.national_id, known.national_id),
        ("FIDE id", line.fide_id, known.fide_id),
    ):
        if ours and theirs:
            same = ours.lstrip("0") == theirs.lstrip("0")
            evidence.append(f"same {label} {ours}" if same else f"{label} differs: {ours} in the file, {theirs} here")
            verdict = 1 if same or verdict == 1 else -1
    return verdict


def _births(line: Person, known: Person, evidence: list[str]) -> float:
    if line.birth_date and known.birth_date:
        same = line.birth_date == known.birth_date
        evidence.append("same birth date" if same else "birth date differs")
        if same:
            return 1.0
        return -0.5 if line.birth_date.year == known.birth_date.year else -1.0
    ours, theirs = _year(line), _year(known)
    if ours and theirs:
        evidence.append("same year of birth" if ours == theirs else f"year of birth differs: {ours} and {theirs}")
        return 0.5 if ours == theirs else -1.0
    return 0.0


def _year(person: Person) -> int | None:
    return person.birth_date.year if person.birth_date else person.birth_year


def _words(person: Person) -> list[str]:
    return fold(f"{person.last_name} {person.first_name}").split()


def _figures(person: Person) -> list[str]:
    return sorted(re.findall(r"[0-9]+", f"{person.last_name} {person.first_name}"))


def _similarity(first: Iterable[str], second: Iterable[str]) -> float:
    # The matcher's answer depends on which text comes first.
    texts = sorted((" ".join(first), " ".join(second)))
    return SequenceMatcher(None, texts[0], texts[1], autojunk=False).ratio()


def _with_initials(first: Person, second: Person) -> float:
    """`Mokoena N` and `Mokoena Naledi`: an initial agrees with every first name that begins with it."""
    if fold(first.last_name) != fold(second.last_name):
        return 0.0
    ours, theirs = fold(first.first_name).split(), fold(second.first_name).split()
    if not ours or not theirs or (len(ours[0]) > 1 and len(theirs[0]) > 1):
        return 0.0
    return 0.9 if ours[0][0] == theirs[0][0] else 0.0
