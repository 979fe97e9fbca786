"""Twelve published months calculated again as one chain, against their twelve runs.

    DATABASE_URL=... python -m benchmarks.rerating

The database must be empty; it is filled and not emptied again.
"""

import argparse
import json
import os
import time
from datetime import date

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.period import bureau, timed  # noqa: E402
from config.lib.days import next_month  # noqa: E402
from events.amending.edits import with_result  # noqa: E402
from events.models import Section  # noqa: E402
from events.rules.game_result import Result  # noqa: E402
from ratings.models import Rerating  # noqa: E402
from ratings.rerating.amendments import amend  # noqa: E402
from ratings.rerating.operations import request_publication, start_rerating  # noqa: E402
from ratings.rerating.worker import process_rerating  # noqa: E402
from tests.federation import load  # noqa: E402

FIRST = date(2024, 3, 1)
MONTHS = 12


def rerate() -> None:
    """Correct a game of the first month, calculate all months again and publish them."""
    section = Section.objects.filter(period__month=FIRST).earliest("pk")
    game = section.games.filter(result="1-0").earliest("pk")
    amendment = amend(
        section, lambda content: with_result(content, game.pk, Result.BLACK_WINS), reason="Wrong.", at=timezone.now()
    )
    assert amendment is not None
    rerating = process_rerating(start_rerating(None, [amendment], reason="Wrong.", at=timezone.now()).pk)
    request_publication(rerating, at=timezone.now())
    assert process_rerating(rerating.pk).state == Rerating.State.PUBLISHED


def main() -> None:
    """Measure and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=15_000)
    parser.add_argument("--games", type=int, default=25_000)
    parser.add_argument("--sections", type=int, default=250)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    months = [FIRST]
    while len(months) < MONTHS:
        months.append(next_month(months[-1]))
    with transaction.atomic():
        for part in range(4):  # everybody plays in the first month, a quarter in each part
            size = {"games": options.games // 4, "sections": options.sections // 4}
            load(players=options.players * (part + 1) // 4, **size, seed=part, active=1.0)
        for seed, month in enumerate(months[1:], start=9):
            load(players=options.players, games=options.games, sections=options.sections, seed=seed, month=month)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    runs = sum(timed(bureau, month) for month in months)
    began = time.perf_counter()
    rerate()
    seconds = time.perf_counter() - began
    line = {
        "name": "rerate_12_months", "value": round(seconds / runs, 2), "target": 1.2, "unit": "times the twelve runs",
        "seconds": round(seconds, 2), "runs_seconds": round(runs, 2),
    }  # fmt: skip
    print(json.dumps(line))


if __name__ == "__main__":
    main()
