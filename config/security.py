"""Headers that hold on every page, the admin included: nothing inline, nothing from outside the site."""

from typing import Any

from csp.constants import NONE, SELF


def headers(*, https: bool) -> dict[str, Any]:
    """The security settings of Django and of its Content-Security-Policy."""
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
