"""The conversation with a mail server, as Django has it, but with an end to it and to each of the server's answers."""

import io
import smtplib
import socket
import time
from typing import IO, Any

from django.core.mail.backends import smtp

from accounts.outbox.operations import LONGEST

_MOST_LINES = 500  # of an answer: real ones have up to twenty or so


class NoEndError(Exception):
    """The conversation took LONGEST. No OSError: smtplib would take it for a connection that was closed."""


class _Bytes(io.RawIOBase):
    """What a mail server sends, up to a moment of the monotonic clock: each byte ends a silence, and so the time-out."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._sock, self._until, self._silence = sock, until, sock.gettimeout()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NoEndError
        self._sock.settimeout(left if self._silence is None else min(left, self._silence))
        try:
            return self._sock.recv_into(buffer)
        except TimeoutError:
            if time.monotonic() >= self._until:
                raise NoEndError from None
            raise
        finally:
            self._sock.settimeout(self._silence)


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
    _until = 0.0

    def connect(self, *place: Any, **options: Any) -> tuple[int, bytes]:
        # Hazard: not every kind of worker has a limit of time for its tasks.
        self._until = time.monotonic() + LONGEST.total_seconds()
        return super().connect(*place, **options)

    # Hazard: smtplib keeps all lines of an answer, at the speed at which they come.
    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = _Answers(io.BufferedReader(_Bytes(self.sock, self._until)))
        if self.file is not None:
            self.file.begin()
        try:
            return super().getreply()
        except NoEndError:
            self.close()
            raise


class _WithEndSSL(_WithEnd, smtplib.SMTP_SSL):
    pass


class EmailBackend(smtp.EmailBackend):
    """Django's way to a mail server, with conversations that come to an end."""

    @property
    def connection_class(self) -> Any:
        """The kind of conversation: encrypted from its beginning, or not."""
        return _WithEndSSL if self.use_ssl else _WithEnd
