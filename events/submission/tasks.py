"""Celery tasks that check uploaded files. A task takes an id and calls one function."""

from datetime import date, datetime, timedelta

from celery import shared_task
from django.db.models import F, Q
from django.utils import timezone

from config.lib.waking import wake, wake_now
from events.models import Event, Upload
from events.rules.states import AWAITING_RESULTS
from events.submission.checker import FAULT, MOST_ATTEMPTS, check, is_small
from events.submission.uploads import is_outdated, not_submitted, request_check

_PATIENCE = timedelta(seconds=20)  # after which a check that was not done counts as lost


@shared_task
def check_upload(upload_id: int) -> None:
    """Read and check an uploaded file."""
    _check(upload_id, today=timezone.localdate())


def _check(upload_id: int, *, today: date) -> None:
    for other in check(upload_id, today=today):
        if is_small(other):
            check(other.pk, today=today)
        else:
            wake_checker(other)


def wake_checker(upload: Upload) -> None:
    """Queue the check of a file once it is committed. If the queue is down, `rescue_uploads` does it later."""
    wake(check_upload, upload.pk)


def check_or_wake(upload: Upload, *, at: datetime) -> None:
    """Check at once what is small; a worker does the rest."""
    if is_small(upload):
        _check(upload.pk, today=timezone.localdate(at))
    else:
        wake_checker(upload)


def wake_all(event: Event) -> None:
    """Queue the check of every file of an event that waits for one."""
    for upload in not_submitted(event.uploads.all()):
        if upload.pending:
            wake_checker(upload)


def ask_again(upload: Upload, *, at: datetime) -> None:
    """Have a file checked once more. Raises EventError if it was replaced."""
    request_check(upload, at=at)
    check_or_wake(upload, at=at)


def ask_all_again(event: Event, *, at: datetime) -> None:
    """Have the checked files of an event checked once more."""
    for upload in not_submitted(event.uploads.all()):
        if not upload.pending and not upload.error:
            ask_again(upload, at=at)


def bring_up_to_date(event: Event, *, at: datetime) -> None:
    """Write the reports that the page shows in place of outdated ones."""
    for upload in not_submitted(event.uploads.all()).select_related("event"):
        if is_outdated(upload, today=timezone.localdate(at)):
            check_or_wake(upload, at=at)


@shared_task
def rescue_uploads() -> None:
    """Queue the checks that were lost, and those of outdated reports. A file that keeps killing workers gets an error."""
    now = timezone.now()
    waiting = (
        not_submitted(Upload.objects.all())
        .exclude(checked=F("asked"))
        .filter(error="")
        # asked for in the future: by a clock that was set right since
        .filter(Q(asked_at__lt=now - _PATIENCE) | Q(asked_at__gt=now + _PATIENCE))
    )
    keys = list(waiting.values_list("pk", flat=True))
    checked = not_submitted(
        Upload.objects.filter(checked=F("asked"), event__state__in=AWAITING_RESULTS)
    ).select_related("event")
    keys += [upload.pk for upload in checked.defer("report") if is_outdated(upload, today=timezone.localdate(now))]
    chosen = Upload.objects.filter(pk__in=keys)
    chosen.filter(attempts__gte=MOST_ATTEMPTS).update(error=FAULT)
    for upload_id in chosen.filter(attempts__lt=MOST_ATTEMPTS).values_list("pk", flat=True):
        wake_now(check_upload, upload_id)
