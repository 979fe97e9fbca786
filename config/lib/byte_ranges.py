"""Part of a file, as a request's Range header asks for it (RFC 9110, section 14). Pure."""

import re

_ONE_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)


class RangeError(ValueError):
    """No byte of the file is asked for."""


def byte_range(header: str, size: int) -> tuple[int, int] | None:
    """Return the first byte asked for and the byte after the last; None if the whole file is to be sent.

    A header that is not understood, or that asks for several parts, is passed over. Raises RangeError for a part that begins
    behind the end of the file, or is empty.
    """
    match = _ONE_RANGE.fullmatch(header.strip())
    if match is None or match[0] == "bytes=-":
        return None
    first, last = match.groups()
    if not first:
        length = min(int(last), size)
        start, end = size - length, size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < int(first):
            return None
    if start >= end:
        raise RangeError
    return start, end
