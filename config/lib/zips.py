"""Opens a zip that somebody sends. Whatever is wrong with it is a `zipfile.BadZipFile`. Pure."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import IO, Any, Final, Self

START: Final = b"PK\x03\x04"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others can ask for gigabytes of memory
_ENCRYPTED = 0x1
_BLOCK = 1 << 16
_LONGEST_DIRECTORY = 250_000  # bytes: two thousand files with long names
# What `zipfile` raises for damaged bytes, beside what it says it raises: of a name that is none, an offset before the start,
# a version that is not known, a stream that breaks off.
_DAMAGES = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, IndexError, OverflowError, RuntimeError,
)  # fmt: skip


@contextmanager
def _said_of_damage() -> Iterator[None]:
    try:
        yield
    except _DAMAGES as error:
        raise zipfile.BadZipFile(str(error)) from error


def is_plain(member: zipfile.ZipInfo) -> bool:
    """Return whether a file is stored or deflated, without a password: no others are opened."""
    return not member.flag_bits & _ENCRYPTED and member.compress_type in _METHODS


class SentZip:
    """A zip that is open until it is closed; `files`: what it holds, without folders."""

    def __init__(self, file: IO[bytes]) -> None:
        """Read what `file`, open and seekable, says that it holds. Raises BadZipFile, for more than thousands of files, too."""
        with _said_of_damage():
            bounded = _Bounded(file)
            self._archive = zipfile.ZipFile(bounded)
            bounded.most = None
            self.files = [member for member in self._archive.infolist() if not member.is_dir()]

    def open(self, member: zipfile.ZipInfo) -> IO[bytes]:
        """Return the unpacked bytes of a file, seekable. Opening and reading it raise BadZipFile."""
        if not is_plain(member):
            raise zipfile.BadZipFile("it has a password, or is packed in an unusual way")
        with _said_of_damage():
            return io.BufferedReader(_Unpacked(self._archive.open(member)), _BLOCK)

    def read(self, member: zipfile.ZipInfo) -> bytes:
        """Return a file's content. Raises BadZipFile."""
        with self.open(member) as file:
            return file.read()

    def close(self) -> None:
        """Close the zip; the file that it was read from stays open."""
        self._archive.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Bounded:
    """A file whose `read` refuses more than `most` bytes at once: `zipfile` reads a zip's whole directory so, however long."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.seek, self.tell, self.seekable = file, file.seek, file.tell, file.seekable
        self.most: int | None = _LONGEST_DIRECTORY

    def read(self, size: int = -1) -> bytes:
        if self.most is not None and size > self.most:
            raise zipfile.BadZipFile("it holds too many files")
        return self._file.read(size)


class _Unpacked(io.RawIOBase):
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _said_of_damage():
            block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _said_of_damage():
            return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        self._stream.close()
        super().close()
