"""Django's backend for SQLite. It takes the numbers that PostgreSQL's columns hold, and no others: a back-up of one is restored
in the other. Whether it has JSON is asked of a database in memory, which nobody else holds."""

import sqlite3
from contextlib import closing

from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.sqlite3 import base, features, operations


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


class DatabaseOperations(operations.DatabaseOperations):
    """What differs in the statements for SQLite."""

    def integer_field_range(self, internal_type: str) -> tuple[int, int]:
        """Return the least and the greatest number of a kind of field, where SQLite's columns hold any of 64 bits."""
        return BaseDatabaseOperations.integer_field_ranges[internal_type]


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite."""

    features_class = DatabaseFeatures
    ops_class = DatabaseOperations
