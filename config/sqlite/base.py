"""Django's backend for SQLite; whether it has JSON is asked of a database in memory, which nobody else holds."""

import sqlite3
from contextlib import closing

from django.db.backends.sqlite3 import base, features


def has_json() -> bool:
    """Return whether the SQLite of this Python has its functions for JSON."""
    with closing(sqlite3.connect(":memory:")) as memory:
        try:
            memory.execute("""SELECT JSON('{"a": "b"}')""")
        except sqlite3.OperationalError:
            return False
    return True


class DatabaseFeatures(features.DatabaseFeatures):
    """What SQLite can do."""

    # Hazard: Django's own asks the bureau's database, takes the write lock for it, and where another process has this lock
    # keeps "no" for as long as the thread lives.
    supports_json_field = has_json()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite."""

    features_class = DatabaseFeatures
