"""Many rows into one table at once: COPY on PostgreSQL, one prepared statement on SQLite."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models

from config.table_versions import without_row_triggers

_BLOCK = 20_000


def insert_columns(model: type[models.Model], columns: Mapping[str, Sequence[Any]]) -> int:
    """Insert one row for each place of the columns, given by database column name; returns how many.

    Values are int, float, str without tabs or line ends, bytes, or None. Floats keep every bit: they travel as their
    shortest exact text; those of a decimal field are first rounded to its places, so that every database holds the same.
    Signals and `save()` are passed over.
    """
    names = list(columns)
    length = len(columns[names[0]])
    if not length:
        return 0
    columns = {**columns, **_rounded_decimals(model, columns)}
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    listed = ", ".join(quote(name) for name in names)
    table_alone = without_row_triggers(model._meta.db_table)
    with table_alone, connection.cursor() as cursor, connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            # Hazard: no time limit of PostgreSQL's ends a COPY of who hangs within it, and with it his locks.
            texts = [_as_copy_text(columns[name]) for name in names]
            with cursor.copy(f"COPY {table} ({listed}) FROM STDIN") as copy:
                for start in range(0, length, _BLOCK):
                    rows = zip(*(text[start : start + _BLOCK] for text in texts), strict=True)
                    copy.write("\n".join(map("\t".join, rows)) + "\n")
        else:
            marks = ", ".join(["?"] * len(names))
            rows = zip(*columns.values(), strict=True)
            # The connection itself: Django's cursor would rewrite the statement and copy every row.
            connection.connection.executemany(f"INSERT INTO {table} ({listed}) VALUES ({marks})", rows)  # noqa: S608
    return length


def _rounded_decimals(model: type[models.Model], columns: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return the columns of the decimal fields. A double of 1 or more has no bits beyond sixteen places."""
    rounded: dict[str, list[Any]] = {}
    for field in model._meta.concrete_fields:
        column = field.column
        if isinstance(field, models.DecimalField) and column is not None and column in columns:
            form = f"%.{field.decimal_places}f"
            rounded[column] = [
                float(form % value) + 0.0 if value is not None and -1 < value < 1 and value else value
                for value in columns[column]
            ]
    return rounded


def _as_copy_text(values: Sequence[Any]) -> list[str]:
    sample = next((value for value in values if value is not None), None)
    if isinstance(sample, bytes):
        return [f"\\\\x{value.hex()}" for value in values]
    convert = str if isinstance(sample, str) else repr
    return ["\\N" if value is None else convert(value) for value in values]
