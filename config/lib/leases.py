"""Who may take up a job that is held by a lease: a moment, `lease_until`, that its worker pushes on while it is at work."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q


def lease_length() -> timedelta:
    """Return how long a worker may be silent before another takes its job."""
    return timedelta(seconds=settings.RUN_LEASE_SECONDS)


def free(*, at: datetime) -> Q:
    """Return the condition of jobs that no worker holds: without a lease, or with one that has run out.

    A lease that ends later than any that is given now was given by a clock that went ahead and was set right since: it would
    hold the job for as long as that was. Machines whose clocks differ by less than two leases do not take jobs from each other.
    """
    return Q(lease_until=None) | Q(lease_until__lt=at) | Q(lease_until__gt=at + 3 * lease_length())
