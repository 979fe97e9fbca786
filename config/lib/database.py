"""Database functions that several apps use."""

from datetime import datetime

from django.db import connection
from django.db.models import FloatField, Model
from django.db.models.functions import Cast


def as_float(field: str) -> Cast:
    """Return the expression for a rating as a float: ten times as fast as a Decimal and exact enough to show."""
    return Cast(field, FloatField())


def lock_table(model: type[Model]) -> None:
    """Let no other transaction write to a table before this one ends; others read it meanwhile. On SQLite one writes at a time
    anyhow."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(model._meta.db_table)} IN SHARE ROW EXCLUSIVE MODE")


def save_recorded(row: Model, *, at: datetime, by: Model | None) -> None:
    """Save a row that has a history, recording the moment and the actor of the change."""
    row._history_user = by  # type: ignore[attr-defined]
    row._history_date = at  # type: ignore[attr-defined]
    row.save()
