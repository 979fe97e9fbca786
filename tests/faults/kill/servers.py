"""A PostgreSQL and a Redis that may be killed, and start again with the data that they had."""

import contextlib
import shlex
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from script.with_services import find, start, start_postgres, start_redis, wait_for
from tests.faults.kill.moment import kill_tree


class Servers(contextlib.ExitStack):
    """Both servers, in a folder of their own. `database` and `queue`: their addresses.

    To be started in the main thread: they end with the thread that started them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="bureau-servers-"))
        self.folder.chmod(0o755)  # PostgreSQL runs as a user of its own
        self.callback(subprocess.run, ["rm", "-rf", self.folder], check=False)
        self.database = start_postgres(self, self.folder)
        self.queue = start_redis(self, self.folder)
        with psycopg.connect(self.database) as connection:  # what is committed is kept when the process is killed
            connection.execute("ALTER ROLE CURRENT_USER SET synchronous_commit = on")

    @property
    def postgres_pid(self) -> int:
        """The process from which all others of PostgreSQL come."""
        return int((self.folder / "postgres/postmaster.pid").read_text().split()[0])

    @property
    def redis_pid(self) -> int:
        """Redis."""
        return pid_of_redis(self.queue)

    def start_again(self) -> None:
        """Start what was killed, with the line and the data that it had."""
        log = self.folder / "again.log"
        if not answers(self.database):
            data = self.folder / "postgres"
            kill_tree(self.postgres_pid)
            line = shlex.split((data / "postmaster.opts").read_text())
            (data / "postmaster.pid").unlink(missing_ok=True)
            port = urlsplit(self.database).port
            assert port
            wait_for(port, start(self, line, log, data.owner() if data.owner() != "root" else None), log)
            self._wait_for_recovery()
        if not answers(self.queue):
            port = urlsplit(self.queue).port
            assert port
            line = [find("redis-server") or "redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "",
                    "--appendonly", "no", "--dir", str(self.folder)]  # fmt: skip
            wait_for(port, start(self, line, log), log)

    def _wait_for_recovery(self) -> None:
        """It listens before it lets anybody in."""
        for _ in range(600):
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.database):
                return
            time.sleep(0.1)
        raise AssertionError("PostgreSQL let nobody in for a minute after it was killed")


def answers(address: str) -> bool:
    """Whether a server listens at its address."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", urlsplit(address).port or 0)) == 0


def pid_of_redis(address: str) -> int:
    """The process of the Redis of an address."""
    port = str(urlsplit(address).port)
    for words in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = words.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if "redis-server" in line and port in line:
                return int(words.parent.name)
    raise AssertionError("Redis does not run")
