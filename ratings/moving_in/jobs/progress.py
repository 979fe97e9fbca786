"""How far a worker is with an import job, written seldom; each writing renews the lease."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Self

from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from config.lib.leases import lease_length
from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import Lease, LeaseLostError

SECONDS = 1.0  # between two writings

Tell = Callable[[str, float], None]  # what is done, and how much of it, from 0 to 1


class Progress:
    """Tells how far a job is: called with the stage and its share done, from 0 to 1. Raises LeaseLostError.

    `beside`: within a transaction, over a connection of its own, so that readers see it before the transaction ends; on SQLite,
    which has one writer at a time, nothing is told then.
    """

    def __init__(
        self, lease: Lease, clock: Callable[[], datetime], *, beside: bool, watch: Tell = lambda stage, share: None
    ) -> None:
        """`watch` is told, too."""
        self._lease, self._clock, self._beside, self._watch = lease, clock, beside, watch
        self._stage, self._written = "", 0.0
        self._connection: BaseDatabaseWrapper | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._connection is not None:
            self._connection.close()

    def __call__(self, stage: str, share: float) -> None:
        """Write the progress, unless the same stage was written less than SECONDS ago."""
        now = monotonic()
        if stage == self._stage and now - self._written < SECONDS:
            return
        self._stage, self._written = stage, now
        self._watch(stage, share)
        percent = max(0, min(100, int(100 * share)))
        until = self._clock() + lease_length()
        if not self._beside:
            held = ImportJob.objects.filter(pk=self._lease.job_id, lease=self._lease.token)
            if not held.update(stage=stage, progress=percent, lease_until=until):
                raise LeaseLostError
        elif connection.vendor == "postgresql":
            self._write_beside(stage, percent, until)

    def _write_beside(self, stage: str, percent: int, until: datetime) -> None:
        """Write it over the other connection. Raises LeaseLostError, so that work that was cancelled ends soon."""
        if self._connection is None:
            self._connection = connection.copy()
        held = True
        with suppress(DatabaseError), self._connection.cursor() as cursor:
            cursor.execute(
                "UPDATE ratings_importjob SET stage = %s, progress = %s, lease_until = %s WHERE id = %s AND lease = %s",
                [stage, percent, until, self._lease.job_id, self._lease.token],
            )
            if not cursor.rowcount:
                # Not seen from here, it is made by a transaction that is not over: no other worker can have it.
                cursor.execute("SELECT 1 FROM ratings_importjob WHERE id = %s", [self._lease.job_id])
                held = cursor.fetchone() is None
        if not held:
            raise LeaseLostError
