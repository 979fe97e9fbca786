"""How the published ratings of two runs differ."""

from collections import defaultdict
from typing import Any

from django.db import connection

from ratings.models import RatingRun

MOST = 10  # players of a list who are kept

# Of the players of both runs those whose ratings differ, then those whom only one of the runs has.
_CHANGED = """
    SELECT new.list_id, new.player_id, CAST(old.published AS double precision), CAST(new.published AS double precision),
           old.position, new.position
    FROM ratings_rating new
    LEFT JOIN ratings_rating old ON old.run_id = %s AND old.list_id = new.list_id AND old.player_id = new.player_id
    WHERE new.run_id = %s AND COALESCE(old.published, -1) <> COALESCE(new.published, -1)
    UNION ALL
    SELECT old.list_id, old.player_id, CAST(old.published AS double precision), NULL, old.position, NULL
    FROM ratings_rating old
    LEFT JOIN ratings_rating new ON new.run_id = %s AND new.list_id = old.list_id AND new.player_id = old.player_id
    WHERE old.run_id = %s AND new.run_id IS NULL AND old.published IS NOT NULL
"""


def differing(old: int, new: int) -> list[tuple[Any, ...]]:
    """Return list, player, old and new rating, old and new place of all whose published rating differs between two runs. One
    query. None: not on the list."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [old, new, new, old])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def against(former: RatingRun, run: RatingRun) -> dict[str, Any]:
    """Return how a run differs from the one that was calculated for its month before, to be kept with it.

    `run`: the number of the former; `lists`: by the key of a list how many ratings differ, and of the greatest differences
    player, old and new rating.
    """
    by_list: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in differing(former.pk, run.pk):
        by_list[row[0]].append(row[1:4])
    return {
        "run": former.pk,
        "lists": {
            str(key): {"count": len(rows), "greatest": [list(row) for row in sorted(rows, key=_by_size)[:MOST]]}
            for key, rows in by_list.items()
        },
    }


def _by_size(row: tuple[int, float | None, float | None]) -> tuple[float, int]:
    player, old, new = row
    size = float("inf") if old is None or new is None else abs(new - old)
    return -size, player
