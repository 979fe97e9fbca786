"""Opens the zip of a SwissPerfect tournament: which of its files are read, and their content, within limits. Pure."""

import io
import zipfile
from dataclasses import dataclass
from pathlib import PurePosixPath

from config.lib.zips import START, SentZip, is_plain
from events.files.codes import Code
from events.files.collector import Report, quotable, quoted
from events.rules.findings import listed
from events.rules.limits import MAX_BYTES

SETTINGS, PLAYERS, GAMES = ".ini", ".trn", ".sco"
SUFFIXES = (SETTINGS, PLAYERS, GAMES)
MOST_UNPACKED = 2 * MAX_BYTES  # of all files of the zip; those of a tournament have a tenth
_NAMES = tuple(name.encode() for suffix in (PLAYERS, GAMES) for name in (suffix, suffix.upper()))


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the zip: its name for messages, without folders, and its content."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Archive:
    """The three files of a tournament."""

    settings: Member
    players: Member
    games: Member


def is_swissperfect(content: bytes) -> bool:
    """Return whether bytes are a zip with files of SwissPerfect's alone, or with a table of its players or games.

    Of a damaged zip the names that stand in it decide.
    """
    if not content.startswith(START):
        return False
    members = _members(content)
    if members is None:
        return any(name in content for name in _NAMES)
    suffixes = {suffix_of(member) for member in members}
    return bool(suffixes & {PLAYERS, GAMES}) or suffixes == {SETTINGS}


def open_archive(content: bytes, report: Report) -> Archive | None:
    """Return the files of the tournament in a zip; None, with an error, if one is missing, there twice or unreadable."""
    members = _members(content)
    if members is None:
        report.add(
            Code.DAMAGED_FILE,
            "The zip is damaged or cut off, or holds thousands of files. Pack the three again, and send that.",
        )
        return None
    if sum(member.file_size for member in members) > MOST_UNPACKED:
        message = (
            f"The zip holds more than {MOST_UNPACKED // 1_000_000} MB when it is unpacked, which no tournament needs. Pack the"
            " .ini, .trn and .sco alone."
        )
        report.add(Code.FILE_TOO_LARGE, message)
        return None
    found: dict[str, zipfile.ZipInfo] = {}
    unread = []
    for member in members:
        suffix = suffix_of(member)
        if suffix not in SUFFIXES:
            unread.append(quoted(member.filename))
        elif suffix in found:
            message = (
                f"The zip has two {suffix} files, {quoted(found[suffix].filename)} and {quoted(member.filename)}. Pack the "
                ".ini, .trn and .sco of one tournament."
            )
            report.add(Code.FILES_OF_TWO, message)
            return None
        else:
            found[suffix] = member
    if missing := [suffix for suffix in SUFFIXES if suffix not in found]:
        message = (
            f"The zip lacks {' and '.join(missing)}: SwissPerfect keeps a tournament in three files of one name, .ini, .trn "
            "and .sco. Pack all three."
        )
        report.add(Code.MISSING_FILE, message)
        return None
    if unread:
        report.add(Code.UNUSED_FILE, f"The zip also holds what is not read: {listed(unread)}.")
    _check_names([found[suffix] for suffix in SUFFIXES], report)
    unpacked = [_unpacked(content, found[suffix], report) for suffix in SUFFIXES]
    settings, players, games = unpacked
    return Archive(settings, players, games) if settings and players and games else None


def _members(content: bytes) -> list[zipfile.ZipInfo] | None:
    """Return the files of a zip, None if its directory cannot be read."""
    try:
        with SentZip(io.BytesIO(content)) as archive:
            return archive.files
    except zipfile.BadZipFile:
        return None


def suffix_of(member: zipfile.ZipInfo) -> str:
    """Return how the name of a file ends, in small letters, as `.trn`."""
    return PurePosixPath(member.filename).suffix.lower()


def _check_names(members: list[zipfile.ZipInfo], report: Report) -> None:
    """Report files whose names differ: games of one tournament would be rated as those of another's players."""
    stems = {PurePosixPath(member.filename).stem.casefold() for member in members}
    if len(stems) > 1:
        names = ", ".join(quoted(member.filename) for member in members)
        message = (
            f"The files have different names, {names}: players and results may be of two tournaments. Pack the three files of "
            "one tournament, which have one name."
        )
        report.add(Code.FILES_OF_TWO, message)


def _unpacked(content: bytes, member: zipfile.ZipInfo, report: Report) -> Member | None:
    name = quoted(member.filename)
    if not is_plain(member):
        message = f"{name} has a password, or is packed in an unusual way. Pack the files again, as a plain zip."
        report.add(Code.UNREADABLE_FILE, message)
        return None
    try:
        with SentZip(io.BytesIO(content)) as archive, archive.open(member) as file:
            unpacked = file.read(MAX_BYTES + 1)  # the directory's word for the size is not taken
    except zipfile.BadZipFile:
        report.add(Code.DAMAGED_FILE, f"{name} cannot be unpacked: it is damaged. Pack the files again, and send that.")
        return None
    if len(unpacked) > MAX_BYTES:
        message = f"{name} has more than {MAX_BYTES} bytes when unpacked, which no tournament needs."
        report.add(Code.FILE_TOO_LARGE, message)
        return None
    return Member(quotable(PurePosixPath(member.filename).name), unpacked)
