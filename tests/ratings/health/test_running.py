"""The running site: signs of life, metrics of all web processes, and a request's id in a worker's log."""

import json
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from config.signs_of_life import SECONDS
from tests.faults.bureau import Bureau

REQUEST = "7c1d5ac2b4f34e0b8a2f4b6b5a0e0b11"
SENT = f"""
from django_guid import set_guid
from accounts.outbox.tasks import send_mails
from config.lib.waking import wake_now
set_guid("{REQUEST}")
wake_now(send_mails)
"""


@pytest.fixture
def bureau(tmp_path):
    made = Bureau("embedded", tmp_path / "bureau")
    made.env |= {"METRICS_TOKEN": "abc", "LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    yield made
    made.close()


def get(address, **headers):
    try:
        with urlopen(Request(address, headers=headers), timeout=60) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except HTTPError as error:
        return error.code, error.read().decode(), error.headers


def until(condition):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("waited 2 minutes in vain")


def counted_in(web):
    """The folder of the files that the web server's workers map, to count in them.

    A worker that writes to a mapped file is killed when its disk is full: a site with metrics could not even be read.
    """
    children = Path(f"/proc/{web.pid}/task/{web.pid}/children").read_text().split()
    maps = [line.split() for child in children for line in Path(f"/proc/{child}/maps").read_text().splitlines()]
    (folder,) = {Path(line[5]).parent for line in maps if line[1] == "rw-s" and line[5].endswith(".db")}
    return folder


def test_the_site_is_watched(bureau):
    site = bureau.serve("--workers", "2")
    assert get(f"{site}/health/")[:2] == (503, '{"works": false}')
    bureau.worker(clock=True)
    until(lambda: get(f"{site}/health/")[0] == 200)
    for _ in range(20):
        get(f"{site}/robots.txt")
    status, told, _ = get(f"{site}/metrics/", Authorization="Bearer abc")
    assert status == 200
    assert 'bureau_part_works{part="beat"} 1.0' in told
    counted = (
        'django_http_responses_total_by_status_view_method_total{method="GET",status="200",view="ratings:robots"} 20.0'
    )
    assert counted in told
    folder = counted_in(bureau.web)
    assert folder.parts[:3] == ("/", "dev", "shm")

    _, _, headers = get(f"{site}/players/?q=Mokoena", **{"X-Request-ID": REQUEST})
    assert headers["X-Request-ID"] == REQUEST
    assert get(f"{site}/robots.txt", **{"X-Request-ID": "forged\u00e9"})[2]["X-Request-ID"] != "forged\u00e9"
    bureau.python(SENT)
    log = bureau.folder / "processes.log"
    until(lambda: "send_mails" in log.read_text() and f'"request_id": "{REQUEST}", "message": "Task' in log.read_text())
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    asked = next(line for line in lines if line["request_id"] == REQUEST and line["logger"] == "bureau.requests")
    assert (asked["route"], asked["status"], asked["method"]) == ("/players/", 200, "GET")
    assert "Mokoena" not in log.read_text()

    bureau.web.terminate()
    bureau.web.wait(30)
    assert not folder.exists()


def test_what_a_killed_web_server_counted_is_removed_and_nobody_elses(bureau, tmp_path):
    """Each kill left its files in memory, until that was full."""
    other = Bureau("embedded", tmp_path / "other")
    other.env |= {"METRICS_TOKEN": "abc"}
    folders = []
    try:
        for served in (other, bureau, bureau, bureau):
            get(f"{served.serve()}/robots.txt")
            folders.append(counted_in(served.web))
            if len(folders) == 2:
                served.web.kill()
                served.web.wait(30)
        others, killed, *alive = folders
        assert not killed.exists()
        assert [folder.exists() for folder in (others, *alive)] == [True] * 3
        assert len(set(folders)) == 4
    finally:
        other.close()


@pytest.mark.servers
def test_a_worker_with_processes_of_its_own_tells_at_once_that_it_lives(tmp_path):
    """Not at the end of the first interval: /health/ would say that there is none."""
    bureau = Bureau("servers", tmp_path / "bureau")
    bureau.env |= {"LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    try:
        line = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
        bureau.start([*line, "--without-mingle", "--without-gossip"])
        with psycopg.connect(bureau.url, autocommit=True) as connection:
            signs = "SELECT at FROM config_signoflife WHERE process = 'worker'"
            until(lambda: connection.execute(signs).fetchone())
            (at,) = connection.execute(signs).fetchone()
        log = (bureau.folder / "processes.log").read_text().splitlines()
        (ready,) = [json.loads(said) for said in log if said.startswith("{") and " ready." in said]
        assert at - datetime.fromisoformat(ready["time"]) < timedelta(seconds=SECONDS / 2)
    finally:
        bureau.close()
