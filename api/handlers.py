"""Errors outside operations: problem details under `/api/v1/`, the site's pages elsewhere."""

import sys

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.views import defaults

from api.manners.middleware import API
from api.manners.problems import problem_response
from config.body_limits import too_large
from config.outages import BUSY, DATABASE, DISK, outage

_RETRY = {"Retry-After": "120", "Cache-Control": "no-store"}
_RETRY_NOW = {**_RETRY, "Retry-After": "1"}
_UNAVAILABLE = {
    DATABASE: "The database does not answer. Try again in a few minutes.",
    DISK: "The disk is full. Try again later.",
    BUSY: (
        "Others were changing what this concerns at that moment. Try again in a moment; while an event is being sent in, in"
        " a few minutes."
    ),
}
# A transaction may have ended before the database or the disk failed.
_SENT = " What was sent may or may not have been kept: look at what is there first, before you send it again."
# Of two who waited for one another the database has rolled this one's transaction back.
_UNDONE = " The change that met theirs was taken back whole: nothing of it is kept."


def _of_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400; 413 to a form with too much in it."""
    if _of_api(request):
        return problem_response(request, "bad-request", "The request cannot be read.")
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return too_large(request)
    # Not Django's own: it asks for the form once more, which is perhaps what cannot be read.
    return render(request, "400.html", status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    if _of_api(request):
        return problem_response(request, "not-found", "There is nothing at this address.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500; 503 if the database, the disk or another's work is to blame, 409 if a row is gone that was just found. Django
    has put it on record."""
    error = sys.exc_info()[1]
    gone = outage(error)
    sent = request.method not in ("GET", "HEAD")
    if sent and isinstance(error, ObjectDoesNotExist) and not _of_api(request):
        return HttpResponse(get_template("409.html").render({"brand": settings.BRAND}), status=409)
    retry, told = (_RETRY_NOW, _UNDONE) if gone == BUSY else (_RETRY, _SENT)
    if gone and _of_api(request):
        return problem_response(request, "unavailable", _UNAVAILABLE[gone] + (told if sent else ""), headers=retry)
    if gone:
        # Without the request: its user is a row.
        page = get_template("503.html").render({"brand": settings.BRAND, "gone": gone, "sent": sent})
        return HttpResponse(page, status=503, headers=retry)
    if _of_api(request):
        return problem_response(request, "server-error", "The bureau made a mistake. It is on record.")
    return HttpResponse(get_template("500.html").render({"brand": settings.BRAND}), status=500)
