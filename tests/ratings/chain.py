"""Four published months of a small federation, and their re-rating."""

from datetime import UTC, date, datetime
from typing import Any

from config.lib.days import next_month
from ratings.models import Amendment, Performance, PublishedRun, Rating, Rerating
from ratings.rerating.operations import request_publication, start_rerating
from ratings.rerating.worker import process_rerating
from tests.builders import months, publish
from tests.federation import load

FIRST = date(2024, 1, 1)
AT = datetime(2024, 6, 2, 8, tzinfo=UTC)
MONTHS = months(FIRST, 4)


def load_months(seed: int) -> None:
    """Fill the months with accepted sections, three in each."""
    for place, month in enumerate(MONTHS):
        load(players=24, games=40, sections=3, seed=seed + place, month=month, active=1)


def publish_months(count: int = 4) -> None:
    """Publish the first months, each on the first day of the next."""
    for month in MONTHS[:count]:
        publish(month, at=datetime(*next_month(month).timetuple()[:3], 8, tzinfo=UTC))


def published() -> list[tuple[Any, ...]]:
    """Every figure of every list in force, without the numbers of the runs."""
    rows: list[tuple[Any, ...]] = []
    for pointer in PublishedRun.objects.order_by("period__month").select_related("run", "period"):
        ratings = Rating.objects.filter(run=pointer.run).order_by("list_id", "player__number")
        names = [field.name for field in Rating._meta.fields if field.name not in ("pk", "run", "player")]
        rows += [
            (str(pointer.period), row.player.number, *(_figure(getattr(row, name)) for name in names))
            for row in ratings.select_related("player", "list", "region")
        ]
        performances = Performance.objects.filter(run=pointer.run).order_by("list_id", "section__pk", "player__number")
        rows += [
            (str(pointer.period), row.player.number, row.list_id, row.section.event.name, row.performance, row.change)
            for row in performances.select_related("player", "section__event")
        ]
    return rows


def rerate(first: date | None = None) -> Rerating:
    """Calculate the months anew for all that waits."""
    waiting = list(Amendment.objects.filter(rerating=None, applied_at=None))
    return process_rerating(start_rerating(first, waiting, reason="Corrected.", at=AT).pk)


def publish_again(rerating: Rerating) -> Rerating:
    """Publish the corrected months."""
    request_publication(rerating, at=AT)
    return process_rerating(rerating.pk)


def _figure(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
