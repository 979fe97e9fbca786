"""Celery tasks of events. A task takes an id and calls one function."""

from celery import shared_task
from django.utils import timezone

from config.signs_of_life import clear
from events.appeals.notices import notify, to_notify
from events.registration.unsaved import clear_begun
from events.submission.reminders import due_reminders, remind
from events.submission.tasks import check_upload, rescue_declarations, rescue_uploads, submit_large

__all__ = [  # Celery finds all of them here
    "check_upload", "clear_begun_registrations", "notify_of_refusals", "remind_regions", "rescue_declarations",
    "rescue_uploads", "submit_large",
]  # fmt: skip


@shared_task
def notify_of_refusals() -> None:
    """Mail refusals to those who could not be notified before, or may appeal by now, once each (article 11)."""
    for refusal in to_notify(at=timezone.now()):
        notify(refusal, at=timezone.now())


@shared_task
def clear_begun_registrations() -> None:
    """Delete registrations that were begun, became no draft and were left alone."""
    clear(clear_begun)


@shared_task
def remind_regions() -> None:
    """Mail the reminders that are due, each once."""
    now = timezone.now()
    for event, days in due_reminders(today=timezone.localdate(now)):
        remind(event, days, at=now)
