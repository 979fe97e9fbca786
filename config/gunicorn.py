"""The web server: `gunicorn -c config/gunicorn.py`. `manage.py serve` starts it so, too.

Each worker answers in threads, so that a connection on which nothing arrives keeps no other waiting. It has no defence against
clients that send their request a byte at a time: in public a proxy stands before it (docs/operations.md).
The number of workers is that of `--workers` or of the variable WEB_CONCURRENCY.
"""

import os
import shutil
from pathlib import Path
from typing import Any

wsgi_app = "config.wsgi"
worker_class = "gthread"
# Each thread that has answered keeps its connection to PostgreSQL for a minute: 4 workers have at most 64, of the 100 that
# PostgreSQL lets in by default.
threads = 16
worker_connections = 1000
timeout = 60  # seconds without a sign of life after which a worker is replaced
graceful_timeout = 10  # seconds that requests under way have when the server stops
keepalive = (
    20  # seconds; longer than the proxy keeps its connections, so that it never writes to one that is being closed
)
# The workers' signs of life are writes to a file: in memory, so that a slow or full disk ends no worker.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - gunicorn makes unnamed files there
control_socket_disable = True
loglevel = "warning"

if os.environ.get("METRICS_TOKEN", "").strip():
    # Each worker counts in files of its own, so that any of them can tell what all have counted.
    _counts = Path(os.environ.get("VAR_DIR") or Path(__file__).parent.parent / "var") / "metrics"
    shutil.rmtree(_counts, ignore_errors=True)
    _counts.mkdir(mode=0o700, parents=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_counts)


def child_exit(server: Any, worker: Any) -> None:
    """Put away the counts of the present of a worker that has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
