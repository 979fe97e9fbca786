"""Database functions that several apps use."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import FloatField, Model
from django.db.models.functions import Cast

LONGEST_CHANGE_REASON = 100  # characters that django-simple-history keeps of why a row was changed
_LOG_WAITS = 200  # milliseconds
WORK_SECONDS = 900  # that a task may take which holds a `work_lock`


def as_float(field: str) -> Cast:
    """Return the expression for a rating as a float: ten times as fast as a Decimal and exact enough to show."""
    return Cast(field, FloatField())


def lock_table(model: type[Model]) -> None:
    """Let no other transaction write to a table before this one ends; others read it meanwhile. On SQLite one writes at a time
    anyhow."""
    _lock_table_in("SHARE ROW EXCLUSIVE", model)


def wait_for_lock(model: type[Model]) -> None:
    """Wait for whoever has locked a table with `lock_table`, and have the next one wait for this transaction."""
    _lock_table_in("ROW EXCLUSIVE", model)


def _lock_table_in(mode: str, model: type[Model]) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(model._meta.db_table)} IN {mode} MODE")


def save_recorded(row: Model, *, at: datetime, by: Model | None) -> None:
    """Save a row that has a history, recording the moment and the actor of the change."""
    row._history_user = by  # type: ignore[attr-defined]
    row._history_date = at  # type: ignore[attr-defined]
    row.save()


def empty_log() -> None:
    """Have SQLite write what stands in its log to the database and empty the file, where what was deleted or written over
    since stays else. Not while somebody reads or writes, who is waited for a moment: then it is to be asked for again."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor, suppress(DatabaseError):
        waits = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        try:
            cursor.execute(f"PRAGMA busy_timeout = {_LOG_WAITS}")  # all who write wait as long
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {waits}")


def takes_writes() -> bool:
    """Return whether the database takes writes: a standby of PostgreSQL does not, nor one that its operator has closed."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone() == ("off",))


@contextmanager
def reading() -> Iterator[None]:
    """Have all that is read be of one moment, while others write. Within a transaction it is that one, as it is."""
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "sqlite":  # where a transaction would lock out all who write
        connection.ensure_connection()
        database: Any = connection
        mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            database.transaction_mode = mode
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with long_work():
            yield


@contextmanager
def long_work() -> Iterator[None]:
    """Let the transaction ask for nothing for WORK_SECONDS, as while a large file is read in it before any row is locked: else
    PostgreSQL ends it after two minutes, as that of a process that hangs (`config.services`)."""
    setting = "SET LOCAL idle_in_transaction_session_timeout = "
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        before = cursor.fetchone()[0]
        cursor.execute(f"{setting}'{WORK_SECONDS}s'")
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"{setting}'{before}'")


@contextmanager
def shared_wait(rows: int) -> Iterator[None]:
    """Have so many rows, each with a transaction of its own, wait no longer together for those that others have than one does
    in a request (`config.wsgi`)."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{max(10_000 // max(rows, 1), 50)}ms'")
    try:
        yield
    finally:
        with suppress(DatabaseError, InterfaceError), connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


@contextmanager
def work_lock(name: str) -> Iterator[bool]:
    """Hold the lock on a piece of work, and yield whether it could be had: without waiting for who has it. It ends with this
    process or its connection at the latest."""
    database: Any = connection
    if connection.vendor == "sqlite":
        if database.is_in_memory_db():  # which is this process's alone
            yield True
            return
        with (settings.VAR_DIR / f"{name}.lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [name])
        is_held = cursor.fetchone()[0]
    try:
        yield is_held
    finally:
        if is_held:
            with suppress(DatabaseError, InterfaceError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtext(%s))", [name])
