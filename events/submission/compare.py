"""Compares a line of a file with a player on the register, letter by letter. Pure."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from players.identity import Person

Stretches = list[tuple[str, bool]]  # part of a text, and whether the other text has it too


@dataclass(frozen=True, slots=True)
class Compared:
    """A detail of both sides. `state`: same, differs, or blank if a side lacks it."""

    label: str
    line: Stretches
    known: Stretches
    state: str


def letters(first: str, second: str) -> tuple[Stretches, Stretches]:
    """Return both texts, cut into common and different parts, ignoring case."""
    matcher = SequenceMatcher(None, first.casefold(), second.casefold(), autojunk=False)
    if len(first.casefold()) != len(first) or len(second.casefold()) != len(second):
        matcher = SequenceMatcher(None, first, second, autojunk=False)
    parts: Stretches = []
    other_parts: Stretches = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if end > start:
            parts.append((first[start:end], kind == "equal"))
        if other_end > other_start:
            other_parts.append((second[other_start:other_end], kind == "equal"))
    return parts, other_parts


def compare(line: Person, known: Person) -> list[Compared]:
    """Return name, date of birth, gender and ids of both, except details that neither has."""
    return [
        _compared(label, in_file, registered)
        for label, in_file, registered in (
            ("Name", _name(line), _name(known)),
            ("Born", born(line), born(known)),
            ("Gender", line.sex, known.sex),
            ("Chess SA id", line.national_id, known.national_id),
            ("FIDE id", line.fide_id, known.fide_id),
        )
        if in_file or registered
    ]


def born(person: Person) -> str:
    """Return the date of birth as the regulations write it, or the year."""
    if person.birth_date:
        return f"{person.birth_date:%Y/%m/%d}"
    return str(person.birth_year or "")


def _name(person: Person) -> str:
    return f"{person.last_name}, {person.first_name}" if person.first_name else person.last_name


def _compared(label: str, in_file: str, registered: str) -> Compared:
    if not (in_file and registered):
        parts = [[(text, True)] if text else [] for text in (in_file, registered)]
        return Compared(label, parts[0], parts[1], "blank")
    same = in_file.casefold() == registered.casefold()
    return Compared(label, *letters(in_file, registered), "same" if same else "differs")
