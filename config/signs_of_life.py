"""Workers and beat write every few seconds that they are alive, so that the web server can tell when they are not."""

import contextlib
import logging
import threading
import time
from typing import Any

from celery.beat import PersistentScheduler
from celery.bootsteps import StartStopStep
from celery.worker import WorkController
from django.db import DatabaseError, connection
from django.utils import timezone

WORKER, BEAT = "worker", "beat"
SECONDS = 15.0  # between two signs

log = logging.getLogger(__name__)


def give_sign(process: str) -> None:
    """Write that `process` is alive. If the database does not answer, the sign is left out."""
    from config.models import SignOfLife  # a scheduler and a step are imported before the apps are ready

    try:
        SignOfLife.objects.update_or_create(process=process, defaults={"at": timezone.now()})
    except DatabaseError as error:
        log.info("no sign of life of %s could be written: %s", process, type(error).__name__)


class WorkerStep(StartStopStep):
    """Gives a worker's signs from a thread of its own, so that a worker at a long task gives them, too."""

    def __init__(self, parent: WorkController, **given: Any) -> None:
        super().__init__(parent, **given)
        self._ended = threading.Event()

    def start(self, parent: WorkController) -> None:
        """Begin."""
        self._ended.clear()
        threading.Thread(target=self._give_signs, name="signs of life", daemon=True).start()

    def stop(self, parent: WorkController) -> None:
        """End with the worker."""
        self._ended.set()

    def _give_signs(self) -> None:
        while True:
            give_sign(WORKER)
            with contextlib.suppress(DatabaseError):
                connection.close()
            if self._ended.wait(SECONDS):
                return


class Scheduler(PersistentScheduler):
    """Beat's scheduler, which gives beat's signs while it does its round."""

    _next_sign = 0.0

    def tick(self, *given: Any, **named: Any) -> float:
        """Send what is due; return the seconds until the next round."""
        wait: float = super().tick(*given, **named)
        if time.monotonic() >= self._next_sign:
            give_sign(BEAT)
            self._next_sign = time.monotonic() + SECONDS
        return min(wait, SECONDS)
