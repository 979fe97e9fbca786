"""A bureau with web server, worker and beat, used by all for some minutes: what went wrong."""

import re
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.faults.bureau import Bureau
from tests.soak.people import Answers, Chief, Officer, Person, Reader, Uploader
from tests.soak.watch import Watch, grown
from tests.soak.world import KEY, MONTHS, OFFICER, template

WARM = 300  # seconds; in less time processes are still loading what they show for the first time
_WRONG = re.compile(r" (ERROR|CRITICAL) |^Traceback|\[ERROR\]|raised unexpected", re.MULTILINE)


class Soaked(NamedTuple):
    """How it went: what was wrong, what was done, and figures to print."""

    wrong: list[str]
    done: dict[str, int]
    figures: list[str]


def soak(
    kind: str,
    folder: Path,
    *,
    seconds: float,
    readers: int = 20,
    months: int = MONTHS,
    every: float = 60,
    until: Sequence[str] = (),
) -> Soaked:
    """Use a bureau for so long, a month begun `every` so many seconds; longer while what is in `until` was not done yet."""
    database, sent = template(kind, months=months)
    bureau = Bureau(kind, folder, database)
    bureau.env |= {
        "DJANGO_SETTINGS_MODULE": "tests.soak.settings",
        "SECRET_KEY": KEY,
        "RESCUE_SECONDS": "10",
        "EMAIL_URL": "dummymail://",
    }
    try:
        return _soak(bureau, sent.read_text(), seconds, readers, every, until)
    finally:
        bureau.close()


def _soak(bureau: Bureau, sent: str, seconds: float, readers: int, every: float, until: Sequence[str]) -> Soaked:
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    site = bureau.serve("--workers", "2")
    worker = bureau.start([*celery, "worker", "--pool", "solo", "--without-mingle", "--without-gossip"])
    beat = bureau.start([*celery, "beat", "--pidfile", "", "--schedule", str(bureau.folder / "beat")])
    answers, stopped = Answers(), threading.Event()
    people: list[Person] = [Reader(site, answers, stopped, seed=number) for number in range(readers)]
    people += [Uploader(site, answers, stopped, number=number, sent=sent) for number in range(3)]
    people += [Officer(site, answers, stopped, session=OFFICER, seed=2000 + number) for number in range(2)]
    people.append(Chief(site, answers, stopped, bureau=bureau, every=every))
    watch = Watch(bureau, {"web": bureau.web.pid, "worker": worker.pid, "beat": beat.pid}, max(1, seconds / 200))
    watch.start()
    for person in people:
        person.start()
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0 or (left > -WARM and not all(answers.done[what] for what in until)):
        time.sleep(0.5)
    stopped.set()
    for person in people:
        person.join(90)
    watch.stop()
    wrong = [f"a thread of {type(person).__name__} did not end" for person in people if person.is_alive()]
    for name, process in (("web", bureau.web), ("worker", worker), ("beat", beat)):
        if process.poll() is not None:
            wrong.append(f"{name} ended with status {process.returncode}")
    wrong += answers.faults[:20]
    log = (bureau.folder / "processes.log").read_text(errors="replace")
    if found := _WRONG.search(log):
        wrong.append(f"in the log: {log[max(0, found.start() - 200) : found.start() + 3000]}")
    if seconds >= WARM:
        wrong += filter(None, (grown(name, values) for name, values in watch.seen.items()))
    return Soaked(wrong, dict(answers.done), _figures(answers, watch))


def _figures(answers: Answers, watch: Watch) -> list[str]:
    lines = [
        "answers by status: " + ", ".join(f"{status}: {count}" for status, count in sorted(answers.statuses.items()))
    ]
    lines.append("done: " + ", ".join(f"{what} {count}" for what, count in sorted(answers.done.items())))
    for who, seconds in sorted(answers.seconds.items()):
        ordered = sorted(seconds)
        at = [ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000 for part in (0.5, 0.95, 0.99)]
        lines.append(
            f"{who}: {len(ordered)} requests, half within {at[0]:.0f} ms, 95 % {at[1]:.0f} ms, 99 % {at[2]:.0f} ms,"
            f" longest {ordered[-1] * 1000:.0f} ms"
        )
    for name, values in watch.seen.items():
        fifth = max(1, len(values) // 5)
        parts = [
            sorted(values[place : place + fifth])[fifth // 2] for place in range(0, 5 * fifth, fifth) if values[place:]
        ]
        lines.append(
            f"{name}: medians of fifths {', '.join(f'{value:.0f}' for value in parts)}; most {max(values):.0f}"
        )
    return lines
