"""Tells whether a spreadsheet holds more than can be read in the time and the memory of a list. Pure."""

from typing import Any, Final
from xml.parsers.expat import ExpatError, ParserCreate

from config.lib.zips import SentZip

MOST_ELEMENTS: Final = 4_000_000  # of all parts, two for a cell: a spreadsheet takes as long to read as it has elements
_MOST_TOGETHER: Final = 50_000  # in one row, or in one text: a row has up to 16,384 cells
_MOST_TEXTS: Final = 2_000_000
_MOST_BESIDE: Final = 50_000  # beside rows and texts
_PARTS: Final = {
    "xl/worksheets/": "http://schemas.openxmlformats.org/spreadsheetml/2006/main row",
    "xl/sharedStrings.xml": "http://schemas.openxmlformats.org/spreadsheetml/2006/main si",
}
_BLOCK: Final = 1 << 20


class _TooMuchError(Exception):
    pass


def holds_too_much(archive: SentZip, most: int) -> bool:
    """Return whether an XLSX has more than `most` elements, or more than its reader, which keeps a row or a text until it ends
    and all that is beside them, should keep at once. Raises BadZipFile."""
    size = _Size(most)
    try:
        for member in archive.files:
            begins = next((place for place in _PARTS if member.filename.startswith(place)), "")
            size.let_go = _PARTS.get(begins, "")
            with archive.open(member) as part:
                size.count(part)
    except _TooMuchError:
        return True
    return False


class _Size:
    """Counts elements, part by part. `let_go`: the name of those that are forgotten when they end; "" where there are none."""

    let_go = ""

    def __init__(self, most: int) -> None:
        self._left = most
        self._beside = min(most, _MOST_BESIDE)
        self._texts = _MOST_TEXTS
        self._depth = 0  # of elements that are let go, within one another
        self._most_left = 0  # of `_left` where the present one must have ended

    def count(self, part: Any) -> None:
        """Count a part, up to where it is no longer XML: its reader gets no further. Raises _TooMuchError."""
        parser = ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        self._depth = 0
        try:
            while block := part.read(_BLOCK):
                parser.Parse(block)
        except (ExpatError, LookupError, ValueError):  # the latter of a character set that is none
            pass

    def _start(self, name: str, _: Any) -> None:
        self._left -= 1
        if name == self.let_go:
            self._depth += 1
            if self._depth == 1:
                self._texts -= 1
                self._most_left = self._left - _MOST_TOGETHER
        elif not self._depth:
            self._beside -= 1
        if self._left < 0 or self._beside < 0 or self._texts < 0 or (self._depth and self._left < self._most_left):
            raise _TooMuchError

    def _end(self, name: str) -> None:
        if name == self.let_go:
            self._depth -= 1
