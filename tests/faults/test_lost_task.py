"""A process of a worker that is killed while it does what the clock started, as for want of memory, is no silent failure."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.faults.bureau import Bureau

TASK = "ratings.personal_data.tasks.clear_old_personal_data"
FAILED = f"SELECT error FROM config_failedtask WHERE task = '{TASK}'"


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(child) for child in found.stdout.split()]


# As `manage.py serve` starts a worker, and as docs/systemd does.
@pytest.mark.parametrize(
    ("kind", "pool"), [("embedded", "solo"), pytest.param("servers", "prefork", marks=pytest.mark.servers)]
)
def test_a_task_of_the_clock_whose_process_is_killed_is_kept_as_failed_until_it_succeeds(kind, pool, tmp_path):
    bureau = Bureau(kind, tmp_path / "bureau")
    try:
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", pool, "--concurrency", "1"]
        worker = bureau.start([*command, "--without-mingle"])
        bureau.wait_until("SELECT count(*) FROM config_signoflife WHERE process = 'worker'", {1})
        send = f"from config.celery import app\napp.loader.import_default_modules()\napp.tasks['{TASK}'].delay()"
        with contextlib.closing(bureau.connect()) as held:
            # Until this ends, the task waits in its first write.
            held.execute("BEGIN IMMEDIATE" if kind == "embedded" else "BEGIN")
            if kind == "servers":
                held.execute("LOCK TABLE config_signoflife IN EXCLUSIVE MODE")
            bureau.python(send)
            time.sleep(5)
            for process in children(worker.pid) if pool == "prefork" else [worker.pid]:
                os.kill(process, signal.SIGKILL)
            held.execute("ROLLBACK")
        if pool == "solo":
            worker.wait()
            bureau.start([*command, "--without-mingle"])
        bureau.wait_until(FAILED, {"WorkerLostError"})
        bureau.python(send)
        bureau.wait_until(f"SELECT count(*) FROM ({FAILED}) AS failed", {0})
    finally:
        bureau.close()
