"""Decodes bytes into lines of text. Pure."""

import codecs
import re
from dataclasses import dataclass
from typing import IO

from events.rules.limits import MAX_LINES

_LINE_END = re.compile(r"\r\n|\n|\r")
_SAMPLE = 4096
_BLOCK = 1 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded file. `guessed`: the bytes do not determine the encoding; `damaged`: some bytes could not be decoded."""

    encoding: str
    lines: list[str]
    ends_with_line_break: bool
    guessed: bool = False
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Coding:
    """How a file is coded, as `Text` says it. `mark`: how many bytes of a byte order mark it begins with."""

    encoding: str
    guessed: bool = False
    damaged: bool = False
    mark: int = 0


def coding_of(file: IO[bytes], fallback_encoding: str = "cp1252") -> Coding:
    """Return how a file is coded, by the rules of `read_text`. Reads it from where it stands to its end, by blocks."""
    start = file.tell()
    head = file.read(_SAMPLE)
    for mark, name in _MARKS:
        if head.startswith(mark):
            plain = name.removesuffix("-sig")
            return Coding(plain, damaged=not _decodes(file, start + len(mark), plain), mark=len(mark))
    if wide := _unmarked_utf16(head):
        return Coding(wide, damaged=not _decodes(file, start, wide))
    for name, guessed in (("ascii", False), ("utf-8", False), (fallback_encoding, True)):
        if _decodes(file, start, name):
            return Coding(name, guessed)
    return Coding("latin-1", guessed=True)


def _decodes(file: IO[bytes], start: int, encoding: str) -> bool:
    """Return whether a file can be decoded from a place to its end."""
    file.seek(start)
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
        while block := file.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except (UnicodeError, LookupError):
        return False
    return True


def read_text(content: bytes, fallback_encoding: str = "cp1252") -> Text:
    """Decode a text file. Never raises.

    The encoding is that of the byte order mark, else UTF-16 by its zero bytes, else UTF-8, else the fallback, which counts
    as a guess, else Latin-1. What follows the first MAX_LINES lines stays in one piece: no file may have more.
    """
    text, encoding, guessed, damaged = _decode(content, fallback_encoding)
    lines = _LINE_END.split(text, MAX_LINES)  # hazard: a line of a letter takes 80 bytes
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    return Text(encoding, lines, ended, guessed, damaged)


def _decode(content: bytes, fallback: str) -> tuple[str, str, bool, bool]:
    for mark, name in _MARKS:
        if content.startswith(mark):
            text = content[len(mark) :].decode(name.removesuffix("-sig"), errors="replace")
            return text, name, False, "\ufffd" in text
    if wide := _unmarked_utf16(content):
        text = content.decode(wide, errors="replace")
        return text, wide, False, "\ufffd" in text
    if content.isascii():
        return content.decode("ascii"), "ascii", False, False
    for name, guessed in (("utf-8", False), (fallback, True)):
        try:
            return content.decode(name), name, guessed, False
        except (UnicodeError, LookupError, ValueError):
            continue
    return content.decode("latin-1"), "latin-1", True, False


def _unmarked_utf16(content: bytes) -> str:
    """Return the encoding if nearly every second byte of the beginning is zero, else ""."""
    sample = content[:_SAMPLE]
    half = len(sample) // 2
    if half < 8:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""
