"""Checks of a tournament for contradictions, shared by all formats. They add their findings to a report. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from config.lib.formatting import breaks_a_line
from events.files.codes import Code
from events.files.collector import Report, quotable, quoted
from events.rules.game_result import Result
from events.rules.limits import LONGEST_TEXT, MAX_CELLS, MOST_DEPUTIES, MOST_TIE_BREAKS, MOST_TIME_CONTROLS
from events.rules.sizes import LONGEST_NAME
from events.rules.tournament import Entrant, Pairing, Tournament

# What a tournament says in words, and its name in messages.
_TEXTS = {
    "name": "name",
    "city": "city",
    "federation": "federation",
    "kind": "type",
    "kind_code": "type",
    "chief_arbiter": "chief arbiter",
    "time_control_text": "time control",
}
_LISTS = {  # how many of them are read
    "deputy_arbiters": ("deputies", MOST_DEPUTIES),
    "time_controls": ("time controls", MOST_TIME_CONTROLS),
    "tie_breaks": ("tie-breaks", MOST_TIE_BREAKS),
}
_END_OF_FILE = "\x1a"  # of DOS


def plain_line(number: int, text: str, report: Report) -> str:
    """Return a line with a blank for each control character but tabs, and report the first, but for DOS's end of a file.

    For one that stands for a letter in other encodings it is �, by which the name is told that has it.
    """
    if text.isprintable():
        return text
    if "\0" in text:
        message = "The line has a NUL character, which no text file has: the file is damaged. Export it again."
        report.add(Code.NUL_CHARACTER, message, number, text.index("\0") + 1)
    found = {char for char in set(text) if char != "\t" and breaks_a_line(char)}
    if not found:
        return text
    telling = min((text.index(char) for char in found if char not in ("\0", _END_OF_FILE)), default=None)
    if telling is not None:
        message = (
            f"The line has the control character U+{ord(text[telling]):04X}, which no text file has: choose another encoding if"
            " names are wrong, else the file is damaged; export it again."
        )
        report.add(Code.CONTROL_CHARACTER, message, number, telling + 1)
    return text.translate({ord(char): "\ufffd" if "\x80" <= char <= "\x9f" else " " for char in found})


def check_name(
    entrant: Entrant,
    what: str,
    report: Report,
    line: int | None = None,
    columns: tuple[int | None, int | None] = (None, None),
) -> None:
    """Check that an entrant has a name that can be kept, or at least an id. `what`: whose it is, as "Player 3"."""
    if len(entrant.name) > LONGEST_NAME:
        message = f"{what} has a name of {len(entrant.name)} characters, at most {LONGEST_NAME} are kept. Shorten it."
        report.add(Code.LONG_NAME, message, line, *columns)
    if entrant.name:
        return
    identifier = entrant.national_id or entrant.fide_id
    code = Code.NAME_LEFT_OUT if identifier else Code.MISSING_NAME
    message = f"{what} has no name"
    if columns[0] is not None:
        message += f" in columns {columns[0]}-{columns[1]}"
    if identifier:
        alone = f"the id {quoted(identifier)} alone says who it is, and nobody would see a wrong figure in it"
        message += f": {alone}. Give the name"
    report.add(code, f"{message}.", line, *columns)


def within_limits(tournament: Tournament, report: Report) -> Tournament:
    """Return a tournament whose own texts have at most LONGEST_TEXT characters, and whose lists of them are as long as `_LISTS`
    says; report what is left out, and a crosstable of too many cells, played or not."""
    kept: dict[str, Any] = {}
    too_many = len(tournament.entrants) * tournament.rounds > MAX_CELLS
    if too_many:
        message = (
            f"{len(tournament.entrants)} players in {tournament.rounds} rounds have more than {MAX_CELLS} rounds together."
            " Send one section alone."
        )
        report.add(Code.TOO_MANY_CELLS, message)
    for field, what in _TEXTS.items():
        text = getattr(tournament, field)
        if len(text) > LONGEST_TEXT:
            message = f"{what}: the text has {len(text)} characters, the first {LONGEST_TEXT} are read."
            report.add(Code.LONG_TEXT, message)
            kept[field] = text[:LONGEST_TEXT]
    for field, (what, most) in _LISTS.items():
        values = getattr(tournament, field)
        if len(values) > most:
            report.add(Code.LONG_LIST, f"{what}: the file gives {len(values)}, the first {most} are read.")
        short = tuple(value[:LONGEST_TEXT] if isinstance(value, str) else value for value in values[:most])
        if short != values:
            kept[field] = short
    return replace(tournament, **kept, findings=report.findings()) if kept or too_many else tournament


def check_dates(
    starts: date | None,
    ends: date | None,
    round_dates: tuple[date | None, ...],
    lines: tuple[int | None, int | None],
    report: Report,
) -> None:
    """Check that the start is before the end and the rounds between. `lines`: of the start, and of the round dates."""
    if starts and ends and starts > ends:
        message = f"The tournament starts on {starts.isoformat()} and ends on {ends.isoformat()}, before it starts."
        report.add(Code.DATES_REVERSED, message, lines[0])
        return
    outside = [
        day
        for day in round_dates
        if day and ((starts is not None and day < starts) or (ends is not None and day > ends))
    ]
    if outside:
        message = (
            f"{len(outside)} of the round dates, {outside[0].isoformat()} the first, lie outside the tournament’s "
            f"{starts.isoformat() if starts else '?'} to {ends.isoformat() if ends else '?'}."
        )
        report.add(Code.ROUND_OUTSIDE_DATES, message, lines[1])


def check_rounds(tournament: Tournament, line: int | None, report: Report) -> None:
    """Check that there are no more rounds than planned."""
    planned = tournament.planned_rounds
    if planned is not None and tournament.rounds > planned:
        message = (
            f"The players have {tournament.rounds} rounds, the tournament is said to have {planned}. Correct the number of "
            "rounds or the results."
        )
        report.add(Code.MORE_ROUNDS_THAN_PLANNED, message, line)


def check_numbers(numbers: list[int], report: Report) -> None:
    """Check that the start numbers have no gaps."""
    missing = len(range(1, max(numbers, default=0) + 1)) - len(set(numbers))
    if missing:
        used = set(numbers)
        first = next(number for number in range(1, len(used) + 2) if number not in used)
        message = f"{missing} start numbers up to {max(numbers)} are missing, {first} the first."
        report.add(Code.START_NUMBER_GAP, message)


def check_ids(entrants: tuple[Entrant, ...], report: Report) -> None:
    """Check that no two players have one id."""
    holders: dict[tuple[str, str], int] = {}
    for entrant in entrants:
        for kind, identifier in (("FIDE id", entrant.fide_id), ("national id", entrant.national_id)):
            first = holders.setdefault((kind, identifier), entrant.number) if identifier else entrant.number
            if first != entrant.number:
                message = f"Players {first} and {entrant.number} have the same {kind} {quotable(identifier)}."
                report.add(Code.REPEATED_ID, message, entrant.line)


def check_pairing_byes(pairings: Sequence[Pairing], report: Report) -> None:
    """Check that the pairings of a round have at most one pairing-allocated bye."""
    byes = [pairing for pairing in pairings if pairing.result is Result.PAIRING_BYE]
    for pairing in byes[1:]:
        if not report.counts(Code.SECOND_PAIRING_BYE):
            message = f"Round {pairing.round} has {len(byes)} pairing-allocated byes (U), one was expected."
            report.add(Code.SECOND_PAIRING_BYE, message, pairing.line, pairing.column)
