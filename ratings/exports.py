"""A period as a rating case, by which anybody can recompute it."""

from dataclasses import replace
from typing import Any

import numpy as np
from django.db.models import FloatField
from django.db.models.functions import Cast

from events.models import Section
from players.models import Player
from ratings.cases.chessa import CaseEvent, write_case
from ratings.gather import Gathered, gather, months_back
from ratings.models import Rating, RatingPeriod, RatingRun
from ratings.periods import RunError, run_in_force
from ratings.snapshot import read_raw
from ratings.systems import chessa
from ratings.systems.base import TimeControl
from ratings.systems.chessa_columns import Floats

_STORED = ("games", "k", "change", "weighted_performance", "raw", "weighted", "published", "highest", "pending_penalty")


def export_period(period: RatingPeriod) -> dict[str, Any]:
    """A calculated or published period as a case: starting states, events, games, penalties, and what the run wrote as
    `expected`. RunError when it has not been calculated, or when its input has changed since."""
    run = run_in_force(period)
    if run is None or run.state not in (RatingRun.State.CALCULATED, RatingRun.State.PUBLISHED):
        raise RunError(f"{period} has not been calculated: run “calculate {period}” first")
    gathered = gather(period)
    if gathered.input.hash != run.input_hash:
        raise RunError(f"{period} has changed since {run} was calculated: calculate it again")
    numbers = dict(Player.objects.values_list("pk", "number"))
    sections = Section.objects.in_bulk(gathered.input.sections.tolist())
    chosen = [sections[pk] for pk in gathered.input.sections.tolist()]
    return write_case(
        id=f"period-{period}",
        calculated_on=period.calculated_on,
        edition=gathered.input.edition,
        player_ids=[numbers[pk] for pk in gathered.players.tolist()],
        events=[
            CaseEvent(f"s{section.pk}", section.ends, TimeControl(section.base_minutes, section.increment_seconds))
            for section in chosen
        ],
        columns=gathered.columns,
        raw_history=raw_history(period, gathered),
        result=replace(chessa.rate(gathered.columns, gathered.input.edition), **_stored(run, gathered)),
        rounds=gathered.input.games.round.tolist(),
        source=f"{run}, {run.get_state_display()}",
    )


def raw_history(period: RatingPeriod, gathered: Gathered) -> Floats:
    """(4, n, 24) newest first; nan where there was no rating."""
    size = gathered.input.edition["window"]
    history = np.full((*gathered.columns.standings.raw.shape, size), np.nan)
    runs = dict(
        RatingPeriod.objects.filter(
            month__gte=months_back(period.month, size), month__lt=period.month, published_run__isnull=False
        ).values_list("month", "published_run_id")
    )
    for index in range(size):
        run_id = runs.get(months_back(period.month, index + 1))
        if run_id is not None:
            history[:, :, index] = read_raw(run_id, gathered.list_ids, gathered.players)
    return history


def _stored(run: RatingRun, gathered: Gathered) -> dict[str, Any]:
    """What the run wrote, as columns of a result."""
    columns = {name: np.full(gathered.columns.standings.raw.shape, np.nan) for name in _STORED}
    for name in ("games", "pending_penalty"):
        columns[name][:] = 0
    list_index = {list_id: index for index, list_id in enumerate(gathered.list_ids)}
    place = {player: index for index, player in enumerate(gathered.players.tolist())}
    exact = [Cast(name, FloatField()) for name in _STORED]  # a decimal would come from SQLite with fifteen digits
    for list_id, player, *values in Rating.objects.filter(run=run).values_list("list_id", "player_id", *exact):
        where = list_index[list_id], place[player]
        for name, value in zip(_STORED, values, strict=True):
            columns[name][where] = np.nan if value is None else value
    return {**columns, "games": columns["games"].astype(np.int64), "rated": ~np.isnan(columns["raw"])}
