"""Rows that many tests begin with: made by the site's own operations once in a test process, and copied from then on."""

import functools
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.db import connection
from django.db.models import Model

from config.models import TableVersion
from config.table_versions import TablesRead, table_versions

Result = TypeVar("Result")
Rows = dict[str, str]  # the condition that names a row → its values, as the database writes them down


class _Made(NamedTuple):
    begun_with: dict[str, list[str] | None]  # the versions of the tables that were read or written, before
    removed: dict[type[Model], list[str]]
    added: dict[type[Model], list[str]]
    result: bytes


_made: dict[object, _Made] = {}
_copied: set[object] = set()  # of these, what was made first is what other tests begin with too
_making: list[TablesRead] = []  # the tables of the builders at work: one may call another


def kept(make: Callable[..., Result]) -> Callable[..., Result]:
    """A builder whose rows are copied where the tables that it reads and writes are as they were when it made them.

    Where the test or one of its fixtures has written to them before, or has changed a setting, it makes its rows anew.
    """

    @functools.wraps(make)
    def builder(*args: Any, **given: Any) -> Result:
        if isinstance(settings._wrapped, UserSettingsHolder):
            return make(*args, **given)
        key = (make, args, tuple(sorted(given.items())))
        versions = table_versions()
        made = _made.get(key)
        if made and all(versions.get(table) == version for table, version in made.begun_with.items()):
            _copied.add(key)
            _copy(made)
            for tables in _making:
                tables.update(made.begun_with)
            copied: Result = pickle.loads(made.result)
            return copied
        if key in _copied:
            return make(*args, **given)
        before = {model: _rows(model) for model in _models()}
        tables = TablesRead()
        _making.append(tables)
        try:
            with connection.execute_wrapper(tables):
                result = make(*args, **given)
        finally:
            _making.pop()
        removed, added = _changes(before)
        tables.update(model._meta.db_table for model in (*removed, *added))
        _made[key] = _Made({table: versions.get(table) for table in tables}, removed, added, pickle.dumps(result))
        return result

    return builder


def _models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model is not TableVersion]


def _changes(before: dict[type[Model], Rows]) -> tuple[dict[type[Model], list[str]], dict[type[Model], list[str]]]:
    """The keys of the rows that are gone or other than before, and the rows that are new or other."""
    removed, added = {}, {}
    for model, old in before.items():
        new = _rows(model)
        removed[model] = [key for key, row in old.items() if new.get(key) != row]
        added[model] = [row for key, row in new.items() if old.get(key) != row]
    return (
        {model: keys for model, keys in removed.items() if keys},
        {model: rows for model, rows in added.items() if rows},
    )


def _rows(model: type[Model]) -> Rows:
    table, columns = _names(model)
    literal = "quote" if connection.vendor == "sqlite" else "quote_literal"
    key = " || ' AND ' || ".join(
        f"'{connection.ops.quote_name(field.column)} = ' || {literal}({field.column})"
        for field in model._meta.pk_fields
    )
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            values = " || ',' || ".join(f"quote({column})" for column in columns)
            cursor.execute(f"SELECT {key}, {values} FROM {table}")
            return dict(cursor.fetchall())
        with cursor.copy(f"COPY (SELECT {key}, {', '.join(columns)} FROM {table}) TO STDOUT") as lines:
            return dict(line.split("\t", 1) for line in b"".join(lines).decode().split("\n") if line)


def _copy(made: _Made) -> None:
    with connection.cursor() as cursor:
        for model, keys in made.removed.items():
            table, _ = _names(model)
            cursor.execute(f"DELETE FROM {table} WHERE {' OR '.join(keys)}")
        for model, rows in made.added.items():
            table, columns = _names(model)
            into = f"{table} ({', '.join(columns)})"
            if connection.vendor == "sqlite":
                cursor.execute(f"INSERT INTO {into} VALUES ({'), ('.join(rows)})")
            else:
                with cursor.copy(f"COPY {into} FROM STDIN") as lines:
                    lines.write("\n".join(rows) + "\n")


def _names(model: type[Model]) -> tuple[str, list[str]]:
    """Table and columns of a model, quoted."""
    quote = connection.ops.quote_name
    return quote(model._meta.db_table), [
        quote(field.column) for field in model._meta.local_concrete_fields if field.column
    ]
