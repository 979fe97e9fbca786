"""Security headers of every page, including the admin, and the throttle on wrong passwords."""

from datetime import timedelta
from typing import Any

from csp.constants import NONE, SELF


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
    }
    if https:
        settings["SECURE_PROXY_SSL_HEADER"] = ("HTTP_X_FORWARDED_PROTO", "https")
    return settings


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
    }
