"""Database triggers that give a table a new version with every write, whether by the ORM, in bulk, by COPY or by hand.

The version changes in the transaction that writes, so readers see the new version and the new rows at one moment.
PostgreSQL: a trigger for each statement. The first write of a transaction to a table puts its version into a row of that table
that no open transaction has locked, or adds one. So writers never wait for each other, as they would for a counter, and there
are only as many rows as transactions at a time. Further writes only increase a setting of the transaction, which the
transaction itself reads as part of the version. A statement that changes no row makes a new version too.
SQLite: a trigger for each row, since it has no other; each draws a random version. There is one writer at a time. Who inserts
thousands of rows at once does so in `without_row_triggers`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.db import connection, connections, transaction
from django.db.backends.utils import CursorWrapper

from config.models import OWN_MODELS, TableVersion

_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION new_table_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counter text := 'table_version.' || TG_TABLE_NAME;
    statements bigint := coalesce(nullif(current_setting(counter, true), ''), '0');
    present text := pg_current_xact_id() || ' ' || transaction_timestamp();
BEGIN
    IF statements = 0 THEN
        UPDATE config_tableversion SET version = present WHERE id = (
            SELECT id FROM config_tableversion WHERE table_name = TG_TABLE_NAME ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
        );
        IF NOT FOUND THEN
            INSERT INTO config_tableversion (table_name, version) VALUES (TG_TABLE_NAME, present);
        END IF;
    END IF;
    PERFORM set_config(counter, (statements + 1)::text, true);
    RETURN NULL;
END $$
"""
_POSTGRESQL_TRIGGER = """
CREATE TRIGGER new_table_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "{table}"
FOR EACH STATEMENT EXECUTE FUNCTION new_table_version()
"""
_WRITES = ("INSERT", "UPDATE", "DELETE")
_SQLITE_TRIGGER = """
CREATE TRIGGER "new_table_version_{table}_{event}" AFTER {event} ON "{table}" BEGIN
    UPDATE config_tableversion SET version = hex(randomblob(8)) WHERE table_name = '{table}';
END
"""
_TABLES_WITH_TRIGGERS = {
    "postgresql": (
        "SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname = 'new_table_version'"
        " AND relnamespace = quote_ident(current_schema())::regnamespace"  # a back-up is restored into a schema beside
    ),
    "sqlite": "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'new_table_version_%'",
}
_VERSIONS = {
    "postgresql": (
        "SELECT table_name, concat(version, ' ', current_setting('table_version.' || table_name, true))"
        " FROM config_tableversion ORDER BY id"
    ),
    "sqlite": "SELECT table_name, version FROM config_tableversion",
}


def model_tables() -> list[str]:
    """Return the tables of all models but OWN_MODELS, in alphabetical order."""
    models = apps.get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models if model._meta.managed and model not in OWN_MODELS})


@lru_cache(maxsize=1)
def all_tables() -> tuple[str, ...]:
    """Return the tables of all models, asked for once a process."""
    return tuple(model_tables())


class TablesRead(set[str]):
    """The tables of models that queries name, collected as a wrapper for `connection.execute_wrapper`."""

    def __call__(self, execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        """Add the tables of a query, then execute it."""
        self.update(_tables_in(sql))
        return execute(sql, *args)


@lru_cache(maxsize=512)
def _tables_in(sql: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sql)).intersection(all_tables())


def create_triggers(using: str) -> None:
    """Create the triggers on tables that lack them, with a new version, and a version for tables that lack one.

    To be called after each `migrate`: a migration creates tables, and on SQLite it replaces those that it changes, which loses
    their triggers.
    """
    database = connections[using]
    versions = TableVersion.objects.using(using)
    with transaction.atomic(using), database.cursor() as cursor:
        existing = set(database.introspection.table_names(cursor))
        if TableVersion._meta.db_table not in existing:
            return
        cursor.execute(_TABLES_WITH_TRIGGERS[database.vendor])
        with_triggers = {row[0] for row in cursor.fetchall()}
        tables = [table for table in model_tables() if table in existing]
        without = [table for table in tables if table not in with_triggers]
        if database.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_FUNCTION)
            for table in without:
                cursor.execute(_POSTGRESQL_TRIGGER.format(table=table))
        else:
            for table in without:
                _create_row_triggers(cursor, table)
        versions.filter(table_name__in=without).delete()
        known = set(versions.values_list("table_name", flat=True))
        versions.bulk_create(
            TableVersion(table_name=table, version=uuid4().hex) for table in tables if table not in known
        )


def _create_row_triggers(cursor: CursorWrapper, table: str) -> None:
    for event in _WRITES:
        cursor.execute(_SQLITE_TRIGGER.format(table=table, event=event))


@contextmanager
def without_row_triggers(table: str) -> Iterator[None]:
    """On SQLite, give a table one new version for all that is written to it meanwhile, which is one transaction."""
    if connection.vendor != "sqlite":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for event in _WRITES:
            cursor.execute(f'DROP TRIGGER "new_table_version_{table}_{event}"')
        yield
        _create_row_triggers(cursor, table)
        TableVersion.objects.filter(table_name=table).update(version=uuid4().hex)


def table_versions() -> dict[str, list[str]]:
    """Return the present version of each table: the texts of its rows, more than one on PostgreSQL. One query."""
    versions: defaultdict[str, list[str]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_VERSIONS[connection.vendor])
        for table, version in cursor.fetchall():
            versions[table].append(version)
    return dict(versions)
