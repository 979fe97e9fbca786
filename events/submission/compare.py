"""Compares a line of a file with a player on the register, letter by letter. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from players.identity import BirthAgreement, Person, birth_agreement, without_birth_date

_UNKNOWN_REGION = -1  # of a report that was written before it named the regions
Stretches = list[tuple[str, bool]]  # part of a text, and whether the other text has it too


@dataclass(frozen=True, slots=True)
class Compared:
    """A detail of both sides. `state`: same, differs, or blank if a side lacks it.

    `instead`: what is said of the register's side to a user who may not see it; "" if everybody may.
    """

    label: str
    line: Stretches
    known: Stretches
    state: str
    instead: str = ""


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
        _compared(label, in_file, registered, instead)
        for label, in_file, registered, instead in (
            ("Name", _name(line), _name(known), ""),
            ("Born", born(line), born(known), birth_in_words(line, known)),
            ("Gender", line.sex, known.sex, ""),
            ("Chess SA id", line.national_id, known.national_id, ""),
            ("FIDE id", line.fide_id, known.fide_id, ""),
        )
        if in_file or registered
    ]


def birth_in_words(line: Person, known: Person) -> str:
    """Return how the birth on the register agrees with the file's, without the date: "differs in the day"."""
    if not born(known):
        return "not on the register"
    return _AGREEMENTS[birth_agreement(line, known)]


_AGREEMENTS = {
    BirthAgreement.UNKNOWN: "on the register",
    BirthAgreement.DATE: "agrees",
    BirthAgreement.YEAR: "agrees in the year",
    BirthAgreement.OTHER_DAY: "differs in the day",
    BirthAgreement.OTHER_YEAR: "differs in the year",
}


def as_seen(line: dict[str, Any], births_of: Collection[int | None]) -> dict[str, Any]:
    """Return a candidate or a matched line of a report, with the register's birth date for players of regions `births_of`, as
    `players.administrators.birth_date_regions` gives them.

    For others it is left out also that the dates agree.
    """
    if line.get("region", _UNKNOWN_REGION) in births_of:
        return line
    seen = {**line, "reason": without_birth_date(line["reason"])}
    return {**seen, "rows": without_births(line["rows"])} if "rows" in line else seen


def without_births(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a comparison as a report keeps them, for a user who may not see the register's birth date."""
    return [_hidden(row) if row["label"] == "Born" else row for row in rows]


def _hidden(row: dict[str, Any]) -> dict[str, Any]:
    # The stretches that agree would tell parts of the date: the file's side is shown in one piece.
    in_file = "".join(text for text, _ in row["line"])
    known = row.get("instead") or "not shown"
    same = "differs" not in known  # “1980” agrees with “1980/02/03”, though the texts differ
    return {**row, "line": [[in_file, same]] if in_file else [], "known": [[known, same]]}


def born(person: Person) -> str:
    """Return the date of birth as the regulations write it, or the year."""
    if person.birth_date:
        return f"{person.birth_date:%Y/%m/%d}"
    return str(person.birth_year or "")


def _name(person: Person) -> str:
    return f"{person.last_name}, {person.first_name}" if person.first_name else person.last_name


def _compared(label: str, in_file: str, registered: str, instead: str) -> Compared:
    if not (in_file and registered):
        parts = [[(text, True)] if text else [] for text in (in_file, registered)]
        return Compared(label, parts[0], parts[1], "blank", instead)
    same = in_file.casefold() == registered.casefold()
    return Compared(label, *letters(in_file, registered), "same" if same else "differs", instead)
