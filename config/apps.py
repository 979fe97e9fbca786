"""The project itself as an app: its commands, template tags and the versions of tables."""

from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate

from config.database_checks import check_encoding, check_server_log


class ConfigConfig(AppConfig):
    """Creates the triggers of table versions after each `migrate`, which first looks at the database."""

    name = "config"

    def ready(self) -> None:
        """Connect to the beginning and end of `migrate`."""
        register(check_encoding, Tags.database)
        register(check_server_log, Tags.database)
        post_migrate.connect(_create_triggers, sender=self)


def _create_triggers(using: str, **_: Any) -> None:
    from config.table_versions import create_triggers

    create_triggers(using)
