"""Reads the rows of a published list as they are sealed."""

import json
import zlib
from typing import Any

from django.db import connection

from ratings.seals.hashes import FIGURES, former_text, row_text

_FIRST_FIGURE = 5
_MOST_ROWS = 2_500_000  # of a list: 100,000 players, with two years of former months that an opening balance brought
_LONGEST_ROW = 2_000  # bytes, with its end; those of a national list have 360
_MOST_BYTES = 250_000_000  # of all rows of a list


def lists_of(run_id: int) -> list[int]:
    """Return the keys of the lists on which a run has rows, in ascending order. One query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT list_id FROM ratings_rating WHERE run_id = %s ORDER BY list_id", [run_id])
        return [row[0] for row in cursor.fetchall()]


def rows_of(run_id: int, list_id: int) -> list[str]:
    """Return the rows of a list as they are hashed, by the players' keys, then what an opening balance brought of former
    months. Two queries."""
    figures = ", ".join(map(figure_column, FIGURES))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT player_id, region_id, rank, position, games, {figures}, recent, standing FROM ratings_rating"  # noqa: S608
            " WHERE run_id = %s AND list_id = %s ORDER BY player_id",
            [run_id, list_id],
        )
        rows = [_row(row) for row in cursor.fetchall()]
        cursor.execute(
            f"SELECT player_id, month, {figure_column('raw')} FROM ratings_formerrating"  # noqa: S608
            " WHERE run_id = %s AND list_id = %s ORDER BY player_id, month",
            [run_id, list_id],
        )
        return rows + [former_text(player, _month(day), raw) for player, day, raw in cursor.fetchall()]


def figure_column(name: str) -> str:
    """Return the SQL of a column of figures as floats; of a text, which SQLite keeps, infinity: a cast reads its beginning."""
    figure = f"CAST({name} AS double precision)"
    if connection.vendor == "sqlite":
        return f"CASE WHEN typeof({name}) IN ('real', 'integer', 'null') THEN {figure} ELSE 9e999 END"
    return figure


def packed(rows: list[str]) -> bytes:
    """Return rows as a seal keeps them."""
    return zlib.compress("\n".join(rows).encode())


def unpacked(lines: bytes, rows: int) -> list[str]:
    """Return the rows that a seal keeps, of which it says how many there are: at most so many. Raises ValueError if they cannot
    be read, if something follows them, or if they are more.

    Hazard: a few kB unpack to gigabytes, and who can write them can write the number of rows, too.
    """
    if rows > _MOST_ROWS:
        raise ValueError(f"it is said that they are {rows}, and no list has more than {_MOST_ROWS}")
    reader, most = zlib.decompressobj(), min(rows * _LONGEST_ROW, _MOST_BYTES)
    try:
        text = reader.decompress(lines, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(text) > most or text.count(b"\n") >= rows:
        raise ValueError(f"they are more than {rows} rows can be")
    if not reader.eof or reader.unused_data:
        raise ValueError("they do not end with their last byte")
    return text.decode().split("\n")


def _month(day: Any) -> str:
    """Return a month, `2023-12`, for its first day; any other day, which none is written with, as it stands."""
    text = str(day)
    return text[:-3] if text.endswith("-01") else text


def _row(row: tuple[Any, ...]) -> str:
    *values, recent, standing = row
    return row_text(
        values[:_FIRST_FIGURE],
        values[_FIRST_FIGURE:],
        None if recent is None else bytes(recent),
        json.loads(standing) if isinstance(standing, str) else standing,
    )
