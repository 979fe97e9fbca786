"""Celery tasks of events. A task takes an id and calls one function."""

import logging
from collections.abc import Iterable

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from events.mails import send_acceptance
from events.models import Event
from events.rules.states import ACCEPTED_OR_LATER
from events.submission.reminders import due_reminders, remind
from events.submission.tasks import check_upload, rescue_uploads

__all__ = ["check_upload", "mail_acceptance", "remind_regions", "rescue_uploads"]  # Celery finds all of them here

log = logging.getLogger(__name__)


@shared_task(autoretry_for=(OSError,), retry_backoff=30, max_retries=5)
def mail_acceptance(event_id: int) -> None:
    """Mail a region that its event is accepted. In the queue, as an officer may accept many events in one action."""
    # It may be rated before the task runs.
    event = Event.objects.filter(pk=event_id, state__in=ACCEPTED_OR_LATER).select_related("region").first()
    if event is not None:
        send_acceptance(event)


def queue_acceptance_mails(events: Iterable[Event]) -> bool:
    """Queue the mails of acceptance; return False if the queue is down."""
    try:
        for event in events:
            mail_acceptance.delay(event.pk)
    except OperationalError as error:
        log.warning("no worker could be told to mail that events were accepted: %s", error)
        return False
    return True


@shared_task
def remind_regions() -> None:
    """Send the reminders that are due; one that cannot be sent is tried again at the next run."""
    now = timezone.now()
    for event, days in due_reminders(today=timezone.localdate(now)):
        try:
            remind(event, days, at=now)
        except OSError as error:
            log.warning("no reminder of event %s could be sent: %s", event.pk, error)
