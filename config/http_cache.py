"""Conditional answers: a public page is valid until a table that its queries read changes, and has an ETag for this.

The ETag names the tables that the page's queries read, and a digest of their versions: `"<tables>-<digest>"`. When a browser
sends it back, it says itself which versions to compare: neither the page nor a list of what pages read is needed.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import islice
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.response import SimpleTemplateResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.debug import SafeExceptionReporterFilter

from config import page_cache
from config.branding import Brand
from config.kept_reads import page_of
from config.table_versions import TablesRead, all_tables, table_versions

_MOST_ETAGS = 20  # of a request: a browser sends one

View = Callable[..., HttpResponse]
Versions = Mapping[str, Sequence[str]]


@lru_cache(maxsize=1)
def _release() -> str:
    """Return the fingerprint of templates, catalogues, style sheets, scripts, code and settings: a release changes pages."""
    plain = SafeExceptionReporterFilter().get_safe_settings()  # without what is secret
    digest = hashlib.sha256(
        repr(sorted(item for item in plain.items() if isinstance(item[1], str | int | Brand))).encode()
    )
    for folder in ("locale", "templates", "static", "config", "accounts", "players", "events", "ratings", "api"):
        for file in sorted((settings.BASE_DIR / folder).rglob("*.*")):
            if file.suffix in (".html", ".css", ".js", ".py", ".mo"):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _etag(tables: Collection[str], versions: Versions, variant: str) -> str | None:
    """Return the ETag of a page that was read from some tables; None if one of them has no version.

    It covers their versions, the release, the day, on which ages and deadlines depend, the language and the media type
    (`variant`).
    """
    if not versions.keys() >= set(tables):
        return None
    bits = sum(1 << place for place, table in enumerate(all_tables()) if table in tables)
    read = [(table, versions[table]) for table in sorted(tables)]
    parts = (read, timezone.localdate(), _release(), get_language(), variant)
    return f'"{bits:x}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


def _is_valid(etag: str, versions: Versions, variant: str) -> bool:
    """Whether the tables named by an ETag are as they were when it was given."""
    start = re.match(r'"([0-9a-f]{1,64})-', etag)
    bits = int(start[1], 16) if start else 0
    return etag == _etag([table for place, table in enumerate(all_tables()) if bits >> place & 1], versions, variant)


def _valid_etag(request: HttpRequest, versions: Versions, variant: str) -> str | None:
    """Return the ETag in the request's If-None-Match that is still valid; None if there is none."""
    for etag in islice(parse_etags(request.headers.get("If-None-Match", "")), _MOST_ETAGS):
        strong = etag.removeprefix("W/")  # that of a compressed page is weak
        if _is_valid(strong, versions, variant):
            return strong
    return None


def conditional(
    view: View, request: HttpRequest, *args: Any, variant: str = "", kept: bool = False, **kwargs: Any
) -> HttpResponse:
    """Return the page with its ETag, or 304 if the client's copy is valid. One query in addition to those of the page.

    `variant`: the media type, where an address answers in several; `kept`: the page is kept for those who ask next.
    """
    versions = table_versions()  # before the page: a change while it is read leaves it with an ETag that is out of date
    valid = _valid_etag(request, versions, variant)
    if valid:
        return HttpResponseNotModified(headers={"ETag": valid})
    page = page_cache.kept_page(request) if kept else None
    if page and _is_valid(page.etag, versions, variant):
        return page.response(request)
    tables = TablesRead()
    with page_of(versions, tables):
        response = view(request, *args, **kwargs)
        if kept and isinstance(response, SimpleTemplateResponse):
            response = response.render()
    etag = _etag(tables, versions, variant)
    if etag and response.status_code == 200:
        response.headers["ETag"] = etag
        page = page_cache.keep(request, response, etag) if kept else None
        if page:
            return page.response(request)
    return response


def versioned(view: View) -> View:
    """Decorate a public page: it gets an ETag, and browsers ask each time if it has changed; without ETag after a log-in."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        plain = settings.DEBUG or request.user.is_authenticated
        if plain:
            response = view(request, *args, **kwargs)
        else:
            response = conditional(view, request, *args, kept=page_cache.is_kept_for(request), **kwargs)
        response.headers.setdefault("Cache-Control", "no-cache")
        patch_vary_headers(response, ["Cookie"])
        return response

    return answer
