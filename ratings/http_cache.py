"""Conditional answers: a public page is the same until something on it changes, and says so with an ETag."""

import hashlib
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import condition

from ratings.context import site

View = Callable[..., HttpResponse]

# The latest keys of each table that a public page reads and that grows by a row with every change; what officers edit by hand
# (regions, titles, lists, arbiters, sections …) is in the log of the desk, in the same transaction. Their sum, not the
# highest: a transaction may end after one that took higher keys.
_MARKS = """
SELECT (SELECT max(run_id) FROM ratings_publishedrun),
       (SELECT sum(history_id) FROM (SELECT history_id FROM players_historicalplayer ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(history_id) FROM (SELECT history_id FROM events_historicalevent ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(id) FROM (SELECT id FROM events_eventmove ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(history_id) FROM (SELECT history_id FROM events_historicalpenalty ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(history_id) FROM (SELECT history_id FROM events_historicalarbiter ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(id) FROM (SELECT id FROM events_refusal ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(history_id) FROM (SELECT history_id FROM events_historicalappeal ORDER BY 1 DESC LIMIT 200) AS latest),
       (SELECT sum(id) FROM (SELECT id FROM django_admin_log ORDER BY 1 DESC LIMIT 200) AS latest)
"""


@lru_cache(maxsize=1)
def _release() -> str:
    """The fingerprint of templates, style sheets, scripts and code: a new release changes pages too."""
    digest = hashlib.sha256()
    for folder in ("templates", "static", "accounts", "players", "events", "ratings"):
        for file in sorted((settings.BASE_DIR / folder).rglob("*.*")):
            if file.suffix in (".html", ".css", ".js", ".py"):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def page_version(request: HttpRequest, **_: Any) -> str | None:
    """The ETag of a public page; None, so that nothing is kept, for somebody who is logged in. One or two queries.

    It covers the latest publication, edits of players, events, penalties and appeals, whatever is edited at the desk, the
    notices, the release, and the day, on which ages and deadlines depend.
    """
    if settings.DEBUG or request.user.is_authenticated:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_MARKS)
        marks = cursor.fetchone()
    parts = (marks, list(site(request)["notices"]), timezone.localdate(), _release())
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


def versioned(view: View) -> View:
    """A public page with an ETag, to be asked for again each time; never kept for another user."""
    conditional = condition(etag_func=page_version)(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = conditional(request, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-cache")
        patch_vary_headers(response, ["Cookie"])
        return response

    return answer
