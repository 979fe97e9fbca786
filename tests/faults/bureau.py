"""A bureau in processes of its own, on one of the two kinds of storage, that can be killed."""

import contextlib
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from pathlib import Path

import psycopg
import pytest
import redis

from tests import forked, prepared
from tests.prepared import ROOT, SERVER

QUEUE = os.environ.get("REDIS_URL", "")
KINDS = ["embedded", pytest.param("servers", marks=pytest.mark.servers)]

# The bits that a run wrote, player by player, without the run's own number.
FIGURES = """
    SELECT player_id, list_id, "rank", position, games, k, CAST(raw AS double precision),
           CAST(weighted AS double precision), CAST(published AS double precision), CAST(highest AS double precision),
           CAST(change AS double precision), CAST(weighted_performance AS double precision), pending_penalty,
           window_sum, window_weighted, recent
    FROM ratings_rating ORDER BY player_id, list_id
"""


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_open(port: int) -> bool:
    """Whether a server listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Bureau:
    """Commands, workers and beat on one database of their own. `kind` is "embedded" or "servers".

    The database is a copy of `template`, a SQLite file or the name of a PostgreSQL database; without one it has all tables
    and no rows but the register's. `server`, `queue`: the addresses of others than the tests' own servers.
    """

    def __init__(self, kind: str, folder: Path, template: str = "", *, server: str = "", queue: str = "") -> None:
        self.kind = kind
        self.server = server or SERVER
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        folder.mkdir(parents=True, exist_ok=True)
        self.env = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "PYTHONWARNINGS": "error,ignore:You're running the worker with superuser privileges",
            "VAR_DIR": str(folder),
            "RESCUE_SECONDS": "1",
            "CELERY_SKIP_CHECKS": "1",  # they load every page, for a worker that shows none
        }
        self.url = ""
        if kind == "servers":
            name = f"fault_{uuid.uuid4().hex}"
            with psycopg.connect(self.server, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name} TEMPLATE {template or prepared.postgres()}")
            self.name = name
            self.url = self.server.rsplit("/", 1)[0] + "/" + name
            # One of Redis's sixteen numbered stores for each test process, from 1 on.
            store = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
            queue = queue or QUEUE.rsplit("/", 1)[0] + f"/{store}"
            redis.Redis.from_url(queue).flushdb()
            self.env |= {"DATABASE_URL": self.url, "REDIS_URL": queue}
        else:
            shutil.copy(template or prepared.sqlite(), folder / "bureau.sqlite3")

    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """`manage.py ...`, in the foreground."""
        done = forked.run(["manage.py", *words], self.env)
        if check:
            done.check_returncode()
        return done

    def spawn(self, *words: str) -> subprocess.Popen[bytes]:
        """`manage.py ...`, in the background."""
        return self.start(self._line(*words))

    def start(self, line: list[str]) -> subprocess.Popen[bytes]:
        """Any program with the bureau's surroundings, in the background, in a process group of its own."""
        with (self.folder / "processes.log").open("ab") as log:
            process = subprocess.Popen(line, cwd=ROOT, env=self.env, stdout=log, stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def python(self, code: str) -> str:
        """Run code inside the bureau's Django, and return what it printed."""
        program = f"import django; django.setup()\n{code}"
        done = forked.run(["-c", program], self.env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def worker(self, *, clock: bool = False) -> subprocess.Popen[bytes]:
        """A Celery worker; with the clock beside it, which wakes the rescue."""
        line = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", "solo"]
        beat = ["--beat", "--schedule", str(self.folder / f"beat-{uuid.uuid4().hex}")] if clock else []
        return self.start([*line, "--without-mingle", "--without-gossip", *beat])

    def serve(self, *options: str, port: int = 0) -> str:
        """Start the web server, on a port if one is given, with more options of gunicorn; its address."""
        if not (self.folder / "static").exists():
            (self.folder / "static").symlink_to(prepared.static())
        port = port or free_port()
        self.env["SITE_URL"] = f"http://127.0.0.1:{port}"
        line = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py", "--bind", f"127.0.0.1:{port}", *options]
        self.web = self.start(line)
        self.wait_for_port(port, self.web)
        return f"http://127.0.0.1:{port}"

    def wait_for_port(self, port: int, process: "subprocess.Popen[bytes]") -> None:
        """Wait until a server that was started answers."""
        for _ in range(3000):
            assert process.poll() is None, (self.folder / "processes.log").read_text()
            if is_open(port):
                return
            time.sleep(0.1)
        raise AssertionError("the server did not answer within 5 minutes")

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """SIGKILL, to the process and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        """End whatever still runs and drop the database."""
        for process in self.processes:
            self.kill(process)
        if self.kind == "servers":
            with psycopg.connect(self.server, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {self.name} WITH (FORCE)")

    def connect(self) -> "psycopg.Connection[tuple[object, ...]] | sqlite3.Connection":
        """A connection of the test's own, outside the bureau's processes."""
        if self.kind == "servers":
            return psycopg.connect(self.url, autocommit=True)
        return sqlite3.connect(self.folder / "bureau.sqlite3", timeout=300, isolation_level=None)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """All rows of a query."""
        with contextlib.closing(self.connect()) as connection:
            return list(connection.execute(query).fetchall())

    def value(self, query: str) -> object:
        """The one value of a query; None without a row."""
        rows = self.rows(query)
        return rows[0][0] if rows else None

    def wait_until(self, query: str, wanted: set[object], seconds: float = 300) -> object:
        """Ask again and again until the query gives one of the values."""
        deadline = time.monotonic() + seconds
        with contextlib.closing(self.connect()) as connection:
            while time.monotonic() < deadline:
                row = connection.execute(query).fetchone()
                if row and row[0] in wanted:
                    return row[0]
                time.sleep(0.005)
        raise AssertionError(f"waited {seconds} s for {wanted}; {query} gives {row}")

    def figures(self) -> list[tuple[object, ...]]:
        """Every bit that the one run of the database wrote."""
        return [
            tuple(bytes(value) if isinstance(value, (bytes, memoryview)) else value for value in row)
            for row in self.rows(FIGURES)
        ]

    def _line(self, *words: str) -> list[str]:
        return [sys.executable, "manage.py", *words]
