"""Queries of the officers' desk: first page, review of an event, a month, its run, lists.

    DATABASE_URL=... REDIS_URL=... python -m benchmarks.desk

The database must be empty; it is filled with the federation's size and not emptied again: a month that is published, one
that is calculated, and one whose events all wait for an officer, every third with holds. Each page is asked for twice, and
the second is counted. Prints JSON lines of name, value, target, unit, seconds.
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
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from benchmarks.period import bureau, timed  # noqa: E402
from events.models import (  # noqa: E402
    Event,
    EventMove,
    RatingPeriod,
    Section,
    Submission,
    SubmissionFinding,
    SubmittedFile,
)
from events.rules.states import State  # noqa: E402
from ratings.desk.addresses import list_address, page_address, review_address  # noqa: E402
from ratings.live.operations import refresh_live  # noqa: E402
from ratings.runs.operations import start_run  # noqa: E402
from ratings.runs.worker import process_run  # noqa: E402
from tests.federation import load  # noqa: E402

PUBLISHED, CALCULATED, WAITING = date(2024, 1, 1), date(2024, 2, 1), date(2024, 3, 1)
HOLDS = 3
TARGETS = {
    "desk": 15, "review": 40, "review_held": 40, "month": 40,
    "run": 80,  # 20 for each of four lists
    "events": 20, "players": 20, "trail": 20,
}  # fmt: skip


def fill(players: int, games: int, waiting: int) -> int:
    """Write the three months, `waiting` events in the last; return the key of the calculated month's run."""
    for seed, month in enumerate((PUBLISHED, CALCULATED, WAITING)):
        load(players=players, games=games, sections=waiting, seed=seed, month=month, active=0.6)
        if month == PUBLISHED:
            timed(bureau, month)
        elif month == CALCULATED:
            run = process_run(start_run(RatingPeriod.objects.get(month=month), at=timezone.now()).pk)
    submit(RatingPeriod.objects.get(month=WAITING))
    refresh_live(at=timezone.now())
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return run.pk


def submit(period: RatingPeriod) -> None:
    """Make the events of a month wait for an officer, every third with holds."""
    now = timezone.now()
    with transaction.atomic():
        sections = list(Section.objects.filter(period=period).order_by("pk"))
        events = Event.objects.filter(pk__in=[section.event_id for section in sections])
        events.update(state=State.SUBMITTED)
        Section.objects.filter(period=period).update(period=None)
        EventMove.objects.bulk_create(
            EventMove(event=event, source=State.REGISTERED, target=State.SUBMITTED, at=now) for event in events
        )
        file = SubmittedFile.objects.create(sha256="0" * 64, content=b"")
        sent = Submission.objects.bulk_create(
            Submission(section=section, file=file, name="a.trf", at=now, format="trf", encoding="utf-8")
            for section in sections
        )
        SubmissionFinding.objects.bulk_create(
            SubmissionFinding(submission=submission, severity="hold", code="x", message=f"Line {line} is odd.")
            for submission in sent[::3]
            for line in range(HOLDS)
        )


def addresses(run: int) -> dict[str, str]:
    """Return the page to ask for under each name."""
    waiting = Event.objects.filter(state=State.SUBMITTED).order_by("pk")
    held = SubmissionFinding.objects.order_by("pk").values_list("submission__section__event", flat=True)[0]
    clean = waiting.exclude(sections__submissions__findings__severity="hold").values_list("pk", flat=True)[0]
    return {
        "desk": reverse("admin:index"),
        "review": review_address(clean),
        "review_held": review_address(held),
        "month": page_address("events_ratingperiod", RatingPeriod.objects.get(month=WAITING).pk),
        "run": page_address("ratings_ratingrun", run),
        "events": list_address("events_event", "waiting=holds"),
        "players": list_address("players_player", "q=player"),
        "trail": list_address("accounts_decision"),
    }


def ask(client: Client, address: str) -> tuple[int, float]:
    """Return with how many queries a page is answered the second time, and in how many seconds."""
    for _ in range(2):
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
    return len(queries), time.perf_counter() - began


def main() -> None:
    """Fill the database, ask for the pages and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=15_000)
    parser.add_argument("--games", type=int, default=12_500, help="in each month")
    parser.add_argument("--waiting", type=int, default=300, help="events")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    run = fill(options.players, options.games, options.waiting)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.create_user("officer@example.org", is_staff=True, is_officer=True))
    for name, address in addresses(run).items():
        queries, seconds = ask(client, address)
        line = {
            "name": f"page_queries_{name}", "value": queries, "target": TARGETS[name], "unit": "queries",
            "seconds": round(seconds, 2),
        }  # fmt: skip
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
