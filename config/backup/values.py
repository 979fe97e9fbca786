"""Values of the database as JSON has them, and back, the same from SQLite and PostgreSQL. Pure.

The kind of a column says how: numbers and texts as they are; `decimal` as the double that it was written from; `time` as
text in UTC, `2024-03-01 08:00:00.5`; `day` as 2024-03-01; `bytes` in Base64; `json` as the document; `uuid` as 32 digits.
"""

import base64
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

# The internal types of Django's fields by kind. Those of foreign keys are those of what they lead to.
KINDS: Final = {
    "AutoField": "number", "BigAutoField": "number", "SmallAutoField": "number", "IntegerField": "number",
    "BigIntegerField": "number", "SmallIntegerField": "number", "PositiveIntegerField": "number",
    "PositiveBigIntegerField": "number", "PositiveSmallIntegerField": "number", "FloatField": "float",
    "DecimalField": "decimal", "BooleanField": "flag", "CharField": "text", "TextField": "text", "SlugField": "text",
    "EmailField": "text", "URLField": "text", "FileField": "text", "GenericIPAddressField": "text", "DateField": "day",
    "DateTimeField": "time", "BinaryField": "bytes", "JSONField": "json", "UUIDField": "uuid",
}  # fmt: skip


def to_json(kind: str) -> Callable[[Any], Any] | None:
    """Return what makes JSON of a value of a kind that is not None, as the database's driver gives it; None: it stays."""
    return _TO_JSON.get(kind)


def from_json(kind: str, vendor: str) -> Callable[[Any], Any] | None:
    """Return what makes a value for a database's driver of JSON that is not null; None: it stays."""
    return {**_FROM_JSON, **(_FOR_SQLITE if vendor == "sqlite" else _FOR_POSTGRESQL)}.get(kind)


def _time(value: Any) -> str:
    moment = (
        value if isinstance(value, datetime) else datetime.fromisoformat(value)
    )  # SQLite has texts, UTC without an offset
    return str(moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment)


def _float(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _hex(value: Any) -> str:
    return str(value).replace("-", "")


def _compact(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


_TO_JSON: Final[dict[str, Callable[[Any], Any]]] = {
    "time": _time,
    "day": str,
    "bytes": lambda value: base64.b64encode(bytes(value)).decode(),
    "json": lambda value: json.loads(value) if isinstance(value, str) else value,
    "uuid": _hex,
    "flag": bool,
    "float": _float,
    "decimal": float,
}
_FROM_JSON: Final[dict[str, Callable[[Any], Any]]] = {
    "bytes": base64.b64decode,
    "json": _compact,
    "float": float,
}
_FOR_SQLITE: Final[dict[str, Callable[[Any], Any]]] = {"flag": int}
_FOR_POSTGRESQL: Final[dict[str, Callable[[Any], Any]]] = {"time": lambda value: f"{value}+00", "decimal": repr}
