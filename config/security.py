"""Security headers of every page, including the admin, and the throttle on wrong passwords."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

# What browsers offer and no page uses.
_NOT_USED = ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "usb")
_KEY_LENGTH, _KEY_LETTERS = 50, 5  # of a secret key, as Django's own check has them


def headers(*, https: bool) -> dict[str, Any]:
    """Return Django's security settings, with a Content-Security-Policy without inline or external sources."""
    settings: dict[str, Any] = {
        "CONTENT_SECURITY_POLICY": {
            "DIRECTIVES": {
                "default-src": [NONE],
                "script-src": [SELF],
                "style-src": [SELF],
                "img-src": [SELF],
                "font-src": [SELF],
                "connect-src": [SELF],
                "form-action": [SELF],
                "base-uri": [NONE],
                "frame-ancestors": [NONE],
            }
        },
        "X_FRAME_OPTIONS": "DENY",
        "SECURE_REFERRER_POLICY": "same-origin",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SECURE": https,
        "CSRF_COOKIE_SECURE": https,
        "SECURE_SSL_REDIRECT": https,
        "SECURE_HSTS_SECONDS": 31_536_000 if https else 0,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": https,
        # Preloading binds a whole domain for years: its owner asks for it, not the program.
        "SILENCED_SYSTEM_CHECKS": ["security.W021"],
    }
    if https:
        settings["SECURE_PROXY_SSL_HEADER"] = ("HTTP_X_FORWARDED_PROTO", "https")
    return settings


def permissions_policy(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid each page what no page uses."""
    policy = ", ".join(f"{name}=()" for name in _NOT_USED)

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", policy)
        return response

    return answer


def never_kept(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Let no cache or history of a browser keep a page that was asked for with a session, unless the page says otherwise."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and "Cache-Control" not in response.headers:
            add_never_cache_headers(response)
        return response

    return answer


def strong_key(key: str) -> str:
    """Return a secret key that was given. Raises ImproperlyConfigured, without quoting it, for one that can be guessed."""
    if _can_be_guessed(key):
        raise ImproperlyConfigured(
            f"SECRET_KEY can be guessed: give at least {_KEY_LENGTH} characters of chance, as from"
            " “openssl rand -base64 48”, or none, and one is made"
        )
    return key


def kept_key(file: Path) -> str:
    """Return the secret key that the site made for itself. Raises ImproperlyConfigured if the file has none any more, as after
    a power failure."""
    key = file.read_text(encoding="ascii", errors="replace")
    if _can_be_guessed(key):
        raise ImproperlyConfigured(
            f"{file} is damaged: it has no key of {_KEY_LENGTH} characters. Remove it, and a new one is made, by which"
            " everybody logs in anew; or then restore the back-up, which has the old one"
        )
    return key


def _can_be_guessed(key: str) -> bool:
    repeats = key in (key + key)[1:-1]
    return len(key) < _KEY_LENGTH or len(set(key)) < _KEY_LETTERS or repeats or key.startswith("django-insecure-")


def login_throttle() -> dict[str, Any]:
    """Return the settings of django-axes, for half an hour after the last wrong password: see `accounts.login_throttle`.

    A right password ends the count of its address and origin alone, which the log-in does itself (`accounts.views.LogIn`).
    """
    return {
        "AXES_FAILURE_LIMIT": "accounts.login_throttle.most_failures",
        "AXES_COOLOFF_TIME": timedelta(minutes=30),
        "AXES_LOCKOUT_PARAMETERS": "accounts.login_throttle.counted_by",
        "AXES_LOCKOUT_CALLABLE": "accounts.login_throttle.locked",
        "AXES_CLIENT_IP_CALLABLE": "accounts.login_throttle.origin",
        "AXES_USERNAME_CALLABLE": "accounts.login_throttle.address",
        "AXES_USERNAME_FORM_FIELD": "username",
        "AXES_RESET_ON_SUCCESS": False,
        "AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT": False,
        "AXES_DISABLE_ACCESS_LOG": True,
        "AXES_ENABLE_ADMIN": False,
        "AXES_VERBOSE": False,
        # What is kept of a form with a wrong password shows none of these.
        "AXES_SENSITIVE_PARAMETERS": [
            *("username", "ip_address", "old_password", "new_password1", "new_password2", "csrfmiddlewaretoken", "next")
        ],
    }
