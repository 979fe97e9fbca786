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
    """Return the settings of django-axes: ten wrong passwords lock an e-mail address for half an hour to one IP address.

    Locking both together means that a guesser locks out no other user. Behind a proxy all users share one IP address, so
    there the e-mail address alone counts. Forwarding headers are not read, since a client can forge them.
    """
    return {
        "AXES_FAILURE_LIMIT": 10,
        "AXES_COOLOFF_TIME": timedelta(minutes=30),
        "AXES_LOCKOUT_PARAMETERS": [["username", "ip_address"]],
        "AXES_CLIENT_IP_CALLABLE": "accounts.login_throttle.origin",
        "AXES_USERNAME_CALLABLE": "accounts.login_throttle.address",
        "AXES_USERNAME_FORM_FIELD": "username",
        "AXES_RESET_ON_SUCCESS": True,
        "AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT": False,
        "AXES_LOCKOUT_TEMPLATE": "accounts/locked.html",
        "AXES_DISABLE_ACCESS_LOG": True,
        "AXES_ENABLE_ADMIN": False,
        "AXES_VERBOSE": False,
    }
