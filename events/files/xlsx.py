"""Reads the cells of the first sheet of an XLSX, within bounds of memory and time. Pure.

Source: Office Open XML (ECMA-376, part 1, 18: SpreadsheetML). A file of a few kB can stand for gigabytes, so what is read is
counted, and little of it kept: shared texts as bytes, of formats which are days, of rows one after the other.
"""

import re
import zipfile
from array import array
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from math import isfinite
from posixpath import join, normpath
from typing import Any, ClassVar, Final, NoReturn
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType

from config.lib.zips import SentZip

WORKBOOK: Final = "xl/workbook.xml"
MOST_TAGS: Final = 8_000_000  # of all parts that are read, four for a cell: they tell how long it takes
MOST_LETTERS: Final = 40_000_000  # of all cells: a shared text stands in the file once, and perhaps in every cell
_MOST_BESIDE: Final = 300_000  # of one part beside texts and rows: up to 65,000 formats of four tags each
_MOST_ROWS: Final = 1_048_576
_MOST_COLUMNS: Final = 16_384
_LONGEST_TEXT: Final = 32_767  # letters of a cell, as spreadsheet programs have it
_LONGEST_TEXTS: Final = 40_000_000  # bytes of all shared texts
_MOST_TEXTS: Final = 2_000_000
# Of elements and attributes, and their letters: the parser keeps each.
_MOST_NAMES: Final = 5_000
_LONGEST_NAMES: Final = 500_000
_DEEPEST: Final = 100  # elements within one another
# Bytes of a tag. Hazard: the parser begins one that is not whole anew with each block, so that the time grows with its square.
_LONGEST_TAG: Final = 250_000
_BLOCK: Final = 1 << 16
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

# Formats that every spreadsheet has, of days and times: 27 to 36 and 50 to 58 are those of East Asian languages.
_DAY_FORMATS: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_LONGEST_FORMAT: Final = 255
_NO_LETTERS_OF_DAYS: Final = re.compile(r'"[^"]*"|\[[^\]]*\]|[\\_*].')
_DAY_0, _DAY_0_OF_1904 = date(1899, 12, 30), date(1904, 1, 1)
_LEAP_DAY_THAT_WAS_NONE: Final = 60  # 29 February 1900, which spreadsheets count
_MOST_DAYS: Final = 3_000_000  # beyond the year 9999
_HALF_A_MILLISECOND: Final = 0.0005 / 86_400
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_CELL: Final = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_WHOLE: Final = re.compile(r"-?[0-9]{1,20}")

_RawCell = tuple[str, str, str]  # type, format and content, as the file has them


class TooLargeError(Exception):
    """The spreadsheet holds more than is read."""


class UnreadableError(Exception):
    """The spreadsheet is damaged."""


def xlsx_rows(
    archive: SentZip, *, most_columns: int, most_tags: int = MOST_TAGS, most_letters: int = MOST_LETTERS
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row that is not blank, of the first sheet that has one and is not hidden, and its cells from the
    first column on.

    Cells are texts without blanks around them, as a CSV has them: whole numbers without a point, days as YYYY-MM-DD. Blank
    cells at a row's end, and those beyond `most_columns`, are left out. `most_tags`: of the parts that are read;
    `most_letters`: of all cells, blanks among them. Raises TooLargeError and UnreadableError.
    """
    try:
        yield from _rows(_Parts(archive, most_tags), most_columns, most_letters)
    except (ExpatError, zipfile.BadZipFile, LookupError, ValueError) as error:
        raise UnreadableError(str(error)) from error


def _rows(parts: "_Parts", most_columns: int, most_letters: int) -> Iterator[tuple[int, list[str]]]:
    book, relations, texts, formats = _Book(), _Relations(), _Texts(), _Formats()
    parts.read(WORKBOOK, book)
    parts.read("xl/_rels/workbook.xml.rels", relations)
    sheets = relations.worksheets(book.shown) or relations.worksheets(book.hidden)
    if not sheets:
        raise UnreadableError("it has no sheet")
    for kind, reader in (("sharedStrings", texts), ("styles", formats)):
        if place := relations.first(kind):
            parts.read(place, reader)
    values = _Values(texts, formats.days, _DAY_0_OF_1904 if book.counts_from_1904 else _DAY_0)
    for place in sheets:
        sheet, is_blank = _Sheet(most_columns), True
        for _ in parts.blocks(place, sheet):
            for number, row in sheet.taken():
                cells = [""] * (max(row) + 1)
                for column, cell in row.items():
                    text = values.text(*cell)
                    most_letters -= len(text)
                    if most_letters < 0:
                        raise TooLargeError
                    cells[column] = text.strip()
                while cells and not cells[-1]:
                    cells.pop()
                if cells:
                    is_blank = False
                    yield number, cells
        if not is_blank:
            return


class _Part:
    """What is kept of a part while it is read; `pieces`: those of the text that is read at the moment, None if it is none that
    counts."""

    most_tags: ClassVar[int] = _MOST_BESIDE

    def __init__(self) -> None:
        self.depth = 0
        self.pieces: list[str] | None = None
        self._prefix = ""  # of the outermost element, and so of all that are no extension

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self.depth:
            self._prefix = tag[: tag.rfind(":") + 1]
        self.depth += 1
        self.begin(tag.removeprefix(self._prefix), attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.finish(tag.removeprefix(self._prefix))

    def text(self, piece: str) -> None:
        if self.pieces is not None:
            self.pieces.append(piece)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Take an element, by its name without the prefix of the outermost one."""

    def finish(self, name: str) -> None:
        """Take the end of an element."""


class _Parts:
    """The parts of a spreadsheet, by their names in the zip."""

    def __init__(self, archive: SentZip, most_tags: int) -> None:
        self._archive = archive
        self._members = {member.filename.lower(): member for member in archive.files}  # their case means nothing
        self._tags_left = most_tags

    def read(self, name: str, part: _Part) -> None:
        for _ in self.blocks(name, part):
            pass

    def blocks(self, name: str, part: _Part) -> Iterator[None]:
        """Read a part, and pause after each block."""
        names: dict[str, str] = {}
        parser: XMLParserType | None = None
        tags_left, read = min(part.most_tags, self._tags_left), 0
        with self._archive.open(self._members[name.lower()]) as file:
            while block := file.read(_BLOCK):
                parser = parser or _parser(part, names, block)
                tags = block.count(b"<")
                tags_left -= tags
                self._tags_left -= tags
                if tags_left < 0:
                    raise TooLargeError
                parser.Parse(block)
                read += len(block)
                open_text = sum(map(len, part.pieces or ()))
                if (
                    read - parser.CurrentByteIndex > _LONGEST_TAG
                    or len(names) > _MOST_NAMES
                    or sum(map(len, names)) > _LONGEST_NAMES
                    or part.depth > _DEEPEST
                    or open_text > _LONGEST_TEXT
                ):
                    raise TooLargeError
                yield
        if parser is None:
            raise UnreadableError(f"{name} is empty")
        parser.Parse(b"", True)
        yield


def _parser(part: _Part, names: dict[str, str], begin: bytes) -> XMLParserType:
    """Return the parser of a part that begins with some bytes: in UTF-8 or UTF-16, as the format demands, whatever it says of
    itself. Hazard: Python keeps each name of an encoding that it is asked for."""
    parser = ParserCreate("utf-16" if begin.startswith(_UTF_16) else "utf-8", intern=names)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = part.start, part.end
    parser.CharacterDataHandler = part.text
    parser.StartDoctypeDeclHandler = _refuse  # its entities let a few words stand for gigabytes
    return parser


def _refuse(*_: Any) -> NoReturn:
    raise UnreadableError("it declares a type of document")


class _Book(_Part):
    """The workbook: the keys of its sheets in their order, and whether it counts days from 1904 on."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.hidden: list[str] = []
        self.counts_from_1904 = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            sheets = self.shown if attributes.get("state", "visible") == "visible" else self.hidden
            sheets += [value for called, value in attributes.items() if called.rpartition(":")[2] == "id"]
        elif name == "workbookPr":
            self.counts_from_1904 = attributes.get("date1904") in ("1", "true")


class _Relations(_Part):
    """The parts that the workbook names: kind and place of each, by its key."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[str, tuple[str, str]] = {}

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            place = normpath(join("/xl", attributes["Target"])).lstrip("/")
            self._found[attributes["Id"]] = (attributes["Type"].rpartition("/")[2], place)

    def worksheets(self, keys: Sequence[str]) -> list[str]:
        """Return the places of those of some sheets that have cells, and no chart alone."""
        found = [self._found[key] for key in keys if key in self._found]
        # Hazard: one may be named a thousand times, in whatever case.
        return list(dict.fromkeys(place.lower() for kind, place in found if kind == "worksheet"))

    def first(self, kind: str) -> str:
        """Return the place of the first part of a kind; "" if there is none."""
        return next((place for found, place in self._found.values() if found == kind), "")


class _Texts(_Part):
    """The texts that cells share, by their numbers from 0 on: as bytes, since letters of an emoji take four each."""

    most_tags = MOST_TAGS

    def __init__(self) -> None:
        super().__init__()
        self._bytes = bytearray()
        self._ends = array("L", [0])
        self._text: list[str] = []
        self._is_phonetic = False  # how an East Asian text is spoken

    def __getitem__(self, number: int) -> str:
        if number < 0:
            raise IndexError(number)
        return self._bytes[self._ends[number] : self._ends[number + 1]].decode()

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self._text = []
        elif name == "t" and not self._is_phonetic:
            self.pieces = self._text
        elif name == "rPh":
            self._is_phonetic = True

    def finish(self, name: str) -> None:
        if name == "t":
            self.pieces = None
        elif name == "rPh":
            self._is_phonetic = False
        elif name == "si":
            self._bytes += _unescaped(_whole(self._text)).encode()
            self._ends.append(len(self._bytes))
            if len(self._bytes) > _LONGEST_TEXTS or len(self._ends) > _MOST_TEXTS:
                raise TooLargeError


class _Formats(_Part):
    """The formats of cells, by their numbers from 0 on; `days`: those of days and times."""

    def __init__(self) -> None:
        super().__init__()
        self.days: set[int] = set()
        self._day_formats = set(_DAY_FORMATS)
        self._inside = ""
        self._count = 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("numFmts", "cellXfs"):
            self._inside = name
        elif name == "numFmt" and self._inside == "numFmts":
            change = self._day_formats.add if _is_of_days(attributes["formatCode"]) else self._day_formats.discard
            change(int(attributes["numFmtId"]))
        elif name == "xf" and self._inside == "cellXfs":
            if int(attributes.get("numFmtId", 0)) in self._day_formats:
                self.days.add(self._count)
            self._count += 1

    def finish(self, name: str) -> None:
        if name == self._inside:
            self._inside = ""


class _Sheet(_Part):
    """The rows of a sheet that ended since they were last taken: number, and type, format and content of each cell by its
    column, from 0 on."""

    most_tags = MOST_TAGS

    def __init__(self, most_columns: int) -> None:
        super().__init__()
        self._most_columns = most_columns
        self._rows: list[tuple[int, dict[int, _RawCell]]] = []
        self._number = 0
        self._row: dict[int, _RawCell] = {}
        self._column = -1
        self._kind = self._format = ""
        self._content: list[str] | None = None  # of the cell, None outside of one
        self._is_phonetic = False

    def taken(self) -> list[tuple[int, dict[int, _RawCell]]]:
        rows, self._rows = self._rows, []
        return rows

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "c":
            place = attributes.get("r")
            self._column = self._column + 1 if place is None else _column_of(place)
            self._kind, self._format, self._content = attributes.get("t", "n"), attributes.get("s", "0"), []
        elif name in ("v", "t"):
            if not self._is_phonetic:
                self.pieces = self._content
        elif name == "row":
            self._number = int(attributes.get("r", self._number + 1))
            if not 1 <= self._number <= _MOST_ROWS:
                raise UnreadableError(f"it has a row {self._number}")
            self._row, self._column = {}, -1
        elif name == "rPh":
            self._is_phonetic = True

    def finish(self, name: str) -> None:
        if name in ("v", "t"):
            self.pieces = None
        elif name == "c":
            if self._content and self._column < self._most_columns:
                self._row[self._column] = (self._kind, self._format, _whole(self._content))
            self._content = None
        elif name == "row":
            if self._row:
                self._rows.append((self._number, self._row))
            self._row = {}
        elif name == "rPh":
            self._is_phonetic = False


class _Values:
    """Tells cells as texts."""

    def __init__(self, texts: _Texts, days: set[int], day_0: date) -> None:
        self._texts, self._days, self._day_0 = texts, days, day_0

    def text(self, kind: str, format_number: str, content: str) -> str:
        if kind == "s":
            return self._texts[int(content)]
        if kind in ("inlineStr", "str"):
            return _unescaped(content)
        if kind == "n":
            is_of_days = bool(self._days) and int(format_number) in self._days
            return (self._day(content) if is_of_days else "") or _number(content)
        if kind == "b":
            return "TRUE" if content.strip() in ("1", "true") else "FALSE"
        if kind == "d":
            return content[:10]
        if kind == "e":
            return content
        raise UnreadableError(f"it has a cell of type {kind}")

    def _day(self, content: str) -> str:
        """Return a day, or a time of which none is told; "" of a number that is neither."""
        days = float(content)
        if not 0 <= days < _MOST_DAYS:
            return ""
        if days < 1:
            minutes, seconds = divmod(min(round(days * 86_400), 86_399), 60)
            return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
        if days < _LEAP_DAY_THAT_WAS_NONE and self._day_0 == _DAY_0:
            days += 1
        try:
            return str(self._day_0 + timedelta(days=int(days + _HALF_A_MILLISECOND)))
        except OverflowError:  # a hair before the year 10000
            return ""


def _whole(pieces: list[str]) -> str:
    text = "".join(pieces)
    if len(text) > _LONGEST_TEXT:
        raise TooLargeError
    return text


def _is_of_days(code: str) -> bool:
    """Return whether a format, as “yyyy/mm/dd;@”, shows days or times."""
    shown = _NO_LETTERS_OF_DAYS.sub("", code[:_LONGEST_FORMAT].partition(";")[0])
    return any(letter in "dmyhs" for letter in shown.lower())


@cache
def _number_of_column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _column_of(place: str) -> int:
    """Return the column of a cell's place, as “B2”, from 0 on."""
    found = _CELL.fullmatch(place)
    if not found or (column := _number_of_column(found[1])) >= _MOST_COLUMNS:
        raise UnreadableError(f"it has a cell {place[:20]}")
    return column


def _number(content: str) -> str:
    content = content.strip()
    if _WHOLE.fullmatch(content):
        return str(int(content))
    number = float(content)
    if not isfinite(number):
        return content
    return str(int(number)) if number.is_integer() else str(number)


def _unescaped(text: str) -> str:
    """Return a text with the letters that spreadsheets write as “_x000D_”, except those that no text has."""
    return _ESCAPED.sub(_letter, text) if "_x" in text else text


def _letter(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    is_letter = code in (0x9, 0xA, 0xD) or (code >= 0x20 and not 0xD800 <= code <= 0xDFFF)
    return chr(code) if is_letter else found[0]
