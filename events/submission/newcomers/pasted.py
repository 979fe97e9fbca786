"""Places the rows of a spreadsheet into the cells of the table: by heading, by name or start number, or in order. Pure."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from config.lib.parsing import BIGINT_DIGITS, whole_number
from events.files.csv.table import player_column
from events.files.csv.values import read_sex
from events.files.dates import read_birth
from events.rules.limits import MAX_PLAYERS
from players.identity import NAME_AGREES, Person, fold, name_similarity, sorted_words

MOST_PASTED = 2 * MAX_PLAYERS  # rows
_LONGEST_CELL = 200
_MOST_COLUMNS = 50
_MOST_PAIRS = 20_000  # of names that are compared letter by letter
_CELLS = {
    "first_name": "given",
    "born": "birth",
    "sex": "sex",
    "region": "region",
    "id": "id",
    "national_id": "id",
    "fide_id": "id",
}
_ORDER = ("given", "birth", "sex", "region", "id")
_NAME = ("name", "last_name", "first_name")
_SHARE = 0.6  # of a column's first cells that must look alike
_TELLING_CELLS = 500


@dataclass(slots=True)
class Placed:
    """What was pasted, as field → text; `left`: the rows that belong to no line, as text."""

    cells: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    lines: set[str] = field(default_factory=set)

    def put(self, column: str, start: str, text: str) -> None:
        """Keep the text of a cell that is not blank; of two for one cell, the first."""
        self.lines.add(start)
        if text.strip():
            self.cells.setdefault(f"{column}-{start}", text.strip()[:_LONGEST_CELL])


def split_rows(text: str) -> list[list[str]]:
    """Return the rows of a copied part of a spreadsheet, separated by tabs, or else of a CSV."""
    lines = [line for line in text.splitlines() if line.strip()]
    commas = {line.count(",") for line in lines}
    headed = len(lines) > 1 and sum(bool(player_column(cell)) for cell in lines[0].split(",")) > 1
    if "\t" in text:
        separator = "\t"
    elif lines and all(";" in line for line in lines):
        separator = ";"
    elif headed or (len(commas) == 1 and min(commas) > 1):
        separator = ","
    else:
        return [[line.strip()] for line in lines[:MOST_PASTED]]
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error:
        rows = [line.split(separator) for line in lines]
    return [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)][:MOST_PASTED]


def cut_row(cells: Sequence[str]) -> list[str]:
    """Return what is looked at of a row: its first 50 cells, of each 200 letters."""
    return [cell[:_LONGEST_CELL] for cell in cells[:_MOST_COLUMNS]]


def place_rows(
    rows: Sequence[Sequence[str]],
    lines: Sequence[Mapping[str, Any]],
    *,
    regions: Iterable[str],
    at: tuple[str, str] | None = None,
) -> Placed | None:
    """Return where the rows belong among the lines, which have `start` and `name` and stand in the order of the table.

    `at`: column and start number of the cell into which they were pasted. None if the rows do not tell whose they are.
    """
    if not rows or not lines:
        return None
    rows = list(map(cut_row, rows))
    headings = [player_column(cell) for cell in rows[0]]
    if _is_heading(rows[0], headings):
        columns, rows = headings, rows[1:]
    else:
        columns = _guessed(rows, lines, set(map(fold, regions)))
    if any(column in (*_NAME, "number") for column in columns):
        placed = _by_name(rows, columns, lines)
        if at is None or 2 * len(placed.lines) >= len(rows):
            return placed
    if at is not None:
        return _from_cell(rows, lines, at)
    if len(rows) == len(lines) and any(column in _CELLS for column in columns):
        return _in_order(rows, columns, lines)
    return None


def _is_heading(cells: Sequence[str], headings: Sequence[str]) -> bool:
    known = sum(bool(column) for column in headings)
    return known > 1 or (known == 1 and sum(bool(cell.strip()) for cell in cells) == 1)


def _guessed(rows: Sequence[Sequence[str]], lines: Sequence[Mapping[str, Any]], regions: set[str]) -> list[str]:
    """Return what each column gives, by what stands in most of its first cells; "" if that does not tell."""
    starts = {str(line["start"]) for line in lines}
    words = {word for line in lines for word in fold(line["name"]).split() if len(word) > 1}
    columns: list[str] = []
    for place in range(max(map(len, rows))):
        filled = (text for row in rows if place < len(row) and (text := row[place].strip()))
        cells = list(islice(filled, _TELLING_CELLS))
        column = next((name for name, share in _likeness(cells, starts, words, regions) if share >= _SHARE), "")
        columns.append("" if column in columns and column != "name" else column)
    return columns


def _likeness(
    cells: Sequence[str], starts: set[str], words: set[str], regions: set[str]
) -> Iterable[tuple[str, float]]:
    """Yield what a column can be, with the share of its cells that look so, the surest first."""
    if not cells:
        return
    count = len(cells)
    yield "born", sum(bool(re.search(r"\d{4}", text) and _is_birth(text)) for text in cells) / count
    yield "sex", sum(bool(read_sex(text)) for text in cells) / count
    yield "id", sum(len(text) > 5 and whole_number(text, digits=BIGINT_DIGITS) is not None for text in cells) / count
    distinct = len(set(cells)) == count
    yield "number", sum(text in starts for text in cells) / count if distinct else 0.0
    yield "name", sum(bool(words.intersection(fold(text).split())) for text in cells) / count
    yield "region", sum(fold(text) in regions for text in cells) / count


def _is_birth(text: str) -> bool:
    birth = read_birth(text)
    return birth is not None and birth.year is not None


def _by_name(rows: Sequence[Sequence[str]], columns: Sequence[str], lines: Sequence[Mapping[str, Any]]) -> Placed:
    placed = Placed()
    owners = _owners(rows, columns, lines)
    for row, start in zip(rows, owners, strict=True):
        if start is None:
            placed.left.append("\t".join(row))
            continue
        for column, text in zip(columns, row, strict=False):
            if column in _CELLS:
                placed.put(_CELLS[column], start, text)
            placed.lines.add(start)
    return placed


def _owners(
    rows: Sequence[Sequence[str]], columns: Sequence[str], lines: Sequence[Mapping[str, Any]]
) -> list[str | None]:
    """Return the start number of each row's line: the one of its name, among namesakes that of its number; None without one."""
    starts = {str(line["start"]) for line in lines}
    keys: dict[str, dict[str, None]] = {}  # names → start numbers, in order
    for line in lines:
        keys.setdefault(sorted_words(line["name"]), {})[str(line["start"])] = None
    names, numbers = (
        [_joined(row, columns, _NAME) for row in rows],
        [_joined(row, columns, ("number",)) for row in rows],
    )
    owners: list[str | None] = []
    for name, number in zip(names, numbers, strict=True):
        alike = keys.get(sorted_words(name), {}) if name else {number: None} if number in starts else {}
        owners.append(next(iter(alike)) if len(alike) == 1 else number if number in alike else None)
    owned = set(owners)
    free = [line for line in lines if str(line["start"]) not in owned]
    open_rows = [index for index, owner in enumerate(owners) if owner is None and names[index]]
    if len(free) * len(open_rows) <= _MOST_PAIRS:
        for index in open_rows:
            likeness = [name_similarity(Person(names[index], ""), Person(line["name"], "")) for line in free]
            best = max(likeness, default=0.0)
            nearest = [line for line, alike in zip(free, likeness, strict=True) if alike == best]
            if len(nearest) == 1 and best >= NAME_AGREES:
                owners[index] = str(nearest[0]["start"])
                free.remove(nearest[0])
    return owners


def _joined(row: Sequence[str], columns: Sequence[str], wanted: Sequence[str]) -> str:
    text = " ".join(cell for column, cell in zip(columns, row, strict=False) if column in wanted)
    return text[:_LONGEST_CELL].strip()


def _from_cell(rows: Sequence[Sequence[str]], lines: Sequence[Mapping[str, Any]], at: tuple[str, str]) -> Placed:
    """Fill down and across from a cell, as a spreadsheet does."""
    column, start = at
    starts = [str(line["start"]) for line in lines]
    places = _ORDER[_ORDER.index(column) :] if column in _ORDER else ()
    first = starts.index(start) if start in starts else len(starts)
    placed = Placed()
    for row, below in zip(rows, [*starts[first:], *[None] * len(rows)], strict=False):
        if below is None or any(text.strip() for text in row[len(places) :]):
            placed.left.append("\t".join(row))
        else:
            for name, text in zip(places, row, strict=False):
                placed.put(name, below, text)
    return placed


def _in_order(rows: Sequence[Sequence[str]], columns: Sequence[str], lines: Sequence[Mapping[str, Any]]) -> Placed:
    placed = Placed()
    for row, line in zip(rows, lines, strict=True):
        for column, text in zip(columns, row, strict=False):
            if column in _CELLS:
                placed.put(_CELLS[column], str(line["start"]), text)
    return placed
