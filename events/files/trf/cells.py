"""Reads the rounds on a player's line: opponent, colour and result, ten columns each from column 92. Pure."""

import re
from typing import NamedTuple

from events.files.codes import Code
from events.files.collector import Report, quoted
from events.rules.limits import MAX_ROUNDS

FIRST_COLUMN = 92
WIDTH = 10
RESULT_LETTERS = frozenset("1=0+-WDLHFZU")
_SPELLINGS = {"½": "="}
# Opponent, colour and result as nearly all of them stand; others are read field by field.
_USUAL = re.compile("( {3}[0-9]| {2}[0-9]{2}| [0-9]{3}|[0-9]{4}) ([wb-]) ([1=0+WDLHFZU-])  ")
_MOST_KEPT = 100_000
_COLOURS = {"w": "w", "b": "b", "W": "w", "B": "b", "-": "", "": ""}


class TrfCell(NamedTuple):
    """One player's round. `opponent`: start number or 0; `colour`: w, b or ""; `result`: a letter of TRF or "".

    `readable` is False if the opponent or the result could not be read.
    """

    opponent: int
    colour: str
    result: str
    readable: bool = True


def column_of(number: int) -> int:
    """Return the first column of a round."""
    return FIRST_COLUMN + WIDTH * (number - 1)


def read_rounds(text: str, line: int, kept: dict[str, TrfCell], report: Report) -> tuple[dict[int, TrfCell], int]:
    """Return the rounds of a line by number, without blank ones, and the number of rounds on the line.

    `kept`: the usual cells of the file's lines before, by their ten columns, to which those of this one are added. Half a
    million cells of their own would double the time of the largest files.
    """
    text = text.rstrip()
    if text[89:91].strip():
        report.add(Code.STRAY_TEXT, f"Columns 90-91 hold {quoted(text[89:91])}, blanks were expected.", line, 90, 91)
    rounds = max(0, -(-(len(text) - FIRST_COLUMN + 1) // WIDTH))
    if rounds > MAX_ROUNDS:
        message = f"The line has {rounds} rounds, a file may have {MAX_ROUNDS}; the rest is not read."
        report.add(Code.TOO_MANY_ROUNDS, message, line, FIRST_COLUMN + MAX_ROUNDS * WIDTH)
        rounds = MAX_ROUNDS
    cells = {}
    end = FIRST_COLUMN - 1 + rounds * WIDTH
    text = text.ljust(end)
    for number, start in enumerate(range(FIRST_COLUMN - 1, end, WIDTH), 1):
        part = text[start : start + WIDTH]
        cell = kept.get(part)
        if cell is None:
            if part.isspace():
                continue
            if usual := _USUAL.fullmatch(part):
                cell = TrfCell(int(usual[1]), _COLOURS[usual[2]], usual[3])
                if len(kept) < _MOST_KEPT:
                    kept[part] = cell
            else:
                cell = _cell(part, line, start + 1, report)
        cells[number] = cell
    return cells, rounds


def _cell(part: str, line: int, column: int, report: Report) -> TrfCell:
    stray = part[4:5] + part[6:7] + part[8:10]
    if stray.strip():
        message = f"{quoted(stray.strip())} stands between the fields of a round, blanks were expected."
        report.add(Code.STRAY_TEXT, message, line, column + 4, column + 9)
    opponent, result = part[:4].strip(), part[7:8].strip()
    readable = True
    if opponent and not (opponent.isascii() and opponent.isdecimal()):
        if opponent.strip("-"):
            message = f"The opponent {quoted(opponent)} is no start number; four figures, 0000 or blanks were expected."
            report.add(Code.BAD_OPPONENT, message, line, column, column + 3)
            readable = False
        opponent = ""
    result = _result(result, line, column + 7, report)
    readable &= result != "?"
    return TrfCell(int(opponent or 0), _colour(part[5:6].strip(), line, column + 5, report), result, readable)


def _result(letter: str, line: int, column: int, report: Report) -> str:
    upper = letter.upper()
    if not upper or upper in RESULT_LETTERS:
        return upper
    if upper in _SPELLINGS:
        report.add(
            Code.RESULT_SPELLING, f"The result {quoted(letter)} is read as {quoted(_SPELLINGS[upper])}.", line, column
        )
        return _SPELLINGS[upper]
    message = (
        f"The result {quoted(letter)} is unknown; 1 = 0 for games, + - for forfeits, W D L for games of no move and "
        "H F Z U for byes were expected."
    )
    report.add(Code.UNKNOWN_RESULT, message, line, column)
    return "?"


def _colour(letter: str, line: int, column: int, report: Report) -> str:
    if letter not in _COLOURS:
        message = f"The colour {quoted(letter)} is unknown, w, b or - was expected; the opponent’s line decides."
        report.add(Code.UNKNOWN_COLOUR, message, line, column)
    return _COLOURS.get(letter, "")
