"""From the database to the columns of a rating period, frozen with a hash."""

import hashlib
from dataclasses import dataclass
from datetime import date

import numpy as np
from django.db import connection

from events.models import Game, Penalty, Section
from events.results import PLAYED, POINTS, Result
from events.states import State
from ratings.models import RatingList, RatingPeriod
from ratings.snapshot import Snapshot, read_raw, read_snapshot
from ratings.systems import chessa
from ratings.systems.base import Edition
from ratings.systems.chessa_columns import LISTS, Floats, Ints, PeriodColumns, day

RATED_STATES = (State.ACCEPTED, State.CALCULATED, State.PUBLISHED)


@dataclass(frozen=True, slots=True)
class Gathered:
    """A period's input. `players` (n,), `sections` (e,) are database ids, ascending and in the order of rating."""

    columns: PeriodColumns
    edition: Edition
    list_ids: tuple[int, ...]
    players: Ints
    sections: Ints
    regions: list[int | None]  # (n,)
    name_order: Ints  # (n,)
    published: Floats  # (4, n) before the period
    hash: str


def months_back(month: date, count: int) -> date:
    """The first day of the month that lies `count` months before."""
    months = month.year * 12 + month.month - 1 - count
    return date(months // 12, months % 12 + 1, 1)


def published_run_id(month: date) -> int | None:
    """The run that a month's published lists come from."""
    return RatingPeriod.objects.filter(month=month).values_list("published_run_id", flat=True).first()


def gather(period: RatingPeriod) -> Gathered:
    """Everything that the calculation of a period takes, in its fixed order.

    The sections are those accepted for the period, by end date; games by section, round and players.
    """
    edition = chessa.edition_for(period.calculated_on)
    list_ids = tuple(_list_ids())
    sections = list(
        Section.objects.filter(period=period, event__state__in=RATED_STATES)
        .order_by("ends", "pk")
        .values_list("pk", "ends", "base_minutes", "increment_seconds")
    )
    section_ids = np.array([row[0] for row in sections], dtype=np.int64)
    section_index = {row[0]: index for index, row in enumerate(sections)}
    games = _games(period, section_index, edition)
    penalties = sorted(
        (section_index[section], player, round_, float(points))
        for section, player, round_, points in Penalty.objects.filter(
            section_id__in=section_index, status=Penalty.Status.CONFIRMED
        ).values_list("section_id", "player_id", "round", "points")
    )
    named = {game[2] for game in games} | {game[3] for game in games} | {penalty[1] for penalty in penalties}
    named.discard(0)
    before = read_snapshot(
        published_run_id(months_back(period.month, 1)),
        list_ids,
        np.array(sorted(named), dtype=np.int64),
        edition["unrated_rating"],
        edition["window"],
    )
    columns = PeriodColumns(
        calculated_on=day(period.calculated_on),
        standings=before.standings,
        oldest=_oldest(period, list_ids, before, edition),
        event_ended=np.array([day(row[1]) for row in sections], dtype=np.int64),
        event_minutes=np.array([float(row[2] + row[3]) for row in sections]),
        event=np.array([game[0] for game in games], dtype=np.int64),
        white=_places(before.players, [game[2] for game in games]),
        black=_places(before.players, [game[3] for game in games]),
        white_score=np.array([game[4] for game in games], dtype=np.float64),
        guest=np.array([game[5] for game in games], dtype=np.float64),
        penalty_player=_places(before.players, [penalty[1] for penalty in penalties]),
        penalty_event=np.array([penalty[0] for penalty in penalties], dtype=np.int64),
        penalty_points=np.array([penalty[3] for penalty in penalties], dtype=np.float64),
    )
    regions, name_order = _regions_and_names(before.players)
    return Gathered(
        columns=columns,
        edition=edition,
        list_ids=list_ids,
        players=before.players,
        sections=section_ids,
        regions=regions,
        name_order=name_order,
        published=before.published,
        hash=_hash(columns, before.players, section_ids, edition),
    )


def _list_ids() -> list[int]:
    ids = dict(RatingList.objects.filter(code__in=LISTS).values_list("code", "pk"))
    return [ids[code] for code in LISTS]


def _games(
    period: RatingPeriod, section_index: dict[int, int], edition: Edition
) -> list[tuple[int, int, int, int, float, float]]:
    """(section index, round, white id or 0, black id or 0, White's score, guest's adjusted rating or nan), sorted."""
    games = []
    for section, round_, white, black, result, fide, performance in (
        Game.objects.filter(section__in=section_index, result__in=PLAYED)
        .order_by()
        .values_list(
            "section_id", "round", "white_id", "black_id", "result", "guest__fide_rating", "guest__performance"
        )
    ):
        guest = np.nan
        if white is None or black is None:
            guest = chessa.adjusted_fide(float(fide if fide is not None else performance), edition)
        games.append((section_index[section], round_, white or 0, black or 0, POINTS[Result(result)][0], guest))
    games.sort(key=lambda game: game[:4])
    return games


def _places(players: Ints, ids: list[int]) -> Ints:
    """Indices of players in the columns; -1 for id 0, an opponent who is not on the register."""
    wanted = np.array(ids, dtype=np.int64)
    return np.where(wanted == 0, -1, np.searchsorted(players, wanted))


def _oldest(period: RatingPeriod, list_ids: tuple[int, ...], before: Snapshot, edition: Edition) -> Floats:
    run_id = published_run_id(months_back(period.month, edition["window"]))
    if run_id is None:
        return np.full_like(before.standings.raw, edition["unrated_rating"])
    raw = read_raw(run_id, list_ids, before.players)
    return np.where(np.isnan(raw), edition["unrated_rating"], raw)


def _regions_and_names(players: Ints) -> tuple[list[int | None], Ints]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, region_id, folded_name FROM players_player")
        rows = {row[0]: row for row in cursor.fetchall()}
    chosen = [rows[player] for player in players.tolist()]
    order = sorted(range(len(chosen)), key=lambda index: (chosen[index][2], chosen[index][0]))
    name_order = np.empty(len(chosen), dtype=np.int64)
    name_order[order] = np.arange(len(chosen))
    return [row[1] for row in chosen], name_order


def _hash(columns: PeriodColumns, players: Ints, sections: Ints, edition: Edition) -> str:
    digest = hashlib.sha256(edition.name.encode())
    standings = columns.standings
    for array in (
        players,
        sections,
        np.array([columns.calculated_on]),
        *(getattr(standings, name) for name in standings.__dataclass_fields__),
        *(
            getattr(columns, name)
            for name in columns.__dataclass_fields__
            if name not in ("calculated_on", "standings")
        ),
    ):
        digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(str(array.shape).encode())
    return digest.hexdigest()
