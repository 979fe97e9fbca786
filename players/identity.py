"""Whether an entry of a file and a player on the register are one person, and why. Pure.

The likelihood is a weighted sum of evidence, not a probability: every piece of evidence, for or against, is listed in words
so that a user can check it. An id that matches is not enough when the name speaks against it.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from rapidfuzz.distance import Indel

from config.lib.keeping import keep_small
from config.lib.names import BLANK

CHESS_SA_DIGITS = 9
CHESS_SA_ID = f"[0-9]{{{CHESS_SA_DIGITS}}}"  # as a regular expression
FIRST_FIDE_ID = 100_000  # below it an id is a federation's own
FIDE_ID_DIGITS = 11  # as many as the columns for it in a TRF

_SMALL = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
_CAPITALS = {"ẞ": "SS"} | {letter.upper(): plain.capitalize() for letter, plain in _SMALL.items() if letter != "ß"}
_MOST_LETTERS = 4  # that one character stands for in a name
_LETTERS = str.maketrans(_SMALL | _CAPITALS)


def fide_id_problem(fide_id: int | None) -> str:
    """Return that a FIDE id is longer than the columns of tournament files; "" if it is not, or without one."""
    return f"A FIDE id has at most {FIDE_ID_DIGITS} figures." if (fide_id or 0) >= 10**FIDE_ID_DIGITS else ""


def is_chess_sa_id(text: str) -> bool:
    """Return whether a text can be a player's Chess SA id."""
    return re.fullmatch(CHESS_SA_ID, text) is not None


@keep_small(50_000)  # every entry of a file is compared with many names of the register
def fold(text: str) -> str:
    """Lower-case words without accents, punctuation and what is not seen: `O'Brien, Zoë` → `obrien zoe`."""
    return " ".join(folded_words(text))


def folded_words(text: str) -> list[str]:
    """Return the words of `fold`, of which nothing is kept: for texts that are met once."""
    return text.translate(_FOLDED).split()


def plain_letters(text: str) -> str:
    """Return a text with the letters that Unicode does not take apart as they are written plainly: `Großmüller` →
    `Grossmüller`."""
    return text.translate(_LETTERS)


def _folded_char(char: str) -> str:
    # Decompose before lowering: some letters have a lower case only when decomposed.
    lowered = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    if len(lowered) > _MOST_LETTERS:
        return " "  # a whole phrase, as ﷺ after a name
    return "".join(map(_folded_letter, lowered))


def _folded_letter(char: str) -> str:
    if char in _SMALL:
        return _SMALL[char]
    if unicodedata.combining(char):
        return ""
    if "\u02b0" <= char <= "\u02ff":  # among them are apostrophes that count as letters: Thiongʼo
        return ""
    if char.isalnum() and char not in BLANK:
        return char
    # What shows nothing leaves no gap: two names that look alike fold alike.
    return "" if char in "'’`" or char in BLANK or unicodedata.category(char) == "Cf" else " "


class _Folded(dict[int, int | str]):
    """What each character becomes, by its code: worked out when it is met first, and kept. Itself is its code, which takes no
    room."""

    def __missing__(self, code: int) -> int | str:
        if len(self) >= _MOST_KEPT:
            self.clear()
        char = chr(code)
        folded = _folded_char(char)
        self[code] = code if folded == char else folded
        return self[code]


LONGEST_FOLDED = 200
_MOST_KEPT = 0x28000  # all letters there are, in 12 megabytes
_FOLDED = _Folded()


def sorted_words(name: str) -> str:
    """Return the folded words of a name in alphabetical order, so that their order in files does not matter."""
    return " ".join(sorted(fold(name).split()))


def telling_words(name: str) -> set[str]:
    """Return the folded words of a name that tell whose it is beside an id or a day of birth: those longer than “van”, or
    all of a name without one, as “Kim Fox”. They are looked for among all words of the other name."""
    words = words_of(name)
    return {word for word in words if len(word) > 3} or words


def words_of(name: str) -> set[str]:
    """Return the folded words of a name."""
    return set(fold(name).split())


def is_part_of(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Return whether each folded word of a name, of two or more, is in another name, or is the initial of a word there."""
    return len(one) > 1 and all(
        word in other or (len(word) == 1 and any(longer.startswith(word) for longer in other)) for word in one
    )


def may_be_one_name(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Return whether one of two names is written with a further first name, or with initials."""
    return is_part_of(one, other) or is_part_of(other, one)


def may_be_called(name: str, people: Iterable[tuple[str, str]]) -> bool:
    """Return whether a name has what tells of the last name of one of some people, each first and last name, and before or
    behind it his first name or its initial."""
    words = folded_words(name)

    def is_name_of(first_name: str, last_name: str) -> bool:
        given, last = folded_words(first_name)[:1], words_of(last_name)
        rest = [word for word in words if word not in last]
        if not last or not telling_words(last_name) <= set(words):
            return False
        return not given or bool(rest and (rest[0] == given[0] or (len(rest[0]) == 1 and given[0].startswith(rest[0]))))

    return any(is_name_of(first, last) for first, last in people)


def is_of_family(name: str, people: Iterable[tuple[str, str]]) -> bool:
    """Return whether a name has a word of the last name of some people, each first and last name, and no first name of theirs,
    nor one that is short for it or written much alike: it is that of another of the family."""
    words, shares = words_of(name), False
    for first_name, last_name in people:
        rest = words - words_of(last_name)
        if not rest or not words & telling_words(last_name):
            continue
        given = words_of(first_name)
        if not given or any(_are_alike(one, other) for one in rest for other in given):
            return False
        shares = True
    return shares


def _are_alike(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one) or Indel.normalized_similarity(one, other) >= 0.7


def folded_name(last_name: str, first_name: str) -> str:
    """Return a name as it is stored for the search: folded, last name first, a blank before every word. A sign that stands for
    many letters can make it longer than LONGEST_FOLDED, at which it ends."""
    return f" {fold(last_name)} {fold(first_name)}"[:LONGEST_FOLDED].rstrip()


class Strength(StrEnum):
    """What may be done with a candidate for a match."""

    CERTAIN = "certain"  # matched, with the reason on record
    POSSIBLE = "possible"  # a user decides
    AGAINST = "against"  # an id matches but name, birth date or sex do not: a user decides


@dataclass(frozen=True, slots=True)
class Person:
    """What a file or the register says of a person. Ids are digits as text, or empty."""

    last_name: str
    first_name: str
    national_id: str = ""
    fide_id: str = ""
    birth_date: date | None = None
    birth_year: int | None = None
    sex: str = ""


@dataclass(slots=True)  # not frozen: a large file has one made for each pair that may be one person, in half the time
class Likelihood:
    """How well two persons agree: `score` from 0 to 1. `similarity`: of the names; `ids`: 1 if one agrees, −1 if none does and
    one differs; `born`: 1 for an equal birth date, 0.5 for the year, below 0 for a difference."""

    line: Person
    known: Person
    score: float
    strength: Strength
    similarity: float
    ids: int
    born: float

    @property
    def evidence(self) -> tuple[str, ...]:
        """What agrees and what does not, in words."""
        return tuple(_evidence(self))

    @property
    def reason(self) -> str:
        """The evidence as one text."""
        return "; ".join(self.evidence)


# The names agree when this share of letters does; below the second figure they speak against each other.
NAME_AGREES, _NAME_DIFFERS = 0.85, 0.55
_WORD_AGREES = 0.6  # … and of a single word


def name_similarity(first: Person, second: Person) -> float:
    """Return the share of letters that two names have in common, from 0 to 1, whatever the order of their words.

    Digits must agree exactly: `Player 12` and `Player 13` have a similarity of 0.
    """
    return similarity_of_parts(parts_of(first), parts_of(second))


def similarity_of_parts(one: "NameParts", other: "NameParts") -> float:
    """Return `name_similarity` of two names of which what is compared is known."""
    if one.figures != other.figures:
        return 0.0
    similarity = _similarity(one.text, other.text)
    if one.sorted_text != one.text or other.sorted_text != other.text:
        similarity = max(similarity, _similarity(one.sorted_text, other.sorted_text))
    return max(similarity, _with_initials(one, other))


def names_agree(first: Person, second: Person) -> bool:
    """Return whether two names have a similarity of NAME_AGREES."""
    return name_similarity(first, second) >= NAME_AGREES


def is_same_name(first: Person, second: Person) -> bool:
    """Return whether two names have the same words, in any order: their similarity is 1."""
    one, other = parts_of(first), parts_of(second)
    return one.sorted_text == other.sorted_text and one.figures == other.figures


@dataclass(frozen=True, slots=True)
class NameParts:
    """A name folded, in what is compared. `shortest`: letters of its shortest word."""

    text: str
    sorted_text: str
    words: tuple[str, ...]
    last_words: tuple[str, ...]
    first_words: tuple[str, ...]
    figures: tuple[str, ...]
    shortest: int


def parts_of(person: Person) -> NameParts:
    """Return a person's name in what is compared."""
    return _parts(person.last_name, person.first_name)


@keep_small(50_000)  # every name of a file is compared with many of the register
def _parts(last_name: str, first_name: str) -> NameParts:
    last_words, first_words = tuple(fold(last_name).split()), tuple(fold(first_name).split())
    words = last_words + first_words
    text = " ".join(words)
    return NameParts(
        text=text,
        sorted_text=" ".join(sorted(words)),
        words=words,
        last_words=last_words,
        first_words=first_words,
        figures=tuple(sorted(re.findall(r"[0-9]+", f"{last_name} {first_name}"))),
        shortest=min(map(len, words), default=0),
    )


def likelihood(line: Person, known: Person) -> Likelihood:
    """Return how likely an entry of a file is a player on the register."""
    same_id = _ids(line, known)
    line_name, known_name = parts_of(line), parts_of(known)
    similarity = similarity_of_parts(line_name, known_name)
    nameless = not line_name.words or not known_name.words
    born, _ = _BIRTHS[birth_agreement(line, known)]
    sex_differs = _sex_differs(line, known)

    score = max(0.0, min(1.0, 0.6 * similarity + 0.35 * same_id + 0.2 * born - 0.1 * sex_differs))
    if same_id > 0:
        doubtful = not nameless and similarity < _NAME_DIFFERS
        doubtful |= born < 0 and similarity < NAME_AGREES
        doubtful |= (born < 1.0 or sex_differs) and _given_names_differ(line, known)
        doubtful |= sex_differs and born < 1.0 and similarity < 1.0 and not nameless
        strength = Strength.AGAINST if doubtful else Strength.CERTAIN
    elif same_id < 0:
        strength = Strength.POSSIBLE
    elif similarity == 1.0 and born == 1.0 and not sex_differs:
        strength = Strength.CERTAIN
    else:
        strength = Strength.POSSIBLE
    return Likelihood(line, known, score, strength, similarity, same_id, born)


def _evidence(found: Likelihood) -> Iterator[str]:
    line, known = found.line, found.known
    for label, line_id, known_id in _pairs_of_ids(line, known):
        if line_id and known_id:
            same = _is_same_id(line_id, known_id)
            yield f"same {label} {line_id}" if same else f"{label} differs: {line_id} in the file, {known_id} here"
    if not _words(line) or not _words(known):
        yield "no name to compare"
    else:
        yield _SAME_NAME if found.similarity == 1.0 else f"names agree by {found.similarity:.0%}"
    _, words = _BIRTHS[birth_agreement(line, known)]
    if words:
        yield words
    if _sex_differs(line, known):
        yield "sex differs"


def is_candidate(line: Person, known: Person, match: Likelihood) -> bool:
    """Return whether a user should be asked about this player. `match`: their likelihood.

    Not when the names differ, nor when an id or the birth date, where both sides have them, differ; but always when the name
    is the same and the years of birth, where both are known, are too.
    """
    if match.strength is not Strength.POSSIBLE:
        return True
    if match.similarity < NAME_AGREES:
        return False
    if match.ids == 0 or match.born == 1.0:
        return match.born > -1.0
    # one of the ids may be mistyped
    years = {year for year in (_year(line), _year(known)) if year is not None}
    return len(years) < 2 and match.similarity == 1.0


def is_same_newcomer(line: Person, other: Person) -> bool:
    """Return whether two entries of one event, neither on the register, are one person.

    They are when `likelihood` is certain, or when the names are equal and no id, birth date or sex speaks against it.
    """
    match = likelihood(line, other)
    if match.strength is not Strength.POSSIBLE:
        return match.strength is Strength.CERTAIN
    against = match.ids < 0 or match.born < 0
    return match.similarity == 1.0 and not against and not _sex_differs(line, other)


_MOST_ALIKE = 50


def same_newcomers(lines: Iterable[Person], others: Iterable[Person]) -> list[Person]:
    """Return those of the lines that pair with exactly one of the others by `is_same_newcomer`, and that one only with them.

    Of more than 50 others who share an id or a name none is compared.
    """
    others_by_key: dict[str, list[Person]] = defaultdict(list)
    for other in others:
        for key in _keys(other):
            others_by_key[key].append(other)
    few = {key: alike for key, alike in others_by_key.items() if len(alike) <= _MOST_ALIKE}
    pairs = [
        (line, other)
        for line in lines
        for other in {id(other): other for key in _keys(line) for other in few.get(key, ())}.values()
        if is_same_newcomer(line, other)
    ]
    line_counts, other_counts = (Counter(id(pair[side]) for pair in pairs) for side in (0, 1))
    return [line for line, other in pairs if line_counts[id(line)] == other_counts[id(other)] == 1]


def _keys(person: Person) -> set[str]:
    """Return keys of which two lines of one person share at least one: ids, and the sorted words of the name."""
    ids = (("c", person.national_id), ("f", person.fide_id), ("n", name_key(person)))
    return {f"{kind} {value}" for kind, value in ids if value}


def name_key(person: Person) -> str:
    """Return the words of a name in order of the alphabet, folded: `KHUMALO ZODWA` of Zodwa Khumalo."""
    return " ".join(sorted(_words(person)))


def _given_names_differ(line: Person, known: Person) -> bool:
    """Return whether two names share a word while none of the other words resembles one on the other side.

    They then belong to siblings, for example. A spelling, a short form and initials resemble.
    """
    if _with_initials(parts_of(line), parts_of(known)):
        return False
    line_words, known_words = set(_words(line)), set(_words(known))
    line_rest, known_rest = line_words - known_words, known_words - line_words
    if not (line_words & known_words and line_rest and known_rest):
        return False
    return not any(
        word.startswith(other) or other.startswith(word) or _similarity(word, other) >= _WORD_AGREES
        for word in line_rest
        for other in known_rest
    )


def _pairs_of_ids(line: Person, known: Person) -> tuple[tuple[str, str, str], ...]:
    return ("Chess SA id", line.national_id, known.national_id), ("FIDE id", line.fide_id, known.fide_id)


def _is_same_id(first: str, second: str) -> bool:
    return first.lstrip("0") == second.lstrip("0")


def _ids(line: Person, known: Person) -> int:
    """Return 1 if an id agrees, −1 if none agrees and one differs, 0 if no id is on both sides."""
    if not (line.national_id or line.fide_id):
        return 0
    both = [(one, other) for _, one, other in _pairs_of_ids(line, known) if one and other]
    return 0 if not both else 1 if any(_is_same_id(*pair) for pair in both) else -1


def _sex_differs(line: Person, known: Person) -> bool:
    return bool(line.sex and known.sex and line.sex != known.sex)


class BirthAgreement(StrEnum):
    """How the birth of an entry agrees with the register's."""

    UNKNOWN = "unknown"  # on one side or both
    DATE = "date"
    YEAR = "year"  # no more than the year can be compared
    OTHER_DAY = "other day"  # of the same year
    OTHER_YEAR = "other year"


def birth_agreement(line: Person, known: Person) -> BirthAgreement:
    """Return how two births agree. 1 January, which lists write where they publish the year alone, differs from no day."""
    if not (_year(line) and _year(known)):
        return BirthAgreement.UNKNOWN
    if _year(line) != _year(known):
        return BirthAgreement.OTHER_YEAR
    if not (line.birth_date and known.birth_date):
        return BirthAgreement.YEAR
    if line.birth_date == known.birth_date:
        return BirthAgreement.DATE
    return BirthAgreement.YEAR if _is_new_year(line.birth_date, known.birth_date) else BirthAgreement.OTHER_DAY


def _is_new_year(*days: date) -> bool:
    return any((day.month, day.day) == (1, 1) for day in days)


_SAME_NAME, _SAME_BIRTH_DATE = "same name", "same birth date"
_BIRTHS = {
    BirthAgreement.UNKNOWN: (0.0, ""),
    BirthAgreement.DATE: (1.0, _SAME_BIRTH_DATE),
    BirthAgreement.YEAR: (0.5, "same year of birth"),
    BirthAgreement.OTHER_DAY: (-0.5, "birth date differs"),
    BirthAgreement.OTHER_YEAR: (-1.0, "year of birth differs"),
}


def same_name_and_birth(evidence: str) -> bool:
    """Return whether the evidence in one text says that name and birth date are the same."""
    return {_SAME_NAME, _SAME_BIRTH_DATE}.issubset(evidence.split("; "))


def without_birth_date(evidence: str) -> str:
    """Return the evidence as one text without that a birth date agrees, which confirms a guess to those who may not see it."""
    return "; ".join(words for words in evidence.split("; ") if words != _SAME_BIRTH_DATE)


def _year(person: Person) -> int | None:
    return person.birth_date.year if person.birth_date else person.birth_year


def _words(person: Person) -> tuple[str, ...]:
    return parts_of(person).words


def _similarity(first: str, second: str) -> float:
    return Indel.normalized_similarity(first, second)


def _with_initials(first: NameParts, second: NameParts) -> float:
    """Return 0.9 where one name has initials for first names of the other, else 0.

    As `Mokoena N`, `N Mokoena` or `Mokoena NP` of `Mokoena, Naledi Precious`.
    """
    given, others = first.first_words, second.first_words
    if given and others and 1 in (len(given[0]), len(others[0])) and first.last_words == second.last_words:
        return 0.9 if given[0][0] == others[0][0] else 0.0
    return 0.9 if _abbreviates(first, second) or _abbreviates(second, first) else 0.0


def _abbreviates(short: NameParts, full: NameParts) -> bool:
    """Return whether a name is another one with its last name in full and initials for the rest."""
    if short.shortest >= len(full.words):
        return False  # initials have a letter, or one for each word beside the last name at most
    shared = {word for word in short.words if len(word) > 1 and word in full.words}
    initials = [word for word in short.words if word not in shared]
    others = [word for word in full.words if word not in shared]
    last_names = [parts.last_words for parts in (short, full) if parts.first_words]
    if not (shared and initials and others) or not all(shared.issuperset(words) for words in last_names):
        return False
    letters = "".join(initials)
    if len(letters) == len(initials):
        return letters[0] == others[0][0]
    return len(initials) == 1 and "".join(word[0] for word in others).startswith(letters)


def is_another_name(first: str, second: str) -> bool:
    """Return whether two names beside one id are of two people, and no spellings, short forms or initials of one."""
    return likelihood(*(Person(name, "", national_id="1") for name in (first, second))).strength is Strength.AGAINST
