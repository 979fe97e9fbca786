"""Many rows of what a list says into the database at once: COPY on PostgreSQL, one prepared statement on SQLite."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def copy_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows into a model's table. `columns`: by their name in the database. Signals and `save()` are passed over.

    Values are as `get_db_prep_save` of their fields gives them; a day may be the text YYYY-MM-DD, JSON is its text.
    """
    quote = connection.ops.quote_name
    table, listed = quote(model._meta.db_table), ", ".join(map(quote, columns))
    with connection.cursor() as cursor, connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({listed}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["?"] * len(columns))
            # The connection itself: Django's cursor would rewrite the statement and copy every row.
            connection.connection.executemany(f"INSERT INTO {table} ({listed}) VALUES ({marks})", rows)  # noqa: S608
