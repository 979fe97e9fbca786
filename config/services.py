"""Where the database, the broker and the mail are: DATABASE_URL, REDIS_URL, EMAIL_URL, or the defaults, in this one place."""

from pathlib import Path
from typing import Any

import environ

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    # The cache, 64 MiB, holds the indexes that a run writes to.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-65536;"
    ),
}


def database(env: environ.Env, var: Path) -> dict[str, Any]:
    """Django's DATABASES["default"]: the server of DATABASE_URL, or SQLite under `var`."""
    if not env.str("DATABASE_URL", default=""):
        var.mkdir(parents=True, exist_ok=True)
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": var / "bureau.sqlite3", "OPTIONS": SQLITE_OPTIONS}
    found: dict[str, Any] = env.db_url("DATABASE_URL")
    if found["ENGINE"].endswith("sqlite3"):
        found["OPTIONS"] = SQLITE_OPTIONS
    else:
        found["CONN_MAX_AGE"] = 60
        found["CONN_HEALTH_CHECKS"] = True
    return found


def broker(env: environ.Env, var: Path) -> dict[str, Any]:
    """Celery's broker settings: the Redis of REDIS_URL, or folders under `var`."""
    redis_url = env.str("REDIS_URL", default="")
    if redis_url:
        # A message that a killed worker held comes back after this many seconds; the run's own lease is shorter.
        return {"CELERY_BROKER_URL": redis_url, "CELERY_BROKER_TRANSPORT_OPTIONS": {"visibility_timeout": 600}}
    queue, processed = var / "queue", var / "queue-done"
    for folder in (queue, processed):
        folder.mkdir(parents=True, exist_ok=True)
    return {
        "CELERY_BROKER_URL": "filesystem://localhost",
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            "data_folder_in": str(queue),
            "data_folder_out": str(queue),
            "processed_folder": str(processed),
            "store_processed": False,
            "polling_interval": 0.1,
        },
    }


def mail(env: environ.Env, var: Path) -> dict[str, Any]:
    """Django's settings for mail: what EMAIL_URL says, else the console. Without a folder, files lie under `var`."""
    found: dict[str, Any] = env.email_url("EMAIL_URL", default="consolemail://")
    folder = found.pop("EMAIL_FILE_PATH", "")
    given = {name: value for name, value in found.items() if value is not None}
    # The address of a folder begins after the slash that ends the (empty) host.
    return {**given, "EMAIL_FILE_PATH": str(Path("/", folder) if folder else var / "mail"), "EMAIL_TIMEOUT": 20}
