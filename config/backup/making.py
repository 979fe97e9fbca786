"""Makes a back-up of one moment while the site runs."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model

from config.backup.archive import BackupError, Manifest, Table, writing
from config.backup.values import KINDS, to_json
from config.lib.database import reading
from config.models import OWN_MODELS

KEPT_FILES: Final = ("secret_key",)  # of VAR_DIR
# What begins anew: who is logged in, and what the site keeps about itself.
LEFT_OUT: Final = frozenset({"django_session", *(model._meta.db_table for model in OWN_MODELS)})
_AT_ONCE, _FILES_AT_ONCE = 2000, 10  # rows that are in memory together; a file has up to 5 MB
Select = Callable[[str, int], Iterator[tuple[Any, ...]]]  # a statement, and how many of its rows at once


def make_backup(path: Path, *, at: datetime, say: Callable[[str], None]) -> Manifest:
    """Write all rows and the kept files into a new file. Raises BackupError if it cannot be written, or if the database
    lacks migrations. `say` gets a line for each table."""
    with _snapshot() as select:
        applied = [list(row) for row in select("SELECT app, name FROM django_migrations ORDER BY id", _AT_ONCE)]
        manifest = Manifest(at.isoformat(), connection.vendor, applied)
        with writing(path, manifest) as writer:
            for model in backed_up_models():
                name, fields = model._meta.db_table, _fields(model)
                table = Table([[field.column, kind_of(field)] for field in fields])
                key = model._meta.auto_field
                if key is not None and key.column is not None:
                    table.key, table.last_key = key.column, _last_key(select, name, key.column)
                writer.add_table(name, table, _rows(select, model, fields))
                say(f"{name}: {table.rows} rows")
            for file in KEPT_FILES:
                if (settings.VAR_DIR / file).exists():
                    writer.add_file(file, (settings.VAR_DIR / file).read_bytes())
                    say(f"{file}: kept")
    return manifest


def backed_up_models() -> list[type[Model]]:
    """Return the models whose tables belong into a back-up, by table."""
    models = {
        model._meta.db_table: model for model in apps.get_models(include_auto_created=True) if model._meta.managed
    }
    return [models[name] for name in sorted(models.keys() - LEFT_OUT)]


def kind_of(field: Any) -> str:
    """Return the kind of the values of a model's field. Raises BackupError for a field of a kind that is unknown."""
    while field.remote_field is not None:
        field = field.target_field
    try:
        return KINDS[field.get_internal_type()]
    except KeyError:
        raise BackupError(
            f"{field} has values of a kind that back-ups do not know: add it to config.backup.values"
        ) from None


def _fields(model: type[Model]) -> list[Any]:
    return [field for field in model._meta.local_concrete_fields if field.column is not None]


def _rows(select: Select, model: type[Model], fields: list[Any]) -> Iterator[list[Any]]:
    quote = connection.ops.quote_name
    columns, converters = [], []
    for place, field in enumerate(fields):
        kind, name = kind_of(field), quote(field.column)
        columns.append(f"CAST({name} AS double precision)" if kind == "decimal" else name)
        converter = to_json(kind)
        if converter is not None:
            converters.append((place, converter))
    at_once = _FILES_AT_ONCE if "bytes" in map(kind_of, fields) else _AT_ONCE
    for row in select(f"SELECT {', '.join(columns)} FROM {quote(model._meta.db_table)}", at_once):  # noqa: S608
        values = list(row)
        for place, converter in converters:
            if values[place] is not None:
                values[place] = converter(values[place])
        yield values


def _last_key(select: Select, table: str, column: str) -> int | None:
    """Return the last key that a table has given out by itself, which may be of a row that is gone."""
    if connection.vendor == "sqlite":
        found = list(select(f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'", 1))  # noqa: S608
        return (found[0][0] or None) if found else None
    name = next(select(f"SELECT pg_get_serial_sequence('\"{table}\"', '{column}')", 1))[0]
    last, is_given = next(select(f"SELECT last_value, is_called FROM {name}", 1))  # noqa: S608
    return last if is_given else None


@contextmanager
def _snapshot() -> Iterator[Select]:
    """Give what reads rows as of one moment; writers are not held up."""
    if connection.vendor == "sqlite":
        # Of its own: Django's begins by locking out all writers. The log of writes keeps the moment for it.
        place = f"file:{connection.settings_dict['NAME']}?mode=ro"
        with connection.wrap_database_errors, closing(sqlite3.connect(place, uri=True, timeout=20)) as database:
            database.execute("BEGIN")
            yield lambda sql, at_once: iter(database.execute(sql))
        return
    with reading():
        yield _streamed


def _streamed(sql: str, at_once: int) -> Iterator[tuple[Any, ...]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql)
        while rows := cursor.fetchmany(at_once):
            yield from rows


def missing_migrations() -> list[str]:
    """Return the migrations of this release that the database lacks."""
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(connection)
    return sorted(f"{app}.{name}" for app, name in loader.graph.nodes.keys() - loader.applied_migrations.keys())
