"""Opens a table that somebody sends, CSV or XLSX, perhaps zipped, and gives its rows one after the other. Pure.

A large one is never held whole.
"""

import csv
import io
import re
import zipfile
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import partial
from typing import IO

from config.lib.zips import START, SentZip
from events.files.codes import Code
from events.files.collector import MOST_ERRORS, Report
from events.files.csv.table import SEPARATORS
from events.files.text import coding_of
from events.files.xlsx import MOST_LETTERS, MOST_TAGS, WORKBOOK, TooLargeError, UnreadableError, xlsx_rows
from events.rules.limits import MOST_CELLS, MOST_COLUMNS

MAX_BYTES = 200_000_000  # of the file, unpacked: 50,000 players take about 5 MB, as a spreadsheet 30 MB
_STOPPED = (
    f"With this line there are {MOST_ERRORS:,} errors: the list was read no further. Correct what is said of the lines before,"
    " which often corrects all, and send the list again."
)
Row = tuple[int, str, list[str]]  # line, separator ("" in a spreadsheet), cells
EMPTY = "The file is empty. Its first line names the columns, each further one is a player."
_NO_TABLE = (b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff")
_LONGEST_LINE = 1_000_000
_MOST_BLANK_LINES = 1_100_000  # a spreadsheet program writes 1,048,576 at most
_TOO_MUCH = (
    "The spreadsheet holds more than a list of players: formats, names or cells without end. Copy the cells that count into a"
    " new one as values, and send that."
)
_UNREADABLE = "The spreadsheet cannot be read. Open it, save it as XLSX again, and send that."


def sheet_rows(
    file: IO[bytes], report: Report, *, most_bytes: int = MAX_BYTES, most_tags: int = MOST_TAGS
) -> Generator[Row]:
    """Yield the rows of a table that are not blank, the heading first; nothing, with a finding, if it cannot be opened. It ends
    after MOST_ERRORS, be they found here or by who reads the rows.

    `file`: open and seekable. It stays open, and where it stands tells how much of it is read. From the heading on the report
    names columns by it. `most_bytes`: of a packed file, unpacked; `most_tags`: of a spreadsheet,
    for who waits for the answer.
    """
    file.seek(0)
    start = file.read(len(START))
    file.seek(0)
    rows = _until_full(_packed(file, report, most_bytes, most_tags) if start == START else _csv(file, report), report)
    for head in rows:
        if not head[2]:
            continue
        if len(head[2]) > MOST_COLUMNS and any(cell.strip() for cell in head[2][MOST_COLUMNS:]):
            message = (
                f"The heading has {len(head[2])} columns, at most {MOST_COLUMNS} are read. Is it a list of players? Leave out"
                " those that say nothing of them."
            )
            report.add(Code.TOO_MANY_COLUMNS, message, head[0])
            return
        # They are kept in documents of JSON, which take no NUL in PostgreSQL.
        headings = [cell.replace("\0", "\u2400") for cell in head[2]]
        report.headings = [heading.strip() for heading in headings]
        yield head[0], head[1], headings[: MOST_COLUMNS + 1]
        break
    for line, separator, cells in rows:
        if cells:
            yield line, separator, cells[: MOST_COLUMNS + 1]


def _until_full(rows: Iterator[Row], report: Report) -> Iterator[Row]:
    for row in rows:
        yield row
        if report.is_full:
            report.add(Code.TOO_MANY_FAULTY_LINES, _STOPPED, row[0])
            return


def read_sheet(content: bytes, report: Report) -> tuple[list[str], Iterator[Row]] | None:
    """Return the heading and the rows below it of a table that is held whole; None with a finding."""
    rows = sheet_rows(io.BytesIO(content), report)
    head = next(rows, None)
    if head is not None:
        return [cell.strip() for cell in head[2]], rows
    if not report.errors:
        report.add(Code.EMPTY_FILE, EMPTY)
    return None


def _packed(file: IO[bytes], report: Report, most_bytes: int, most_tags: int) -> Iterator[Row]:
    """Yield the rows of a spreadsheet, or of the one CSV of a zip."""
    try:
        archive = SentZip(file)
    except zipfile.BadZipFile:
        report.add(Code.UNREADABLE_FILE, "The file cannot be unpacked: it is damaged. Pack it again, and send that.")
        return
    with archive:
        members = archive.files
        if sum(member.file_size for member in members) > most_bytes:
            message = f"Unpacked the file has more than {most_bytes // 1_000_000} MB. Is it a list of players?"
            report.add(Code.FILE_TOO_LARGE, message)
        elif is_spreadsheet(archive):
            yield from _spreadsheet(archive, report, min(most_bytes, MOST_LETTERS), most_tags)
        elif len(members) != 1:
            report.add(Code.WRONG_FORMAT, f"The zip has {len(members)} files; send it with the list alone in it.")
        else:
            try:
                member = archive.open(members[0])
                packed = member.read(len(START)) == START
                member.seek(0)
            except zipfile.BadZipFile:
                message = "The file cannot be unpacked: it is damaged or has a password. Send it without one."
                report.add(Code.UNREADABLE_FILE, message)
                return
            if packed:
                message = "The zip holds a spreadsheet or another zip. Take it out, and send that: it is small already."
                report.add(Code.WRONG_FORMAT, message)
                return
            try:
                yield from _csv(member, report)
            except zipfile.BadZipFile:
                report.add(Code.UNREADABLE_FILE, "The file cannot be unpacked to its end: it is damaged.")


def _csv(file: IO[bytes], report: Report) -> Iterator[Row]:
    """Yield the rows of a CSV; a line that cannot be read without cells, and with a finding."""
    start = file.read(4096)
    file.seek(0)
    if start.startswith(_NO_TABLE) or b"\0\0\0" in start:
        message = "This is no list of players. In the spreadsheet choose “Save as … XLSX” or “CSV” and send that."
        report.add(Code.WRONG_FORMAT, message)
        return
    coding = coding_of(file)
    if coding.damaged:
        report.add(
            Code.UNDECODABLE_TEXT, f"The file calls itself {coding.encoding} but has bytes without a meaning there."
        )
        return
    if coding.guessed:
        message = (
            f"The file does not say how its letters are coded; it is read as {coding.encoding}. Check the accents; if they are"
            " wrong, save the list as “CSV UTF-8”."
        )
        report.add(Code.ENCODING_GUESSED, message)
    file.seek(coding.mark)
    text = io.TextIOWrapper(file, coding.encoding, errors="replace", newline=None)
    try:
        yield from _lines(text, report)
    finally:
        with suppress(ValueError):
            text.detach()  # the file stays open


def _lines(text: io.TextIOWrapper, report: Report) -> Iterator[Row]:
    separator, blank = "", 0
    for number, ended in enumerate(iter(partial(text.readline, _LONGEST_LINE + 1), ""), 1):
        if len(ended) > _LONGEST_LINE:
            message = f"The line has more than {_LONGEST_LINE:,} letters: no list of players has. The file is read no further."
            report.add(Code.FILE_TOO_LARGE, message, number)
            return
        if blank > _MOST_BLANK_LINES:
            message = (
                f"The file has more than {_MOST_BLANK_LINES:,} blank lines: it is read no further. Delete them, and send it"
                " again."
            )
            report.add(Code.FILE_TOO_LARGE, message, number)
            return
        line = ended.rstrip("\n")
        if not line.strip():
            blank += 1
            continue
        if not separator:
            declared = re.fullmatch(r"sep=(.)\s*", line, re.IGNORECASE)
            separator = declared[1] if declared else max(SEPARATORS, key=line.count)
            # Once for all lines: to make it takes longer than to read a short line by it.
            quoted = csv.reader((), delimiter=separator, strict=True, skipinitialspace=True).dialect
            if declared:
                continue
        try:
            cells = next(csv.reader([line], quoted), []) if '"' in line else line.split(separator, MOST_CELLS)
        except csv.Error:
            message = (
                "The quotation marks of this line do not close. A cell ends on its line; save the list as CSV again."
            )
            report.add(Code.BAD_QUOTES, message, number)
            yield number, separator, []
            continue
        if "".join(cells).strip():
            yield number, separator, cells
        else:
            blank += 1


def is_spreadsheet(archive: SentZip) -> bool:
    """Return whether a zip is an XLSX."""
    return any(member.filename.lower() == WORKBOOK for member in archive.files)


def _spreadsheet(archive: SentZip, report: Report, most_letters: int, most_tags: int) -> Iterator[Row]:
    most_columns = MOST_COLUMNS + 1
    try:
        for number, cells in xlsx_rows(
            archive, most_columns=most_columns, most_tags=most_tags, most_letters=most_letters
        ):
            yield number, "", cells
    except TooLargeError:
        report.add(Code.FILE_TOO_LARGE, _TOO_MUCH)
    except UnreadableError:
        report.add(Code.UNREADABLE_FILE, _UNREADABLE)
