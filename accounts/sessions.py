"""The sessions of those who may enter the desk end when nothing was asked for in them for 12 hours."""

import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from accounts.models import User

IDLE_SECONDS = 12 * 3600
_NOTED_EVERY = 600  # seconds: not each request writes, and none that sends something
_SEEN = "seen"
# Of a page that asks again by itself what became of its work: a header, and without scripts a word of its address.
_POLL, _POLL_WORD = "X-Poll", "poll"
# With what is for everybody's caches no cookie should go out.
_FOR_ALL = re.compile(r"/(?:api/|brand/|favicon\.ico|downloads/.*[^/]\Z)", re.DOTALL)


@receiver(user_logged_in)
def note_log_in(request: HttpRequest, user: Any, **_: Any) -> None:
    """Begin to watch the session of a user who may enter the desk."""
    if user.is_staff:
        request.session[_SEEN] = int(time.time())


def end_sessions(user: User) -> None:
    """End all sessions of a user: were they only kept from what needs an account, they would go on once it is enabled again."""
    for session in Session.objects.all().iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def _asks_by_itself(request: HttpRequest) -> bool:
    return _POLL in request.headers or _POLL_WORD in request.GET or request.path_info.startswith("/health/")


def end_idle(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Log out whose session was idle for too long, or began before he might enter the desk, and say so.

    Must stand behind the middleware of messages and of authentication.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        # Nothing is done by a cookie under /api/, whose operations read none, nor with what is for everybody.
        watched = settings.SESSION_COOKIE_NAME in request.COOKIES and not _FOR_ALL.match(request.path_info)
        seen = request.session.get(_SEEN) if watched else None
        if seen is not None:
            idle = abs(time.time() - seen)  # by a clock that was ahead for a while
            if idle > IDLE_SECONDS:
                logout(request)
                messages.info(request, gettext("Nothing was done for 12 hours, so that you were logged out."))
            elif idle > _NOTED_EVERY and request.method in ("GET", "HEAD") and not _asks_by_itself(request):
                # Sessions are written after the page: with the database gone by then, what was sent had been kept already.
                request.session[_SEEN] = int(time.time())
        elif watched and getattr(request.user, "is_staff", False):
            logout(request)
            messages.info(request, gettext("Your account was given new rights since you logged in. Log in again."))
        return get_response(request)

    return answer
