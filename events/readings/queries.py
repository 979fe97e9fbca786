"""Reads the readings in force."""

from django.db.models import Subquery

from events.models import Readings


def readings() -> Readings:
    """Return the readings in force. One query."""
    return Readings.objects.get()


def reading(field: str) -> Subquery:
    """Return one of the readings as a column of another query, so that a public page needs no query of its own for it."""
    return Subquery(Readings.objects.values(field)[:1])
