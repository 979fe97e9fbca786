"""How many requests a network or a token may make in a minute, counted exactly by all processes together.

With REDIS_URL they are counted there. Without it they are counted in a small SQLite file under VAR_DIR, which the web
processes of one machine share: several machines need Redis. The database of the bureau is not written to.
"""

import logging
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import redis
from django.conf import settings
from django.http import HttpRequest

from accounts.models import Token
from config.lib.origins import network
from config.services import OwnersConnection

WINDOW = 60  # seconds

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a network or a token may still ask: the `limit` of a window, how many are left, seconds until the window ends."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool

    def headers(self) -> dict[str, str]:
        """Return the headers that say so."""
        rows = {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }
        return {**rows, "Retry-After": str(self.reset)} if self.exceeded else rows


def take(request: HttpRequest, token: Token | None = None) -> Allowance:
    """Count a request and return what its token, or else its network, may still ask.

    A counter that cannot be reached lets everybody pass.
    """
    limit = settings.API_TOKEN_REQUESTS_A_MINUTE if token else settings.API_REQUESTS_A_MINUTE
    try:
        counted, reset = _count(f"token {token.pk}" if token else network(request))
    except (redis.RedisError, sqlite3.Error):
        log.exception("requests to the API cannot be counted")
        counted, reset = 1, WINDOW
    return Allowance(limit, max(0, limit - counted), reset, exceeded=counted > limit)


def _count(key: str) -> tuple[int, int]:
    if settings.REDIS_URL:
        return _count_in_redis(key)
    return _count_in_file(settings.VAR_DIR / "requests.sqlite3", key, int(time.time()))


@lru_cache(maxsize=1)
def _redis(url: str) -> redis.Redis:
    return redis.from_url(url, socket_timeout=2)


def _count_in_redis(key: str) -> tuple[int, int]:
    name = f"api-requests:{key}"
    with _redis(settings.REDIS_URL).pipeline() as pipeline:
        pipeline.set(name, 0, ex=WINDOW, nx=True)
        pipeline.incr(name)
        pipeline.ttl(name)
        _, counted, left = pipeline.execute()
    return int(counted), max(1, int(left))


_COUNT = """
INSERT INTO requests (network, began, counted) VALUES (:network, :now, 1)
ON CONFLICT (network) DO UPDATE SET
    counted = CASE WHEN began > :over AND began <= :now THEN counted + 1 ELSE 1 END,
    began = CASE WHEN began > :over AND began <= :now THEN began ELSE :now END
RETURNING counted, began
"""


def _count_in_file(path: Path, key: str, now: int) -> tuple[int, int]:
    with closing(OwnersConnection(path, timeout=5, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous=OFF")  # what is lost when the machine fails is a minute's count
        database.execute(
            "CREATE TABLE IF NOT EXISTS requests (network TEXT PRIMARY KEY, began INTEGER, counted INTEGER)"
        )
        given: dict[str, str | int] = {"network": key, "now": now, "over": now - WINDOW}
        counted, began = database.execute(_COUNT, given).fetchall()[0]
        if counted == 1:
            # What began later than now was counted while the clock was ahead.
            database.execute("DELETE FROM requests WHERE began <= :over OR began > :now", given)
    return counted, max(1, began + WINDOW - now)
