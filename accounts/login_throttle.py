"""The user name and the network address that django-axes counts wrong passwords against."""

from typing import Any

from django.http import HttpRequest

from accounts.models import LONGEST_ADDRESS, User


def address(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Return the e-mail address that was typed, normalised as accounts store it: capitals do not make another user."""
    typed = (credentials or {}).get("username") or request.POST.get("username") or ""
    # Cut after lowering: lower case can be longer than the capitals it came from.
    return User.objects.normalize_email(str(typed).strip())[:LONGEST_ADDRESS]


def origin(request: HttpRequest) -> str:
    """Return the IP address at the other end of the connection."""
    ip_address: str = request.META.get("REMOTE_ADDR", "")
    return ip_address
