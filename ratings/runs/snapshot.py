"""A run's ratings in the database and as numpy columns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ratings.models import Performance, Rating, RunPerson
from ratings.runs.bulk_insert import insert_columns
from ratings.systems.chessa import PeriodResult
from ratings.systems.chessa.columns import LISTS, RECENT, Floats, Ints, StandingColumns

_FEW = 1000  # players that are asked for by name rather than with the whole list
# The five newest performances of a rating, as its `recent` field holds them.
RECENT_DTYPE = np.dtype([("performance", "<f8"), ("ended", "<i4"), ("kind", "<i4")])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run's standings: one column a player. `published` is (4, n), nan where unrated."""

    players: Ints  # (n,) ids, ascending
    standings: StandingColumns
    published: Floats


def empty_standings(players: int, unrated_rating: float, window: int) -> StandingColumns:
    """Return the standings of players none of whom has a rating; `window` is the number of raw ratings that are weighted."""
    shape = (len(LISTS), players)
    return StandingColumns(
        raw=np.full(shape, np.nan),
        highest=np.full(shape, np.nan),
        window_sum=np.full(shape, unrated_rating * window),
        window_weighted=np.full(shape, unrated_rating * window * (window + 1) / 2),
        pending_penalty=np.zeros(shape),
        recent_performance=np.full((*shape, RECENT), np.nan),
        recent_ended=np.zeros((*shape, RECENT), dtype=np.int64),
        recent_kind=np.full((*shape, RECENT), -1, dtype=np.int64),
    )


def read_snapshot(
    run_id: int | None,
    list_ids: Sequence[int],
    named: Ints,
    unrated_rating: float,
    window: int,
    *,
    whole: bool = True,
    left_out: Collection[int] = (),
) -> Snapshot:
    """Return the standings that a run wrote; those of the `named` players (ids) who are not in it are added as unrated.

    With `whole` False, only the named players'. No run: everybody is unrated. Who is merged into another player, or is
    `left_out`, has no standing.
    """
    rows = _select_ratings(run_id, list_ids, None if whole else named.tolist()) if run_id else []
    if left_out:
        rows = [row for row in rows if row[1] not in left_out]
    columns = list(zip(*rows, strict=True)) or [()] * 10
    row_players = np.array(columns[1], dtype=np.int64)
    players = np.union1d(row_players, named)
    standings = empty_standings(len(players), unrated_rating, window)
    published = np.full_like(standings.raw, np.nan)
    if rows:
        index_of = {list_id: index for index, list_id in enumerate(list_ids)}
        where = ([index_of[list_id] for list_id in columns[0]], np.searchsorted(players, row_players))
        for target, column in (
            (standings.raw, 2),
            (standings.highest, 3),
            (published, 4),
            (standings.window_sum, 5),
            (standings.window_weighted, 6),
            (standings.pending_penalty, 7),
        ):
            target[where] = np.array(columns[column], dtype=np.float64)
        recent = np.frombuffer(b"".join(columns[8]), dtype=RECENT_DTYPE).reshape(len(rows), RECENT)
        standings.recent_performance[where] = recent["performance"]
        standings.recent_ended[where] = recent["ended"]
        standings.recent_kind[where] = recent["kind"]
    return Snapshot(players, standings, published)


def _select_ratings(run_id: int, list_ids: Sequence[int], players: list[int] | None) -> list[tuple[Any, ...]]:
    numbers = ", ".join(
        f"CAST({name} AS double precision)"
        for name in ("raw", "highest", "published", "window_sum", "window_weighted", "pending_penalty")
    )
    marks = ", ".join(["%s"] * len(list_ids))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT list_id, player_id, {numbers}, recent FROM ratings_rating"  # noqa: S608
            f" WHERE run_id = %s AND list_id IN ({marks})"
            " AND player_id NOT IN (SELECT id FROM players_player WHERE merged_into_id IS NOT NULL)"
            + (f" AND player_id IN ({', '.join(['%s'] * len(players))})" if players else ""),
            [run_id, *list_ids, *(players or ())],
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def read_raw(run_id: int, list_ids: Sequence[int], players: Ints) -> Floats:
    """Return the raw ratings of a run for these players (ascending ids), (4, n); nan where there is none."""
    return _read_raw("ratings_rating WHERE raw IS NOT NULL AND run_id = %s", [run_id], list_ids, players)


def read_former_raw(run_id: int, month: date, list_ids: Sequence[int], players: Ints) -> Floats:
    """Return the raw ratings of a month before an opening balance that came with it, as `read_raw` does."""
    source = "ratings_formerrating WHERE run_id = %s AND month = %s"
    return _read_raw(source, [run_id, month.isoformat()], list_ids, players)


def _read_raw(source: str, keys: list[Any], list_ids: Sequence[int], players: Ints) -> Floats:
    ratings = np.full((len(list_ids), len(players)), np.nan)
    if len(players) < _FEW:
        return _read_few(source, keys, list_ids, players)
    with connection.cursor() as cursor:
        for index, list_id in enumerate(list_ids):
            cursor.execute(
                f"SELECT player_id, CAST(raw AS double precision) FROM {source} AND list_id = %s",  # noqa: S608
                [*keys, list_id],
            )
            rows = cursor.fetchall()
            if rows:
                ids, raw = zip(*rows, strict=True)
                place = np.searchsorted(players, np.array(ids, dtype=np.int64))
                inside = place < len(players)
                place[~inside] = 0
                inside &= players[place] == np.array(ids, dtype=np.int64)
                ratings[index, place[inside]] = np.array(raw, dtype=np.float64)[inside]
    return ratings


def _read_few(source: str, keys: list[Any], list_ids: Sequence[int], players: Ints) -> Floats:
    """Do what `_read_raw` does in one query, which names the players."""
    ratings = np.full((len(list_ids), len(players)), np.nan)
    places = {player: place for place, player in enumerate(players.tolist())}
    lists = {list_id: index for index, list_id in enumerate(list_ids)}
    if places:
        marks = ", ".join(["%s"] * len(lists)), ", ".join(["%s"] * len(places))
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT list_id, player_id, CAST(raw AS double precision) FROM {source}"  # noqa: S608
                f" AND list_id IN ({marks[0]}) AND player_id IN ({marks[1]})",
                [*keys, *lists, *places],
            )
            for list_id, player, raw in cursor.fetchall():
                ratings[lists[list_id], places[player]] = raw
    return ratings


def write_ratings(
    run_id: int,
    list_ids: Sequence[int],
    players: Ints,
    regions: Sequence[int | None],
    name_order: Ints,
    listed: NDArray[np.bool_],
    previous: Floats,
    result: PeriodResult,
) -> int:
    """Write a run's ratings, as `rating_columns` gives them. Returns how many."""
    columns = rating_columns(list_ids, players, regions, name_order, listed, previous, result)
    return insert_columns(Rating, {"run_id": [run_id] * len(columns["list_id"]), **columns})


def rating_columns(
    list_ids: Sequence[int],
    players: Ints,
    regions: Sequence[int | None],
    name_order: Ints,
    listed: NDArray[np.bool_],
    previous: Floats,
    result: PeriodResult,
) -> dict[str, list[Any]]:
    """Return the ratings by column of the database: a row for each player and list with a rating or a penalty that waits.

    `name_order` (n,) orders players of equal rating on the list; `listed` (n,): who has a place on it;
    `previous` (4, n): the published ratings before.
    """
    after = result.standings
    kept = result.rated | (after.pending_penalty > 0)
    list_index, player_index = np.nonzero(kept)
    rank, position = ranks(result.published, result.rated & listed, name_order)
    return {
        "list_id": np.asarray(list_ids)[list_index].tolist(),
        "player_id": players[player_index].tolist(),
        "region_id": [regions[index] for index in player_index.tolist()],
        "rank": [value or None for value in rank[kept].tolist()],
        "position": [value or None for value in position[kept].tolist()],
        "games": result.games[kept].tolist(),
        "k": result.k[kept].astype(np.int64).tolist(),
        "change": np.nan_to_num(result.change[kept]).tolist(),
        "weighted_performance": or_none(result.weighted_performance[kept]),
        "raw": or_none(after.raw[kept]),
        "weighted": or_none(result.weighted[kept]),
        "published": or_none(result.published[kept]),
        "previous": or_none(previous[kept]),
        "highest": or_none(after.highest[kept]),
        "pending_penalty": after.pending_penalty[kept].tolist(),
        "window_sum": after.window_sum[kept].tolist(),
        "window_weighted": after.window_weighted[kept].tolist(),
        "recent": packed_recent(after, kept),
    }


def packed_recent(standings: StandingColumns, kept: NDArray[np.bool_]) -> list[bytes]:
    """Return the newest performances of the kept places (4, n) as the `recent` field holds them."""
    recent = np.empty((*kept.shape, RECENT), dtype=RECENT_DTYPE)
    recent["performance"] = standings.recent_performance
    recent["ended"] = standings.recent_ended
    recent["kind"] = standings.recent_kind
    packed = recent[kept].tobytes()
    width = RECENT * RECENT_DTYPE.itemsize
    return [packed[start : start + width] for start in range(0, len(packed), width)]


def performance_columns(
    list_ids: Sequence[int], players: Ints, sections: Ints, result: PeriodResult
) -> dict[str, list[Any]]:
    """Return the performance of every player, section and list as columns of the table, without that of the run."""
    by_event = result.by_event
    return {
        "list_id": np.asarray(list_ids)[by_event.list_index].tolist(),
        "section_id": sections[by_event.event].tolist(),
        "player_id": players[by_event.player].tolist(),
        "games": by_event.games.tolist(),
        "score": by_event.score.tolist(),
        "expected": by_event.expected.tolist(),
        "average_opponent": by_event.average_opponent.tolist(),
        "performance": by_event.performance.tolist(),
        "change": by_event.change.tolist(),
    }


def write_performances(run_id: int, columns: dict[str, list[Any]]) -> int:
    """Write the performances of a run, given as columns. Returns how many."""
    return insert_columns(Performance, {"run_id": [run_id] * len(columns["list_id"]), **columns})


def write_people(run_id: int, people: Mapping[int, tuple[date | None, date, str]]) -> int:
    """Write what a run took from the register of those who played, (born, on the register since, number) by id. Returns how
    many."""
    return insert_columns(
        RunPerson,
        {
            "run_id": [run_id] * len(people),
            "player_id": list(people),
            "born": [born and born.isoformat() for born, _, _ in people.values()],
            "registered": [since.isoformat() for _, since, _ in people.values()],
            "number": [number for _, _, number in people.values()],
        },
    )


def ranks(published: Floats, rated: NDArray[np.bool_], name_order: Ints) -> tuple[Ints, Ints]:
    """Return rank and position, (4, n), from 1; 0 where unrated. Those with the same published rating share a rank."""
    rank, position = np.zeros(published.shape, dtype=np.int64), np.zeros(published.shape, dtype=np.int64)
    for index in range(len(published)):
        chosen = np.flatnonzero(rated[index])
        order = chosen[np.lexsort((name_order[chosen], -published[index, chosen]))]
        values = published[index, order]
        places = np.arange(1, len(order) + 1)
        first = np.concatenate(([True], values[1:] != values[:-1])) if len(order) else np.zeros(0, dtype=bool)
        position[index, order] = places
        rank[index, order] = np.maximum.accumulate(np.where(first, places, 0))
    return rank, position


def or_none(values: Floats) -> list[float | None]:
    """Return values with None for nan."""
    return [None if value != value else value for value in values.tolist()]
