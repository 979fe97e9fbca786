"""Making a writer stand still at a chosen statement, so that the moment of a kill is no matter of luck.

A trigger of the database does it: it sleeps on PostgreSQL, and on SQLite, which cannot sleep, counts for some seconds.
"""

import contextlib
import sqlite3
import time

SECONDS = 120
_COUNT = "SELECT count(*) FROM players_player a, players_player b, players_player c WHERE a.id + b.id + c.id < 0"


@contextlib.contextmanager
def stalled(bureau, table):
    """While this lasts, a writer stops before it first inserts into the table or updates it."""
    with contextlib.closing(bureau.connect()) as connection:
        if bureau.kind == "servers":
            connection.execute(
                "CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN PERFORM pg_sleep({SECONDS}); RETURN NEW; END $$"
            )
            connection.execute(
                f"CREATE TRIGGER stall BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION stall()"
            )
        else:
            connection.execute(f"CREATE TRIGGER stall BEFORE INSERT ON {table} BEGIN {_COUNT}; END")
            connection.execute(f"CREATE TRIGGER stall_update BEFORE UPDATE ON {table} BEGIN {_COUNT}; END")
        yield
        if bureau.kind == "servers":
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE wait_event = 'PgSleep' AND datname = current_database()"
            )
            connection.execute(f"DROP TRIGGER stall ON {table}")
            connection.execute("DROP FUNCTION stall")
        else:
            connection.execute("DROP TRIGGER stall")
            connection.execute("DROP TRIGGER stall_update")


def wait_for_stall(bureau):
    """Wait until a writer stands still."""
    if bureau.kind == "servers":
        asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
        bureau.wait_until(asleep, {1})
        return
    since, deadline = time.monotonic(), time.monotonic() + 300
    # One connection for all questions: the last one to close would clear the database's journal away under the writer.
    with contextlib.closing(
        sqlite3.connect(bureau.folder / "bureau.sqlite3", timeout=0, isolation_level=None)
    ) as connection:
        while time.monotonic() - since < 1:  # a writer who is at work lets go of the database sooner
            assert time.monotonic() < deadline, (bureau.folder / "processes.log").read_text()
            time.sleep(0.02)
            if not _locked(connection):
                since = time.monotonic()


def _locked(connection):
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return True
    connection.execute("ROLLBACK")
    return False
