"""One-line messages, with advice, for errors of the set-up that stop a command."""

import errno

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_PERMISSION = (errno.EACCES, errno.EPERM, errno.EROFS)


def startup_error(error: BaseException, command: str) -> str | None:
    """Return the message for an error of the set-up in a command; None for an error of the program."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db import DatabaseError

    if isinstance(error, ImproperlyConfigured):
        return str(error)
    if isinstance(error, DatabaseError):
        return _database(error, command)
    if isinstance(error, OSError) and error.errno in (*_DISK_FULL, *_NO_PERMISSION):
        advice = "make room" if error.errno in _DISK_FULL else "give the right to write there"
        return (
            f"{error.filename or 'The disk'}: {error.strerror}. Please {advice}, or choose another folder with VAR_DIR"
        )
    return None


def _database(error: Exception, command: str) -> str | None:
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    from config.outages import DISK, is_damaged, outage

    if is_damaged(error):
        return f"The database is damaged ({_reason(error)}). Restore a back-up of it: “restore --replace FILE”"
    gone = outage(error)
    if gone == DISK:
        return "The disk of the database is full. Make room, or choose another folder with VAR_DIR"
    connection.close()
    try:
        executor = MigrationExecutor(connection)
        behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as now:
        return (
            f"The database cannot be opened ({_reason(now)}). Start its server, or correct DATABASE_URL (without it:"
            " VAR_DIR)"
        )
    reason = _reason(error)
    lacks = "no such table" in reason  # which is an outage elsewhere
    if behind and command == "migrate" and (lacks or not gone):
        return (
            f"The tables are those of no release, or changed by hand ({reason}). Restore a back-up into a new database"
        )
    if behind:
        return "The database lacks tables or columns of this program: run “manage.py migrate” first"
    if gone:
        advice = "give the command again in some minutes, when what it had begun is free"
        return f"The database did not answer in between ({reason}). Nothing is kept by half: {advice}"
    return None


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0]
