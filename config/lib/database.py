"""Database expressions that several apps use."""

from datetime import datetime

from django.db.models import FloatField, Model
from django.db.models.functions import Cast


def as_float(field: str) -> Cast:
    """A rating as a float: a tenth of the time that a Decimal takes, and exact enough to be shown."""
    return Cast(field, FloatField())


def save_recorded(row: Model, *, at: datetime, by: Model) -> None:
    """Save a row that keeps its history, with the moment and the actor of the change."""
    row._history_user = by  # type: ignore[attr-defined]
    row._history_date = at  # type: ignore[attr-defined]
    row.save()
