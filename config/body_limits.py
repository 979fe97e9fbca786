"""How large a request may be. What is larger is refused by its length, before a byte of it is read or written to disk.

The limits are for the whole body: of a form with files all of them, with `_AROUND` for what stands around them.
"""

import re
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from config.lib import formatting
from config.lib.parsing import whole_number
from events.rules.limits import MAX_BYTES, MOST_FILES
from ratings.moving_in.fide_desk import LIMIT as LARGEST_LIST

_AROUND = 100_000  # bytes of a form beside its files
_FILE = MAX_BYTES + _AROUND
_EVENT = MOST_FILES * MAX_BYTES + _AROUND
_LIST = LARGEST_LIST + _AROUND

# Where more than one file, and where whole lists, are sent.
_FILES_OF_EVENT = re.compile(r"/events/\d+/results/upload/")
_LISTS = "/admin/ratings/importjob/bring/"

Handler = Callable[[HttpRequest], HttpResponse]


def refuse_large(get_response: Handler) -> Handler:
    """Answer 413 to a body over the limit. Must stand before whatever reads a form, and before the session middleware.

    A proxy that has refused a body itself asks for the page with the header X-Body-Refused (docs/nginx.conf).
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if "X-Body-Refused" in request.headers:
            return too_large(request)
        length = whole_number(request.META.get("CONTENT_LENGTH") or "0", digits=12)
        if length is not None and length <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return get_response(request)
        most = _limit(request)
        if length is None or length > most:
            return too_large(request, most=most)
        return get_response(request)

    return answer


def answer_proxy(get_response: Handler) -> Handler:
    """Tell a proxy whether to take a body in, which has its length in X-Body-Length, with a full stop after it: by 204, 403,
    or 503 where that cannot be told (docs/nginx.conf). Must stand before whatever answers by itself, as static files are."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "X-Body-Length" in request.headers:
            return HttpResponse(status=_word_to_proxy(request))
        return get_response(request)

    return answer


def too_large(request: HttpRequest, *, most: int | None = None) -> HttpResponse:
    """Return the page of a request that is too large, with the most bytes that are read if they are known."""
    return render(request, "413.html", {"most": most and formatting.megabytes(most)}, status=413)


def _limit(request: HttpRequest) -> int:
    """Return how many bytes the body of a request may have: more only where those who are logged in send files."""
    if request.path_info.startswith("/api/"):
        return _FILE  # files and cases; `api.manners.middleware` has refused more already, with an answer in JSON
    if request.content_type != "multipart/form-data":
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return limit
    if _FILES_OF_EVENT.fullmatch(request.path_info):
        return _EVENT if _user(request) else _FILE
    if request.path_info.startswith(_LISTS):
        user = _user(request)
        return _LIST if user and user.is_officer else _FILE
    return _FILE


def _word_to_proxy(request: HttpRequest) -> int:
    """Return the status that tells a proxy whether to take a body in: one of unknown length from those who send files."""
    text = request.headers["X-Body-Length"].removesuffix(".")
    length = whole_number(text, digits=12)
    try:
        most = _limit(request)
    except DatabaseError:  # what anybody may send comes in: the answer to the request says what is the matter
        return 204 if length is not None and length <= _FILE else 503
    may_come = most > _FILE if not text else length is not None and length <= most
    return 204 if may_come else 403


def _user(request: HttpRequest) -> User | None:
    if "\0" in request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""):
        return None
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    user = get_user(request)
    return user if isinstance(user, User) else None
