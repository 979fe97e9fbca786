"""Values of fields in words, as the trail keeps them."""

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import Model, QuerySet
from django.utils import timezone

from config.lib import formatting


def choice_text(field: forms.Field, value: Any) -> str:
    """Return a value in words: of a key, the row that it stands for; of a choice, what the page calls it."""
    queryset = getattr(field, "queryset", None)
    if queryset is not None and value not in (None, "") and not isinstance(value, Model):
        keys = value if isinstance(value, (list, tuple, QuerySet)) else [value]
        rows = [key if isinstance(key, Model) else _row_of(queryset, key) for key in keys]
        return ", ".join(value_text(row) for row in rows)
    if queryset is None and isinstance(field, forms.ChoiceField) and value not in (None, ""):
        choices: Any = field.choices
        labels = {str(choice): label for choice, label in choices}
        return str(labels.get(str(value), value))
    return value_text(value)


def _row_of(queryset: QuerySet[Any], key: Any) -> Any:
    try:
        return queryset.filter(pk=key).first() or key
    except ValueError:  # no key: a page sends what it showed, and whoever sends a page of his own whatever he likes
        return key


def value_text(value: Any) -> str:
    """Return a value in words: yes or no, a time of the bureau, or the value's own text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        local = timezone.localtime(value) if timezone.is_aware(value) else value
        return f"{formatting.day(local)}, {local:%H:%M}"
    return "" if value is None else str(value)
