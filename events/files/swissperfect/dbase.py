"""Reads tables in dBase III's format: a header, 32 bytes for each column, then records of one length. Pure."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.swissperfect.archive import Member
from events.rules.limits import MAX_ROWS

_VERSION = 0x03
START_BYTES = 32  # of the header before the first column
_COLUMN = 32  # bytes that describe a column
_SHAPE = struct.Struct("<IHH")  # number of records, where they start, length of one
_END = 0x0D  # after the last column
_DELETED = b"*"


@dataclass(frozen=True, slots=True)
class Record:
    """A record: the name of its file, its number from 1 on, its values by column, without blanks around."""

    file: str
    number: int
    values: Mapping[str, bytes]

    @property
    def place(self) -> str:
        """Where it stands, as a finding begins: `open.trn, record 7`."""
        return f"{self.file}, record {self.number}"


def record_count(start: bytes, size: int) -> int:
    """Return how many records a table of `size` bytes announces, or has room for if those are more, by the `START_BYTES` with
    which it begins; 0 if it is no such table."""
    if len(start) < START_BYTES or start[0] != _VERSION:
        return 0
    count, first, length = map(int, _SHAPE.unpack_from(start, 4))
    return max(count, max(size - first, 0) // max(length, 1))


def read_table(member: Member, columns: tuple[str, ...], report: Report) -> list[Record]:
    """Return the records that are not deleted, with the values of `columns`; none, with an error, if it is no such table.

    Of a table that is cut off the whole records are returned, with an error.
    """
    content, name = member.content, quoted(member.name)
    if len(content) < START_BYTES or content[0] != _VERSION:
        report.add(Code.DAMAGED_FILE, f"{name} is no dBase table, as SwissPerfect writes it. Pack the files again.")
        return []
    count, start, length = _SHAPE.unpack_from(content, 4)
    places = _columns(content[:start])
    missing = [column for column in columns if column not in places or places[column].stop > length]
    if missing or not length:
        message = f"{name} is damaged, or of another program: it has no column {', '.join(missing)}."
        report.add(Code.DAMAGED_FILE, message)
        return []
    there = max(len(content) - start, 0) // length
    if there < count:
        message = f"{name} is cut off: it announces {count} records and has {there}. Pack the files again."
        report.add(Code.TRUNCATED_FILE, message)
    if count > MAX_ROWS:
        report.add(Code.TOO_MANY_LINES, f"{name} has {count} records; at most {MAX_ROWS} are read.")
    records = []
    for index in range(min(count, there, MAX_ROWS)):
        row = content[start + index * length : start + (index + 1) * length]
        if row[:1] != _DELETED:
            values = {column: _value(row[places[column]]) for column in columns}
            records.append(Record(member.name, index + 1, values))
    return records


def _columns(header: bytes) -> dict[str, slice]:
    """Return where each column's values stand in a record."""
    places: dict[str, slice] = {}
    first = 1  # after the mark of deletion
    for start in range(START_BYTES, len(header) - _COLUMN + 1, _COLUMN):
        if header[start] == _END:
            break
        name = header[start : start + 11].partition(b"\0")[0].decode("ascii", errors="replace").upper()
        width = header[start + 16]
        places.setdefault(name, slice(first, first + width))
        first += width
    return places


def _value(cell: bytes) -> bytes:
    """Return a value without the blanks around it; some of SwissPerfect's end at a NUL, with remains behind."""
    return cell.partition(b"\0")[0].strip()
