"""The register from a list of 15,000 players, against reading the file alone. On an empty database, which is filled.

Prints JSON lines of name, value, target, unit.
"""

import io
import json
import os
import time
from collections.abc import Callable
from datetime import date, timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from events.files.register_list import RegisterReader  # noqa: E402
from ratings.models import ImportJob  # noqa: E402
from ratings.moving_in.jobs.operations import State, ask_for, create_job  # noqa: E402
from ratings.moving_in.jobs.worker import process_job  # noqa: E402
from ratings.moving_in.steps import STEPS  # noqa: E402

PLAYERS = 15_000
TARGET = 12
RUNS = 2


def published_list(players: int) -> bytes:
    """Return a list as Chess SA publishes it, every name of it another one."""
    text = io.StringIO()
    text.write("UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED\r\n")
    for number in range(players):
        letters = "".join(chr(ord("a") + number // 26**place % 26) for place in range(4))
        born = date(1950, 1, 2) + timedelta(days=number * 7 % 22_000)
        text.write(
            f"{200_000_001 + number},Mo{letters},Na{letters[::-1]},{born:%Y/%m/%d},{'MF'[number % 2]},,1200,GAU\r\n"
        )
    return text.getvalue().encode()


def seconds(task: Callable[[], object]) -> float:
    """Return the wall-clock time that a task takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def read(content: bytes) -> None:
    """Read the file alone."""
    for _ in RegisterReader(io.BytesIO(content), regions={}):
        pass


def taken(content: bytes) -> ImportJob:
    """Read the file, compare it with the register and take it."""
    job = create_job(ImportJob.Kind.REGISTER, filename="list.csv", chunks=[content], at=timezone.now(), by=None)
    return work(work(job), State.TAKING)


def work(job: ImportJob, state: ImportJob.State | None = None) -> ImportJob:
    """Do what a worker does."""
    if state is not None:
        ask_for(job, state, at=timezone.now(), by=None)
    return process_job(job.pk, STEPS[job.kind])


def main() -> None:
    """Measure both in turns and print the ratio of the fastest."""
    call_command("migrate", verbosity=0)
    content = published_list(PLAYERS)
    reading, taking = [], []
    for _ in range(RUNS):
        reading.append(seconds(lambda: read(content)))
        taking.append(seconds(lambda: taken(content)))
        work(ImportJob.objects.latest("pk"), State.UNDOING)
    ratio = min(taking) / min(reading)
    print(json.dumps({"name": "import_register_15k", "value": round(ratio, 2), "target": TARGET, "unit": "ratio"}))


if __name__ == "__main__":
    main()
