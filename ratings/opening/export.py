"""The standings after a published month as rating cases, which another bureau takes as its opening balance."""

from collections import Counter
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Sum

from config.lib.database import as_float
from config.lib.days import next_month
from config.lib.editions import EditionError
from events.models import RatingPeriod
from players.models import Player
from ratings.cases.chessa import write_standings
from ratings.explanations.case_files import history_before
from ratings.lists.activity import activity_window
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.queries import publications
from ratings.models import Activity, Rating, RatingRun
from ratings.periods import RunError
from ratings.runs.inputs import national_list_ids
from ratings.runs.snapshot import read_snapshot
from ratings.systems import chessa
from ratings.systems.adapters import ADAPTERS, edition_of


def export_opening(month: date) -> Any:
    """Return the standings after a published month: a case for the four lists, or, where lists of other systems have players,
    a list of cases, one for each of those besides.

    Every double is as the database has it: whoever begins with them calculates the same next month, bit for bit. Raises
    RunError if the month is not published, or its list is of a former bureau, of which no standings are known.
    """
    period = (
        RatingPeriod.objects.filter(month=month, publication__isnull=False).select_related("publication__run").first()
    )
    if period is None:
        raise RunError(f"{month:%Y-%m} is not published: export a published month")
    run = period.publication.run
    if run.kind == RatingRun.Kind.HISTORY:
        raise RunError(f"{period} is a list of a former bureau: of its standings only the published ratings are known")
    numbers = dict(Player.objects.order_by().values_list("pk", "number"))
    cases = [_national(month, run, numbers)]
    for listing in list_definitions():
        if not listing.is_national:
            cases += _other(month, run, listing, numbers)
    return cases if len(cases) > 1 else cases[0]


def _national(month: date, run: RatingRun, numbers: dict[int, str]) -> dict[str, Any]:
    begins = next_month(month)
    edition = chessa.edition_for(next_month(begins))
    list_ids = national_list_ids()
    nobody = np.zeros(0, dtype=np.int64)
    snapshot = read_snapshot(run.pk, list_ids, nobody, edition["unrated_rating"], edition["window"])
    listed = publications()
    runs = activity_window(next(row for row in listed if row.run == run.pk), listed).runs
    counted = Activity.objects.filter(run__in=runs, list__in=list_ids).values_list("list_id", "player_id")
    active = Counter({(list_id, player): games for list_id, player, games in counted.annotate(sum=Sum("games"))})
    return write_standings(
        id=f"opening-{month:%Y-%m}",
        calculated_on=next_month(begins),
        edition=edition,
        player_ids=[numbers[player] for player in snapshot.players.tolist()],
        standings=snapshot.standings,
        raw_history=history_before(begins, list_ids, snapshot.players, edition["window"]),
        published=snapshot.published,
        activity=np.array(
            [[active[list_id, player] for player in snapshot.players.tolist()] for list_id in list_ids], dtype=np.int64
        ),
        source=f"standings after {month:%Y-%m}, {run}",
    )


def _other(month: date, run: RatingRun, listing: ListDefinition, numbers: dict[int, str]) -> list[dict[str, Any]]:
    adapter = ADAPTERS[listing.system]
    rows = Rating.objects.filter(run=run, list=listing.id).order_by("player__number")
    players = []
    for player, standing, rating, published, highest, k in rows.values_list(
        "player_id", "standing", *map(as_float, ("raw", "published", "highest")), "k"
    ):
        shown = {"rating": rating, "published": published, "highest": highest, "k": k}
        fields = adapter.to_json(adapter.from_json(standing or {}))
        players.append(
            {
                "id": numbers[player],
                **{name: value for name, value in fields.items() if value is not None},
                "on_list": {name: value for name, value in shown.items() if value is not None},
            }
        )
    if not players:
        return []
    begins = next_month(month)
    try:
        rules = {"rules": edition_of(adapter, listing.edition, begins).name}
    except EditionError:
        rules = {}
    return [
        {
            "id": f"opening-{month:%Y-%m}-{listing.code}",
            "system": str(listing.system),
            **rules,
            "list": listing.code,
            "calculated_on": next_month(begins).isoformat(),
            "players": players,
            "events": [],
            "source": f"standings after {month:%Y-%m}, {run}",
        }
    ]
