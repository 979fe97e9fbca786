"""Tells a worker that something waits for it. What waits is a row of the database, and a message only wakes."""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import Task
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)

Unheard = Callable[[], object]
_SILENCE = 1  # seconds that nobody waits for once more, row after row of one request
_PAUSE = 10  # seconds for which a queue that was silent is not asked
_silent_at = float("-inf")


def wake(task: "Task[..., Any]", *arguments: int, unheard: Unheard | None = None) -> None:
    """Give a worker a task once the transaction is committed.

    If the queue does not answer, `unheard` is called and the clock's next look finds what waits: nothing is lost, and no
    error reaches whoever asked for it.
    """
    transaction.on_commit(partial(wake_now, task, *arguments, unheard=unheard))


def wake_now(task: "Task[..., Any]", *arguments: int, unheard: Unheard | None = None) -> None:
    """Give a worker a task at once, as `wake` does. A queue that takes long to fail is left alone for a while."""
    global _silent_at
    begun = time.monotonic()
    try:
        if begun < _silent_at + _PAUSE:
            raise OperationalError("the queue was silent a moment ago")
        task.apply_async(arguments, retry_policy={"max_retries": 0})
    except OperationalError as error:
        if time.monotonic() - begun > _SILENCE:
            _silent_at = time.monotonic()
        told = " ".join([task.name.rsplit(".", 1)[-1], *map(str, arguments)])
        log.warning("no worker could be told of %s: %s", told, error)
        if unheard is not None:
            unheard()


def say_kept(request: HttpRequest) -> Unheard:
    """Return what tells a user, on his next page, that what he asked for is kept and goes on later."""
    text = (
        "The queue does not answer, so that no worker could be told. What you asked for is kept, and goes on by itself"
        " as soon as the queue is back: do not ask for it again."
    )
    return partial(messages.warning, request, text)
