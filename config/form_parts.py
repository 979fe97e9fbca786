"""The parts of a form, counted while its body is read."""

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import TooManyFilesSent

_FIELDS: Final = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS or 0
_FILES: Final = settings.DATA_UPLOAD_MAX_NUMBER_FILES or 0
MOST_PARTS: Final = _FIELDS + _FILES + 2  # the token of the form, and the end


class CountedParts:
    """A request's body whose reading ends with TooManyFilesSent at more parts than a form may have.

    Hazard: Django counts fields and files, but no file without a name: 5 MB of them take it seconds.
    """

    def __init__(self, body: Any, boundary: str) -> None:
        """`body`: what the web server gives to read; `boundary`: of its parts, as the request's type says."""
        self._body = body
        self._delimiter = b"--" + boundary.encode("latin-1", "replace")
        self._end = b""  # what was read last, in which a delimiter may have begun
        self._parts = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most `size`."""
        return self._counted(self._body.read(size))

    def readline(self, size: int = -1) -> bytes:
        """Return the rest of the line, at most `size` bytes of it."""
        return self._counted(self._body.readline(size))

    def _counted(self, content: bytes) -> bytes:
        text = self._end + content
        self._parts += text.count(self._delimiter)
        if self._parts > MOST_PARTS:
            raise TooManyFilesSent(f"more than {MOST_PARTS} parts")
        self._end = text[-(len(self._delimiter) - 1) :]
        return content
