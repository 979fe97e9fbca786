"""A moment at which something is killed: at a statement of a task or a request, inside the process that does it.

A process with `watch` counts the statements of each task and each POST, and writes how many they were to `COUNTS`. What is
written to `ARMED` has the first process die that comes so far in that work.
"""

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

ARMED, COUNTS = "moment.json", "statements.log"


class Moment(NamedTuple):
    """What dies when: `victims` with all that they started, without any the process's own group.

    `work`: the name of a task, or "POST"; `statement`: its number in the work, one more than it has for its end;
    `seconds`: after that statement was begun.
    """

    work: str
    statement: int
    seconds: float = 0
    victims: tuple[int, ...] = ()


def arm(folder: Path, moment: Moment) -> None:
    """Have a process of the bureau in this folder die at a moment, once."""
    unfinished = folder / f"{ARMED}.unfinished"
    unfinished.write_text(json.dumps(moment))
    unfinished.rename(folder / ARMED)


def counts(folder: Path) -> dict[str, int]:
    """The statements of each work since the last call, the most of those done several times."""
    taken: dict[str, int] = {}
    with contextlib.suppress(FileNotFoundError):
        (folder / COUNTS).rename(folder / "counted")
        for line in (folder / "counted").read_text().splitlines():
            name, _, number = line.rpartition(" ")
            taken[name] = max(taken.get(name, 0), int(number))
    return taken


def kill_tree(pid: int) -> None:
    """SIGKILL to a process, then to all that it started."""
    started = _children(pid)
    for one in (pid, *started):
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents.setdefault(int(status.read_text().rpartition(")")[2].split()[1]), []).append(
                int(status.parent.name)
            )
    found = list(parents.get(pid, ()))
    for one in found:
        found += parents.get(one, ())
    return found


class Watch:
    """Counts the statements of what a process does, a thread for itself, and has it die where it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.local = threading.local()

    def begin(self, work: str) -> None:
        """A task or request begins in this thread. What one task does at once of another is a part of it."""
        self.local.depth = getattr(self.local, "depth", 0) + 1
        if self.local.depth > 1:
            return
        self.local.work, self.local.count, self.local.moment = work, 0, None
        with contextlib.suppress(FileNotFoundError):
            armed = Moment(*json.loads((self.folder / ARMED).read_text()))
            if armed.work == work:
                (self.folder / ARMED).rename(self.folder / f"{ARMED}.taken")  # one process alone has it
                self.local.moment = armed

    def end(self) -> None:
        """It ends. Who did not come so far, for the work was done already, leaves the moment to the next."""
        self.local.depth = max(0, getattr(self.local, "depth", 0) - 1)
        work, moment = getattr(self.local, "work", None), getattr(self.local, "moment", None)
        if work is None or self.local.depth:
            return
        self.local.work = None
        with (self.folder / COUNTS).open("a") as log:
            log.write(f"{work} {self.local.count}\n")
        if moment is not None and self.local.count < moment.statement:
            if self.local.count + 1 == moment.statement:
                self.die(moment)
            else:
                arm(self.folder, moment)

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Count a statement: a wrapper of Django's."""
        if getattr(self.local, "work", None) is not None:
            self.local.count += 1
            moment = self.local.moment
            if moment is not None and self.local.count == moment.statement:
                self.die(moment)
        return execute(sql, params, many, context)

    def die(self, moment: Moment) -> None:
        """Kill the victims, at once or from another thread while this one goes on."""
        if moment.seconds:
            threading.Thread(target=_die, args=[moment], daemon=True).start()
        else:
            _die(moment)


def _die(moment: Moment) -> None:
    time.sleep(moment.seconds)
    for victim in moment.victims:
        kill_tree(victim)
    if not moment.victims:
        os.killpg(os.getpgrp(), signal.SIGKILL)


def watch(folder: Path) -> Watch:
    """Watch this process's tasks and POSTs. To be called before the first connection is made."""
    from celery.signals import task_postrun, task_prerun
    from django.core.signals import request_finished, request_started
    from django.db.backends.signals import connection_created

    watching = Watch(folder)

    def connected(connection: Any, **_: Any) -> None:
        if watching not in connection.execute_wrappers:
            connection.execute_wrappers.append(watching)

    def asked(environ: dict[str, Any], **_: Any) -> None:
        if environ["REQUEST_METHOD"] == "POST":
            watching.begin("POST")

    def given(task: Any, **_: Any) -> None:
        watching.begin(task.name)

    def ended(**_: Any) -> None:
        watching.end()

    connection_created.connect(connected, weak=False)
    request_started.connect(asked, weak=False)
    request_finished.connect(ended, weak=False)
    task_prerun.connect(given, weak=False)
    task_postrun.connect(ended, weak=False)
    return watching
