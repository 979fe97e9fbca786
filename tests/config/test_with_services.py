"""`script/with_services.py`: servers of the command's own, ended however the command or the script ends."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.servers

ROOT = Path(__file__).resolve().parent.parent.parent
ANNOUNCE = "import os; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'], os.getpid(), flush=True)"


def start(program, folder):
    """The script with a Python program as its command, its temporary files in the folder."""
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    for parent in folder.parents:
        if parent.owner() == folder.owner() and parent != Path("/"):
            with contextlib.suppress(PermissionError):
                parent.chmod(parent.stat().st_mode | 0o011)
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return subprocess.Popen(
        [sys.executable, "script/with_services.py", sys.executable, "-c", f"{ANNOUNCE}\n{program}"],
        cwd=ROOT, env={**env, "TMPDIR": str(folder)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def announced(process):
    """The ports of the two servers, and the command's process."""
    line = process.stdout.readline()
    assert line, process.stderr.read()
    database, queue, pid = line.split()
    return [urlsplit(database).port, urlsplit(queue).port], int(pid)


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def alive(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_a_command_that_fails_ends_the_servers_and_its_status_is_kept(tmp_path):
    with start("raise SystemExit(3)", tmp_path) as process:
        ports, _ = announced(process)
        assert process.wait(120) == 3
    assert not any(answers(port) for port in ports)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_script_that_is_killed_leaves_no_server_and_no_command(tmp_path, number):
    with start("import time; time.sleep(120)", tmp_path) as process:
        ports, pid = announced(process)
        assert all(answers(port) for port in ports)
        process.send_signal(number)
        status = process.wait(120)
    try:
        assert wait_until(lambda: not any(answers(port) for port in ports))
        assert wait_until(lambda: not alive(pid))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if number is signal.SIGTERM:
        assert status == 128 + number
        assert list(tmp_path.iterdir()) == []
