"""Celery tasks that check uploaded files, and send large ones in. A task takes an id and calls one function."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from celery import shared_task
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from config.lib.waking import wake, wake_now
from events.models import Declaration, Event, Upload
from events.rules.states import AWAITING_RESULTS
from events.submission.checker import FAULT, FILES_AT_ONCE, MOST_ATTEMPTS, check, is_small
from events.submission.declarations import declare, give_up, is_at_work, is_declared, submit_declared
from events.submission.uploads import is_outdated, not_submitted, request_check

_PATIENCE = timedelta(seconds=20)  # after which what was asked for and not done counts as lost


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


def ask_few_again(event: Event, *, at: datetime) -> None:
    """Have the checked files of an event checked once more, if they are few. What stands in the way of many, which a worker
    sends in, is not found by the request that declares them."""
    if not_submitted(event.uploads.all()).count() <= FILES_AT_ONCE:
        ask_all_again(event, at=at)


def ask_all_again(event: Event, *, at: datetime) -> None:
    """Have the checked files of an event checked once more, unless it waits to be sent in as they are."""
    if is_declared(event):
        return
    checked = [upload for upload in not_submitted(event.uploads.all()) if not upload.pending and not upload.error]
    for upload in checked:
        request_check(upload, at=at)
    _check_or_wake_all(checked, at=at)


def bring_up_to_date(event: Event, *, at: datetime) -> None:
    """Write the reports that the page shows in place of outdated ones, or have a worker do it if they are many."""
    uploads = not_submitted(event.uploads.all()).select_related("event")
    _check_or_wake_all([upload for upload in uploads if is_outdated(upload, today=timezone.localdate(at))], at=at)


def _check_or_wake_all(uploads: Sequence[Upload], *, at: datetime) -> None:
    for upload in uploads:
        if len(uploads) > FILES_AT_ONCE:
            wake_checker(upload)
        else:
            check_or_wake(upload, at=at)


def submit_or_wake(event: Event, *, declared: bool, reason: str, shown: str | None, at: datetime, by: User) -> bool:
    """Submit an event whose files are small, as `declare` does; a worker does the rest. Return whether it is submitted."""
    submitted = declare(event, declared=declared, reason=reason, shown=shown, at=at, by=by)
    if not submitted:
        wake(submit_large, event.pk)
    return submitted


@shared_task
def submit_large(event_id: int) -> None:
    """Submit an event by its declaration."""
    if refused := submit_declared(event_id):
        ask_all_again(refused, at=timezone.now())  # what stands in the way now may be what no report shows yet


@shared_task
def rescue_declarations() -> None:
    """Queue the submissions that were lost. An event that keeps killing workers is not sent in."""
    for row in Declaration.objects.filter(_overdue("at"), error=""):
        if is_at_work(row.event_id):
            continue
        if row.attempts >= MOST_ATTEMPTS:
            give_up(row)
        else:
            wake_now(submit_large, row.event_id)


def _overdue(column: str) -> Q:
    """Return the condition that something was asked for a while ago, or in the future: by a clock that was set right since."""
    now = timezone.now()
    return Q(**{f"{column}__lt": now - _PATIENCE}) | Q(**{f"{column}__gt": now + _PATIENCE})


@shared_task
def rescue_uploads() -> None:
    """Queue the checks that were lost, and those of outdated reports. A file that keeps killing workers gets an error."""
    now = timezone.now()
    waiting = not_submitted(Upload.objects.all()).exclude(checked=F("asked")).filter(_overdue("asked_at"), error="")
    keys = list(waiting.values_list("pk", flat=True))
    checked = not_submitted(
        Upload.objects.filter(checked=F("asked"), event__state__in=AWAITING_RESULTS)
    ).select_related("event")
    keys += [upload.pk for upload in checked.defer("report") if is_outdated(upload, today=timezone.localdate(now))]
    chosen = Upload.objects.filter(pk__in=keys)
    chosen.filter(attempts__gte=MOST_ATTEMPTS).update(error=FAULT)
    for upload_id in chosen.filter(attempts__lt=MOST_ATTEMPTS).values_list("pk", flat=True):
        wake_now(check_upload, upload_id)
