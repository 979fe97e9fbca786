"""Reads a table, CSV or XLSX, perhaps zipped, into its heading and rows: lists of players, of standings. Pure."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from events.files.codes import Code
from events.files.collector import Report
from events.files.csv.table import SEPARATORS
from events.files.text import read_text

MAX_BYTES = 200_000_000  # of the file, unpacked: 400,000 players take about 40 MB

Row = tuple[int, str, str, list[str]]  # line, text and separator (both "" in a spreadsheet), cells


def read_sheet(content: bytes, report: Report) -> tuple[list[str], Iterator[Row]] | None:
    """Return the heading and the rows below it of a CSV or XLSX, perhaps zipped; None with a finding."""
    if content.startswith(b"PK\x03\x04"):
        unpacked = _unpacked(content, report)
        if unpacked is None:
            return None
        content, spreadsheet = unpacked
        if spreadsheet:
            return _first(_spreadsheet(content, report), report)
    if content.startswith((b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff")) or b"\0\0\0" in content[:4096]:
        message = "This is no list of players. In the spreadsheet choose “Save as … XLSX” or “CSV” and send that."
        report.add(Code.WRONG_FORMAT, message)
        return None
    text = read_text(content)
    if text.damaged:
        report.add(
            Code.UNDECODABLE_TEXT, f"The file calls itself {text.encoding} but has bytes without a meaning there."
        )
        return None
    if text.guessed:
        message = f"The file does not say how its letters are coded; it is read as {text.encoding}. Check the accents."
        report.add(Code.ENCODING_GUESSED, message)
    return _first(_csv(text.lines, report), report)


def _unpacked(content: bytes, report: Report) -> tuple[bytes, bool] | None:
    """Return the one file of a zip, or the zip itself if it is a spreadsheet, and whether it is one; None with a finding."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
                message = f"Unpacked the file has more than {MAX_BYTES // 1_000_000} MB. Is it a list of players?"
                report.add(Code.FILE_TOO_LARGE, message)
                return None
            names = archive.namelist()
            if "xl/workbook.xml" in names:
                return content, True
            files = [name for name in names if not name.endswith("/")]
            if len(files) == 1:
                return archive.read(files[0]), False
            report.add(Code.WRONG_FORMAT, f"The zip has {len(files)} files; send it with the list alone in it.")
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError):
        report.add(Code.UNREADABLE_FILE, "The file cannot be unpacked: it is damaged or has a password.")
    return None


def _first(rows: Iterator[Row], report: Report) -> tuple[list[str], Iterator[Row]] | None:
    head = next(rows, None)
    if head is None:
        if not report.errors:
            report.add(
                Code.EMPTY_FILE, "The file is empty. Its first line names the columns, each further one is a player."
            )
        return None
    return [cell.strip() for cell in head[3]], rows


def _csv(lines: list[str], report: Report) -> Iterator[Row]:
    separator = ""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not separator:
            if declared := re.fullmatch(r"sep=(.)\s*", line, re.IGNORECASE):
                separator = declared[1]
                continue
            separator = max(SEPARATORS, key=line.count)
        try:
            cells = next(csv.reader([line], delimiter=separator, strict=True, skipinitialspace=True), [])
        except csv.Error:
            message = (
                "The quotation marks of this line do not close. A cell ends on its line; save the list as CSV again."
            )
            report.add(Code.BAD_QUOTES, message, number)
            continue
        if any(cell.strip() for cell in cells):
            yield number, line, separator, cells


def _spreadsheet(content: bytes, report: Report) -> Iterator[Row]:
    import openpyxl  # where it is used: every process would start later for it
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        for number, cells in enumerate(book.worksheets[0].iter_rows(values_only=True), 1):
            texts = [_text(cell) for cell in cells]
            if any(texts):
                yield number, "", "", texts
    except (InvalidFileException, KeyError, ValueError, IndexError, OSError, zipfile.BadZipFile, SyntaxError):
        report.add(
            Code.UNREADABLE_FILE, "The spreadsheet cannot be read. Open it, save it as XLSX again, and send that."
        )


def _text(cell: Any) -> str:
    """Return a spreadsheet's cell as a CSV would have it: whole numbers without a point, days as YYYY-MM-DD."""
    if cell is None:
        return ""
    if isinstance(cell, datetime | date):
        return f"{cell:%Y-%m-%d}"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()
