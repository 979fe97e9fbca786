"""Pages of the files of a month, and the files themselves."""

from datetime import datetime
from typing import TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import http_date
from django.views.decorators.http import condition, require_safe

from config.http_cache import versioned
from config.lib.byte_ranges import RangeError, byte_range
from ratings.downloads import queries
from ratings.lists.addresses import addressed_month
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications
from ratings.lists.revisions import at_revision
from ratings.models import Download
from ratings.seals.queries import newest_seal, seals_of

_TYPES = {"zip": "application/zip"}


class _Facts(TypedDict):
    """What the headers of an answer are made of."""

    pk: int
    sha256: str
    made_at: datetime
    size: int


@require_safe
@versioned
def downloads(request: HttpRequest, period: str = "") -> HttpResponse:
    """Show what can be fetched of a published month, by default the latest."""
    published = publications()
    publication, revisions = None, None
    if published or period:
        publication, revisions = at_revision(addressed_month(published, period), request.GET)
    context = {
        "here": "lists",
        "publication": publication,
        "is_latest": not period,
        "revisions": revisions,
        "published": published,
        "groups": queries.download_groups(publication.run, list_definitions()) if publication else [],
        "seals": seals_of(publication.run, publication.revision) if publication else [],
        "newest": newest_seal(),
    }
    return render(request, "ratings/downloads/downloads.html", context)


def _facts(request: HttpRequest, name: str, period: str = "") -> _Facts:
    """Return what the answer's headers are made of, asked for once a request. Raises Http404."""
    known: _Facts | None = getattr(request, "download_facts", None)
    if known is None:
        run = at_revision(addressed_month(publications(), period), request.GET)[0].run
        known = Download.objects.filter(run=run, name=name).values("pk", "sha256", "made_at", "size").first()
        if known is None:
            raise Http404(f"There is no file {name} of this month.")
        request.download_facts = known  # type: ignore[attr-defined]
    return known


def _etag(request: HttpRequest, name: str, period: str = "") -> str:
    return f'"{_facts(request, name, period)["sha256"]}"'


def _made_at(request: HttpRequest, name: str, period: str = "") -> datetime:
    moment: datetime = _facts(request, name, period)["made_at"]
    return moment


@require_safe
@condition(etag_func=_etag, last_modified_func=_made_at)
def download(request: HttpRequest, name: str, period: str = "") -> HttpResponse:
    """Answer with a file of a month, by default the latest, or with the part of it that is asked for."""
    facts = _facts(request, name, period)
    try:
        part = byte_range(request.headers.get("Range", ""), facts["size"]) if _range_holds(request, facts) else None
    except RangeError:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{facts['size']}"})
    content = Download.objects.filter(pk=facts["pk"]).values_list("content", flat=True).first()
    if content is None:
        raise Http404(f"The file {name} has just been taken away, to be made anew.")
    media_type = _TYPES.get(name.rpartition(".")[2], "text/plain; charset=utf-8")
    headers = {
        "Accept-Ranges": "bytes",
        "Cache-Control": f"public, max-age={3600 if period else 300}",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    if part is None:
        return HttpResponse(bytes(content), content_type=media_type, headers=headers)
    start, end = part
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{facts['size']}"
    return HttpResponse(bytes(content)[start:end], status=206, content_type=media_type, headers=headers)


def _range_holds(request: HttpRequest, facts: _Facts) -> bool:
    """Return whether a part may be sent: the client's copy of the rest is of this file (If-Range)."""
    copy = request.headers.get("If-Range")
    return copy is None or copy in (f'"{facts["sha256"]}"', http_date(facts["made_at"].timestamp()))
