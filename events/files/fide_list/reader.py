"""Opens FIDE's list, unpacks and recognises it, and reads its players one after the other. Pure: the caller opens the file."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from itertools import chain
from typing import IO, BinaryIO, cast

from config.lib.zips import SentZip
from events.files.fide_list import text, xml
from events.files.fide_list.listed import FideListError, ListedPlayer, kind_in, month_in

MAX_BYTES = 4_000_000_000  # unpacked; the XML has about 860 MB
MOST_UNREADABLE = 100
NO_PLAYERS = "The list has no player. Download it again."
_LISTED = 20


class FideListReader:
    """A list of FIDE's, open. `kinds`: those of KINDS that it holds; `month`: as far as it or its name tells, else None.

    `unreadable`: the first players that could not be read and are left out; `cleaned`: the first of the `cleaned_names`, from
    which characters that cannot be seen are left out; `total`: bytes, unpacked, of which `done` are read.
    """

    def __init__(self, file: BinaryIO, *, filename: str, kind: str = "") -> None:
        """Recognise the list. `kind`: that of a list of one kind, if its name does not tell. Raises FideListError."""
        self.unreadable: list[str] = []
        self._left_out = 0
        self.cleaned: list[str] = []
        self.cleaned_names = 0
        self._stack = ExitStack()
        name, self.total, unpacked = _unpacked(file, filename, self._stack)
        self._stream = _Counting(unpacked)
        names = f"{name} {filename}"
        kind = kind or kind_in(names)
        head = self._stream.peek()
        if not head.strip():
            raise FideListError("The file is empty. Download FIDE’s list again.")
        if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
            self.layout = "XML"
            elements = xml.xml_elements(self._stream)
            first = next(elements, None)
            if first is None:
                raise FideListError(NO_PLAYERS)
            self.kinds = xml.kinds_of(first, kind)
            self.month = month_in(names)
            self._players = xml.xml_players(chain([first], elements), self.kinds, self._leave_out, self._clean)
        else:
            self.layout = "text"
            line = self._stream.readline(text.LONGEST_LINE).decode("latin-1").rstrip("\r\n")
            heading = text.read_heading(line, kind=kind)
            self.kinds = heading.kinds
            self.month = heading.month or month_in(names)
            self._players = text.text_players(self._stream, heading.columns, self._leave_out, self._clean)

    @property
    def done(self) -> int:
        """The bytes that are read."""
        return self._stream.count

    def players(self) -> Iterator[ListedPlayer]:
        """Yield the players, once. Raises FideListError where the list breaks off or is none."""
        yield from self._players

    def close(self) -> None:
        """Close what was opened inside a zip."""
        self._stack.close()

    def _leave_out(self, place: str, why: str) -> None:
        self._left_out += 1
        if self._left_out <= _LISTED:
            self.unreadable.append(f"{place}: {why} cannot be read; the player is left out")
        if self._left_out > MOST_UNREADABLE:
            raise FideListError(
                f"More than {MOST_UNREADABLE} players cannot be read, the first on {self.unreadable[0]}. The columns are not"
                " those of the heading: take the XML list instead."
            )

    def _clean(self, place: str, name: str) -> None:
        self.cleaned_names += 1
        if self.cleaned_names <= _LISTED:
            self.cleaned.append(f"{place}: {name}")


class _Counting:
    """A stream that counts its bytes, stops at MAX_BYTES, and says in words what is wrong with a zip."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._buffered = io.BufferedReader(cast(io.RawIOBase, stream))
        self.count = 0

    def peek(self) -> bytes:
        """Return some of the first bytes without reading them."""
        try:
            return self._buffered.peek(1024)[:1024]
        except zipfile.BadZipFile as error:
            raise _damaged() from error

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        try:
            return self._counted(self._buffered.read(size))
        except zipfile.BadZipFile as error:
            raise _damaged() from error

    def readline(self, size: int) -> bytes:
        """Return the next line, or its first bytes."""
        try:
            return self._counted(self._buffered.readline(size))
        except zipfile.BadZipFile as error:
            raise _damaged() from error

    def _counted(self, block: bytes) -> bytes:
        self.count += len(block)
        if self.count > MAX_BYTES:
            raise FideListError(f"Unpacked the file has more than {MAX_BYTES // 10**9} GB: this is not FIDE’s list.")
        return block


def _damaged() -> FideListError:
    return FideListError("The zip is cut off or damaged, or has a password. Download FIDE’s list again.")


def _unpacked(file: BinaryIO, filename: str, stack: ExitStack) -> tuple[str, int, IO[bytes]]:
    """Return the name of the list, its length in bytes, and its stream."""
    head = file.read(4)
    file.seek(0)
    if not head.startswith(b"PK"):
        length = file.seek(0, io.SEEK_END)
        file.seek(0)
        return filename, length, file
    try:
        archive = stack.enter_context(SentZip(file))
        members = [member for member in archive.files if member.filename.lower().endswith((".txt", ".xml"))]
        if len(members) != 1:
            raise FideListError(
                f"The zip has {len(members)} files of text or XML. Send FIDE’s list as it was downloaded, or unpacked."
            )
        return members[0].filename, members[0].file_size, stack.enter_context(archive.open(members[0]))
    except zipfile.BadZipFile as error:
        raise _damaged() from error


def said_month(reader: FideListReader, said: date | None) -> date:
    """Return the month of a list, as it tells it or as it was `said`. Raises FideListError if neither, or if they differ."""
    month = said or reader.month
    if month is None:
        raise FideListError("The list does not tell its month. Say which it is, as 2026-10.")
    if said and reader.month and said != reader.month:
        raise FideListError(f"This is the list of {reader.month:%Y-%m}, not of {said:%Y-%m}.")
    return month
