"""What an officer is told of a run whose worker gives no sign: since when, and when another one tries."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from config.lib import formatting
from ratings.models import RatingRun
from ratings.runs.operations import MOST_ATTEMPTS

QUIET = timedelta(seconds=15)  # a stage of a month of ordinary size takes less


def outlook(run: RatingRun, *, at: datetime) -> str:
    """Return since when the worker of a run under way is silent, and when the next attempt comes; "" if all goes on."""
    if run.state not in RatingRun.UNDER_WAY:
        return ""
    if run.lease_until is None:
        asked_at = run.publication_asked_at or run.queued_at
        return f"no worker has taken it since {_time(asked_at, at)}: is one running?" if at - asked_at > QUIET else ""
    last_sign = run.lease_until - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    if at - last_sign <= QUIET:
        return ""
    follows = (
        "it is given up" if run.attempts >= MOST_ATTEMPTS else f"attempt {run.attempts + 1} of {MOST_ATTEMPTS} begins"
    )
    latest = run.lease_until + timedelta(seconds=settings.RESCUE_SECONDS)
    return f"no sign of its worker since {_time(last_sign, at)}; if it is lost, {follows} by {_time(latest, at)}"


def _time(moment: datetime, at: datetime) -> str:
    """Return a moment in words, with its day where that is not today."""
    local = timezone.localtime(moment)
    day = "" if local.date() == timezone.localdate(at) else f"{formatting.day(local.date())}, "
    return f"{day}{local:%H:%M:%S}"
