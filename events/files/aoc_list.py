"""Reader of the AOC's list of arbiters as CSV, with its columns in any order. Pure.

Accepted: commas, semicolons or tabs; UTF-8 with or without a byte order mark, UTF-16, else cp1252; days as 2024-01-31 or
31/01/2024; titles as codes or in words. What cannot be read is an error at its line and cell number; nothing is guessed.
"""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from config.lib.names import composed, wrong_letters
from events.files.arbiters import ARBITER_TITLES, plain_name, read_title
from events.files.collector import quoted
from events.files.text import read_text
from events.rules.constants import HOME
from events.rules.federations import FEDERATIONS
from events.rules.fees import LICENCE_YEAR_BEGINS, payment_errors, read_fee_year
from events.rules.findings import Finding, Severity
from events.rules.limits import MOST_COLUMNS
from players.identity import FIDE_ID_DIGITS, fold, is_chess_sa_id

MAX_LIST_BYTES = 1_000_000
MAX_LIST_LINES = 500  # the register is locked while they are compared, within one request
LIST_COLUMNS = ("number", "fide_id", "name", "title", "federation", "fee_year", "paid_on", "fee")

_NAMES = {
    "number": ("number", "chess sa id", "chess sa number", "csa id", "csa number", "national id", "unique no", "id no"),
    "fide_id": ("fide id", "fide number", "fide no", "fin"),
    "name": ("name", "arbiter", "full name", "name and surname", "surname and name"),
    "surname": ("surname", "last name"),
    "first_name": ("first name", "first names", "firstname", "names"),
    "title": ("title", "arbiter title", "current title"),
    "federation": ("federation", "fed"),
    "fee": ("fee", "kind of fee", "fee kind"),
    "fee_year": ("fee year", "year", "membership year", "aoc year", "season"),
    "paid_on": ("paid on", "paid", "date paid", "payment date", "day of payment"),
}
_COLUMN_OF = {fold(name): column for column, names in _NAMES.items() for name in names}
_DAYS = ("%Y-%m-%d", "%Y/%m/%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%d %b %Y", "%d %B %Y")
_FEES = {
    fold(name): code
    for code, names in (
        ("aoc", ("", "AOC", "AOC membership", "membership")),
        ("fide", ("FIDE", "FIDE licence", "licence")),
    )
    for name in names
}
_LONGEST_NAME = 120
_ESCAPED = re.compile(r"'(?= *[=+\-@\t\r])")  # `config.lib.spreadsheets` writes this before text like a formula


@dataclass(frozen=True, slots=True)
class AocLine:
    """A line: an arbiter and perhaps a fee year with its day of payment. Blank cells are "" or None.

    `fee`: `aoc`, the membership, unless the line says `fide`, the licence.
    """

    line: int
    name: str
    number: str = ""
    fide_id: str = ""
    title: str = ""
    federation: str = ""
    year: int | None = None
    paid_on: date | None = None
    fee: str = "aoc"


@dataclass(frozen=True, slots=True)
class AocList:
    """The readable lines of a list, and the findings of its reading."""

    encoding: str
    lines: tuple[AocLine, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    @property
    def errors(self) -> list[Finding]:
        """The findings that block the import."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


class _BadCellError(ValueError):
    """A cell that cannot be read; its text is the message of the finding."""


def read_aoc_list(content: bytes, *, begins: int, today: date) -> AocList:
    """Read a list. `begins`: month in which the fee year begins; a payment after `today` is an error. Never raises."""
    text = read_text(content)
    problem = _whole(content, text.lines, damaged=text.damaged)
    if problem:
        return AocList(text.encoding, findings=(problem,))
    findings = []
    if text.guessed:
        message = f"The file does not say how its letters are coded; it was read as {text.encoding}. Check the accents."
        findings.append(Finding(Severity.NOTE, "encoding-guessed", message))
    try:
        rows = list(_cells(text.lines))
    except csv.Error as error:
        message = f"The file cannot be read as CSV ({error}). Save it as CSV again."
        return AocList(text.encoding, findings=(Finding(Severity.ERROR, "unreadable-file", message),))
    if not rows:
        return AocList(text.encoding, findings=(_empty(),))
    (line, head), *body = rows
    columns, more = _columns(head, line)
    findings += more
    if any(finding.severity is Severity.ERROR for finding in more):
        return AocList(text.encoding, findings=tuple(findings))
    lines: list[AocLine] = []
    first: dict[AocLine, int] = {}
    for number, cells in body:
        read, more = _line(number, cells, columns, len(head), begins=begins, today=today)
        findings += more
        if read is None:
            continue
        plain = replace(read, line=0)
        if plain in first:
            message = f"It repeats line {first[plain]} and is left out."
            findings.append(Finding(Severity.NOTE, "line-repeated", message, line=number))
            continue
        first[plain] = number
        lines.append(read)
    if not lines and not any(finding.severity is Severity.ERROR for finding in findings):
        findings.append(_empty())
    return AocList(text.encoding, tuple(lines), tuple(findings))


def _whole(content: bytes, lines: list[str], *, damaged: bool) -> Finding | None:
    if len(content) > MAX_LIST_BYTES:
        return Finding(
            Severity.ERROR, "file-too-large", f"The file has more than {MAX_LIST_BYTES:,} bytes. Is it the list?"
        )
    if len(lines) > MAX_LIST_LINES:
        message = f"The file has more than {MAX_LIST_LINES:,} lines, which no list of arbiters needs. Is it the list?"
        return Finding(Severity.ERROR, "too-many-lines", message)
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff")):
        message = "This is no CSV file. In the spreadsheet choose “Save as … CSV” and send that."
        return Finding(Severity.ERROR, "wrong-format", message)
    for number, line in enumerate(lines, start=1):
        if "\0" in line or (damaged and "\ufffd" in line):
            message = "The line has characters that no text has. Save the list as CSV again."
            return Finding(Severity.ERROR, "damaged-file", message, line=number)
    return None


def _empty() -> Finding:
    columns = ", ".join(LIST_COLUMNS)
    message = f"The file lists nobody. Its first line names the columns ({columns}), each further one an arbiter."
    return Finding(Severity.ERROR, "empty-file", message)


def _cells(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is not blank."""
    skipped = 0
    while skipped < len(lines) and not lines[skipped].strip():
        skipped += 1
    separator = ""
    if skipped < len(lines) and (declaration := re.fullmatch(r"sep=(.)\s*", lines[skipped], re.IGNORECASE)):
        separator, skipped = declaration[1], skipped + 1
    if skipped >= len(lines):
        return
    separator = separator or max(",;\t", key=lines[skipped].count)
    reader = csv.reader((f"{line}\n" for line in lines[skipped:]), delimiter=separator)
    for cells in reader:
        stripped = [_ESCAPED.sub("", cell.strip(), count=1) for cell in cells]
        if any(stripped):
            yield skipped + reader.line_num, stripped


def _columns(head: list[str], line: int) -> tuple[dict[str, int], list[Finding]]:
    columns: dict[str, int] = {}
    findings, unknown = [], []
    if any(head[MOST_COLUMNS:]):
        message = f"The first line names {len(head)} columns, at most {MOST_COLUMNS} are read. Leave out those of no use here."
        findings.append(Finding(Severity.ERROR, "too-many-columns", message, line=line))
    for place, cell in enumerate(head[:MOST_COLUMNS]):
        column = _COLUMN_OF.get(fold(cell.replace("_", " ")))
        if column is None:
            unknown.append(cell)
        elif column in columns:
            message = f"Two columns say the {column.replace('_', ' ')}. Leave one of them out."
            findings.append(Finding(Severity.ERROR, "column-twice", message, line=line, column=place + 1))
        else:
            columns[column] = place
    if "name" not in columns and not {"surname", "first_name"} <= columns.keys():
        message = f"The first line must name the columns, among them the name. Known are {', '.join(LIST_COLUMNS)}."
        findings.append(Finding(Severity.ERROR, "name-column-missing", message, line=line))
    named = [quoted(name) for name in unknown if name]
    if named and not findings:
        message = f"Columns that are not read: {', '.join(named[:5])}{' and more' if len(named) > 5 else ''}."
        findings.append(Finding(Severity.NOTE, "columns-unread", message, line=line))
    return columns, findings


def _line(
    number: int, cells: list[str], columns: dict[str, int], width: int, *, begins: int, today: date
) -> tuple[AocLine | None, list[Finding]]:
    if any(cells[width:]):
        message = (
            f"The line has {len(cells)} cells, the first line {width}. Put a cell that holds a separator in quotes."
        )
        return None, [Finding(Severity.ERROR, "too-many-cells", message, line=number)]
    texts = {column: cells[place] if place < len(cells) else "" for column, place in columns.items()}
    texts["name"] = texts.get("name") or f"{texts.get('first_name', '')} {texts.get('surname', '')}".strip()
    readers: dict[str, Callable[[str], Any]] = {
        "name": _name,
        "number": _number,
        "fide_id": _fide_id,
        "title": _title,
        "federation": _federation,
        "fee": _fee,
        "fee_year": lambda text: _fee_year(text, begins=_begins(texts.get("fee", ""), begins)),
        "paid_on": lambda text: _paid_on(text, today=today),
    }
    findings, values = [], {}
    for column, read in readers.items():
        try:
            values[column] = read(texts.get(column, ""))
        except _BadCellError as error:
            place = columns.get(column)
            code = f"bad-{column.replace('_', '-')}"
            findings.append(
                Finding(Severity.ERROR, code, str(error), line=number, column=None if place is None else place + 1)
            )
    if findings:
        return None, findings
    year, paid_on = values.pop("fee_year"), values["paid_on"]
    if paid_on and year is None:
        message = f"A payment on {paid_on}, and no fee year: say for which year it was."
        return None, [Finding(Severity.ERROR, "fee-year-missing", message, line=number)]
    return AocLine(line=number, year=year, **values), []


def _name(text: str) -> str:
    if len(text) > _LONGEST_NAME:
        raise _BadCellError(f"The name has {len(text)} letters; at most {_LONGEST_NAME} are kept. Shorten it.")
    if problem := wrong_letters(text):
        raise _BadCellError(problem)
    if not fold(text):
        raise _BadCellError("No name. Give name and surname." if not text else f"{quoted(text)} is no name.")
    return composed(plain_name(text))


def _number(text: str) -> str:
    if text and not is_chess_sa_id(text):
        raise _BadCellError(f"{quoted(text)} is no Chess SA id, which has nine digits.")
    return text


def _fide_id(text: str) -> str:
    if re.fullmatch(rf"0*[0-9]{{0,{FIDE_ID_DIGITS}}}", text) is None or len(text) > 15:
        raise _BadCellError(f"{quoted(text)} is no FIDE id, which has digits only.")
    return text.lstrip("0")


def _title(text: str) -> str:
    if not text:
        return ""
    code = read_title(text)
    if code is None:
        titles = ", ".join(f"{code} {name}" for code, name in ARBITER_TITLES.items())
        raise _BadCellError(f"{quoted(text)} is no title of an arbiter. Known are {titles}.")
    return code


def _federation(text: str) -> str:
    if text and text.upper() not in FEDERATIONS:
        raise _BadCellError(f"{quoted(text)} is no code of a federation, as {HOME}.")
    return text.upper()


def _fee(text: str) -> str:
    code = _FEES.get(fold(text))
    if code is None:
        raise _BadCellError(f"{quoted(text)} is no fee. Write AOC for the membership or FIDE for FIDE’s licence.")
    return code


def _begins(fee: str, begins: int) -> int:
    return LICENCE_YEAR_BEGINS if _FEES.get(fold(fee)) == "fide" else begins


def _fee_year(text: str, *, begins: int) -> int | None:
    if not text:
        return None
    year = read_fee_year(text, begins=begins)
    if year is None:
        form = "2024" if begins == 1 else "2023/24, or 2024 for the year that ends in 2024"
        raise _BadCellError(f"{quoted(text)} is no fee year. Write {form}.")
    return year


def _paid_on(text: str, *, today: date) -> date | None:
    if not text:
        return None
    day = _day(text)
    if day is None:
        raise _BadCellError(f"{quoted(text)} is no day of payment. Write it as 2024-01-31 or 31/01/2024.")
    for error in payment_errors(day, today=today):
        raise _BadCellError(error.message)
    return day


def _day(text: str) -> date | None:
    if not text.isascii() or len(text) > 20:
        return None
    for form in _DAYS:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 - only the day is used
        except ValueError:
            continue
    return None
