"""Reads how long personal data is kept."""

from accounts.models import Retention


def retention() -> Retention:
    """Return the rules in force. One query."""
    return Retention.objects.get()
