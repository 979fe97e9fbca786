"""Checks of uploaded files in the workers. A task takes an id and calls one function."""

import logging
from datetime import timedelta

from celery import shared_task
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import OperationalError

from events.models import Upload
from events.submission.checker import FAULT, MOST_ATTEMPTS, check
from events.submission.uploads import live

log = logging.getLogger(__name__)


_PATIENCE = timedelta(seconds=20)  # before a check that nobody has done is taken for a lost one


@shared_task
def check_upload(upload_id: int) -> None:
    """Read and check an uploaded file."""
    now = timezone.now()
    check(upload_id, at=now, today=timezone.localdate(now))


def wake_checker(upload: Upload) -> None:
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
