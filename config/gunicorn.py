"""The web server: `gunicorn -c config/gunicorn.py`. `manage.py serve` starts it so, too.

Each worker answers in threads, so that a connection on which nothing arrives keeps no other waiting. It has no defence against
clients that send their request a byte at a time: in public a proxy stands before it (docs/operations.md).
The number of workers is that of `--workers` or of the variable WEB_CONCURRENCY.
"""

import contextlib
import ctypes
import fcntl
import hashlib
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from gunicorn.workers import gthread  # type: ignore[import-untyped]

wsgi_app = "config.wsgi"
worker_class = "gthread"
# Each thread that has answered keeps its connection to PostgreSQL for a minute: 4 workers have at most 64, of the 100 that
# PostgreSQL lets in by default.
threads = 16
worker_connections = 1000
# A new connection holds a thread for as long as this before it waits without one: with gunicorn's 5 seconds, fifty of them
# would stop the threads for 15.
gthread.DEFAULT_WORKER_DATA_TIMEOUT = 0.05  # seconds
timeout = 60  # seconds without a sign of life after which a worker is replaced
graceful_timeout = 10  # seconds that requests under way have when the server stops
keepalive = (
    20  # seconds; longer than the proxy keeps its connections, so that it never writes to one that is being closed
)
# The workers' signs of life are writes to a file: in memory, so that a slow or full disk ends no worker.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - the files' names are random
_LOCK = "lock"  # the file that tells whether the server of a folder of counts is there
control_socket_disable = True
# Which header tells that a client came by HTTPS is Django's setting; two that disagree would be refused here.
secure_scheme_headers: dict[str, str] = {}
# Headers by which a client could name another address than the one that it asks for, and have its page kept under that.
forwarder_headers = ""
loglevel = "error"  # its warnings quote what is no request, with the origin


def _without_address(record: logging.LogRecord) -> bool:
    """Take the address, which may hold a name or the key of a mailed link, out of what is logged of a failed answer."""
    if str(record.msg).startswith("Error handling request"):
        record.msg, record.args = "an answer failed before it began or while it was sent", ()
    return True


logging.getLogger("gunicorn.error").addFilter(_without_address)


# glibc would keep in each thread the 19 MB by which it checked a password: what is larger than this is given back at once.
with contextlib.suppress(AttributeError):  # another library than glibc
    ctypes.CDLL(None).mallopt(-3, 1 << 20)  # M_MMAP_THRESHOLD, bytes


def on_starting(server: Any) -> None:
    """Make the folder in which each worker counts, in files of its own, so that any of them can tell what all have counted.

    Hazard: a worker maps these files into memory, and is killed (SIGBUS) when it counts where the disk has no room for them.
    """
    if os.environ.get("METRICS_TOKEN", "").strip():
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = _folder_of_counts()


def _folder_of_counts() -> str:
    """Return a new folder, and remove those that killed servers of the same VAR_DIR have left: each takes memory for ever."""
    site = os.path.abspath(os.environ.get("VAR_DIR", "").strip() or Path(__file__).parent.parent / "var")
    begins = f"bureau-metrics-{hashlib.sha256(site.encode()).hexdigest()[:12]}-"
    for left in Path(worker_tmp_dir or tempfile.gettempdir()).glob(f"{begins}*"):
        with contextlib.suppress(OSError):  # another server has it, or another user
            lock = os.open(left / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)
    made = tempfile.mkdtemp(prefix=begins, dir=worker_tmp_dir)
    # Held until this process ends, and by none of its workers: it is never closed.
    fcntl.lockf(os.open(Path(made, _LOCK), os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)
    return made


def on_exit(server: Any) -> None:
    """Remove the counts."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)


def post_request(worker: Any, request: Any, environ: dict[str, Any], response: Any) -> None:
    """Take in what is left of a body that was answered before it was read.

    Else the connection breaks while the proxy sends it, which then answers 502 instead of what was said. The proxy has the
    body whole, and none larger than it lets through; without a proxy a slow client could hold a thread by it.
    """
    if os.environ.get("PROXIES", "0").strip() not in ("", "0"):
        with contextlib.suppress(Exception):  # the proxy has closed the connection: it has the answer
            while request.body.read(65_536):
                pass


def child_exit(server: Any, worker: Any) -> None:
    """Put away the counts of the present of a worker that has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
