"""Workers and beat write every few seconds that they are alive, so that the web server can tell when they are not. What clears
old data writes when it did, so that it can tell when the clock leaps."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery.beat import PersistentScheduler
from celery.bootsteps import ConsumerStep
from celery.concurrency import solo
from celery.worker.consumer import Consumer
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.failed_tasks import watch_worker

WORKER, BEAT, CLEARING, LEAP = "worker", "beat", "clearing", "leap"
SECONDS = 15.0  # between two signs
LEAST_LEAP, DISTRUST = timedelta(days=7), timedelta(days=1)

log = logging.getLogger(__name__)


def give_sign(process: str) -> None:
    """Write that `process` is alive. If the database does not answer, the sign is left out."""
    from config.models import SignOfLife  # a scheduler and a step are imported before the apps are ready

    try:
        SignOfLife.objects.update_or_create(process=process, defaults={"at": timezone.now()})
    except DatabaseError as error:
        log.info("no sign of life of %s could be written: %s", process, type(error).__name__)


def may_clear(*, at: datetime) -> bool:
    """Return whether what is too old may go at a moment, and note the moment.

    Not for a day after a leap of more than a week, or after the first look, before which nothing is known: the clock may be
    ahead for a while, by which everything is too old.
    """
    from config.models import SignOfLife

    with transaction.atomic():
        seen = dict(SignOfLife.objects.filter(process__in=(CLEARING, LEAP)).values_list("process", "at"))
        last, leap = seen.get(CLEARING), seen.get(LEAP)
        SignOfLife.objects.update_or_create(process=CLEARING, defaults={"at": at})
        if last is None or abs(at - last) > LEAST_LEAP:
            SignOfLife.objects.update_or_create(process=LEAP, defaults={"at": at})
            if last is not None:
                log.warning("the clock leapt from %s to %s: for a day nothing is cleared", last, at)
            return False
        return leap is None or abs(at - leap) >= DISTRUST


def clear(old: Callable[..., object]) -> None:
    """Have `old(at=now)` clear what is too old, if it may go (`may_clear`)."""
    now = timezone.now()
    if may_clear(at=now):
        old(at=now)


class WorkerStep(ConsumerStep):
    """Gives a worker's signs, from when it begins to take tasks until it ends.

    A worker without processes of its own (pool solo) gives them from a thread, so that a long task does not silence it.
    Hazard: a process that is forked while the thread is in the database's library would wait for its locks for ever. So the
    thread begins after beat was forked, and a worker that forks gives its signs by its timer.
    """

    _has_thread = False

    def start(self, c: Consumer) -> None:
        """Begin; also again, after the queue was gone, which has cleared the timer and left the thread alone."""
        if not isinstance(c.pool, solo.TaskPool):
            c.timer.call_after(0, give_sign, (WORKER,))
            c.timer.call_repeatedly(SECONDS, give_sign, (WORKER,))
        elif not self._has_thread:
            self._has_thread = True
            watch_worker()
            threading.Thread(target=_give_signs, name="signs of life", daemon=True).start()


def _give_signs() -> None:
    while True:
        give_sign(WORKER)
        with contextlib.suppress(DatabaseError):
            connection.close()
        time.sleep(SECONDS)


class Scheduler(PersistentScheduler):
    """Beat's scheduler, which gives beat's signs while it does its round."""

    schedule_filename: str
    _next_sign = 0.0

    def setup_schedule(self) -> None:
        """Open the file with what was sent when.

        Hazard: Berkeley DB makes it under another name first. What a full disk or a kill has left there keeps it from making
        another, and each start of beat fails after minutes.
        """
        path = Path(self.schedule_filename)
        path.with_name(f"__db.{path.name}.db").unlink(missing_ok=True)
        super().setup_schedule()

    def tick(self, *given: Any, **named: Any) -> float:
        """Send what is due; return the seconds until the next round."""
        self._follow_clock()
        wait: float = super().tick(*given, **named)
        if time.monotonic() >= self._next_sign:
            give_sign(BEAT)
            self._next_sign = time.monotonic() + SECONDS
        return min(wait, SECONDS)

    def _follow_clock(self) -> None:
        """Count from now what was last sent in the future: by a clock that was set back since. Until it had caught up, beat
        would send nothing."""
        now = self.app.now()
        latest = now + timedelta(seconds=SECONDS)
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at and entry.last_run_at > latest]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            log.warning("the clock was set back: %s tasks are counted from now on", len(ahead))
            self._heap = None  # which is in the order of the former clock
