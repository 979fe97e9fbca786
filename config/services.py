"""Where the database, the broker and the mail are: DATABASE_URL, REDIS_URL, EMAIL_URL, or the defaults, in this one place."""

import errno
import logging
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from config.lib.parsing import whole_number

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    # The cache, 64 MiB, holds the indexes that a run writes to.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-65536;"
    ),
}


def folder(path: Path) -> Path:
    """A folder that is there and can be written. ImproperlyConfigured, with the mend, when it cannot be had."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise ImproperlyConfigured(
            f"The folder {path} cannot be used ({error.strerror}): choose another, as VAR_DIR=/tmp/bureau"
        ) from None
    return path


def whole(env: environ.Env, name: str, default: int) -> int:
    """A whole number of 1 or more from a variable; empty is not given. ImproperlyConfigured for anything else."""
    given: str = env.str(name, default="").strip()
    if given and not whole_number(given, digits=6):
        raise ImproperlyConfigured(f"{name}={given[:40]} is no whole number: give one, as {name}={default}")
    return int(given or default)


def log_level(env: environ.Env) -> str:
    """LOG_LEVEL, or WARNING. ImproperlyConfigured for a word that is none."""
    given: str = env.str("LOG_LEVEL", default="").strip().upper() or "WARNING"
    known = [name for name in logging.getLevelNamesMapping() if name != "NOTSET"]
    if given not in known:
        raise ImproperlyConfigured(f"LOG_LEVEL={given[:40]} is none: choose one of {', '.join(known)}")
    return given


def database(env: environ.Env, var: Path) -> dict[str, Any]:
    """Django's DATABASES["default"]: the server of DATABASE_URL, or SQLite under `var`."""
    if not env.str("DATABASE_URL", default=""):
        folder(var)
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": var / "bureau.sqlite3", "OPTIONS": SQLITE_OPTIONS}
    found = _parsed(env.db_url, "DATABASE_URL", "postgres://user:password@localhost:5432/bureau")
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
        if not redis_url.startswith(("redis://", "rediss://")):
            raise ImproperlyConfigured("REDIS_URL cannot be read: write it as redis://localhost:6379/0")
        # A message that a killed worker held comes back after this many seconds; the run's own lease is shorter.
        return {"CELERY_BROKER_URL": redis_url, "CELERY_BROKER_TRANSPORT_OPTIONS": {"visibility_timeout": 600}}
    queue, processed, control = var / "queue", var / "queue-done", var / "queue-control"
    folder(queue)
    folder(processed)
    folder(control)
    return {
        "CELERY_BROKER_URL": "filesystem://localhost",
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            "data_folder_in": str(queue),
            "data_folder_out": str(queue),
            "processed_folder": str(processed),
            "control_folder": str(control),
            "store_processed": False,
            "polling_interval": 0.1,
        },
    }


def mail(env: environ.Env, var: Path) -> dict[str, Any]:
    """Django's settings for mail: what EMAIL_URL says, else the console. Without a folder, files lie under `var`."""
    found = {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if env.str("EMAIL_URL", default=""):
        found = _parsed(env.email_url, "EMAIL_URL", "smtp+tls://user:password@mail.example.org:587")
    place = found.pop("EMAIL_FILE_PATH", "")
    given = {name: value for name, value in found.items() if value is not None}
    # The address of a folder begins after the slash that ends the (empty) host.
    return {**given, "EMAIL_FILE_PATH": str(Path("/", place) if place else var / "mail"), "EMAIL_TIMEOUT": 20}


def _parsed(parse: Callable[[str], dict[str, Any]], name: str, example: str) -> dict[str, Any]:
    """An address taken apart. ImproperlyConfigured when it is none of ours; it is not repeated: it holds a password."""
    try:
        with warnings.catch_warnings(action="ignore"):
            found = parse(name)
        if not (found.get("ENGINE") or found.get("EMAIL_BACKEND") or "").startswith("django."):
            raise ValueError
    except (ValueError, ImproperlyConfigured):
        raise ImproperlyConfigured(f"{name} cannot be read: write it as {example}") from None
    return found
