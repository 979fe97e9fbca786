"""Makes a database from a back-up, beside the one that is there, and puts it in its place when it is whole."""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.sql import emit_post_migrate_signal
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.utils import DatabaseError

from config.backup.archive import BackupError, Manifest, Reader, Table, reading
from config.backup.making import KEPT_FILES
from config.backup.values import from_json
from config.lib import formatting
from config.models import OWN_MODELS
from config.outages import DISK, outage
from config.services import folder, write_for_owner

# A database with rows in one of these has somebody's work in it.
_OF_WORK: Final = ("accounts_user", "players_player", "events_event", "ratings_ratingrun", "accounts_decision")
_SCHEMA, _REPLACED = "restoring", "replaced"
_HALF = ".restoring"  # the ending of a file that is not in its place yet
_AT_ONCE = 5000
_IN_USE = "the site is running, or something else is connected to the database: stop it first. Nothing was changed"
_TAKEN: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
Say = Callable[[str], None]


def restore_backup(
    path: Path, *, replace: bool, say: Say, before_replacing: Callable[[], None] | None = None
) -> Manifest:
    """Make the database and the kept files anew from a back-up, and bring it up to this release.

    `before_replacing` is called while the database that is given up is still there, and nobody else is connected to it.

    Raises BackupError, and changes nothing, if the back-up is damaged or of a later release, if somebody else is connected to
    the database, if there are rows in it that `replace` does not give up, or if the disk is full.
    """
    with reading(path) as backup:
        say(f"{path}: {backup.manifest.rows} rows, made {backup.manifest.made_at}; its checksums are right")
        with _told_if_full():
            _require_known(backup.manifest)
            _make_folder()
            if not replace and _holds_work():
                raise BackupError(
                    "the database is not empty: restore into an empty one, or give it up with --replace. Nothing was changed"
                )
            _require_alone()
            if replace and before_replacing is not None:
                before_replacing()
            with _only_restore(), files_beside(backup) as halves:
                if _can_be_filled(backup.manifest, replace=replace):
                    with transaction.atomic():
                        _load(backup, say)
                        _follow_migrations()
                else:
                    with _beside() as finish:
                        _make_tables_of(backup.manifest)
                        _load(backup, say)
                        _bring_up(say)
                        _follow_migrations()
                        finish()
                keep_files(halves)
        return backup.manifest


@contextmanager
def _told_if_full() -> Iterator[None]:
    try:
        yield
    except (DatabaseError, OSError) as error:
        if outage(error) != DISK:
            raise
        raise BackupError("the disk of the database is full: make room. Nothing was changed") from None


def _require_known(manifest: Manifest) -> None:
    known = MigrationLoader(None).disk_migrations
    unknown = [f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known]
    if unknown:
        raise BackupError(
            f"the back-up is of a later release, or of another program: this one does not know {unknown[0]}. Restore it with"
            " its own release. Nothing was changed"
        )


def _holds_work() -> bool:
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for table in there.intersection(_OF_WORK):
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return True
    return False


def _can_be_filled(manifest: Manifest, *, replace: bool) -> bool:
    """Return whether the database has the tables of the back-up's release, and no work; one that cannot be read is made anew
    if it is to be replaced."""
    try:
        return _has_tables_of(manifest) and not _holds_work()
    except DatabaseError:
        if not replace:
            raise
        return False


def _has_tables_of(manifest: Manifest) -> bool:
    """Return whether the database has the tables of the back-up's release already, which is this one."""
    executor = MigrationExecutor(connection)
    applied = set(executor.loader.applied_migrations)
    newest = executor.loader.graph.leaf_nodes()
    return applied == {(app, name) for app, name in manifest.migrations} and not executor.migration_plan(newest)


def _drop_version_triggers(tables: Iterable[str]) -> None:
    """Drop the triggers that SQLite would fire for each row; what follows migrations makes them again."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for table in tables:
                for event in ("INSERT", "UPDATE", "DELETE"):
                    cursor.execute(f'DROP TRIGGER IF EXISTS "new_table_version_{table}_{event}"')


def _require_alone() -> None:
    """Raise BackupError if another process is connected to the database."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend'"
            )
            if cursor.fetchone()[0]:
                raise BackupError(_IN_USE)
        return
    connection.close()
    _require_alone_in_file(Path(connection.settings_dict["NAME"]))


def _require_alone_in_file(place: Path) -> None:
    """Raise BackupError if anything has this file of SQLite open."""
    if place.exists():
        try:
            with contextlib.closing(sqlite3.connect(place, timeout=0, isolation_level=None)) as database:
                # It leaves its log of writes only if nobody else has it open.
                database.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.DatabaseError as error:  # of one that cannot be read nobody has a log
            if error.sqlite_errorname.startswith(_TAKEN):
                raise BackupError(_IN_USE) from None


@contextmanager
def _beside() -> Iterator[Callable[[], None]]:
    """Let Django work on a new database beside the present one; what is yielded puts it in the place of that."""
    with _beside_on_sqlite() if connection.vendor == "sqlite" else _beside_on_postgresql() as finish:
        yield finish


@contextmanager
def _beside_on_sqlite() -> Iterator[Callable[[], None]]:
    place = Path(connection.settings_dict["NAME"])
    new = place.with_name(f"{place.name}{_HALF}")
    _remove_sqlite(new)
    connection.close()
    connection.settings_dict["NAME"] = new

    def finish() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=DELETE")  # all is in the one file then
        connection.close()
        _require_alone_in_file(place)  # again: the site may have been started meanwhile
        for ending in ("-wal", "-shm"):
            place.with_name(place.name + ending).unlink(missing_ok=True)
        os.replace(new, place)

    try:
        yield finish
    finally:
        connection.close()
        connection.settings_dict["NAME"] = place
        _remove_sqlite(new)


@contextmanager
def _only_restore() -> Iterator[None]:
    """Hold the folder of kept files, and of the database if it is a file. Raises BackupError if another restore has it."""
    on_sqlite = connection.vendor == "sqlite"
    lock = os.open(Path(connection.settings_dict["NAME"]).parent if on_sqlite else settings.VAR_DIR, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError("another restore is under way: wait for its end. Nothing was changed") from None
        yield
    finally:
        os.close(lock)


def _remove_sqlite(place: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        place.with_name(place.name + ending).unlink(missing_ok=True)


@contextmanager
def _beside_on_postgresql() -> Iterator[Callable[[], None]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        present = connection.ops.quote_name(cursor.fetchone()[0])
        cursor.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE")
        cursor.execute(f"CREATE SCHEMA {_SCHEMA}")
    options = dict(connection.settings_dict["OPTIONS"])
    # Hazard: this connection is never closed: by it another restore, from whichever folder, sees that it is not alone.
    connection.settings_dict["OPTIONS"] = {**options, "options": f"-c search_path={_SCHEMA}"}
    with connection.cursor() as cursor:
        cursor.execute(f"SET search_path TO {_SCHEMA}")

    def finish() -> None:
        _require_alone()  # again: the site may have been started meanwhile
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"ALTER SCHEMA {present} RENAME TO {_REPLACED}")
            cursor.execute(f"ALTER SCHEMA {_SCHEMA} RENAME TO {present}")
            cursor.execute(f"DROP SCHEMA {_REPLACED} CASCADE")

    try:
        yield finish
    finally:
        connection.settings_dict["OPTIONS"] = options
        connection.close_if_unusable_or_obsolete()
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")
            cursor.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE")


def _load(backup: Reader, say: Say) -> None:
    """Fill the tables of the back-up's release, in one transaction. Raises BackupError."""
    manifest, place = backup.manifest, ""
    try:
        with transaction.atomic():
            _drop_version_triggers(manifest.tables)
            with connection.cursor() as cursor:
                there = set(connection.introspection.table_names(cursor)) - {
                    "django_migrations",
                    *(model._meta.db_table for model in OWN_MODELS),
                }
                for quoted in map(connection.ops.quote_name, sorted(there)):
                    # The trail refuses to be emptied even where there is nothing on it.
                    cursor.execute(f"SELECT 1 FROM {quoted} LIMIT 1")  # noqa: S608
                    if cursor.fetchone():
                        cursor.execute(f"DELETE FROM {quoted}")  # noqa: S608
            lacking = sorted(manifest.tables.keys() - there)
            if lacking:
                raise BackupError(f"the back-up is damaged: its release has no table {lacking[0]}. Nothing was changed")
            for name, table in manifest.tables.items():
                place = f", in {name}"
                count = _load_table(name, table, backup.rows(name))
                if count != table.rows:
                    raise BackupError(
                        f"the back-up is damaged: {name} has {count} rows instead of {table.rows}. Nothing was changed"
                    )
                if count:
                    say(f"{name}: {formatting.count(count, 'row')}")
            place = ""
    except (IntegrityError, DatabaseError, ValueError) as error:
        if outage(error) == DISK:
            raise
        raise BackupError(f"the back-up does not fit its release{place}: {error}. Nothing was changed") from None


def _make_tables_of(manifest: Manifest) -> None:
    """Apply the migrations of the back-up's release to a database without tables."""
    executor = MigrationExecutor(connection)
    applied = {(app, name) for app, name in manifest.migrations}
    squashed = executor.loader.replacements
    if all(applied.issuperset(migration.replaces) for migration in squashed.values()):
        applied |= squashed.keys()
    else:  # a release amid the steps that were squashed since
        applied -= squashed.keys()
        executor.loader = MigrationLoader(connection, replace_migrations=False)
    nodes = executor.loader.graph.node_map
    # The last of each app: whatever is named beside its successor would be taken back.
    last = [
        key
        for key in applied & nodes.keys()
        if not any(child.key[0] == key[0] and child.key in applied for child in nodes[key].children)
    ]
    executor.migrate(sorted(last))


def _bring_up(say: Say) -> None:
    """Apply the migrations since the back-up's release."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    newer = executor.migration_plan(newest)
    if newer:
        say(f"bringing it up to this release: {formatting.count(len(newer), 'migration')}")
        executor.migrate(newest)


def _load_table(name: str, table: Table, rows: Iterable[list[Any]]) -> int:
    converters = [
        (place, convert)
        for place, (_, kind) in enumerate(table.columns)
        if (convert := from_json(kind, connection.vendor)) is not None
    ]

    count = 0

    def converted() -> Iterator[list[Any]]:
        nonlocal count
        for row in rows:
            for place, convert in converters:
                if row[place] is not None:
                    row[place] = convert(row[place])
            count += 1
            yield row

    quote = connection.ops.quote_name
    columns = ", ".join(quote(column) for column, _ in table.columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {quote(name)} ({columns}) FROM STDIN") as copy:
                for row in converted():
                    copy.write_row(row)
            if table.last_key:
                cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quote(name), table.key])
                cursor.execute("SELECT setval(%s, %s)", [cursor.fetchone()[0], table.last_key])
        else:
            marks = ", ".join("?" * len(table.columns))
            # The connection itself: Django's cursor would rewrite the statement and copy every row.
            with connection.wrap_database_errors:
                connection.connection.executemany(
                    f"INSERT INTO {quote(name)} ({columns}) VALUES ({marks})",  # noqa: S608
                    converted(),
                )
            if table.last_key:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, table.last_key])
    return count


def _make_folder() -> None:
    try:
        folder(settings.VAR_DIR)
    except ImproperlyConfigured as error:
        raise BackupError(f"{error}. Nothing was changed") from None


def _follow_migrations() -> None:
    """Make triggers and permissions, before the database is in its place: whoever is killed leaves none without them."""
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)


@contextmanager
def files_beside(backup: Reader) -> Iterator[list[Path]]:
    """Write the kept files of a back-up, the key above all, beside those of the site, for its owner alone; `keep_files` puts
    them in their place. What is not kept is removed.

    Raises BackupError if they cannot be written.
    """
    _make_folder()
    halves = [settings.VAR_DIR / f"{name}{_HALF}" for name in backup.manifest.files if name in KEPT_FILES]
    try:
        for half in halves:
            try:
                half.unlink(missing_ok=True)
                write_for_owner(half, backup.file(half.name.removesuffix(_HALF)))
            except OSError as error:
                raise BackupError(f"{half} cannot be written: {error.strerror}. Nothing was changed") from None
        yield halves
    finally:
        for half in halves:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)


def keep_files(halves: Iterable[Path]) -> None:
    """Put files that stand whole beside their places there. A disk without room lets them be renamed."""
    for half in halves:
        half.replace(half.with_name(half.name.removesuffix(_HALF)))
