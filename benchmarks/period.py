"""A committed run with publication against a plain ORM calculation of an equal month.

    DATABASE_URL=... python -m benchmarks.period pg      or      VAR_DIR=... python -m benchmarks.period sqlite

The database must be empty; it is filled and not emptied again.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from datetime import date

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks import orm_period  # noqa: E402
from config.lib.days import next_month  # noqa: E402
from events.models import Event, EventMove, RatingPeriod  # noqa: E402
from ratings.models import Performance, PublishedRun, Rating, RatingRun, Revision, Seal  # noqa: E402
from ratings.runs.operations import request_publication, start_run  # noqa: E402
from ratings.runs.worker import process_run  # noqa: E402
from tests.federation import load  # noqa: E402

FIRST, SECOND = date(2024, 3, 1), date(2024, 4, 1)
RUNS = 3


def bureau(period: RatingPeriod) -> None:
    """Calculate and publish as a worker does."""
    run = process_run(start_run(period, at=timezone.now()).pk)
    request_publication(run, at=timezone.now())
    process_run(run.pk)


def undo(period: RatingPeriod) -> None:
    """Delete a month's run and publication, so that it can be timed again."""
    with transaction.atomic():
        period.state, period.published_at = RatingPeriod.State.OPEN, None
        period.save()
        PublishedRun.objects.filter(period=period).delete()
        Seal.objects.filter(revision__period=period).delete()  # the newest: the chain goes on
        Revision.objects.filter(period=period).delete()
        runs = RatingRun.objects.filter(period=period)
        Rating.objects.filter(run__in=runs).delete()
        Performance.objects.filter(run__in=runs).delete()
        EventMove.objects.filter(event__sections__period=period).delete()
        Event.objects.filter(sections__period=period).update(state="accepted")
        runs.delete()
        RatingPeriod.objects.filter(month=next_month(period.month), sections=None).delete()


def timed(calculate: Callable[[RatingPeriod], object], month: date) -> float:
    """Calculate and commit a month and return the seconds."""
    period = RatingPeriod.objects.get(month=month)
    began = time.perf_counter()
    calculate(period)
    return time.perf_counter() - began


def fill(players: int, games: int, sections: int) -> None:
    """Write a published first month in which all players play, and an accepted second of the given size."""
    with transaction.atomic():
        for part in range(4):  # a quarter of the players is active in each part
            load(players=players * (part + 1) // 4, games=games // 2, sections=sections // 2, seed=part, active=1.0)
        load(players=players, games=games, sections=sections, seed=9, month=SECOND)
    timed(bureau, FIRST)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def figures() -> dict[tuple[int, int], float]:
    """Return the second month's raw ratings by (list, player)."""
    rows = Rating.objects.filter(run__period__month=SECOND).values_list("list_id", "player_id", "raw")
    return {(list_id, player): float(raw) for list_id, player, raw in rows}


def main() -> None:
    """Measure one database and print its lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", choices=["pg", "sqlite"])
    parser.add_argument("--players", type=int, default=15_000)
    parser.add_argument("--games", type=int, default=25_000)
    parser.add_argument("--sections", type=int, default=250)
    parser.add_argument("--alone", action="store_true", help="only our seconds, for benchmarks.growth")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    fill(options.players, options.games, options.sections)
    period = RatingPeriod.objects.get(month=SECOND)
    if options.alone:
        times = []
        for _ in range(RUNS):
            times.append(timed(bureau, SECOND))
            undo(period)
        print(json.dumps({"seconds": statistics.median(times)}))
        return
    pairs: list[tuple[float, float]] = []
    for _ in range(RUNS):
        seconds = timed(bureau, SECOND)
        our_figures = figures() if not pairs else None
        undo(period)
        orm_seconds = timed(orm_period.run_month, SECOND)
        if our_figures is not None:
            orm_figures = figures()
            assert our_figures.keys() == orm_figures.keys()
            assert max(abs(our_figures[key] - orm_figures[key]) for key in orm_figures) < 1e-6
        undo(period)
        pairs.append((seconds, orm_seconds))
    seconds, orm_seconds = (statistics.median(column) for column in zip(*pairs, strict=True))
    line = {
        "name": f"period_vs_orm_{options.database}", "value": round(orm_seconds / seconds, 2), "target": 8,
        "unit": "times faster", "seconds": round(seconds, 3), "orm_seconds": round(orm_seconds, 3),
    }  # fmt: skip
    print(json.dumps(line))


if __name__ == "__main__":
    main()
