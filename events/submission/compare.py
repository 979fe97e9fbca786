"""A line of a file beside a player on the register, with the difference letter by letter. Pure."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from players.identity import Person

Stretches = list[tuple[str, bool]]  # text, and whether the other side has it too


@dataclass(frozen=True, slots=True)
class Compared:
    """One detail of both sides. `state` is same, differs, or blank where a side does not have it."""

    label: str
    line: Stretches
    known: Stretches
    state: str


def letters(first: str, second: str) -> tuple[Stretches, Stretches]:
    """Both texts cut into what they have in common, whichever case it is in, and what they have not."""
    matcher = SequenceMatcher(None, first.casefold(), second.casefold(), autojunk=False)
    if len(first.casefold()) != len(first) or len(second.casefold()) != len(second):
        matcher = SequenceMatcher(None, first, second, autojunk=False)
    mine: Stretches = []
    theirs: Stretches = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if end > start:
            mine.append((first[start:end], kind == "equal"))
        if other_end > other_start:
            theirs.append((second[other_start:other_end], kind == "equal"))
    return mine, theirs


def compare(line: Person, known: Person) -> list[Compared]:
    """Name, date of birth, gender and ids of both, in the order in which a person looks."""
    return [
        _compared(label, mine, theirs)
        for label, mine, theirs in (
            ("Name", _name(line), _name(known)),
            ("Born", born(line), born(known)),
            ("Gender", line.sex, known.sex),
            ("Chess SA id", line.national_id, known.national_id),
            ("FIDE id", line.fide_id, known.fide_id),
        )
        if mine or theirs
    ]


def born(person: Person) -> str:
    """Date of birth as the regulations write it, or the year alone."""
    if person.birth_date:
        return f"{person.birth_date:%Y/%m/%d}"
    return str(person.birth_year or "")


def _name(person: Person) -> str:
    return f"{person.last_name}, {person.first_name}" if person.first_name else person.last_name


def _compared(label: str, mine: str, theirs: str) -> Compared:
    if not (mine and theirs):
        return Compared(label, [(mine, True)] if mine else [], [(theirs, True)] if theirs else [], "blank")
    ours, others = letters(mine, theirs)
    return Compared(label, ours, others, "same" if mine.casefold() == theirs.casefold() else "differs")
