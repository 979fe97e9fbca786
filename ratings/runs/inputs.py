"""From the database to the columns of a rating period, frozen with a hash."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from config.kept_reads import kept
from config.lib.days import middle_of_year, months_back
from config.lib.editions import Edition
from events.models import Penalty, RatingPeriod, Section
from events.rules.game_result import PLAYED, POINTS
from events.rules.states import ACCEPTED_OR_LATER
from events.rules.time_controls import minutes
from players.models import Player
from ratings.models import Adjustment, RatingList, RatingRun, RunPerson, System
from ratings.runs.snapshot import Snapshot, read_former_raw, read_raw, read_snapshot
from ratings.systems import chessa
from ratings.systems.adapters import ADAPTERS
from ratings.systems.chessa.columns import LISTS, Floats, Ints, PeriodColumns, day

# Born, in the middle of the year where only that is known; on the register since; number, "" in runs that kept none.
Registered = tuple[date | None, date, str]


@dataclass(frozen=True, slots=True)
class Games:
    """The played games (g,), by section, round and players; ids are 0 where the opponent is not on the register."""

    event: Ints
    round: Ints
    white: Ints
    black: Ints
    white_score: Floats
    guest: Floats  # rating abroad of the opponent who is not on the register, not adjusted; nan: both are
    by_performance: NDArray[np.bool_]  # that rating is a performance, for want of a FIDE rating (article 10.2)


@dataclass(frozen=True, slots=True)
class AmendedRegister:
    """What a re-rating will change in the register: ids of players who are merged into others, and the region and the folded
    name of those who take over what the others had."""

    merged: frozenset[int] = frozenset()
    players: Mapping[int, tuple[int | None, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PeriodInput:
    """What is to be rated, and from which published runs: all that a recalculation depends on.

    `hash`: of all on which Chess SA's four lists depend; `list_hashes`: id as text → hash of all on which a list of another
    system depends. So a new list changes nothing for those that are there.
    """

    edition: Edition
    calculated_on: date
    previous_run: int | None
    oldest_run: int | None  # its raw ratings leave the window now
    sections: Ints  # (e,) ids in the order of rating
    section_ended: Ints
    section_minutes: Floats
    games: Games
    penalties: list[tuple[int, int, int, float]]  # section index, player id, round, points
    adjustments: list[tuple[int, int, float]]  # player id, list id, points (article 64)
    lists: list[tuple[Any, ...]]  # definitions of the lists of other systems
    people: dict[int, Registered]  # who played, by id, where there are such lists
    hash: str
    list_hashes: dict[str, str]
    # An opening balance, and the month before it whose raw ratings, brought with it, leave the window now.
    former: tuple[int, date] | None = None
    register: AmendedRegister = field(default_factory=AmendedRegister)

    @property
    def ages_by_day(self) -> bool:
        """Whether the month was published when ages still counted days, and no numbers were kept: what depends on an age is
        recomputed with years only."""
        return any(not number for _, _, number in self.people.values())

    def is_of(self, run: RatingRun) -> bool:
        """Return whether a run was calculated from this input, on every list."""
        return (self.hash, self.list_hashes) == (run.input_hash, run.list_hashes)

    def changed_lists(self, run: RatingRun) -> list[int]:
        """Return ids of the lists of other systems that a run was calculated for, and from something else: other rules, or
        another register. Of months whose ages counted days, which no release does since, only those that use no age."""
        return [
            int(definition[0])
            for definition in self.lists
            if run.list_hashes.get(key := str(definition[0]), self.list_hashes[key]) != self.list_hashes[key]
            and not (self.ages_by_day and ADAPTERS[definition[1]].uses_age)
        ]


@dataclass(frozen=True, slots=True)
class RunInput:
    """A period's input as columns. `players` (n,) are database ids, ascending."""

    columns: PeriodColumns
    input: PeriodInput
    list_ids: tuple[int, ...]
    players: Ints
    regions: list[int | None]  # (n,)
    name_order: Ints  # (n,)
    listed: NDArray[np.bool_]  # (n,) not died before the day of calculation: only they have a place on the lists
    published: Floats  # (4, n) before the period


def published_run_id(month: date) -> int | None:
    """Return the run that a month's published lists come from; None for a former bureau's list, which is shown, not used."""
    return _published_runs(month).get(month)


def _published_runs(*months: date) -> dict[date, int | None]:
    """Return the runs of `published_run_id` by month. One query."""
    periods = RatingPeriod.objects.filter(month__in=months).exclude(publication__run__kind=RatingRun.Kind.HISTORY)
    return dict(periods.values_list("month", "publication__run"))


def _former(month: date) -> tuple[int, date] | None:
    """Return the opening balance after a month, as `PeriodInput.former` has it. One query."""
    runs = RatingRun.objects.filter(kind=RatingRun.Kind.OPENING, publication__isnull=False, period__month__gt=month)
    run = runs.values_list("pk", flat=True).first()
    return None if run is None else (run, month)


def read_input(period: RatingPeriod, players: Collection[int] = ()) -> PeriodInput:
    """Return the sections accepted for a period, their played games and confirmed penalties, and its adjustments, in their
    fixed order, after the runs that are published.

    Sections by end date; games by section, round and players. With `players`, only their games, penalties and adjustments.
    """
    alone = read_alone(period, players)
    before, oldest = months_back(period.month, 1), months_back(period.month, alone.edition["window"])
    runs = _published_runs(before, oldest)
    return following(alone, runs.get(before), runs.get(oldest))


def read_alone(period: RatingPeriod, players: Collection[int] = (), beside: Collection[int] = ()) -> PeriodInput:
    """Return what `read_input` returns, but for the runs that the period follows, and the hashes that depend on them.

    `beside`: ids of sections that are not accepted, as if they were; for them the period need not be saved.
    """
    edition = chessa.edition_for(period.calculated_on)
    rows = list(
        Section.objects.filter(Q(period__month=period.month, event__state__in=ACCEPTED_OR_LATER) | Q(pk__in=beside))
        .order_by("ends", "pk")
        .values_list("pk", "ends", "base_minutes", "increment_seconds")
    )
    sections = np.array([row[0] for row in rows], dtype=np.int64)
    section_index = {row[0]: index for index, row in enumerate(rows)}
    penalties = sorted(
        (section_index[section], fined, round_, float(points))
        for section, fined, round_, points in Penalty.objects.filter(
            Q(section__period__month=period.month) | Q(section__in=beside), status=Penalty.Status.CONFIRMED
        ).values_list("section_id", "player_id", "round", "points")
        if section in section_index and (not players or fined in players)
    )
    games, lists = _games(period, sections, players, beside), _lists()
    return PeriodInput(
        edition=edition,
        calculated_on=period.calculated_on,
        previous_run=None,
        oldest_run=None,
        sections=sections,
        section_ended=np.array([day(row[1]) for row in rows], dtype=np.int64),
        section_minutes=np.array([minutes(row[2], row[3], edition) for row in rows], dtype=np.float64),
        games=games,
        penalties=penalties,
        adjustments=_adjustments(period, players),
        lists=lists,
        people=_people(period, games) if lists and not players else {},
        hash="",
        list_hashes={},
        former=_former(months_back(period.month, edition["window"])),
    )


def _adjustments(period: RatingPeriod, players: Collection[int]) -> list[tuple[int, int, float]]:
    if period.pk not in kept(_adjusted_periods):
        return []
    rows = Adjustment.objects.filter(Adjustment.IN_FORCE, period=period)
    if players:
        rows = rows.filter(player__in=players)
    ordered = rows.order_by("player_id", "list_id", "pk").values_list("player_id", "list_id", "points")
    return [(adjusted, list_id, float(points)) for adjusted, list_id, points in ordered]


def _adjusted_periods() -> frozenset[int]:
    return frozenset(
        Adjustment.objects.filter(Adjustment.IN_FORCE).order_by().values_list("period_id", flat=True).distinct()
    )


def following(period_input: PeriodInput, previous_run: int | None, oldest_run: int | None) -> PeriodInput:
    """Return a period's input after these runs, with its hashes."""
    placed = replace(period_input, previous_run=previous_run, oldest_run=oldest_run)
    digest = _hash(placed)
    of_lists = {str(definition[0]): _list_hash(definition, placed.people, digest) for definition in placed.lists}
    return replace(placed, hash=digest, list_hashes=of_lists)


def _lists() -> list[tuple[Any, ...]]:
    return list(
        RatingList.objects.exclude(system=System.CHESSA)
        .order_by("position")
        .values_list(
            "pk", "system", "edition", "counts_standard", "counts_rapid", "counts_blitz", "starts_from", named=True
        )
    )


def _people(period: RatingPeriod, games: Games) -> dict[int, Registered]:
    """Return the people who played, from the period's published run, and who is not in it from the register."""
    ids = np.unique(np.concatenate((games.white, games.black))).tolist()
    kept: dict[int, Registered] = {}
    if period.state == RatingPeriod.State.PUBLISHED:
        rows = RunPerson.objects.filter(run__publication__period=period)
        fields = rows.values_list("player_id", "born", "registered", "number")
        kept = {player: (born, since, number) for player, born, since, number in fields}
    people = kept | read_people([player for player in ids if player not in kept])
    return {player: people[player] for player in ids if player in people}


def read_people(players: Sequence[int]) -> dict[int, Registered]:
    """Return player → (birth date, day of registration, number); of a year of birth alone its middle is taken."""
    rows = Player.objects.filter(pk__in=players).order_by("pk")
    return dict(as_registered(rows))


def as_registered(rows: QuerySet[Any]) -> Iterator[tuple[int, Registered]]:
    """Yield, of rows of the register or of its history, key and what a run takes from them. One query."""
    fields = rows.values_list("id", "birth_date", "birth_year", "registered_at", "number")
    for key, born, year, since, number in fields:
        yield key, (born or (middle_of_year(year) if year else None), since.date(), number)


def read_run_input(period: RatingPeriod) -> RunInput:
    """Return the input of a period's calculation, with the players' standings before it."""
    return with_standings(period, read_input(period))


def read_player_input(period: RatingPeriod, player: int) -> RunInput:
    """Return the input for one player: his games, himself and his opponents. It yields the figures of the run."""
    return with_standings(period, read_input(period, (player,)), whole=False, extra=(player,))


def with_standings(
    period: RatingPeriod, period_input: PeriodInput, *, whole: bool = True, extra: tuple[int, ...] = ()
) -> RunInput:
    """Return a period's input as columns, with the players' standings before it: everybody's, or with `whole` False those
    of who played, and of the `extra` players."""
    edition, games = period_input.edition, period_input.games
    list_ids = tuple(national_list_ids())
    fined = np.array([penalty[1] for penalty in period_input.penalties], dtype=np.int64)
    adjusted = np.array([adjustment[0] for adjustment in period_input.adjustments], dtype=np.int64)
    named = np.unique(np.concatenate((games.white, games.black, fined, adjusted, np.array(extra, dtype=np.int64))))
    named = named[named > 0]
    before = read_snapshot(
        period_input.previous_run,
        list_ids,
        named,
        edition["unrated_rating"],
        edition["window"],
        whole=whole,
        left_out=period_input.register.merged,
    )
    columns = PeriodColumns(
        calculated_on=day(period.calculated_on),
        standings=before.standings,
        oldest=_oldest(period_input, list_ids, before),
        event_ended=period_input.section_ended,
        event_minutes=period_input.section_minutes,
        event=games.event,
        white=_places(before.players, games.white),
        black=_places(before.players, games.black),
        white_score=games.white_score,
        guest=np.array([chessa.adjusted_fide(rating, edition) for rating in games.guest.tolist()], dtype=np.float64),
        penalty_player=_places(before.players, fined),
        penalty_event=np.array([penalty[0] for penalty in period_input.penalties], dtype=np.int64),
        penalty_points=np.array([penalty[3] for penalty in period_input.penalties], dtype=np.float64),
        adjusted_player=_places(before.players, adjusted),
        adjusted_list=np.array([list_ids.index(row[1]) for row in period_input.adjustments], dtype=np.int64),
        adjusted_points=np.array([row[2] for row in period_input.adjustments], dtype=np.float64),
    )
    regions, name_order, listed = _of_register(before.players, period_input, whole=whole)
    return RunInput(columns, period_input, list_ids, before.players, regions, name_order, listed, before.published)


def national_list_ids() -> list[int]:
    """Return the ids of the regulations' own lists (article 24), in the order of `LISTS`. One query."""
    ids = dict(RatingList.objects.filter(system=System.CHESSA, code__in=LISTS).values_list("code", "pk"))
    return [ids[code] for code in LISTS]


def _games(
    period: RatingPeriod, section_ids: Ints, players: Collection[int] = (), beside: Collection[int] = ()
) -> Games:
    scores = " ".join(f"WHEN '{result}' THEN {POINTS[result][0]}" for result in sorted(PLAYED))
    listed = ", ".join(f"'{result}'" for result in sorted(PLAYED))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game.section_id, round, COALESCE(white_id, 0), COALESCE(black_id, 0),"  # noqa: S608
            f" CAST(CASE result {scores} END AS double precision), COALESCE(guest.fide_rating, guest.performance),"
            " CASE WHEN guest.id IS NOT NULL AND guest.fide_rating IS NULL THEN 1 ELSE 0 END"
            " FROM events_game game"
            " JOIN events_section section ON section.id = game.section_id"
            " LEFT JOIN events_guest guest ON guest.id = game.guest_id"
            f" WHERE (section.period_id = %s OR section.id IN ({_marks(beside)})) AND result IN ({listed})"
            + (f" AND (white_id IN ({_marks(players)}) OR black_id IN ({_marks(players)}))" if players else ""),
            [period.pk, *beside, *players, *players],
        )
        rows = cursor.fetchall()
    columns = list(zip(*rows, strict=True)) or [()] * 7
    section, round_, white, black = (np.array(column, dtype=np.int64) for column in columns[:4])
    score = np.array(columns[4], dtype=np.float64)
    guest = np.array([np.nan if rating is None else rating for rating in columns[5]], dtype=np.float64)
    by_performance = np.array(columns[6], dtype=np.bool_)
    order_of_ids = np.argsort(section_ids)
    place = np.searchsorted(section_ids, section, sorter=order_of_ids)
    event = order_of_ids[np.minimum(place, len(section_ids) - 1)] if len(section_ids) else np.zeros_like(section)
    # A section of the period that is not accepted (any more) is not in `section_ids`.
    rated = section_ids[event] == section if len(section_ids) else np.zeros(len(section), dtype=bool)
    order = np.lexsort((black, white, round_, event))
    order = order[rated[order]]
    return Games(
        event[order], round_[order], white[order], black[order], score[order], guest[order], by_performance[order]
    )


def _marks(values: Collection[int]) -> str:
    """Return the placeholders of values in SQL; `NULL`, which no column equals, without any."""
    return ", ".join(["%s"] * len(values)) or "NULL"


def _places(players: Ints, ids: Ints) -> Ints:
    """Return indices of players in the columns; -1 for id 0, an opponent who is not on the register."""
    return np.where(ids == 0, -1, np.searchsorted(players, ids))


def _oldest(period_input: PeriodInput, list_ids: tuple[int, ...], before: Snapshot) -> Floats:
    unrated = period_input.edition["unrated_rating"]
    if period_input.former is not None:
        raw = read_former_raw(*period_input.former, list_ids, before.players)
    elif period_input.oldest_run is not None:
        raw = read_raw(period_input.oldest_run, list_ids, before.players)
    else:
        return np.full_like(before.standings.raw, unrated)
    return np.where(np.isnan(raw), unrated, raw)


def is_listed(died_on: date | None, calculated_on: date) -> bool:
    """Return whether a player has a place on the lists that count from a day: not if he died before it."""
    return died_on is None or died_on >= calculated_on


def _of_register(
    players: Ints, period_input: PeriodInput, *, whole: bool
) -> tuple[list[int | None], Ints, NDArray[np.bool_]]:
    known = Player.objects.values_list("pk", "region_id", "folded_name", "died_on")
    rows: dict[int, tuple[int, int | None, str, date | None]] = {
        row[0]: row for row in (known if whole else known.filter(pk__in=players.tolist())).order_by()
    }
    amended = period_input.register.players.items()
    rows |= {player: (player, *values, rows[player][3]) for player, values in amended if player in rows}
    chosen = [rows[player] for player in players.tolist()]
    order = sorted(range(len(chosen)), key=lambda index: (chosen[index][2], chosen[index][0]))
    name_order = np.empty(len(chosen), dtype=np.int64)
    name_order[order] = np.arange(len(chosen))
    listed = np.array([is_listed(row[3], period_input.calculated_on) for row in chosen], dtype=np.bool_)
    return [row[1] for row in chosen], name_order, listed


def _list_hash(definition: tuple[Any, ...], people: dict[int, Registered], games: str) -> str:
    return hashlib.sha256(repr((tuple(definition), people, games)).encode()).hexdigest()


def _hash(period_input: PeriodInput) -> str:
    """Return the hash of an input without the lists of other systems.

    Published runs never change, so that their numbers stand for their figures. Hazard: seals hold it. Hashed in another form,
    or with other parts, `verify` would find every month that was published before to be changed.
    """
    games = period_input.games
    digest = hashlib.sha256(
        repr(
            (
                period_input.edition.name,
                period_input.previous_run,
                period_input.oldest_run,
                period_input.penalties,
                *(
                    [period_input.former] if period_input.former else []
                ),  # months without one keep the hash that they had
                *([("adjustments", period_input.adjustments)] if period_input.adjustments else []),  # so do they here
            )
        ).encode()
    )
    for array in (
        period_input.sections, period_input.section_ended, period_input.section_minutes,
        games.event, games.round, games.white, games.black, games.white_score, games.guest,
    ):  # fmt: skip
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
