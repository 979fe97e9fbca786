"""Takes an opening balance, or a former bureau's list, as a published period. One transaction; clock and actor passed in."""

import json
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Protocol

import numpy as np
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from config.lib.days import months_back, next_month
from events.models import RatingPeriod, Section
from events.periods import get_or_create_period, lock_periods
from events.rules.findings import Finding
from players.models import Player
from ratings.models import Activity, FormerRating, PublishedRun, Rating, RatingList, RatingRun, Revision
from ratings.opening.entries import Code
from ratings.opening.reading import Standings
from ratings.periods import RunError
from ratings.runs.bulk_insert import insert_columns
from ratings.runs.inputs import national_list_ids
from ratings.runs.sequential import ListPlace, ListResult, place_columns
from ratings.runs.snapshot import or_none, packed_recent, ranks
from ratings.seals.operations import seal_revision
from ratings.systems.adapters import ADAPTERS

Kind = RatingRun.Kind


def take_opening(standings: Standings, *, at: datetime, by: User | None, reason: str = "") -> RatingRun:
    """Publish standings after a month as the opening balance, from which the next month is calculated.

    Raises RunError, and writes nothing, if the files have errors, if the month has not ended, if anything is published from
    it on or was calculated before it, or if sections are accepted for it or for an earlier month.
    """
    _check_read(standings)
    with transaction.atomic():
        periods = lock_periods()
        check_opening(standings.month, today=timezone.localdate(at))
        for period in periods:
            if period.month < standings.month and period.state == RatingPeriod.State.OPEN:
                period.delete()  # empty, and never to be calculated: the bureau begins after it
        run = _published(standings, Kind.OPENING, at=at, by=by, reason=reason)
        _write_national(run, standings)
        _write_former(run, standings)
        for list_id, places in standings.others.items():
            _write_other(run, list_id, places)
        _write_activity(run, standings)
        _seal(run, at=at)
        get_or_create_period(next_month(standings.month))
        record("opening balance signed", run.period, at=at, by=by, after=_figures(standings), reason=reason)
    return run


class Check(Protocol):
    """Raises RunError if standings of a month cannot be taken on a day."""

    def __call__(self, month: date, *, today: date) -> None:
        """Check the month."""


def with_hindrance(standings: Standings, check: Check, *, today: date) -> Standings:
    """Return standings that were read, with an error more if `check` finds that those of their month cannot be taken."""
    try:
        check(standings.month, today=today)
    except RunError as error:
        text = f"{formatting.sentence(str(error))}."
        found = Finding(Code.MONTH_NOT_OPEN.severity, Code.MONTH_NOT_OPEN.value, text)
        return replace(standings, findings=[found, *standings.findings])
    return standings


def check_opening(month: date, *, today: date) -> None:
    """Raise RunError if an opening balance of a month cannot be taken on a day; `take_opening` says when."""
    _check_ended(month, today, "an opening balance")
    called = f"{month:%Y-%m}"
    published = RatingPeriod.objects.exclude(publication=None).exclude(publication__run__kind=Kind.HISTORY)
    first = published.order_by("month").first()
    if first is not None:
        raise RunError(
            f"{first} is published already: an opening balance comes before the first month that this bureau publishes"
        )
    later = RatingPeriod.objects.filter(month__gte=month).exclude(publication=None).order_by("month").first()
    if later is not None:
        raise RunError(
            f"the list of {later} was brought in as a former one: the opening balance comes after the last of them"
        )
    accepted = Section.objects.filter(period__month__lte=month).select_related("event", "period").order_by("ends", "pk")
    section = accepted.first()
    if section is not None:
        raise RunError(
            f"{formatting.count(accepted.count(), 'section')} up to {called} would never be rated, first {section} of"
            f" {section.period}: return them, or take the balance of an earlier month"
        )
    run = (
        RatingRun.objects.filter(period__month__lte=month).exclude(kind=Kind.HISTORY).order_by("period__month").first()
    )
    if run is not None:
        raise RunError(f"{run.period} has been calculated here ({run}): the balance must be of a month before it")
    waiting = RatingRun.objects.filter(state__in=RatingRun.UNDER_WAY).first()
    if waiting is not None:
        raise RunError(f"{waiting} is {waiting.get_state_display()}: wait until it has ended")


def take_history(standings: Standings, *, at: datetime, by: User | None, reason: str = "") -> RatingRun:
    """Publish a list of a former bureau: it is shown in lists and charts, and never calculated with.

    Raises RunError, and writes nothing, if the files have errors, or if the month has not ended, is on record, or is not before
    the first month that this bureau published.
    """
    _check_read(standings)
    with transaction.atomic():
        lock_periods()
        check_history(standings.month, today=timezone.localdate(at))
        run = _published(standings, Kind.HISTORY, at=at, by=by, reason=reason)
        _write_national(run, standings)
        for list_id, places in standings.others.items():
            _write_other(run, list_id, places)
        _seal(run, at=at)
        record("former list brought in", run.period, at=at, by=by, after=_figures(standings), reason=reason)
    return run


def check_history(month: date, *, today: date) -> None:
    """Raise RunError if a former list of a month cannot be taken on a day; `take_history` says when."""
    _check_ended(month, today, "a former list")
    period = RatingPeriod.objects.filter(month=month).first()
    if period is not None and period.state == RatingPeriod.State.PUBLISHED:
        raise RunError(f"{period} is published already and stays as it is")
    first = RatingPeriod.objects.exclude(publication=None).exclude(publication__run__kind=Kind.HISTORY)
    ours = first.order_by("month").first()
    if ours is not None and ours.month < month:
        raise RunError(f"{month:%Y-%m} is not before {ours}, with which this bureau begins: it is calculated here")
    held = Section.objects.filter(period__month__lte=month).select_related("period").order_by("period__month").first()
    if held is not None:
        raise RunError(f"sections are accepted for {held.period}: {month:%Y-%m} is no month of a former bureau")
    if RatingRun.objects.filter(period__month__lte=month).exclude(kind=Kind.HISTORY).exists():
        raise RunError(f"a month up to {month:%Y-%m} has been calculated here: it is no month of a former bureau")


def _check_ended(month: date, today: date, what: str) -> None:
    if today < next_month(month):
        raise RunError(f"{month:%Y-%m} has not ended: {what} is of a month that is over")


def _check_read(standings: Standings) -> None:
    if standings.errors:
        count = formatting.count(len(standings.errors), "error")
        raise RunError(f"nothing was taken: {count} to correct; first: {standings.errors[0].as_line}")
    if not standings.totals:
        raise RunError("nothing was taken: the files give no rating")


def _published(standings: Standings, kind: Kind, *, at: datetime, by: User | None, reason: str) -> RatingRun:
    period, _ = RatingPeriod.objects.get_or_create(month=standings.month)
    period.state, period.published_at = RatingPeriod.State.PUBLISHED, at
    period.save(update_fields=["state", "published_at"])
    rated = {standings.players[row] for row in _rated_rows(standings)}
    rated.update(player for places in standings.others.values() for player in places)
    run = RatingRun.objects.create(
        period=period,
        kind=kind,
        state=RatingRun.State.PUBLISHED,
        progress=100,
        input_hash=standings.sha256,
        edition=standings.edition.name,
        players=len(rated),
        reason=reason,
        queued_at=at,
        started_at=at,
        finished_at=at,
        by=by,
        published_by=by,
    )
    PublishedRun.objects.create(period=period, run=run, files_asked_at=at)
    Revision.objects.create(period=period, number=1, run=run, published_at=at, by=by)
    return run


def _seal(run: RatingRun, *, at: datetime) -> None:
    seal_revision(run.revisions.get(), at=at)


def _rated_rows(standings: Standings) -> list[int]:
    return [] if standings.columns is None else np.flatnonzero(standings.columns.rated.any(axis=0)).tolist()


def _write_national(run: RatingRun, standings: Standings) -> None:
    columns = standings.columns
    if columns is None:
        return
    is_opening = run.kind == Kind.OPENING
    at_end, rated = columns.standings, columns.rated
    kept = rated | (at_end.pending_penalty > 0) if is_opening else rated
    list_index, row = np.nonzero(kept)
    regions, name_order = _regions_and_names(standings.players)
    rank, position = ranks(columns.published, rated, name_order)
    count = len(row)
    published = or_none(columns.published[kept])
    values: dict[str, list[Any]] = {
        "run_id": [run.pk] * count,
        "list_id": np.asarray(national_list_ids())[list_index].tolist(),
        "player_id": np.asarray(standings.players, dtype=np.int64)[row].tolist(),
        "region_id": [regions[index] for index in row.tolist()],
        "rank": [value or None for value in rank[kept].tolist()],
        "position": [value or None for value in position[kept].tolist()],
        "games": [0] * count,
        "change": [0.0] * count,
        "published": published,
        "previous": published,  # what is brought in changes nothing
        "pending_penalty": at_end.pending_penalty[kept].tolist(),
    }
    if is_opening:
        values |= {
            "k": columns.k[kept].astype(np.int64).tolist(),
            "raw": or_none(at_end.raw[kept]),
            "weighted": or_none(columns.weighted[kept]),
            "highest": or_none(at_end.highest[kept]),
            "window_sum": at_end.window_sum[kept].tolist(),
            "window_weighted": at_end.window_weighted[kept].tolist(),
            "recent": packed_recent(at_end, kept),
            "standing": [
                json.dumps({"filled": columns.filled[key], "padded": int(columns.padded[key])})
                if (key := (index, place)) in columns.filled
                else None
                for index, place in zip(list_index.tolist(), row.tolist(), strict=True)
            ],
        }
    insert_columns(Rating, values)


def _regions_and_names(players: Any) -> tuple[list[int | None], Any]:
    known = {row[0]: row for row in Player.objects.order_by().values_list("pk", "region_id", "folded_name")}
    chosen = [known[player] for player in players]
    order = sorted(range(len(chosen)), key=lambda index: (chosen[index][2], chosen[index][0]))
    name_order = np.empty(len(chosen), dtype=np.int64)
    name_order[order] = np.arange(len(chosen))
    return [row[1] for row in chosen], name_order


def _write_former(run: RatingRun, standings: Standings) -> None:
    """Write the raw ratings of the months before; that of the month itself is the standing."""
    columns = standings.columns
    if columns is None:
        return
    list_ids = np.asarray(national_list_ids())
    players = np.asarray(standings.players, dtype=np.int64)
    for back in range(1, columns.history.shape[2]):
        ratings = columns.history[:, :, back]
        list_index, row = np.nonzero(~np.isnan(ratings))
        insert_columns(
            FormerRating,
            {
                "run_id": [run.pk] * len(row),
                "month": [months_back(standings.month, back).isoformat()] * len(row),
                "list_id": list_ids[list_index].tolist(),
                "player_id": players[row].tolist(),
                "raw": ratings[list_index, row].tolist(),
            },
        )


def _write_other(run: RatingRun, list_id: int, places: Any) -> None:
    adapter = ADAPTERS[RatingList.objects.get(pk=list_id).system]
    result = ListResult(
        list_id,
        adapter,
        {
            player: ListPlace(
                place.standing,
                place.rating,
                place.published,
                previous=place.published,
                highest=place.highest,
                k=place.k,
            )
            for player, place in places.items()
        },
    )
    columns = place_columns(result)
    insert_columns(Rating, {"run_id": [run.pk] * len(columns["list_id"]), **columns})


def _write_activity(run: RatingRun, standings: Standings) -> None:
    columns = standings.columns
    if columns is None:
        return
    list_index, row = np.nonzero(columns.activity)
    insert_columns(
        Activity,
        {
            "run_id": [run.pk] * len(row),
            "list_id": np.asarray(national_list_ids())[list_index].tolist(),
            "player_id": np.asarray(standings.players, dtype=np.int64)[row].tolist(),
            "games": columns.activity[list_index, row].tolist(),
        },
    )


def _figures(standings: Standings) -> dict[str, object]:
    return {**{total.list: total.text for total in standings.totals}, "files": f"SHA-256 {standings.sha256}"}
