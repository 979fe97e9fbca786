"""Database triggers that refuse to change or delete rows of the trail."""

from django.db import connections, transaction

from accounts.models import Decision

REFUSAL = "decisions are only added, never changed or deleted"
_POSTGRESQL = """
CREATE OR REPLACE FUNCTION refuse_change_of_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
