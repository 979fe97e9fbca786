"""What the queue and the clock start for events. A task takes an id and calls one function."""

import logging
from collections.abc import Iterable
from datetime import timedelta

from celery import shared_task
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import OperationalError

from events.checking import FAULT, MOST_ATTEMPTS, check
from events.mails import send_acceptance
from events.models import Event, Upload
from events.reminders import due_reminders, remind
from events.states import State
from events.uploads import live

log = logging.getLogger(__name__)

_PATIENCE = timedelta(seconds=20)  # before a check that nobody has done is taken for a lost one


@shared_task
def check_upload(upload_id: int) -> None:
    """Read and check an uploaded file."""
    now = timezone.now()
    check(upload_id, at=now, today=timezone.localdate(now))


def wake(upload: Upload) -> None:
    """Tell the workers of a file once it is committed. A lost message is made up for by `rescue_uploads`."""

    def send() -> None:
        try:
            check_upload.delay(upload.pk)
        except OperationalError as error:
            log.warning("no worker could be told of upload %s: %s", upload.pk, error)

    transaction.on_commit(send)


@shared_task
def rescue_uploads() -> None:
    """Wake a worker for every file whose check nobody has done; give up on one that ends every worker."""
    now = timezone.now()
    waiting = live(Upload.objects.all()).exclude(checked=F("asked")).filter(error="", asked_at__lt=now - _PATIENCE)
    waiting.filter(attempts__gte=MOST_ATTEMPTS).update(error=FAULT)
    for upload_id in waiting.filter(attempts__lt=MOST_ATTEMPTS).values_list("pk", flat=True):
        check_upload.delay(upload_id)


@shared_task(autoretry_for=(OSError,), retry_backoff=30, max_retries=5)
def mail_acceptance(event_id: int) -> None:
    """Tell a region that its event is accepted: a desk that accepts a month of them does not wait for the mails."""
    accepted = (State.ACCEPTED, State.CALCULATED, State.PUBLISHED)  # it may be rated before the queue gets here
    event = Event.objects.filter(pk=event_id, state__in=accepted).select_related("region").first()
    if event is not None:
        send_acceptance(event)


def tell_accepted(events: Iterable[Event]) -> bool:
    """Have the regions told by mail; False when the queue takes nothing."""
    try:
        for event in events:
            mail_acceptance.delay(event.pk)
    except OperationalError as error:
        log.warning("no worker could be told to mail that events were accepted: %s", error)
        return False
    return True


@shared_task
def remind_regions() -> None:
    """Send the reminders that are due; one that cannot be sent waits for the next time."""
    now = timezone.now()
    for event, days in due_reminders(today=timezone.localdate(now)):
        try:
            remind(event, days, at=now)
        except OSError as error:
            log.warning("no reminder of event %s could be sent: %s", event.pk, error)
