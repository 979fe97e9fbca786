"""The accounts app."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    """Creates the triggers of the trail after each `migrate`, and registers the look-ups of mails."""

    name = "accounts"

    def ready(self) -> None:
        """Connect to the end of `migrate`; importing registers the look-ups of mails, and the watch over sessions."""
        import accounts.mails
        import accounts.sessions  # noqa: F401

        post_migrate.connect(_create_triggers, sender=self)


def _create_triggers(using: str, **_: Any) -> None:
    from accounts.trail.triggers import create_triggers

    create_triggers(using)
