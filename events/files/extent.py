"""Tells how much a tournament file holds at most, without reading it. Pure."""

import io
import zipfile
from dataclasses import dataclass

from config.lib.zips import START, SentZip
from events.files.swissperfect.archive import PLAYERS, suffix_of
from events.files.swissperfect.dbase import START_BYTES, record_count
from events.files.tunx import LEAST_PLAYER, MAGIC


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a file holds at most. `bytes`: unpacked; `lines`: of a text, of which one names a player, or two in a CSV; of
    other formats players."""

    bytes: int
    lines: int


def extent_of(content: bytes) -> Extent:
    """Return how much a file of any format holds at most. Of a zip the beginning of one table is unpacked."""
    if content.startswith(MAGIC):
        return Extent(len(content), len(content) // LEAST_PLAYER)
    if content.startswith(START):
        return _of_zip(content)
    return Extent(len(content), _lines(content))


def _lines(content: bytes) -> int:
    """Return how many lines a text has, without blank ones at its end, in whatever encoding."""
    text = content.rstrip(b"\r\n\0")
    # The two signs of one end, in eight bits a letter and in sixteen.
    pairs = text.count(b"\r\n") + text.count(b"\r\0\n")
    return 1 + text.count(b"\r") + text.count(b"\n") - pairs


def _of_zip(content: bytes) -> Extent:
    try:
        with SentZip(io.BytesIO(content)) as archive:
            return Extent(sum(member.file_size for member in archive.files), _players(archive))
    except zipfile.BadZipFile:
        return Extent(len(content), 0)


def _players(archive: SentZip) -> int:
    """Return how many players a zip has if it is SwissPerfect's, of which no table of players stands twice."""
    table = next((member for member in archive.files if suffix_of(member) == PLAYERS), None)
    if table is None:
        return 0
    try:
        with archive.open(table) as file:
            return record_count(file.read(START_BYTES), table.file_size)
    except zipfile.BadZipFile:
        return 0
