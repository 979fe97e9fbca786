"""Celery tasks that send mails. The rows are the jobs; a message only wakes a worker."""

import time
from contextlib import suppress

from celery import shared_task
from django.core.mail import get_connection
from django.utils import timezone

from accounts.outbox import operations
from accounts.outbox.delivery import Outcome, hang_up, send_next
from accounts.outbox.smtp import NoEndError
from config.lib.waking import wake
from config.signs_of_life import clear

_ROUND_SECONDS = 20.0  # after which other tasks get their turn


# For workers with processes, whatever holds them; `smtp` ends each conversation by itself.
@shared_task(soft_time_limit=operations.LONGEST.seconds, time_limit=operations.LEASE.seconds)
def send_mails() -> None:
    """Send the mails that are due, one after the other."""
    begun, outcome = time.monotonic(), Outcome.GOES_ON
    connection = get_connection()
    try:
        while outcome is Outcome.GOES_ON and time.monotonic() < begun + _ROUND_SECONDS:
            outcome = send_next(connection, at=timezone.now())
    finally:
        with suppress(OSError, NoEndError):
            if outcome is Outcome.NO_SERVER:  # who comes to no end would not take leave either
                hang_up(connection)
            else:
                connection.close()
    if outcome is Outcome.GOES_ON:
        wake_sender()


def wake_sender() -> None:
    """Wake a worker once the mail is committed. If the queue is down, the clock does it later."""
    wake(send_mails)


@shared_task
def clear_mails() -> None:
    """Forget links that have expired, and mails that were kept long enough."""
    clear(operations.clear_mails)
