"""Celery tasks that send mails. The rows are the jobs; a message only wakes a worker."""

import logging
import time
from contextlib import suppress

from celery import shared_task
from django.core.mail import get_connection
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.outbox import operations
from accounts.outbox.delivery import Outcome, send_next

log = logging.getLogger(__name__)

_ROUND_SECONDS = 20.0  # after which other tasks get their turn


@shared_task
def send_mails() -> None:
    """Send the mails that are due, one after the other."""
    begun, outcome = time.monotonic(), Outcome.GOES_ON
    connection = get_connection()
    try:
        while outcome is Outcome.GOES_ON and time.monotonic() < begun + _ROUND_SECONDS:
            outcome = send_next(connection, at=timezone.now())
    finally:
        with suppress(OSError):
            connection.close()
    if outcome is Outcome.GOES_ON:
        wake_sender()


def wake_sender() -> None:
    """Wake a worker once the mail is committed. If the queue is down, the clock does it later."""
    transaction.on_commit(_wake)


def _wake() -> None:
    try:
        send_mails.apply_async(retry_policy={"max_retries": 0})
    except OperationalError as error:
        log.warning("no worker could be told of a mail: %s", error)


@shared_task
def clear_mails() -> None:
    """Forget links that have expired, and mails that were kept long enough."""
    operations.clear_mails(at=timezone.now())
