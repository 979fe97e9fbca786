"""Wrong passwords are counted by the address that was typed and by where they came from: what django-axes asks for.

Ten wrong passwords close one e-mail address to one origin, so that a guesser locks nobody else out. Wrong passwords for
MOST_ADDRESSES addresses close the log-in to their origin: who tries one password on many accounts has few wrong ones for each.
Many may share an origin, a school perhaps: an address whose right password came after the wrong ones is not counted, and the
link of a mail that sets a password logs in all the same.
"""

from datetime import timedelta
from typing import Any

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.models import LONGEST_ADDRESS, User
from config.lib.origins import network

MOST_ADDRESSES = 20  # from one origin within the half hour after the last wrong password for each
_BY_ADDRESS: list[str | list[str]] = [["username", "ip_address"]]
_BY_ORIGIN: list[str | list[str]] = ["ip_address"]


def address(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Return the e-mail address that was typed, or the user's who changes his password, normalised as accounts store it:
    capitals do not make another user."""
    typed = (credentials or {}).get("username") or request.POST.get("username") or request.user.get_username()
    # Cut after lowering: lower case can be longer than the capitals it came from.
    return User.objects.normalize_email(str(typed).strip())[:LONGEST_ADDRESS]


def origin(request: HttpRequest) -> str:
    """Return the IP address of the network that a request comes from, behind as many proxies as the setting PROXIES says."""
    return network(request).removesuffix("/64").replace("unknown", "")


def counted_by(request: HttpRequest, credentials: dict[str, Any] | None = None) -> list[str | list[str]]:
    """Return by what django-axes adds up wrong passwords: the address and origin, or for a closed origin the origin alone."""
    return _BY_ORIGIN if _is_closed(origin(request)) else _BY_ADDRESS


def most_failures(request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
    """Return how many wrong passwords lock. For a closed origin any: the addresses were counted."""
    return 1 if _is_closed(origin(request)) else 10


def locked(
    request: HttpRequest, response: HttpResponse | None = None, credentials: dict[str, Any] | None = None
) -> HttpResponse:
    """Return the page of a log-in that is closed."""
    context = {"username": address(request, credentials), "failure_limit": 10, "origin": _is_closed(origin(request))}
    return render(request, "accounts/locked.html", context, status=429)


def _is_closed(place: str) -> bool:
    since = timezone.now() - (get_cool_off() or timedelta())
    tried = AccessAttempt.objects.filter(ip_address=place or None, attempt_time__gt=since)
    addresses: int = tried.values("username").distinct()[:MOST_ADDRESSES].count()
    return addresses >= MOST_ADDRESSES
