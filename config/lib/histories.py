"""Versions of many rows at once in the table of their history: what django-simple-history writes one by one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection, models

ADDED, CHANGED, DELETED = "+", "~", "-"
_MOST = 5_000  # keys in a statement


def add_versions(
    model: Any, keys: Sequence[int], kind: str, *, at: datetime, by: models.Model | None, reason: str
) -> None:
    """Add a version of each of some rows, as they stand in the table.

    `model`: one with a history; `kind`: ADDED, CHANGED, DELETED.
    """
    versions = model.history.model
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in model._meta.concrete_fields)
    # Moments as text would not compare as SQLite keeps them.
    moment = versions._meta.get_field("history_date").get_db_prep_value(at, connection)
    for start in range(0, len(keys), _MOST):
        chunk = keys[start : start + _MOST]
        among, values = _among(chunk)
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {quote(versions._meta.db_table)} ({columns}, history_date, history_type, history_user_id,"  # noqa: S608
                f" history_change_reason) SELECT {columns}, %s, %s, %s, %s FROM {quote(model._meta.db_table)}"
                f" WHERE {quote(model._meta.pk.column)} {among} ORDER BY {quote(model._meta.pk.column)}",
                [moment, kind, by.pk if by else None, reason, *values],
            )


def _among(keys: Sequence[int]) -> tuple[str, list[Any]]:
    """Return the condition for these keys; on PostgreSQL with one parameter, since it takes long to place thousands."""
    if connection.vendor == "postgresql":
        return "= ANY(%s)", [list(keys)]
    return f"IN ({', '.join(['%s'] * len(keys))})", list(keys)
