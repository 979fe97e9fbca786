"""Celery tasks of the site itself."""

from celery import shared_task

from config.failed_tasks import failed_tasks
from config.lib.waking import wake_now


@shared_task
def retry_failed() -> None:
    """Have what the clock started and failed tried again: its own next time may be days away."""
    for task in failed_tasks():
        wake_now(task)
