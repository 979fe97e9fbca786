"""Tells a fault of what the bureau stands on, its database or disk, from a mistake of the program."""

import errno
from typing import Final

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

DATABASE, DISK, BUSY = "database", "disk", "busy"

# What is raised when the database is gone; the last one if it ended a session that hung amid a transaction.
GONE: Final = (OperationalError, InterfaceError, InternalError)
_FULL = ("disk is full", "no space left on device", "disk quota exceeded")
_SQLITE = (
    "database is locked",
    "unable to open database file",
    "disk i/o error",
    "attempt to write a readonly database",
    "no such table",  # the file is gone, as with its disk, and SQLite has begun an empty one
)
# What SQLite says where a full disk has no room for the memory that its connections share: a "disk I/O error".
_NO_ROOM = "SQLITE_IOERR_SHMSIZE"
# Of PostgreSQL: connections, resources, and what an operator or a stop of the server ended.
_CLASSES = ("08", "53", "57", "58")
_DISK_FULL = "53100"
# Of a standby, or one that its operator has closed; and what it says to a process that hung amid a transaction.
_TAKES_NO_WRITES, _ENDED_IDLE = "25006", "25P03"


# Rows or an index cannot be read any more, or the file is none of SQLite's: a back-up has to be restored.
_DAMAGED = ("XX001", "XX002")
_DAMAGED_ON_SQLITE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")

# Of two transactions that waited for one another PostgreSQL has ended this one, it cannot stand beside another, or it waited
# too long for a row that another has.
_CROSSED = ("40P01", "40001", "55P03")


# What is said of one of several rows, each with a transaction of its own, in which that happened.
CROSSED_ROW = "others were changing it at that moment, and it stays as it was. Choose it again."


def is_damaged(error: BaseException | None) -> bool:
    """Return whether a database says by an error that it is damaged."""
    cause = error.__cause__ if error else None
    name: str = getattr(cause, "sqlite_errorname", "")
    return name.startswith(_DAMAGED_ON_SQLITE) or getattr(cause, "sqlstate", None) in _DAMAGED


def outage(error: BaseException | None) -> str:
    """Return what is gone: `DATABASE` or `DISK`; `BUSY` if others were changing it at that moment; "" for any other error."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DISK
    cause = error.__cause__ if error else None
    if getattr(cause, "sqlstate", None) in (_TAKES_NO_WRITES, _ENDED_IDLE) or is_damaged(error):
        return DATABASE
    if not isinstance(error, OperationalError | InterfaceError):
        # Such as Django's MigrationSchemaMissing, raised where an outage was handled.
        return outage(error.__context__) if isinstance(error, DatabaseError) else ""
    text = str(error).lower()
    if any(words in text for words in _FULL):
        return DISK
    if getattr(cause, "sqlite_errorname", "") == _NO_ROOM:
        return DISK
    if type(cause).__module__.startswith("psycopg"):
        state: str | None = getattr(cause, "sqlstate", None)
        if state == _DISK_FULL:
            return DISK
        if state in _CROSSED:
            return BUSY
        return DATABASE if state is None or state.startswith(_CLASSES) else ""
    return DATABASE if any(words in text for words in _SQLITE) else ""
