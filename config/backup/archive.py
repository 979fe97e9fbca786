"""The file of a back-up: a zip with the rows of each table as JSON lines, kept files, and a manifest with checksums.

`manifest.json` says the format, the moment, the migrations, and of each table its columns with the kind of their values
(`config.backup.values`), how many rows it has, and the last key that was given out. `rows/TABLE.jsonl` has a row a line;
`files/NAME` are files of VAR_DIR. The manifest's own checksum stands in `manifest.sha256`.
"""

import hashlib
import json
import lzma
import os
import struct
import uuid
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Final

FORMAT: Final = 1
_MANIFEST, _MANIFEST_SUM = "manifest.json", "manifest.sha256"
_BLOCK = 1 << 20
_NOT_ONE = "is not a back-up of a bureau, or is damaged"
# What is raised for a zip with wrong bits. A wrong flag says that an entry is encrypted (RuntimeError), or named in UTF-8
# (ValueError); a wrong method that it is to be read by another program (NotImplementedError, a RuntimeError).
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
)


class BackupError(Exception):
    """A back-up that cannot be made or used; the text says why, and what to do."""


@dataclass(slots=True)
class Table:
    """What the manifest says of a table. `columns`: name and kind of each; `key`: the column whose values the database gives
    out, and `last_key` the last of them, None for none."""

    columns: list[list[str]]
    rows: int = 0
    key: str | None = None
    last_key: int | None = None


@dataclass(slots=True)
class Manifest:
    """What a back-up holds. `made_at`: ISO 8601; `migrations`: app and name of each that was applied; `sums`: SHA-256 by
    entry."""

    made_at: str
    database: str
    migrations: list[list[str]]
    tables: dict[str, Table] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    sums: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def rows(self) -> int:
        """How many rows there are in all."""
        return sum(table.rows for table in self.tables.values())


class Writer:
    """Writes the entries of a back-up, one after the other, in bounded memory."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._archive = archive
        self.manifest = manifest

    def add_table(self, name: str, table: Table, rows: Iterable[list[Any]]) -> None:
        """Write the rows of a table, JSON values in the order of its columns."""
        with self._entry(f"rows/{name}.jsonl") as write:
            for row in rows:
                write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
                table.rows += 1
        self.manifest.tables[name] = table

    def add_file(self, name: str, content: bytes) -> None:
        """Write a kept file."""
        with self._entry(f"files/{name}") as write:
            write(content)
        self.manifest.files.append(name)

    @contextmanager
    def _entry(self, name: str) -> Iterator[Any]:
        digest = hashlib.sha256()
        with self._archive.open(name, "w", force_zip64=True) as entry:

            def write(content: bytes) -> None:
                digest.update(content)
                entry.write(content)

            yield write
        self.manifest.sums[name] = digest.hexdigest()


@contextmanager
def writing(path: Path, manifest: Manifest) -> Iterator[Writer]:
    """Write a back-up. The file appears at its end, whole, readable by its owner only. Raises BackupError if it is there."""
    _require_free(path)
    half = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")  # another process may make one of this name
    try:
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                yield Writer(archive, manifest)
                text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1)
                archive.writestr(_MANIFEST, text)
                archive.writestr(_MANIFEST_SUM, hashlib.sha256(text.encode()).hexdigest())
            stream.flush()
            os.fsync(stream.fileno())
        _require_free(path)
        half.rename(path)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        half.unlink(missing_ok=True)


def _require_free(path: Path) -> None:
    if path.exists():
        raise BackupError(f"{path} is there already: choose another name, or remove it")


class Reader:
    """An open back-up whose checksums were compared."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._archive = archive
        self.manifest = manifest

    def rows(self, table: str) -> Iterator[list[Any]]:
        """Yield the rows of a table as they were written."""
        with self._archive.open(f"rows/{table}.jsonl") as lines:
            for line in lines:
                yield json.loads(line)

    def file(self, name: str) -> bytes:
        """Return a kept file."""
        return self._archive.read(f"files/{name}")


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """Open a back-up and compare all its checksums first. Raises BackupError for a file that is none, or is damaged, or was
    written by a later release."""
    with ExitStack() as stack:
        yield _compared(path, stack)


def _compared(path: Path, stack: ExitStack) -> Reader:
    try:
        archive = stack.enter_context(zipfile.ZipFile(path))
        manifest = _manifest(archive, path)
        expected = {*manifest.sums, _MANIFEST, _MANIFEST_SUM}
        if set(archive.namelist()) != expected:
            raise BackupError(f"{path} is damaged: its entries are not those of its manifest. Nothing was changed")
        for name, digest in manifest.sums.items():
            with archive.open(name) as entry:
                if _sha256(entry) != digest:
                    raise BackupError(f"{path} is damaged: {name} has another checksum. Nothing was changed")
        return Reader(archive, manifest)
    except FileNotFoundError:
        raise BackupError(f"there is no file {path}. Nothing was changed") from None
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}. Nothing was changed") from None
    except _DAMAGE as error:
        raise BackupError(f"{path} {_NOT_ONE}: {error}. Nothing was changed") from None


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    try:
        text = archive.read(_MANIFEST)
        if hashlib.sha256(text).hexdigest().encode() != archive.read(_MANIFEST_SUM):
            raise BackupError(f"{path} is damaged: its manifest has another checksum. Nothing was changed")
        said = json.loads(text)
        if said["format"] != FORMAT:
            raise BackupError(
                f"{path} has format {said['format']}; this release reads {FORMAT}: restore it with its own release. Nothing was"
                " changed"
            )
        tables = {name: Table(**table) for name, table in said.pop("tables").items()}
        return Manifest(**said, tables=tables)
    except (KeyError, TypeError, ValueError):
        raise BackupError(f"{path} {_NOT_ONE}: it has no manifest that can be read. Nothing was changed") from None


def _sha256(entry: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := entry.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest()
