"""One work of a bureau, from the button to its end, while something is killed at a moment of it."""

import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests.faults.bureau import Bureau, free_port
from tests.faults.kill.moment import Moment, arm, counts
from tests.faults.kill.person import PAGES, Reader, once, press
from tests.faults.kill.servers import Servers, answers
from tests.faults.kill.works import KEY, WORKS, Step, account, differences, template, uploaded_file

LEASE = 3  # seconds of silence after which a worker counts as gone
SETTLING = 2  # seconds after its last commit within which a task has told how many statements it had
SLOWNESS = 90  # seconds that a busy machine may take for what an idle one does at once


class Place(NamedTuple):
    """A part of a work that can be disturbed: a step, and a task of it or the request (`POST`), with its statements."""

    step: int
    work: str
    statements: int


class Plan(NamedTuple):
    """What is killed where: `victim` is worker, web, postgres or redis."""

    place: Place
    victim: str
    statement: int
    seconds: float

    def __str__(self) -> str:
        """In words."""
        later = f" and {self.seconds * 1000:.0f} ms" if self.seconds else ""
        what = "the button's request" if self.place.work == "POST" else self.place.work.rsplit(".", 1)[-1]
        where = f"statement {self.statement} of {self.place.statements}"
        if self.statement > self.place.statements:
            where = f"the end, after {self.place.statements} statements,"
        return f"{self.victim} killed at {where}{later} of {what} (step {self.place.step + 1})"


class Undisturbed(NamedTuple):
    """What a bureau gives in which nothing is killed."""

    account: dict[str, Any]
    places: tuple[Place, ...]
    seconds: float


class Trial:
    """A bureau with web server, worker and clock, which does a work."""

    def __init__(self, kind: str, name: str, folder: Path, servers: Servers | None = None) -> None:
        self.kind, self.name, self.servers = kind, name, servers
        self.work = WORKS[name]
        self.file = uploaded_file(kind) if name == "upload" else None
        self.bureau = Bureau(kind, folder, template(kind, name))
        self.bureau.env |= {
            "DJANGO_SETTINGS_MODULE": "tests.faults.kill.settings",
            "SECRET_KEY": KEY,
            "RUN_LEASE_SECONDS": str(LEASE),
            "RESCUE_SECONDS": "1",
        }
        if servers is not None:
            # Hazard: PostgreSQL takes what it copied of a sequence for written down, and goes back to it after a crash.
            with self.bureau.connect() as connection:
                connection.execute("CHECKPOINT")
        self.port = free_port()
        self.site = self.bureau.serve("--workers", "1", port=self.port)
        self.worker = self.bureau.worker(clock=True)
        self.killed = 0
        self.places: list[Place] = []
        self.faults: list[str] = []

    def close(self) -> None:
        """End all of it."""
        self.bureau.close()
        shutil.rmtree(self.bureau.folder, ignore_errors=True)

    def undisturbed(self) -> Undisturbed:
        """Do the work without killing anything."""
        seconds = self._do(None, Reader(self.site))
        unseen = {*self.work.tasks} - {place.work for place in self.places}
        if unseen:
            raise AssertionError(f"{', '.join(sorted(unseen))} would never be disturbed: no statements were counted")
        found = account(self.bureau)
        return Undisturbed(found, tuple(self.places), seconds)

    def disturbed(self, plan: Plan, right: Undisturbed) -> tuple[list[str], float]:
        """Do the work and kill something: what differs from an undisturbed bureau, and the seconds from the button on."""
        reader = Reader(self.site)
        known = once(self.site)
        reader.may_fail = plan.victim == "web"
        reader.start()
        try:
            seconds = self._do(plan, reader)
        except AssertionError as error:
            reader.stop()
            return [str(error), *self._log()], 0
        found = self._settled(right)
        reader.stop()
        after = once(self.site)
        known = {page: known[page] | after[page] for page in PAGES}
        lines = [*self.faults, *reader.faults[:3], *reader.halves(known)[:3], *found]
        if not self.killed:
            lines.append("nothing was killed")
        if reader.outages and plan.victim != "postgres":
            lines.append(f"{reader.outages} pages were answered with 503")
        if plan.victim != "redis" and self.name in ("publication", "rerating"):
            verified = self.bureau.command("verify", check=False)
            if verified.returncode:
                lines.append(f"verify: {verified.stdout[-500:]}{verified.stderr[-500:]}")
        return [*lines, *(self._log() if lines else [])], seconds

    def _do(self, plan: Plan | None, reader: Reader) -> float:
        begun = time.monotonic()
        counts(self.bureau.folder)
        for number, step in enumerate(self.work.steps):
            if plan is not None and plan.place.step == number:
                arm(self.bureau.folder, self._moment(plan))
            self._press(step)
            self._wait(step)
            if plan is None:
                time.sleep(SETTLING)
            found = counts(self.bureau.folder)
            parts = [part for part in ("POST", *self.work.tasks) if found.get(part)]
            self.places += [Place(number, part, found[part]) for part in parts]
        return time.monotonic() - begun

    def _moment(self, plan: Plan) -> Moment:
        victims: tuple[int, ...] = ()
        if plan.victim == "postgres" and self.servers:
            victims = (self.servers.postgres_pid,)
        elif plan.victim == "redis" and self.servers:
            victims = (self.servers.redis_pid,)
        return Moment(plan.place.work, plan.statement, plan.seconds, victims)

    def _press(self, step: Step) -> None:
        """Press the button; again, as a person does who finds that nothing came of it."""
        keys = {name: str(self._value(query)) for name, query in step.keys.items()}
        fields = {name: value.format(**keys) for name, value in step.fields.items()}
        for _ in range(4):
            status = press(self.site, step.address.format(**keys), fields, self.file)
            time.sleep(0 if status else 0.5)  # until all that was killed is dead
            self._keep_alive()
            if self._value(step.asked):
                return
            if status not in (0, 503):
                raise AssertionError(f"{step.address} answered {status}, and nothing came of it")
        raise AssertionError(f"{step.address} was pressed four times, and nothing came of it")

    def _wait(self, step: Step) -> None:
        deadline = time.monotonic() + LEASE + SLOWNESS
        while not self._value(step.done):
            if time.monotonic() > deadline:
                raise AssertionError(f"it did not go on by itself within {LEASE + SLOWNESS} seconds")
            self._keep_alive()
            time.sleep(0.1)

    def _settled(self, right: Undisturbed) -> list[str]:
        """What differs once nothing is left to do; a moment later still nothing may."""
        deadline = time.monotonic() + LEASE + SLOWNESS
        while lines := differences(right.account, self._account()):
            self._keep_alive()
            if time.monotonic() > deadline:
                return lines
            time.sleep(0.3)
        time.sleep(LEASE)
        self._keep_alive()
        return differences(right.account, self._account())

    def _account(self) -> dict[str, Any]:
        try:
            return account(self.bureau)
        except (psycopg.OperationalError, sqlite3.OperationalError):
            return {}

    def _value(self, query: str) -> object:
        for _ in range(100):
            try:
                return self.bureau.value(query)
            except (psycopg.OperationalError, sqlite3.OperationalError):
                self._keep_alive()
                time.sleep(0.1)
        return self.bureau.value(query)

    def _keep_alive(self) -> None:
        """Start again what was killed, as the machine's own supervisor does."""
        if self.servers is not None and not (answers(self.servers.database) and answers(self.servers.queue)):
            self.killed += 1
            time.sleep(0.5)  # meanwhile everybody finds it gone
            self.servers.start_again()
        if self.bureau.web.poll() is not None:
            self.killed += 1
            self.bureau.serve("--workers", "1", port=self.port)
        if self.worker.poll() is not None:
            self.killed += 1
            self.worker = self.bureau.worker(clock=True)

    def _log(self) -> list[str]:
        text = (self.bureau.folder / "processes.log").read_text(errors="replace")
        return [f"    {line}" for line in text.splitlines()[-25:]]
