"""The web server: `gunicorn -c config/gunicorn.py`. `manage.py serve` starts it so, too.

Each worker answers in threads, so that a connection on which nothing arrives keeps no other waiting. It has no defence against
clients that send their request a byte at a time: in public a proxy stands before it (docs/operations.md).
The number of workers is that of `--workers` or of the variable WEB_CONCURRENCY.
"""

import os

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
