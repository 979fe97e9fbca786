"""Whom a wrong password is counted against (django-axes)."""

from typing import Any

from django.http import HttpRequest

from accounts.models import LONGEST_ADDRESS, User


def address(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """The address as the user has it: other capitals are not another user."""
    given = (credentials or {}).get("username") or request.POST.get("username") or ""
    # Small letters can be more than the capitals that they stand for.
    return User.objects.normalize_email(str(given).strip())[:LONGEST_ADDRESS]


def origin(request: HttpRequest) -> str:
    """The address at the other end of the connection."""
    found: str = request.META.get("REMOTE_ADDR", "")
    return found
