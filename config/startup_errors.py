"""What stands in the way of a command, in one line with the mend."""

import errno

_ROOM = (errno.ENOSPC, errno.EDQUOT)
_RIGHTS = (errno.EACCES, errno.EPERM, errno.EROFS)


def startup_error(error: BaseException) -> str | None:
    """The line for an error that is no fault of the program; None for any other."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db import DatabaseError

    if isinstance(error, ImproperlyConfigured):
        return str(error)
    if isinstance(error, DatabaseError):
        return _database(error)
    if isinstance(error, OSError) and error.errno in (*_ROOM, *_RIGHTS):
        mend = "make room" if error.errno in _ROOM else "give the right to write there"
        return f"{error.filename or 'The disk'}: {error.strerror}. Please {mend}, or choose another folder with VAR_DIR"
    return None


def _database(error: Exception) -> str | None:
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    said = str(error).partition("\n")[0]
    if "disk is full" in said:
        return "The disk of the database is full. Make room, or choose another folder with VAR_DIR"
    connection.close()
    try:
        executor = MigrationExecutor(connection)
        behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as now:
        reason = str(now).partition("\n")[0]
        return (
            f"The database cannot be opened ({reason}). Start its server, or correct DATABASE_URL (without it: VAR_DIR)"
        )
    return "The database lacks tables or columns of this program: run “manage.py migrate” first" if behind else None
