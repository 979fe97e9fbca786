"""Which files are taken as evidence: PDF, PNG and JPEG, known by their content and never by their name. Pure."""

from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

from config.lib.texts import plain_name
from events.rules.limits import LARGEST, MAX_BYTES, size_in_mb
from events.rules.states import EventError

MOST_ATTACHMENTS = 10  # to one finding of an event, or to one appeal
LONGEST_FILE_NAME = 120
_TAIL = 2048  # bytes in which the end mark is sought: writers add line ends and little else behind it


@dataclass(frozen=True, slots=True)
class AttachmentKind:
    """A kind of file: `code` as stored, its media type, the ending of its name, the bytes at its beginning and near its end."""

    code: str
    label: str
    media_type: str
    ending: str
    begins: bytes
    ends: bytes


KINDS = {
    kind.code: kind
    for kind in (
        AttachmentKind("pdf", "PDF", "application/pdf", ".pdf", b"%PDF-", b"%%EOF"),
        AttachmentKind("png", "PNG", "image/png", ".png", b"\x89PNG\r\n\x1a\n", b"IEND"),
        AttachmentKind("jpeg", "JPEG", "image/jpeg", ".jpg", b"\xff\xd8\xff", b"\xff\xd9"),
    )
}
TAKEN = f"PDF, PNG or JPEG, {LARGEST}"


def validate(name: str, content: bytes, size: int | None = None) -> AttachmentKind:
    """Return the kind of a file by its content. `name`: for the message; `size`: of the file, if only its beginning is given.

    Raises EventError for an empty, incomplete or too large file, and for any other kind.
    """
    called = display_name(name) or "The file"
    if not content:
        raise EventError(f"{called} is empty: choose the file again")
    size = max(size or 0, len(content))
    if size > MAX_BYTES:
        raise EventError(f"{called} has {size_in_mb(size)} MB: send {TAKEN}")
    for kind in KINDS.values():
        if content.startswith(kind.begins):
            if kind.ends not in content[-_TAIL:]:
                raise EventError(f"{called} breaks off before its end: choose a complete {kind.label} file")
            return kind
    raise EventError(f"{called} is neither PDF nor PNG nor JPEG: send {TAKEN}")


def display_name(name: str) -> str:
    """Return the last part of a file's name as names are stored (`plain_name`), at most LONGEST_FILE_NAME long."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    printable = "".join(character for character in last if character.isprintable())
    return plain_name(printable)[-LONGEST_FILE_NAME:].strip()


def stored_name(name: str, kind: AttachmentKind) -> str:
    """Return the name under which a file is kept: it ends as its kind does, whatever it was called."""
    shown = display_name(name) or "attachment"
    endings = (".jpg", ".jpeg") if kind.code == "jpeg" else (kind.ending,)
    return shown if shown.lower().endswith(endings) else shown[: LONGEST_FILE_NAME - len(kind.ending)] + kind.ending
