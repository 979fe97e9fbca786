"""Database triggers that refuse to change or delete rows of the trail."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections, transaction

from accounts.models import Decision

REFUSAL = "decisions are only added, never changed or deleted"
_POSTGRESQL = """
CREATE OR REPLACE FUNCTION refuse_change_of_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('bureau.rewriting', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '{refusal}';
END $$;
CREATE OR REPLACE TRIGGER decisions_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_decisions()
"""
_SQLITE = """
CREATE TRIGGER IF NOT EXISTS decisions_only_added_{event} BEFORE {event} ON {table} BEGIN
    SELECT RAISE(ABORT, '{refusal}');
END
"""


# REPLACE fires no trigger of DELETE.
_SQLITE_REPLACE = """
CREATE TRIGGER IF NOT EXISTS decisions_only_added_replace BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id) BEGIN
    SELECT RAISE(ABORT, '{refusal}');
END
"""


def create_triggers(using: str) -> None:
    """Create the triggers where they lack.

    To be called after each `migrate`: on SQLite a migration that changes the table replaces it, which loses its triggers.
    """
    database, table = connections[using], Decision._meta.db_table
    with transaction.atomic(using), database.cursor() as cursor:
        if table not in database.introspection.table_names(cursor):
            return
        if database.vendor == "postgresql":
            cursor.execute(_POSTGRESQL.format(refusal=REFUSAL, table=table))
        else:
            for event in ("update", "delete"):
                cursor.execute(_SQLITE.format(refusal=REFUSAL, table=table, event=event))
            cursor.execute(_SQLITE_REPLACE.format(refusal=REFUSAL, table=table))


@contextmanager
def rewriting() -> Iterator[None]:
    """Let the caller's transaction change rows of the trail: at an erasure, when the words that name a person are replaced.
    Rows are neither added nor deleted by it."""
    database = transaction.get_connection()
    if not database.in_atomic_block:
        raise transaction.TransactionManagementError("the trail is rewritten within a transaction only")
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute("SELECT set_config('bureau.rewriting', 'on', true)")
        else:
            cursor.execute("DROP TRIGGER IF EXISTS decisions_only_added_update")
    yield
    if database.vendor == "postgresql":
        with database.cursor() as cursor:
            cursor.execute("SELECT set_config('bureau.rewriting', 'off', true)")
    else:
        create_triggers(database.alias)
