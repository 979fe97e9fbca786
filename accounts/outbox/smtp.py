"""The conversation with a mail server, as Django has it, but with an end to each of the server's answers."""

import smtplib
from typing import IO, Any

from django.core.mail.backends import smtp

_MOST_LINES = 500  # of an answer: real ones have up to twenty or so


class _Answers:
    """The lines that a mail server sends, of which it may send no more than _MOST_LINES in one answer."""

    def __init__(self, lines: IO[bytes]) -> None:
        self._lines = lines
        self._left = _MOST_LINES

    def begin(self) -> None:
        """Begin an answer."""
        self._left = _MOST_LINES

    def readline(self, size: int) -> bytes:
        """Return the next line. Raises OSError if the answer is too long."""
        self._left -= 1
        if self._left < 0:
            raise OSError("the mail server’s answer comes to no end")
        return self._lines.readline(size)

    def close(self) -> None:
        """Close what the lines come from."""
        self._lines.close()


class _WithEnd(smtplib.SMTP):
    # Hazard: smtplib keeps all lines of an answer, at the speed at which they come.
    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = _Answers(self.sock.makefile("rb"))
        if self.file is not None:
            self.file.begin()
        return super().getreply()


class _WithEndSSL(_WithEnd, smtplib.SMTP_SSL):
    pass


class EmailBackend(smtp.EmailBackend):
    """Django's way to a mail server, with conversations that come to an end."""

    @property
    def connection_class(self) -> Any:
        """The kind of conversation: encrypted from its beginning, or not."""
        return _WithEndSSL if self.use_ssl else _WithEnd
