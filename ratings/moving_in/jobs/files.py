"""Keeps the file of a job in pieces, and gives it back as a file on disk."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import NamedTemporaryFile
from typing import IO

from ratings.models import ImportJob, ImportPiece

PIECE = 1_000_000  # bytes


def store_pieces(job: ImportJob, chunks: Iterable[bytes]) -> tuple[int, str]:
    """Store the file of a job, of which `chunks` are consecutive stretches. Return its size in bytes and its SHA-256."""
    digest, size, position, waiting = hashlib.sha256(), 0, 0, b""
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
        waiting += chunk
        while len(waiting) >= PIECE:
            ImportPiece.objects.create(job=job, position=position, content=waiting[:PIECE])
            position, waiting = position + 1, waiting[PIECE:]
    if waiting:
        ImportPiece.objects.create(job=job, position=position, content=waiting)
    return size, digest.hexdigest()


@contextmanager
def opened(job: ImportJob) -> Iterator[IO[bytes]]:
    """Open the file of a job: a temporary copy on disk, from its beginning; its `name` is the path of the copy."""
    with NamedTemporaryFile() as file:
        positions = list(ImportPiece.objects.filter(job=job).order_by("position").values_list("position", flat=True))
        for position in positions:
            file.write(ImportPiece.objects.values_list("content", flat=True).get(job=job, position=position))
        file.flush()
        file.seek(0)
        yield file
