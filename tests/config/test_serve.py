"""`manage.py serve` refuses a port that cannot be had, before it touches anything."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def busy():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_busy_port_is_named_with_the_mend(busy, tmp_path):
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "PORT": str(busy)}
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert f"port {busy} cannot be had" in done.stderr
    assert "choose another with PORT=8001" in done.stderr
    assert not (tmp_path / "bureau.sqlite3").exists()
    assert not (tmp_path / "static").exists()


@pytest.mark.parametrize("port", [-1, 0, 65536, "abc", "٨٠٠٠"])
def test_what_is_no_port(port):
    with pytest.raises(CommandError, match=f"port {port} cannot be had: choose one from 1 to 65535, as PORT=8001"):
        call_command("serve", port=port)
