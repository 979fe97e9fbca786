"""What the clock starts and failed when it was last done, kept until it succeeds, so that the site can tell."""

from contextlib import suppress
from typing import Any

from celery import Task
from django.conf import settings
from django.db import Error
from django.utils import timezone


class NotedTask(Task):  # type: ignore[type-arg]
    """A task of which, if the clock starts it, a failure is kept: when, and of what kind. The worker's log has the rest."""

    def on_failure(self, exc: BaseException, *_: Any) -> None:
        """Keep the failure. If the database does not answer, it is left out."""
        from config.models import FailedTask  # tasks are made before the apps are ready

        if self.name in _started_by_clock():
            with suppress(Error):
                FailedTask.objects.update_or_create(
                    task=self.name, defaults={"at": timezone.now(), "error": type(exc).__name__[:100]}
                )

    def on_success(self, *_: Any) -> None:
        """Forget the failure before."""
        from config.models import FailedTask

        if self.name in _started_by_clock():
            with suppress(Error):
                FailedTask.objects.filter(task=self.name).delete()


def called(task: str) -> str:
    """Return what a task does, in words: “clear personal data”."""
    return _started_by_clock().get(task, task).replace("-", " ")


def _started_by_clock() -> dict[str, str]:
    """Return the names of the entries of beat's schedule by their tasks."""
    return {str(entry["task"]): name for name, entry in settings.CELERY_BEAT_SCHEDULE.items()}
