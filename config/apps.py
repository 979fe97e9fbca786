"""The project itself as an app: its commands, template tags and the versions of tables."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ConfigConfig(AppConfig):
    """Creates the triggers of table versions after each `migrate`."""

    name = "config"

    def ready(self) -> None:
        """Connect to the end of `migrate`."""
        post_migrate.connect(_create_triggers, sender=self)


def _create_triggers(using: str, **_: Any) -> None:
    from config.table_versions import create_triggers

    create_triggers(using)
