"""The web server as it is set up, with applications that put it to the test."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import IncompleteRead
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.faults.bureau import free_port, is_open
from tests.prepared import ROOT

FAILS_AT_ONCE = """
def app(environ, start_response):
    raise LookupError("at once")
"""
FAILS_LATER = """
def app(environ, start_response):
    start_response("200 OK", [])
    yield b"first"
    raise LookupError("later")
"""
TELLS_ITS_ADDRESS = """
def app(environ, start_response):
    start_response("200 OK", [])
    yield f"{environ['SCRIPT_NAME']}|{environ['PATH_INFO']}".encode()
"""
CHECKS_A_PASSWORD = """
import pathlib
from argon2.low_level import Type, hash_secret_raw

def app(environ, start_response):
    if environ["PATH_INFO"] == "/check":
        hash_secret_raw(b"password", b"salt" * 4, time_cost=2, memory_cost=19_456, parallelism=1, hash_len=16, type=Type.ID)
    start_response("200 OK", [])
    status = pathlib.Path("/proc/self/status").read_text()
    return [status.partition("VmRSS:")[2].split()[0].encode()]
"""


@contextlib.contextmanager
def served(source: str, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of an application, and a list that has at the end what the web server wrote to its log."""
    (folder / "answering.py").write_text(source)
    port, log = free_port(), []
    words = [
        "--config",
        "config/gunicorn.py",
        "--bind",
        f"127.0.0.1:{port}",
        "--pythonpath",
        str(folder),
        "answering:app",
    ]
    web = subprocess.Popen([sys.executable, "-m", "gunicorn", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(300):
            if is_open(port):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}", log
    finally:
        web.terminate()
        log.append(web.communicate(timeout=60)[1])


@pytest.mark.parametrize("source", [FAILS_AT_ONCE, FAILS_LATER], ids=["at once", "later"])
def test_an_answer_that_fails_is_logged_without_its_address(tmp_path, source):
    with served(source, tmp_path) as (site, log), contextlib.suppress(HTTPError, IncompleteRead):
        urlopen(f"{site}/players/?q=Nomvula", timeout=60).read()
    (said,) = log
    assert "an answer failed" in said
    assert "LookupError" in said
    assert "Nomvula" not in said
    assert "/players/" not in said


def test_no_header_names_another_address_than_the_one_that_is_asked_for(tmp_path):
    """Its page would be kept under that address, for everybody."""
    with served(TELLS_ITS_ADDRESS, tmp_path) as (address, _):
        for header in ("SCRIPT_NAME", "PATH_INFO", "Script-Name", "Path-Info"):
            for value in ("/downloads", "x", "//elsewhere.example"):
                request = Request(f"{address}/downloads/", headers={header: value})
                with urlopen(request, timeout=60) as answer:
                    assert answer.read() == b"|/downloads/", (header, value)


def test_what_checking_passwords_takes_of_the_memory_is_given_back(tmp_path):
    """Else each thread keeps 19 MB for ever, as many as sixteen of them in each process."""
    with served(CHECKS_A_PASSWORD, tmp_path) as (site, _):

        def kilobytes(path: str) -> int:
            return int(urlopen(site + path, timeout=60).read())

        before = kilobytes("/")
        with ThreadPoolExecutor(16) as browsers:
            most = max(browsers.map(kilobytes, ["/check"] * 64))
        assert most > before + 19_000  # they were checked
        assert kilobytes("/") < before + 10_000
