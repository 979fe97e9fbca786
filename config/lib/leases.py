"""Who may take up a job that is held by a lease: a moment, `lease_until`, that its worker pushes on while it is at work."""

from datetime import datetime, timedelta
from typing import Any

from celery import current_task
from celery.signals import task_prerun
from django.conf import settings
from django.db import Error, connection
from django.db.models import F, Q, QuerySet

from config.lib.texts import plain_text
from config.outages import DISK, outage

# What of the jobs of former tasks is to be written once the database answers.
_unwritten: list[tuple[QuerySet[Any], dict[str, Any]]] = []


def lease_length() -> timedelta:
    """Return how long a worker may be silent before another takes its job."""
    return timedelta(seconds=settings.RUN_LEASE_SECONDS)


def free(*, at: datetime) -> Q:
    """Return the condition of jobs that no worker holds: without a lease, or with one that has run out.

    A lease that ends later than any that is given now was given by a clock that went ahead and was set right since: it would
    hold the job for as long as that was. Machines whose clocks differ by less than two leases do not take jobs from each other.
    """
    return Q(lease_until=None) | Q(lease_until__lt=at) | Q(lease_until__gt=at + 3 * lease_length())


def write_error(rows: QuerySet[Any], error: Exception, *, fault: str = "") -> None:
    """Write to the row of a job that its attempt ended by an error: its `error`, after the words `fault`.

    If database or disk is gone that is no fault of the job, and the attempt does not count: it goes on by itself.
    """
    if gone := outage(error):
        words = "The disk is full" if gone == DISK else "The database did not answer"
        _spare(rows, "attempts", error=f"{words}: it is tried again until all is well.")
    else:
        rows.update(error=plain_text(f"{fault}{type(error).__name__}: {error}"))


def spare_attempt(rows: QuerySet[Any], error: Exception, *, column: str = "attempts") -> None:
    """Do not count the attempt of a job that ended by an error if that is one of database or disk.

    `rows`: the job's; `column`: in which its attempts are counted.
    """
    if outage(error):
        _spare(rows, column)


def _spare(rows: QuerySet[Any], column: str, **changes: str) -> None:
    """Take an attempt back; while the database is still away, have a worker do it before its next task.

    The process keeps it in mind, and does not wait for the database: an outage may last, and a worker that is asked to stop
    stops. A request or a command, which has no next task, tries once.
    """
    # Others may have begun to count anew meanwhile.
    job = rows.filter(**{f"{column}__gt": 0}), {**changes, column: F(column) - 1}
    if not _is_written(*job) and current_task:
        _unwritten.append(job)


@task_prerun.connect
def write_spared(**_: Any) -> None:
    """Write which attempts of this process's former tasks do not count, as far as the database answers by now."""
    while _unwritten and _is_written(*_unwritten[0]):
        del _unwritten[0]


def _is_written(rows: QuerySet[Any], changes: dict[str, Any]) -> bool:
    if not connection.in_atomic_block:
        # It may have broken: then the next query makes a new one.
        connection.close_if_unusable_or_obsolete()
    try:
        rows.update(**changes)
    except Error as error:
        if not outage(error):
            raise
        return False
    return True
