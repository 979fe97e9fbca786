"""Requests a second of public pages, as parts of those of an empty page of the same two web processes.

    DATABASE_URL=... REDIS_URL=... python -m benchmarks.pages

The database must be empty; it is filled with the federation's size and not emptied again. Warm: pages that were asked for
before; cold: pages that nobody has asked for since a table changed.
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from datetime import date

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.page_settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.period import bureau, timed  # noqa: E402
from config.lib.days import next_month  # noqa: E402
from events.models import Section  # noqa: E402
from players.models import Player  # noqa: E402
from tests.federation import load  # noqa: E402

FIRST = date(2022, 1, 1)
EMPTY = "/benchmark/empty/"
CLIENTS = 2
TURNS = 10
TARGETS = {
    "warm_home": 0.3,
    "warm_list": 0.3,
    "warm_player": 0.3,
    "warm_event": 0.3,
    "cold_player": 0.02,
    "cold_list": 0.05,
}


def fill(players: int, months: int, games: int) -> None:
    """Write and publish months of games among the players."""
    month = FIRST
    for number in range(months):
        load(players=players, games=games, sections=max(1, games // 100), seed=number, month=month, active=0.6)
        timed(bureau, month)
        month = next_month(month)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def addresses() -> dict[str, list[str]]:
    """Return the addresses to ask for under each name. Cold ones are asked for once each."""
    events = Section.objects.order_by("pk").values_list("event_id", flat=True)[:20]
    numbers = list(Player.objects.order_by("pk").values_list("number", flat=True)[:3000])
    return {
        "warm_home": ["/"],
        "warm_list": ["/lists/main/"],
        "warm_player": [f"/players/{number}/" for number in numbers[:20]],
        "warm_event": [f"/events/{event}/" for event in events],
        "cold_player": [f"/players/{number}/" for number in numbers[100:]],
        "cold_list": [f"/lists/main/?after={place}" for place in range(1, 6000)],
    }


@contextmanager
def web_server() -> Iterator[int]:
    """Start two web processes as README does; their port."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    options = ["-c", "config/gunicorn.py", "--workers", "2", "--bind", f"127.0.0.1:{port}"]
    line = [sys.executable, "-m", "gunicorn", *options]
    server = subprocess.Popen(line, env={**os.environ, "DJANGO_SETTINGS_MODULE": "benchmarks.page_settings"})
    try:
        while server.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait()


def ask(port: int, paths: Sequence[str], seconds: float, first: int = 0) -> tuple[int, float]:
    """Ask for the pages one after the other, again and again; return how many were answered, and in how many seconds."""
    answered, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        path = paths[(first + answered) % len(paths)]
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as client:
            client.request("GET", path, headers={"Accept-Encoding": "gzip"})
            response = client.getresponse()
            response.read()
            assert response.status == 200, (path, response.status)
        answered += 1
    return answered, time.perf_counter() - began


def rates(pool: ProcessPoolExecutor, port: int, paths: Sequence[str], seconds: float) -> tuple[float, float]:
    """Return the pages and the empty pages a second that clients get together.

    They ask for both by turns, so that a machine that is busy for a while slows both.
    """
    shares = [paths[place::CLIENTS] or paths for place in range(CLIENTS)]
    done, answered = [0] * CLIENTS, {"pages": 0.0, "empty": 0.0}
    for _ in range(TURNS):
        for name, chosen in (("empty", [[EMPTY]] * CLIENTS), ("pages", shares)):
            counted = list(pool.map(ask, [port] * CLIENTS, chosen, [seconds / TURNS] * CLIENTS, done))
            answered[name] += sum(count / took for count, took in counted) / TURNS
            if name == "pages":
                done = [before + count for before, (count, _) in zip(done, counted, strict=True)]
    return answered["pages"], answered["empty"]


def main() -> None:
    """Fill the database, measure the pages and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=15_000)
    parser.add_argument("--months", type=int, default=24)
    parser.add_argument("--games", type=int, default=12_500, help="in each month")
    parser.add_argument("--seconds", type=float, default=5, help="for each page")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    fill(options.players, options.months, options.games)
    with web_server() as port, ProcessPoolExecutor(CLIENTS) as pool:
        for name, paths in addresses().items():
            if name.startswith("warm"):
                for path in paths:
                    for _ in range(4):  # without Redis each process has its own memory
                        ask(port, [path], 0.001)
            pages, empty = rates(pool, port, paths, options.seconds)
            line = {
                "name": f"page_{name}", "value": round(pages / empty, 3), "target": TARGETS[name],
                "unit": "of an empty page", "pages_a_second": round(pages, 1), "empty_a_second": round(empty, 1),
            }  # fmt: skip
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
