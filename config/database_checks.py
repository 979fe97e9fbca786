"""What `migrate` looks at before it makes tables."""

from collections.abc import Iterable
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections


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
