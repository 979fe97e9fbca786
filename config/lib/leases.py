"""Who may take up a job that is held by a lease: a moment, `lease_until`, that its worker pushes on while it is at work."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.db.models import F, Q, QuerySet

from config.lib.texts import plain_text
from config.outages import DISK, outage


def lease_length() -> timedelta:
    """Return how long a worker may be silent before another takes its job."""
    return timedelta(seconds=settings.RUN_LEASE_SECONDS)


def free(*, at: datetime) -> Q:
    """Return the condition of jobs that no worker holds: without a lease, or with one that has run out.

    A lease that ends later than any that is given now was given by a clock that went ahead and was set right since: it would
    hold the job for as long as that was. Machines whose clocks differ by less than two leases do not take jobs from each other.
    """
    return Q(lease_until=None) | Q(lease_until__lt=at) | Q(lease_until__gt=at + 3 * lease_length())


def after_error(error: Exception, *, fault: str = "") -> dict[str, Any]:
    """Return what changes in the row of a job whose attempt ended by an error: its `error`, after the words `fault`.

    If database or disk is gone that is no fault of the job, and the attempt does not count: it goes on by itself.
    """
    if gone := outage(error):
        _leave_connection()
        words = "The disk is full" if gone == DISK else "The database did not answer"
        return {"error": f"{words}: it is tried again until all is well.", "attempts": F("attempts") - 1}
    return {"error": plain_text(f"{fault}{type(error).__name__}: {error}")}


def spare_attempt(rows: QuerySet[Any], error: Exception, *, column: str = "attempts") -> None:
    """Do not count the attempt of a job that ended by an error if that is one of database or disk.

    `rows`: the job's; `column`: in which its attempts are counted.
    """
    if outage(error):
        _leave_connection()
        with suppress(OperationalError, InterfaceError):
            rows.update(**{column: F(column) - 1})


def _leave_connection() -> None:
    """Close a connection that broke, so that the next query makes a new one: what is noted would go over it, and be lost."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
