"""What the bureau's processes hold while it is used: memory, open files, connections; and whether that grows."""

import contextlib
import os
import statistics
import threading
import time
from pathlib import Path

import psycopg
import redis

from tests.faults.bureau import Bureau

GROWTH, MEGABYTES, FILES = 0.10, 20.0, 20.0  # a process may grow by a tenth, or by less than these
MOST_CONNECTIONS = 64  # to PostgreSQL and to Redis each: two web processes of 16 threads, workers, beat


class Watch(threading.Thread):
    """Looks at groups of processes every few seconds: what it saw, by name of the figure."""

    def __init__(self, bureau: Bureau, groups: dict[str, int], every: float) -> None:
        super().__init__(daemon=True)
        self.bureau, self.groups, self.every = bureau, groups, every
        self.stopped = threading.Event()
        self.seen: dict[str, list[float]] = {}
        self.started = time.monotonic()

    def run(self) -> None:
        """Look until told to stop."""
        while not self.stopped.wait(self.every):
            members = _members(set(self.groups.values()))
            for name, group in self.groups.items():
                self._add(f"MB of {name}", sum(map(_megabytes, members[group])))
                self._add(f"open files of {name}", sum(map(_files, members[group])))
            if self.bureau.kind == "servers":
                with psycopg.connect(self.bureau.server, autocommit=True) as connection:
                    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
                    row = connection.execute(query, [self.bureau.name]).fetchone()
                    self._add("connections to PostgreSQL", row[0] if row else 0)
                with contextlib.closing(redis.Redis.from_url(self.bureau.env["REDIS_URL"])) as queue:
                    self._add("connections to Redis", len(queue.client_list()) - 1)

    def stop(self) -> None:
        """End it."""
        self.stopped.set()
        self.join()

    def _add(self, name: str, value: float) -> None:
        self.seen.setdefault(name, []).append(value)


def grown(name: str, values: list[float]) -> str:
    """Say what is wrong with a figure over time; "" if nothing is.

    Growth: the median of the last fifth is more than a tenth, and more than 20 MB or 20 files, above that of the second fifth.
    Connections must be no more than MOST_CONNECTIONS at any time.
    """
    if name.startswith("connections"):
        return f"{name}: {max(values):.0f}, more than {MOST_CONNECTIONS}" if max(values) > MOST_CONNECTIONS else ""
    fifth = len(values) // 5
    if not fifth:
        return f"{name}: looked at {len(values)} times, which is too few"
    early, late = statistics.median(values[fifth : 2 * fifth]), statistics.median(values[-fifth:])
    least = MEGABYTES if name.startswith("MB") else FILES
    return f"{name}: {early:.0f} became {late:.0f}" if late > early * (1 + GROWTH) and late > early + least else ""


def _members(groups: set[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {group: [] for group in groups}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            group = os.getpgid(int(folder.name))
            if group in found:
                found[group].append(int(folder.name))
    return found


def _megabytes(pid: int) -> float:
    """The memory of a process; what it shares with others counts in parts."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0


def _files(pid: int) -> int:
    with contextlib.suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0
