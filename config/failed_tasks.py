"""What the clock starts and failed when it was last done, kept until it succeeds, so that the site can tell."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from celery import Task, current_app
from celery.signals import task_failure, task_postrun, task_prerun, task_success
from django.conf import settings
from django.db import Error
from django.utils import timezone


@task_failure.connect
def keep_failure(sender: "Task[..., Any]", exception: BaseException, **_: Any) -> None:
    """Keep that a task failed, if the clock starts it: when, and how. The worker's log has the rest.

    Of a process that was killed, the worker's main process tells, or the next worker (`watch_worker`). If the database does
    not answer, it is left out.
    """
    if sender.name in _started_by_clock():
        _keep(sender.name, type(exception).__name__[:100])


def _keep(task: str, error: str) -> None:
    from config.models import FailedTask  # tasks are made before the apps are ready

    with suppress(Error):
        FailedTask.objects.update_or_create(task=task, defaults={"at": timezone.now(), "error": error})


@task_success.connect
def forget_failure(sender: "Task[..., Any]", **_: Any) -> None:
    """Forget that a task failed before."""
    from config.models import FailedTask

    if sender.name in _started_by_clock():
        with suppress(Error):
            FailedTask.objects.filter(task=sender.name).delete()


_begun: IO[str] | None = None  # what this process does, if it is a worker without processes of its own


def watch_worker() -> None:
    """Have a worker without processes of its own (pool solo) write down which task it has begun, and keep as failed what
    others before it had begun and not ended: they were killed amid it, and nobody else tells."""
    global _begun
    if _begun is not None:
        return
    folder: Path = settings.VAR_DIR / "begun"
    with suppress(OSError):  # a full disk: it is left out
        folder.mkdir(mode=0o700, exist_ok=True)
        for file in folder.iterdir():
            _tell_killed(file)
        _begun = (folder / str(os.getpid())).open("w")
        fcntl.flock(_begun, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _tell_killed(file: Path) -> None:
    with suppress(OSError), file.open() as begun:
        fcntl.flock(begun, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which a worker that lives holds
        if (task := begun.read()) in _started_by_clock():
            _keep(task, "WorkerLostError")
        file.unlink()


@task_prerun.connect
def _write_begun(sender: "Task[..., Any]", **_: Any) -> None:
    _write(sender.name)


@task_postrun.connect
def _write_ended(**_: Any) -> None:
    _write("")


def _write(task: str) -> None:
    if _begun is not None:
        with suppress(OSError):
            _begun.seek(0)
            _begun.truncate()
            _begun.write(task)
            _begun.flush()


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
