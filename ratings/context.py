"""What every page's frame needs."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from django.utils.translation import get_language

from config import languages
from config.kept_reads import kept
from ratings.models import Notice


class _Notices:
    """Asked for only when a template iterates over it, and at most once a request."""

    def __iter__(self) -> Any:
        return iter(kept(_shown_notices))


def _shown_notices() -> list[str]:
    return list(Notice.objects.filter(shown=True).values_list("text", flat=True))


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the notices at the head of the page, whose site it is, its address, the page's own, and its language.

    Nothing here asks the database.
    """
    return {
        "notices": _Notices(),
        "brand": settings.BRAND,
        "site": settings.SITE_URL,
        "canonical": f"{settings.SITE_URL}{escape_uri_path(request.path)}",
        "language": languages.html_language(get_language() or settings.LANGUAGE_CODE),
        "languages": languages.choices(request) if request.method == "GET" else (),
    }
