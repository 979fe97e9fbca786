"""Tells whether a spreadsheet holds more than can be read in the time and the memory of a list. Pure."""

from collections.abc import Callable
from typing import Any, Final
from xml.parsers.expat import ExpatError, ParserCreate

from config.lib.zips import SentZip

MOST_ELEMENTS: Final = 4_000_000  # of all parts, two for a cell: a spreadsheet takes as long to read as it has elements
_MOST_TOGETHER: Final = 50_000  # elements in one row, or in one text: a row has up to 16,384 cells
_MOST_BESIDE: Final = 50_000  # beside rows and texts
_MOST_ROWS: Final = 1_048_576  # of a sheet, which has no more
_MOST_TEXTS: Final = 800_000
# Bytes of the parts. Hazard: a text takes four in memory for each letter if one of its letters is an emoji.
_LONGEST: Final = 4_000_000  # row, or text
_LONGEST_BESIDE: Final = 20_000_000
_LONGEST_TEXTS: Final = 25_000_000
_SPREADSHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
# Of a tag. Hazard: the parser begins one that is not whole anew with each piece, so that the time grows with its square.
_LONGEST_TAG: Final = 250_000
_BLOCK: Final = 1 << 16


class _TooMuchError(Exception):
    pass


def holds_too_much(archive: SentZip, most: int) -> bool:
    """Return whether an XLSX has more than `most` elements, or more than its reader should keep, which keeps a row until it
    ends, all texts, and all that is beside them. Raises BadZipFile."""
    size = _Size(most)
    try:
        for member in archive.files:
            with archive.open(member) as part:
                if member.filename in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
                    size.count(part, "", look=_require_usual_place)
                elif member.filename.startswith("xl/worksheets/"):
                    size.count(part, "row")
                elif member.filename == "xl/sharedStrings.xml":
                    size.count(part, "si")
                else:
                    size.count(part, "")
    except _TooMuchError:
        return True
    return False


def _require_usual_place(tag: str, names: dict[str, str]) -> None:
    """Raise _TooMuchError where an XLSX calls a part what it is not by its name: another reader would keep all of it."""
    if tag.endswith(" Override"):
        kind, part = names.get("ContentType", ""), names.get("PartName", "")
        usual = {"main+xml": "/xl/workbook.xml", "sharedStrings+xml": "/xl/sharedStrings.xml"}
        if any(kind.endswith(f".{word}") and part != place for word, place in usual.items()):
            raise _TooMuchError
    if tag.endswith(" Relationship"):
        kind, part = names.get("Type", ""), names.get("Target", "")
        places = {"worksheets/": "/worksheet", "sharedStrings": "/sharedStrings"}
        if any(place in part and not kind.endswith(word) for place, word in places.items()):
            raise _TooMuchError


class _Size:
    """Counts elements and bytes, part by part."""

    def __init__(self, most: int) -> None:
        self._elements = most  # that may still come
        self._elements_beside = min(most, _MOST_BESIDE)
        self._bytes_beside = _LONGEST_BESIDE
        self._bytes_of_texts = _LONGEST_TEXTS

    def count(self, part: Any, apart: str, *, look: Callable[[str, dict[str, str]], None] | None = None) -> None:
        """Count a part, up to where it is no longer XML: its reader gets no further. `apart`: the elements, rows or texts, that
        are read one by one, "" for none. `look` is shown each element. Raises _TooMuchError."""
        self._parser = parser = ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        self._look = look
        self._apart = f"{_SPREADSHEET} {apart}"
        self._are_texts = apart == "si"
        self._left_apart = _MOST_TEXTS if self._are_texts else _MOST_ROWS
        self._depth = 0  # of such elements within one another
        self._since = read = 0  # where the present one, or what is beside them, begins
        try:
            while block := part.read(_BLOCK):
                read += len(block)
                parser.Parse(block)
                self._weigh(read)
                if read - parser.CurrentByteIndex > _LONGEST_TAG:
                    raise _TooMuchError
        except (ExpatError, LookupError, ValueError):  # the latter of a character set that is none
            read = parser.ErrorByteIndex
        self._weigh(read)
        self._bytes_beside -= read - self._since

    def _start(self, name: str, names: dict[str, str]) -> None:
        self._elements -= 1
        if self._look:
            self._look(name, names)
        if name == self._apart:
            self._depth += 1
            if self._depth == 1:
                self._leave(beside=True)
                self._fewest = self._elements - _MOST_TOGETHER  # that may still come when it ends
                self._left_apart -= 1
        elif not self._depth:
            self._elements_beside -= 1
        if self._elements < 0 or self._elements_beside < 0 or self._left_apart < 0:
            raise _TooMuchError
        if self._depth and self._elements < self._fewest:
            raise _TooMuchError

    def _end(self, name: str) -> None:
        if name == self._apart:
            self._depth -= 1
            if not self._depth:
                self._leave(beside=False)

    def _leave(self, *, beside: bool) -> None:
        """Take off what lies before the present place: it is beside what is read one by one, or one of these."""
        here = self._parser.CurrentByteIndex
        length = here - self._since
        self._since = here
        if beside:
            self._bytes_beside -= length
        elif self._are_texts:
            self._bytes_of_texts -= length
        is_too_long = not beside and length > _LONGEST
        if is_too_long or self._bytes_beside < 0 or self._bytes_of_texts < 0:
            raise _TooMuchError

    def _weigh(self, place: int) -> None:
        """Look how much of what the parser is in there is already."""
        if place - self._since > (_LONGEST + _BLOCK if self._depth else self._bytes_beside + _BLOCK):
            raise _TooMuchError
