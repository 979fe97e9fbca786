"""The checks of the site's parts: each says whether the part works, and if not, what is the matter."""

import os
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from redis import Redis, RedisError, ResponseError
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.failed_tasks import called
from config.lib import formatting
from config.lib.database import takes_writes
from config.models import FailedTask, SignOfLife
from config.signs_of_life import BEAT, SECONDS, WORKER
from ratings.health.waiting import Waiting, ago, waiting

MAY_SEE = "accounts.view_health"
SILENCE = timedelta(seconds=6 * SECONDS)  # after which a process counts as gone
LEAST_FREE = 500_000_000  # bytes of the disk


@dataclass(frozen=True, slots=True)
class Check:
    """A part of the site: whether it works, and a sentence about it."""

    part: str
    works: bool
    text: str


@dataclass(frozen=True, slots=True)
class Health:
    """All checks, and what waits for a worker."""

    checks: list[Check]
    waiting: list[Waiting]

    @property
    def works(self) -> bool:
        """Whether every part does."""
        return all(check.works for check in self.checks)

    @property
    def failing(self) -> list[Check]:
        """The parts that do not work."""
        return [check for check in self.checks if not check.works]


def examine(*, at: datetime) -> Health:
    """Return how the site is. Three queries, of PostgreSQL four; if the database does not answer, what it would tell is
    left out."""
    beside = [_queue(), _disk()]
    try:
        seen = dict(SignOfLife.objects.values_list("process", "at"))
        failed = list(FailedTask.objects.order_by("at"))
        rows = waiting(at=at)
        database = _database()
    except DatabaseError:
        gone = Check("database", works=False, text="The database does not answer.")
        return Health([gone, *beside], [])
    signs = [_process(WORKER, "workers", seen, at), _process(BEAT, "beat", seen, at)]
    return Health([database, *beside, *signs, _tasks(failed, at), _waiting(rows)], rows)


def _database() -> Check:
    if takes_writes():
        return Check("database", works=True, text="It answers.")
    return Check("database", works=False, text="The database takes no writes.")


def _queue() -> Check:
    try:
        if settings.REDIS_URL:
            once = Retry(NoBackoff(), 0)
            with Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2, retry=once) as redis:
                redis.set("health", "", ex=60)
        else:
            if not os.access(settings.VAR_DIR / "queue", os.W_OK | os.X_OK):
                raise PermissionError
    except (RedisError, OSError) as error:
        told = "It takes nothing in" if isinstance(error, ResponseError) else "It does not answer"
        text = f"{told} ({type(error).__name__}). What is asked for is kept and waits."
        return Check("queue", works=False, text=text)
    return Check("queue", works=True, text="It answers.")


def _disk() -> Check:
    try:
        free = shutil.disk_usage(settings.VAR_DIR).free
    except OSError as error:
        return Check("disk", works=False, text=f"The folder of the site cannot be read ({error.strerror}).")
    if free < LEAST_FREE:
        needed = formatting.megabytes(LEAST_FREE)
        return Check(
            "disk", works=False, text=f"{formatting.megabytes(free)} are free, and at least {needed} are needed."
        )
    return Check("disk", works=True, text=f"{formatting.megabytes(free)} are free.")


def _process(process: str, part: str, seen: dict[str, datetime], at: datetime) -> Check:
    last = seen.get(process)
    if last is None:
        return Check(part, works=False, text="None was ever seen: start it (docs/operations.md).")
    if last - at > SILENCE:
        text = f"Last seen by a clock that was ahead, on {formatting.day(last.date())}: no sign since."
        return Check(part, works=False, text=text)
    if at - last > SILENCE:
        return Check(part, works=False, text=f"Last seen {ago(last, at)}: it has ended, or cannot reach the database.")
    return Check(part, works=True, text=f"Last seen {ago(last, at)}.")


def _tasks(failed: list[FailedTask], at: datetime) -> Check:
    if not failed:
        return Check("tasks", works=True, text="What the clock starts is done.")
    told = "; ".join(f"“{called(row.task)}” {ago(row.at, at)} ({row.error})" for row in failed)
    return Check(
        "tasks",
        works=False,
        text=f"The clock’s work failed: {told}. It is tried again within the hour; the worker’s log says more.",
    )


def _waiting(rows: list[Waiting]) -> Check:
    late = [row for row in rows if row.is_late]
    if not late:
        return Check("waiting", works=True, text="Nothing waits longer than it should.")
    told = "; ".join(f"{row.count_text}, the oldest from {row.age_text}" for row in late)
    return Check("waiting", works=False, text=f"Too long: {told}.")
