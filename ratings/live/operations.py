"""Keeps the live ratings up to date. The clock is passed in; nothing official is read from them or touched."""

import hashlib
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q

from config.lib.database import lock_table
from config.table_versions import TablesRead, table_versions, without_row_triggers
from events.models import RatingPeriod
from ratings.models import LiveList, LiveRating
from ratings.runs.bulk_insert import insert_columns
from ratings.runs.inputs import RunInput, read_run_input
from ratings.runs.sequential import place_columns, rate_lists
from ratings.runs.snapshot import rating_columns
from ratings.systems import chessa

_QUICKER = timedelta(minutes=10)  # a list of further ahead is of a clock that was set right since
_COLUMNS = tuple(field.column for field in LiveRating._meta.concrete_fields if field.column)


def refresh_live(*, at: datetime) -> bool:
    """Calculate the live ratings of the open period anew if what they depend on was written to. Returns whether they were
    replaced.

    They are what the run of the period would give now, and are replaced in one transaction: who is interrupted leaves the
    former ones, and of two who calculate at once only one replaces them. Raises RatingError where the run would fail.
    """
    versions = table_versions()  # before anything is read: what is written meanwhile is seen the next time
    present = LiveList.objects.first()
    if present and all(versions.get(table) == version for table, version in present.versions.items()):
        return False
    tables = TablesRead()
    with connection.execute_wrapper(tables):
        period = open_period()
        gathered = read_run_input(period) if period else None
        digest = _digest(gathered) if gathered else ""
        replaced = present is None or (present.period, present.input_digest) != (period, digest)
        if gathered and replaced:
            result = chessa.rate(gathered.columns, gathered.input.edition)
            lists = rate_lists(gathered.input)
    seen = {table: versions[table] for table in sorted(tables) if table in versions}
    if not replaced or period is None or gathered is None:
        LiveList.objects.filter(input_digest=digest).update(versions=seen)
        return False
    columns = rating_columns(
        gathered.list_ids,
        gathered.players,
        gathered.regions,
        gathered.name_order,
        gathered.listed,
        gathered.published,
        result,
    )
    with transaction.atomic():
        lock_table(LiveList)  # two who replace them at once would wait for one another
        as_here = Q(period=period, input_digest=digest)
        newer = Q(as_of__gt=at, as_of__lt=at + _QUICKER)
        if LiveList.objects.filter(as_here | newer).exists():  # another worker was quicker
            return False
        LiveList.objects.all().delete()
        with without_row_triggers(LiveRating._meta.db_table):
            LiveRating.objects.all().delete()
        for table in (columns, *map(place_columns, lists)):
            empty = [None] * len(table["list_id"])
            insert_columns(LiveRating, {name: table.get(name, empty) for name in _COLUMNS})
        LiveList.objects.create(
            period=period,
            as_of=at,
            sections=gathered.input.sections.tolist(),
            games=len(gathered.input.games.event),
            input_digest=digest,
            versions=seen,
        )
    return True


def open_period() -> RatingPeriod | None:
    """Return the period that is calculated next: the first that is not published."""
    return RatingPeriod.objects.filter(publication=None).order_by("month").first()


def _digest(gathered: RunInput) -> str:
    """Return the digest of all on which the ratings, the regions beside them, who is listed and the order of equal ones
    depend."""
    register = (gathered.regions, gathered.name_order.tolist(), gathered.listed.tolist())
    parts = (gathered.input.hash, gathered.input.list_hashes, *register)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
