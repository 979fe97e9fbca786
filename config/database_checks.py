"""What `migrate` and `check --database default` look at in the database."""

from collections.abc import Iterable
from typing import Any

from django.core.checks import CheckMessage, Error, Warning
from django.db import connections

_LOG_SETTINGS = {"log_min_error_statement": "panic", "log_error_verbosity": "terse"}


def check_encoding(databases: Iterable[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return an error for a PostgreSQL database in which names with accents cannot be kept."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor == "postgresql":
            with connections[alias].cursor() as cursor:
                cursor.execute("SHOW server_encoding")
                encoding = cursor.fetchone()[0]
            if encoding != "UTF8":
                found.append(
                    Error(
                        f"The database has the encoding {encoding}, in which not every name can be kept.",
                        hint="Make it anew with createdb -E UTF8 -T template0. With work in it: “manage.py backup” before, and"
                        " “manage.py restore” then.",
                        id="bureau.E001",
                    )
                )
    return found


def check_server_log(databases: Iterable[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return a warning for a PostgreSQL whose own log would have the statements that fail, with the names in them."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor == "postgresql":
            with connections[alias].cursor() as cursor:
                role = connections[alias].ops.quote_name(connections[alias].settings_dict["USER"])
                cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(_LOG_SETTINGS)])
                other = sorted(name for name, setting in cursor.fetchall() if setting != _LOG_SETTINGS[name])
            if other:
                lines = "; ".join(f"ALTER ROLE {role} SET {name} = {_LOG_SETTINGS[name]}" for name in other)
                found.append(
                    Warning(
                        "PostgreSQL's own log has each statement that fails, with the names and addresses in it.",
                        hint=f"Once, as PostgreSQL's superuser: {lines}. Then restart web server, workers and beat.",
                        id="bureau.W001",
                    )
                )
    return found
