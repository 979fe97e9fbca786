"""Rows that many tests begin with: made by the site's own operations once in a test process, and copied from then on.

Such builders may follow one another: what one has made is as good as an untouched table to the next.
"""

import functools
import itertools
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.db import connection
from django.db.models import Model

from config.models import OWN_MODELS
from config.table_versions import TablesRead, table_versions
from tests import prepared

Result = TypeVar("Result")
Rows = dict[str, str]  # the condition that names a row → its values, as the database writes them down
# What a table holds: the versions that the database gives it or, if a builder wrote to it last, what that began with.
State = list[str] | int | None


class _Made(NamedTuple):
    number: int
    begun_with: dict[str, State]  # the states of the tables that were read or written, before
    removed: dict[type[Model], list[str]]
    added: dict[type[Model], list[str]]
    result: bytes


_made: dict[object, list[_Made]] = {}
_MOST = 8  # of one builder with the same arguments: what tests begin with differs, but not without end
_written: dict[str, tuple[list[str] | None, int]] = {}  # table → its versions after a builder, and the builder's number
_numbers = itertools.count(1)
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
        states = _states()
        for made in _made.get(key, ()):
            if all(states.get(table) == state for table, state in made.begun_with.items()):
                _copy(made)
                _remember(made)
                for tables in _making:
                    tables.update(made.begun_with)
                copied: Result = pickle.loads(made.result)
                return copied
        others = _made.setdefault(key, [])
        if len(others) == _MOST:
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
        begun_with = {table: states.get(table) for table in tables}
        made = _Made(next(_numbers), begun_with, removed, added, pickle.dumps(result))
        others.append(made)
        _remember(made)
        return result

    return builder


def shared(name: str, make: Callable[[], object]) -> None:
    """Have the rows that `make` adds to untouched tables: made by the first of a run's test processes, copied by the others.

    For what takes so long that each process should not do it, as the demonstration.
    """
    here = []

    def fill(folder: Path) -> None:
        before = {model: _rows(model) for model in _models()}
        make()
        here.append(True)
        changes = [{model._meta.label: rows for model, rows in part.items()} for part in _changes(before)]
        (folder / "rows").write_bytes(pickle.dumps(changes))

    folder = prepared.once(f"{name}-{connection.vendor}", fill)
    if here:
        return
    removed, added = (
        {apps.get_model(label): rows for label, rows in part.items()}
        for part in pickle.loads((folder / "rows").read_bytes())
    )
    _copy(_Made(0, {}, removed, added, b""))
    if connection.vendor == "postgresql":  # keys go on after those of the rows, and never back
        with connection.cursor() as cursor:
            for model in added:
                table, _ = _names(model)
                cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, model._meta.pk.column])
                (sequence,) = cursor.fetchone()
                if sequence:
                    key = connection.ops.quote_name(model._meta.pk.column)
                    cursor.execute(f"SELECT setval(%s, GREATEST(nextval(%s), max({key}))) FROM {table}", [sequence] * 2)


def _states() -> dict[str, State]:
    versions = table_versions()
    return {
        table: _written[table][1] if table in _written and _written[table][0] == version else version
        for table, version in versions.items()
    }


def _remember(made: _Made) -> None:
    """Tell the tables of a builder's rows from any later ones, also from those after a rollback to a savepoint."""
    tables = {model._meta.db_table for model in (*made.removed, *made.added)}
    if connection.vendor == "postgresql" and tables:
        counters = ", ".join(f"set_config('table_version.{table}', '{made.number}000000000', true)" for table in tables)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {counters}")
    versions = table_versions()
    _written.update({table: (versions.get(table), made.number) for table in tables})


def _models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model not in OWN_MODELS]


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
