"""What an officer is told of a job under way: since when its worker gives no sign, and whether it can be cancelled."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import MOST_ATTEMPTS

QUIET = timedelta(seconds=15)


def outlook(job: ImportJob, *, at: datetime) -> str:
    """Return since when the worker of a job under way is silent, and when the next attempt comes; "" if all goes on."""
    if not job.under_way:
        return ""
    if job.lease_until is None:
        waiting = at - job.asked_at > QUIET
        return f"No worker has taken it since {_time(job.asked_at)}: is one running?" if waiting else ""
    last_sign = job.lease_until - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    if at - last_sign <= QUIET:
        return ""
    follows = (
        "it is given up" if job.attempts >= MOST_ATTEMPTS else f"attempt {job.attempts + 1} of {MOST_ATTEMPTS} begins"
    )
    latest = job.lease_until + timedelta(seconds=settings.RESCUE_SECONDS)
    return f"No sign of its worker since {_time(last_sign)}; if it is lost, {follows} by {_time(latest)}."


def can_cancel(job: ImportJob) -> bool:
    """Whether the work on a job can be cancelled: on SQLite nobody else writes while a list is taken or undone."""
    whole = job.state in (ImportJob.State.TAKING, ImportJob.State.UNDOING)
    return job.under_way and (connection.vendor == "postgresql" or not whole or job.lease is None)


def _time(moment: datetime) -> str:
    return f"{timezone.localtime(moment):%H:%M:%S}"
