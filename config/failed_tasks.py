"""What the clock starts and failed when it was last done, kept until it succeeds, so that the site can tell."""

from contextlib import suppress
from typing import Any

from celery import Task, current_app
from celery.signals import task_failure, task_success
from django.conf import settings
from django.db import Error
from django.utils import timezone


@task_failure.connect
def keep_failure(sender: "Task[..., Any]", exception: BaseException, **_: Any) -> None:
    """Keep that a task failed, if the clock starts it: when, and how. The worker's log has the rest.

    Of a process that was killed, the worker's main process tells. If the database does not answer, it is left out.
    """
    from config.models import FailedTask  # tasks are made before the apps are ready

    if sender.name in _started_by_clock():
        with suppress(Error):
            FailedTask.objects.update_or_create(
                task=sender.name, defaults={"at": timezone.now(), "error": type(exception).__name__[:100]}
            )


@task_success.connect
def forget_failure(sender: "Task[..., Any]", **_: Any) -> None:
    """Forget that a task failed before."""
    from config.models import FailedTask

    if sender.name in _started_by_clock():
        with suppress(Error):
            FailedTask.objects.filter(task=sender.name).delete()


def failed_tasks() -> list["Task[..., Any]"]:
    """Return the tasks that failed when they were last done; forget those that the clock starts no more."""
    from config.models import FailedTask

    FailedTask.objects.exclude(task__in=_started_by_clock()).delete()
    return [current_app.tasks[name] for name in FailedTask.objects.values_list("task", flat=True)]


def called(task: str) -> str:
    """Return what a task does, in words: “clear personal data”."""
    return _started_by_clock().get(task, task).replace("-", " ")


def _started_by_clock() -> dict[str, str]:
    """Return the names of the entries of beat's schedule by their tasks."""
    return {str(entry["task"]): name for name, entry in settings.CELERY_BEAT_SCHEDULE.items()}
