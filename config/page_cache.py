"""Rendered public pages, kept with their ETag for all web processes and compressed once.

`config.http_cache` asks, for each request, if the ETag of a kept page is still valid. The pages stand in the cache `pages`:
Redis, or the memory of the process without REDIS_URL. Each address has one of a fixed number of places, which it shares with
others: who asks for a million addresses fills no memory.
"""

import gzip
import json
import logging
import time
import zlib
from functools import cached_property
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

PLACES = 8192
MAX_BYTES = 200_000  # compressed
_SECONDS_KEPT = 86_400  # pages are of a day
_PAUSE = 10  # seconds without the cache after it failed

log = logging.getLogger(__name__)
_failed_at = 0.0


class Bytes:
    """The serialiser of a cache that holds bytes: nothing is unpickled that others may have written."""

    def dumps(self, content: bytes) -> bytes:
        """Return the content as it is."""
        return content

    loads = dumps


class _Client(RedisCacheClient):
    """Django's client, which makes an object of 160 commands for each page that is asked for; here it is made once."""

    @cached_property
    def _connected(self) -> Any:
        return super().get_client(None, write=True)

    def get_client(self, key: object = None, *, write: bool = False) -> Any:
        """Return the client of the server; there is only one, which reads and writes."""
        return self._connected


class Pages(RedisCache):
    """The cache `pages` in Redis."""

    _class = _Client


class KeptPage(NamedTuple):
    """A page as it was answered: `headers` before middleware adds its own, `content` compressed by gzip."""

    etag: str
    headers: dict[str, str]
    content: bytes

    def response(self, request: HttpRequest) -> HttpResponse:
        """Return the page, compressed if the client reads that."""
        compressed = "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(self.content if compressed else gzip.decompress(self.content), headers=self.headers)
        response.headers["ETag"] = f"W/{self.etag}" if compressed else self.etag
        if compressed:
            response.headers["Content-Encoding"] = "gzip"
        patch_vary_headers(response, ["Accept-Encoding"])
        return response


def is_kept_for(request: HttpRequest) -> bool:
    """Whether the page of a request is everybody's: no log-in, no message, no part of a file."""
    private = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
    return request.method == "GET" and "Range" not in request.headers and not any(c in request.COOKIES for c in private)


def kept_page(request: HttpRequest) -> KeptPage | None:
    """Return the page kept for the address and language of a request; None without one."""
    address = _address(request)
    entry = _ask("get", _place(address))
    if not isinstance(entry, bytes):
        return None
    about, _, content = entry.partition(b"\n")
    kept_address, etag, headers = json.loads(about)
    return KeptPage(etag, headers, content) if kept_address == address else None


def keep(request: HttpRequest, response: HttpResponse, etag: str) -> KeptPage | None:
    """Keep a page that was just rendered; None if it is not everybody's, or too large."""
    own = response.streaming or response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    if own or response.has_header("Content-Encoding"):
        return None
    page = KeptPage(etag, dict(response.items()), gzip.compress(response.content, 6, mtime=0))
    if len(page.content) > MAX_BYTES:
        return None
    address = _address(request)
    about = json.dumps([address, page.etag, page.headers]).encode()
    _ask("set", _place(address), about + b"\n" + page.content, _SECONDS_KEPT)
    return page


def forget_pages() -> None:
    """Forget all pages that are kept in Redis: those that are out of date, which nobody is shown, stay there for a day."""
    _ask("delete_many", [str(place) for place in range(PLACES)])


def _address(request: HttpRequest) -> str:
    """Return the address of a request, with the language where it is not English."""
    language = get_language()
    address = request.build_absolute_uri()
    return address if language in (None, settings.LANGUAGE_CODE) else f"{address}#{language}"


def _place(address: str) -> str:
    return str(zlib.crc32(address.encode()) % PLACES)


def _ask(operation: str, *arguments: object) -> object:
    """Ask the cache; None if it does not answer. Then pages are rendered anew, and it is left alone for a while."""
    global _failed_at
    if _failed_at and time.monotonic() - _failed_at < _PAUSE:
        return None
    try:
        return getattr(caches["pages"], operation)(*arguments)
    except (redis.RedisError, OSError) as error:
        log.warning("The cache of pages does not answer (%s): they are rendered each time.", error)
        _failed_at = time.monotonic()
        return None
