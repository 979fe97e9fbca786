"""Versions of what a page shows, which it carries along, so that nothing is done to what another has changed meanwhile."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from django.db.models import Model
from django.http import HttpRequest


def digest(document: Any) -> str:
    """Return a short text that two documents of JSON share only if they are equal."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def row_version(row: Model, watched: Iterable[str] = (), beside: Iterable[str] = ()) -> str:
    """Return a text that is another one once a value of the row, of those that were read, is another. `watched`: the fields
    that count; without any, all; `beside`: further values of it."""
    names = (*(watched or (field.attname for field in row._meta.concrete_fields)), *beside)
    read = [getattr(row, name) for name in names if name not in row.get_deferred_fields()]
    return hashlib.sha256(repr(read).encode()).hexdigest()[:32]


def is_shown(request: HttpRequest, version: str, field: str = "shown") -> bool:
    """Return whether the page that was sent showed this version; so did one that carries none along."""
    return request.POST.get(field, version) == version
