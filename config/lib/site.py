"""Addresses of the site for mails: they begin with SITE_URL and never with the host that a request names."""

from django.conf import settings
from django.urls import reverse


def site_address(view: str, *args: object) -> str:
    """Return the full address of a page, by the name of its view."""
    return f"{settings.SITE_URL}{reverse(view, args=args)}"
