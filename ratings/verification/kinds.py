"""Checks that each column holds what it is for. SQLite keeps a text in a column of numbers, which one reader takes for a number
and another does not; PostgreSQL refuses it."""

from collections.abc import Iterator
from itertools import compress

from django.apps import apps
from django.db import connection, models

from ratings.verification.findings import Finding

_APPS = ("players", "events", "ratings")
_NUMBER, _TEXT, _BYTES = ("integer",), ("text",), ("blob",)
_OF_FIELDS: tuple[tuple[type[models.Field], tuple[str, ...]], ...] = (  # type: ignore[type-arg]
    (models.BinaryField, _BYTES),
    (models.DecimalField, ("integer", "real")),
    (models.FloatField, ("integer", "real")),
    (models.BooleanField, _NUMBER),
    (models.IntegerField, _NUMBER),
)


def kind_findings() -> Iterator[Finding]:
    """Yield, on SQLite, the rows of players, events and ratings with a value of another kind than its column's, the first of
    each table by its key. One query a table."""
    if connection.vendor != "sqlite":
        return
    quoted = connection.ops.quote_name
    for model in (model for app in _APPS for model in apps.get_app_config(app).get_models(include_auto_created=True)):
        table = model._meta.db_table
        kinds = {str(field.column): _kinds(field) for field in model._meta.concrete_fields}
        days = {field.column for field in model._meta.concrete_fields if isinstance(field, models.DateField)}
        wrong = [
            f"(typeof({quoted(column)}) NOT IN {of_column}{_no_day(quoted(column)) if column in days else ''})"
            for column, of_column in kinds.items()
        ]
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT rowid, {', '.join(wrong)}, count(*) OVER () FROM {quoted(table)}"  # noqa: S608
                f" WHERE {' OR '.join(wrong)} ORDER BY rowid LIMIT 1"
            )
            for key, *is_wrong, count in cursor.fetchall():
                columns = ", ".join(compress(kinds, is_wrong))
                what = f"{columns} of row {key} holds another kind of value than its column is for"
                yield Finding(f"table {table}", what, more=count - 1)


def _no_day(column: str) -> str:
    return f" OR {column} NOT GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]*' AND {column} IS NOT NULL"


def _kinds(field: "models.Field[object, object]") -> str:
    """Return the kinds of values that a column holds, as SQLite calls them."""
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    kinds = next((kinds for of, kinds in _OF_FIELDS if isinstance(field, of)), _TEXT)
    return str((*kinds, "null"))
