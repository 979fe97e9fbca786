"""Reads the teams of a TRF: record 013, and TRF26's 310. They do not affect ratings. Pure."""

import re
from collections.abc import Collection

from config.lib.parsing import whole_number
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.trf.lines import Records, TrfLine
from events.rules.tournament import Team

_NAMES = {"013": (5, 36, 37), "310": (9, 40, 74)}  # first and last column of the name, first of the members
_LONGEST = 9  # digits of a start number, zeros before it among them


def read_teams(records: Records, players: Collection[int], report: Report) -> tuple[Team, ...]:
    """Return the teams in file order, from record 310 if the file has it, except in FIDE's draft with other columns."""
    tag = "310" if records.of("310") and not records.draft else "013"
    return tuple(_team(line, tag, players, report) for line in records.of(tag) if "\t" not in line.text)


def _team(line: TrfLine, tag: str, players: Collection[int], report: Report) -> Team:
    first, last, members = _NAMES[tag]
    numbers = []
    for match in re.finditer(r"\S+", line.text[members - 1 :]):
        number = whole_number(match[0], digits=_LONGEST)
        if number not in players:
            if not report.counts(Code.TEAM_MEMBER_NOT_IN_FILE):
                message = f"The team has the member {quoted(match[0])}, who is no player of the file and is left out."
                report.add(Code.TEAM_MEMBER_NOT_IN_FILE, message, line.number, members + match.start())
        elif number:
            numbers.append(number)
    return Team(line.text[first - 1 : last].strip(), tuple(dict.fromkeys(numbers)))
