"""What the web server itself logs, of an answer that fails outside the site's own answers, names no address."""

import contextlib
import socket
import subprocess
import sys
import time
from http.client import IncompleteRead
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

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


@pytest.mark.parametrize("source", [FAILS_AT_ONCE, FAILS_LATER], ids=["at once", "later"])
def test_an_answer_that_fails_is_logged_without_its_address(tmp_path, source):
    (tmp_path / "failing.py").write_text(source)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [
        "--config",
        "config/gunicorn.py",
        "--bind",
        f"127.0.0.1:{port}",
        "--pythonpath",
        str(tmp_path),
        "failing:app",
    ]
    web = subprocess.Popen([sys.executable, "-m", "gunicorn", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        with contextlib.suppress(HTTPError, IncompleteRead):
            urlopen(f"http://127.0.0.1:{port}/players/?q=Nomvula", timeout=60).read()
    finally:
        web.terminate()
        said = web.communicate(timeout=60)[1]
    assert "an answer failed" in said
    assert "LookupError" in said
    assert "Nomvula" not in said
    assert "/players/" not in said
