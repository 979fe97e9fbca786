"""The answer to a user of the desk whose right was taken away while he wrote, or who was logged out."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


def right_lost(request: HttpRequest, typed: list[str], *, closed: str = "") -> HttpResponse:
    """Return the page for a user who decides without the right, which may have been taken away meanwhile: with his words.

    Of whoever is not logged in, as after the end of a session, this is known only once he logs in again. `closed`: why nobody
    decides it any more, a sentence.
    """
    lacks = "Changed meanwhile" if closed else "You may not decide this"
    context = {
        **admin.site.each_context(request),
        "title": lacks if request.user.is_authenticated else "You are logged out",
        "typed": [text for text in typed if text.strip()],
        "closed": closed,
    }
    return TemplateResponse(request, "admin/right_lost.html", context, status=409 if closed else 403)
