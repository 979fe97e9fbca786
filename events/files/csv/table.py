"""Splits a CSV of results into rows, and finds its separator and heading. Pure.

RFC 4180 with the variants of spreadsheets: comma, semicolon or tab, `sep=;` as the first line, trailing cells. A quoted cell
must end on its line, so that a missing quotation mark is a finding on one line and does not swallow the file.
"""

import csv
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice

from config.lib.spreadsheets import text_of_cell
from events.files.checks import plain_line
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.text import Text
from events.rules.limits import MAX_ROWS, MOST_CELLS, MOST_COLUMNS
from players.identity import fold

SEPARATORS = (",", ";", "\t")
# The cells of a line with quotation marks, each after the start or a separator.
_CELLS = {mark: re.compile(rf'(?:^|{mark})( *"(?:[^"]|"")*"|[^{mark}]*)') for mark in SEPARATORS}
WHITE, BLACK = "white", "black"
_SIDES = {"white": WHITE, "w": WHITE, "black": BLACK, "b": BLACK}
_HEAD = 60  # lines that are searched for the heading
_LONGEST_HEAD = 4000


def _spellings(table: dict[str, str]) -> dict[str, str]:
    return {spelling: name for name, spellings in table.items() for spelling in spellings.split()}


# Names of columns → spellings, in letters and digits only. Columns of a game:
_GAME = _spellings(
    {
        "round": "round rd rnd ronde roundno roundnumber",
        "result": "result res score outcome uitslag",
        "date": "date day rounddate playedon",
        "colour_known": "colourknown colorknown coloursknown colorsknown",
        "board": "board bd bo bord table",
    }
)
# … of a player, after or before “white” or “black”:
_PLAYER = _spellings(
    {
        "name": "name player playername fullname fullnames nameandsurname surnameandname",
        "last_name": "lastname surname familyname last van",
        "first_name": "firstname firstnames givenname givennames forename forenames first names voornaam voorname",
        "id": "id playerid",
        "national_id": "nationalid natid idnat chesssaid chesssanumber chesssano csaid csanumber uniqueno uniquenumber idno",
        "fide_id": "fideid fide fideno fidenumber",
        "number": "no nr number startno startnumber snr sno",
        "rating": "rating rtg elo rtgnat rtgint",
        "born": "born birth birthdate birthday bdate dob dateofbirth yearofbirth birthyear geboortedatum",
        "sex": "sex gender geslag",
        "title": "title",
        "federation": "federation fed country",
        "region": "region regioncode streek",
        "club": "club clubname team klub",
    }
) | {"": "name"}
# … of lists of federations, which mean the same unless another column gives it:
_LIKELY_OF_PLAYER = _spellings(
    {
        "national_id": "memberid memberno membernumber membercode membership membershipid membershipno membershipnumber"
        " membershipcode federationid federationno federationnumber nationalno nationalnumber registrationid registrationno"
        " registrationnumber licence licenceno licencenumber licenseno licensenumber lidnommer lidmaatskapnommer",
        "region": "province provincecode state statecode union unioncode district county regionname provinsie unie",
    }
)
# … and details of the tournament, in the first cell of a line before the heading:
_KEYS = _spellings(
    {
        "name": "name event eventname tournament tournamentname",
        "city": "city place venue town",
        "federation": "federation fed country",
        "starts": "starts start startdate from",
        "ends": "ends end enddate to until",
        "chief_arbiter": "chiefarbiter arbiter",
        "deputy_arbiters": "deputyarbiters deputyarbiter deputies",
        "time_control": "timecontrol tempo rateofplay",
        "rounds": "rounds plannedrounds numberofrounds",
        "kind": "kind type system",
    }
)
IDENTITY = (
    "name",
    "last_name",
    "first_name",
    "id",
    "national_id",
    "fide_id",
    "number",
)  # columns that identify a player


@dataclass
class CsvRow:
    """A line's cells by the name of their column. `separator`: "" for a row whose places are cells and not characters."""

    line: int
    text: str
    separator: str
    cells: list[str]
    columns: dict[str, int]

    def value(self, name: str) -> str:
        """Return the text of a cell, stripped; "" if the line or the file has no such cell."""
        index = self.columns.get(name, -1)
        cells = self.cells
        return cells[index].strip() if 0 <= index < len(cells) else ""

    def place(self, name: str) -> tuple[int, int | None, int | None]:
        """Return line, first and last column of a cell, 1-based, in characters or, without a separator, in cells; only the line
        if there is no such column."""
        index = self.columns.get(name)
        if index is None:
            return self.line, None, None
        return self.place_of(index) if self.separator else (self.line, index + 1, index + 1)

    def place_of(self, index: int) -> tuple[int, int | None, int | None]:
        """Return the place of the cell at an index, as `place` does."""
        if not self.separator:
            return self.line, index + 1, index + 1
        if index >= len(self._ends):
            return self.line, None, None
        start, end = self._ends[index - 1] if index else 0, self._ends[index] - 1
        return self.line, start + 1, max(end, start + 1)

    @property
    def reach(self) -> int:
        """The number of cells that a line needs for round, players and result."""
        needed = {"round", "result", *(f"{side}_{name}" for side in (WHITE, BLACK) for name in IDENTITY)}
        return max((index + 1 for name, index in self.columns.items() if name in needed), default=0)

    @cached_property
    def _ends(self) -> Sequence[int]:
        """Where each of the cells ends, and the one after them, with its separator."""
        most = len(self.cells) + 1
        if '"' in self.text:
            pieces = [found[1] for found in islice(_CELLS[self.separator].finditer(self.text), most)]
        else:
            pieces = self.text.split(self.separator, most)[:most]
        return array("L", accumulate(len(piece) + 1 for piece in pieces))


@dataclass(frozen=True, slots=True)
class CsvTable:
    """The content of a file: the tournament's details, the lines on which they stand, the heading and the rows."""

    details: dict[str, str]
    detail_lines: dict[str, int]
    heading: CsvRow
    rows: list[CsvRow]


@dataclass(frozen=True, slots=True)
class _Heading:
    line: int  # index in the text
    separator: str
    cells: list[str]


def is_csv(text: Text) -> bool:
    """Return whether one of the first lines is the heading of a table of results."""
    return _heading(text) is not None


def read_table(text: Text, report: Report) -> CsvTable | None:
    """Return the table, None without a heading; report problems of the heading and of lines that cannot be split."""
    heading = _heading(text)
    if heading is None:
        return None
    if any(cell.strip() for cell in heading.cells[MOST_COLUMNS:]):
        message = (
            f"The heading has {len(heading.cells)} columns, at most {MOST_COLUMNS} are read. Leave out those that say nothing"
            " of the games."
        )
        report.add(Code.TOO_MANY_COLUMNS, message, heading.line + 1)
        return None
    del heading.cells[MOST_COLUMNS:]
    lines = [plain_line(number, line, report) for number, line in enumerate(text.lines, 1)]
    names = [column_name(cell) for cell in heading.cells]
    columns: dict[str, int] = {}
    head = CsvRow(heading.line + 1, lines[heading.line], heading.separator, heading.cells, columns)
    for index, name in enumerate(names):
        if name and name in columns:
            message = (
                f"Two columns, {quoted(heading.cells[columns[name]])} and {quoted(heading.cells[index])}, give the same: "
                f"{name}. Delete one of them."
            )
            report.add(Code.REPEATED_COLUMN, message, *head.place_of(index))
        elif name:
            columns[name] = index
        elif heading.cells[index].strip():
            message = f"The column {quoted(heading.cells[index].strip())} is not known here; it is not read."
            report.add(Code.UNKNOWN_COLUMN, message, *head.place_of(index))
    details, detail_lines = _details(lines[: heading.line], heading.separator, report)
    last = heading.line + 1 + MAX_ROWS
    if len(lines) > last:
        message = (
            f"The table has {len(lines) - heading.line - 1} lines, at most {MAX_ROWS} are read. Send one section alone, or a "
            "TRF file."
        )
        report.add(Code.TOO_MANY_LINES, message, last + 1)
    return CsvTable(details, detail_lines, head, list(_rows(lines[:last], heading, columns, report)))


def column_name(cell: str) -> str:
    """Return the column of a heading's cell: `round`, `result`, `white_id`, `black_name` …; "" if unknown."""
    word = fold(cell).replace(" ", "") if len(cell) < 100 else ""
    if word in _GAME:
        return _GAME[word]
    for spelling, side in _SIDES.items():
        if word.startswith(spelling) and word.removeprefix(spelling) in _PLAYER:
            return f"{side}_{_PLAYER[word.removeprefix(spelling)]}"
        if len(spelling) > 1 and word.endswith(spelling) and word.removesuffix(spelling) in _PLAYER:
            return f"{side}_{_PLAYER[word.removesuffix(spelling)]}"
    return ""


def player_column(cell: str) -> str:
    """Return what a column of a list of players gives, by its heading: `last_name`, `national_id` …; "" if unknown."""
    return _PLAYER.get(fold(cell).replace(" ", ""), "") if len(cell) < 100 else ""


def likely_player_column(cell: str) -> str:
    """Return what a column of a list of players may give that `player_column` does not know, by its heading; "" if unknown."""
    return _LIKELY_OF_PLAYER.get(fold(cell).replace(" ", ""), "") if len(cell) < 100 else ""


def names_player(columns: dict[str, int], side: str) -> bool:
    """Return whether a column identifies the player of a side."""
    return any(f"{side}_{name}" in columns for name in IDENTITY)


def _heading(text: Text) -> _Heading | None:
    for index, line in enumerate(text.lines[:_HEAD]):
        if not line or len(line) > _LONGEST_HEAD:
            continue
        best: tuple[int, str, list[str]] = (0, "", [])
        for separator in SEPARATORS:
            cells = split_cells(line.replace("\0", " "), separator) or []
            names = {column_name(cell) for cell in cells} - {""}
            players = any(name.startswith((WHITE, BLACK)) for name in names)
            if len(names) > best[0] and players and not names.isdisjoint({"round", "result"}):
                best = (len(names), separator, cells)
        if best[0] >= 2:
            return _Heading(index, best[1], best[2])
    return None


def split_cells(line: str, separator: str) -> list[str] | None:
    """Return the cells of a line; None if it may have more than MOST_CELLS, if its quotation marks do not close, or if a cell
    is too long for the csv module."""
    if line.count(separator) >= MOST_CELLS:
        line = _without_last_blanks(line, separator)
        if line.count(separator) >= MOST_CELLS:
            return None
    try:
        return next(csv.reader([line], delimiter=separator, strict=True, skipinitialspace=True), [])
    except csv.Error:
        return None


def _without_last_blanks(line: str, separator: str) -> str:
    """Return a line without the blank cells at its end: a spreadsheet writes one for each of its 16,384 columns."""
    return line.rstrip(f"{separator} \t")


def _details(lines: list[str], separator: str, report: Report) -> tuple[dict[str, str], dict[str, int]]:
    """Return the details in the lines `key, value` before the heading, and their lines. Values may contain commas."""
    details: dict[str, str] = {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in split_cells(line, separator) or [line]]
        key = _KEYS.get(fold(cells[0]).replace(" ", ""), "") if cells and len(cells[0]) < 100 else ""
        if not any(cells) or (number == 1 and re.fullmatch(r"sep=.?", line.strip())):
            continue
        if not key or key in details:
            message = (
                f"The line begins with {quoted(cells[0])}, "
                + ("which an earlier line gives too" if key else "no detail of a tournament that is known here")
                + "; it is not read."
            )
            report.add(Code.UNKNOWN_LINE, message, number, 1)
            continue
        details[key] = ", ".join(text_of_cell(cell) for cell in cells[1:] if cell)
        places[key] = number
    return details, places


def _rows(lines: list[str], heading: _Heading, columns: dict[str, int], report: Report) -> Iterator[CsvRow]:
    width, read = len(heading.cells), frozenset(columns.values())
    for index in range(heading.line + 1, len(lines)):
        line = lines[index]
        cells = split_cells(line, heading.separator)
        if cells is None and _without_last_blanks(line, heading.separator).count(heading.separator) >= MOST_CELLS:
            message = (
                f"The line has {line.count(heading.separator) + 1} cells, at most {MOST_CELLS} are read. Delete those that the"
                " heading does not name, blank ones too."
            )
            report.add(Code.TOO_MANY_COLUMNS, message, index + 1)
            continue
        if cells is None:
            message = (
                "The quotation marks of this line do not close, or stand in the middle of a cell, or a cell is longer than "
                "131072 characters. A cell ends on its line; a quotation mark within it is written twice."
            )
            report.add(Code.BAD_QUOTES, message, index + 1, line.find('"') + 1 or None)
            continue
        if not any(cell.strip() for cell in cells):
            continue
        count, beyond = len(cells), any(cell.strip() for cell in cells[width:])
        del cells[width:]  # blank ones by the thousand would fill the memory
        row = CsvRow(index + 1, line, heading.separator, cells, columns)
        if beyond:
            message = (
                f"The line has {count} cells, the heading {width}: which is which cannot be told. Put a cell that holds "
                f"the separator {quoted(heading.separator)} in quotation marks."
            )
            report.add(Code.EXTRA_CELLS, message, *row.place_of(width))
        elif [cell.strip() for cell in cells] == [cell.strip() for cell in heading.cells]:
            report.add(Code.UNKNOWN_LINE, "The heading stands here again; the line is not read.", index + 1, 1)
        else:
            # Hazard: of cells that are not read a letter may take 80 bytes.
            cells[:] = [cell if place in read else "" for place, cell in enumerate(cells)]
            yield row
