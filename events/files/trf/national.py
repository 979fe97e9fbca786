"""Reads lines of a national rating system (NRS): a federation's code as tag, then the columns of record 001. Pure.

Source: FIDE TRF26. National ids and ratings belong on them, so they override record 001.
"""

from collections.abc import Mapping
from dataclasses import replace

from events.files.codes import Code
from events.files.collector import Report
from events.files.trf.lines import TrfLine
from events.files.trf.player_fields import rating_of, sex_of
from events.rules.tournament import Entrant


def add_national(
    entrants: Mapping[int, Entrant], lines: list[TrfLine], home: str, report: Report
) -> tuple[dict[int, Entrant], list[str]]:
    """Return the players completed from their national lines, and the texts of lines without use.

    Of a player's lines that of the federation `home` counts, else the first.
    """
    chosen: dict[int, TrfLine] = {}
    for line in lines:
        number = int(line.text[4:8])
        if number not in entrants:
            message = f"The {line.text[:3]} line is for player {number}, whom the file does not have; it is left out."
            report.add(Code.NATIONAL_LINE_WITHOUT_PLAYER, message, line.number, 5, 8)
        elif number not in chosen or (_tag(line) == home and _tag(chosen[number]) != home):
            chosen[number] = line
        else:
            message = f"Player {number} has a second national line; the one of {_tag(chosen[number])} counts."
            report.add(Code.REPEATED_NATIONAL_LINE, message, line.number, 1, 8)
    used_lines = {line.number for line in chosen.values()}
    return {
        number: _with(entrant, chosen[number], report) if number in chosen else entrant
        for number, entrant in entrants.items()
    }, [line.text for line in lines if line.number not in used_lines]


def _tag(line: TrfLine) -> str:
    return line.text[:3]


def _with(entrant: Entrant, line: TrfLine, report: Report) -> Entrant:
    text = line.text
    return replace(
        entrant,
        national_federation=_tag(line),
        national_id=text[57:68].strip() or entrant.national_id,
        national_rating=rating_of(text[48:52].strip(), line.number, report),
        region=text[53:56].strip(),
        sex=entrant.sex or sex_of(text[9:10].strip(), line.number, report),
    )
