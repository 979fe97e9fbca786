"""Settings of database, broker and mail from DATABASE_URL, REDIS_URL and EMAIL_URL, or their defaults."""

import contextlib
import errno
import os
import sqlite3
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config.lib.parsing import whole_number


class OwnersConnection(sqlite3.Connection):
    """A connection that makes a new database readable by its owner only, with the files that SQLite puts beside it."""

    def __init__(self, database: str | Path, *given: Any, **named: Any) -> None:
        """Take what `sqlite3.connect` takes. A name that begins with `file:` is of a database in memory."""
        if not str(database).startswith("file:"):
            with contextlib.suppress(OSError):  # it is there; or SQLite says what is wrong with the place
                # Hazard: to close a file ends the locks that its process has on it, so that one in use is not opened.
                os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        super().__init__(database, *given, **named)


SQLITE_OPTIONS = {
    "factory": OwnersConnection,
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    # A cache of 64 MiB holds the indexes that a rating run writes to. What is deleted is written over.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-65536;"
        "PRAGMA secure_delete=ON;"
    ),
}

# A machine that loses its power or its network closes no connection. Each end finds within a minute and a half, less than the
# lease of a job, that the other is gone: else a worker's locks stay, or a worker waits, for two hours (Linux's default).
_KEEPALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}  # seconds, seconds, attempts
_UNANSWERED = 90_000  # milliseconds
SMTP_BACKEND = "accounts.outbox.smtp.EmailBackend"
POSTGRES_OPTIONS = {
    "connect_timeout": 5,  # seconds
    **_KEEPALIVE,
    "tcp_user_timeout": _UNANSWERED,
    # The server's end; over a Unix socket it takes no notice of them.
    "options": " ".join(
        f"-c {name}={value}"
        for name, value in {
            **{f"tcp_{name}": value for name, value in _KEEPALIVE.items()},
            "tcp_user_timeout": _UNANSWERED,
            "client_connection_check_interval": 10_000,  # milliseconds: while a statement is at work, too
            # Milliseconds, the lease of a job: of a process that hangs amid its work, whose locks would stay for as long.
            "idle_in_transaction_session_timeout": 120_000,
        }.items()
    ),
}


def folder(path: Path) -> Path:
    """Make a folder if it is missing, for its owner alone, and return it.

    Raises ImproperlyConfigured, with advice, if it cannot be written.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise ImproperlyConfigured(
            f"The folder {path} cannot be used ({error.strerror}): choose another, as VAR_DIR=/tmp/bureau"
        ) from None
    return path


def write_for_owner(path: Path, content: bytes) -> None:
    """Write a file that its owner alone may read, and have it on the disk before it is put in its place. Raises OSError."""
    path.touch(mode=0o600)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def owners_only(path: Path) -> Path:
    """Take from all but the owner the right to read a file or folder of the bureau, if it exists; return it."""
    with contextlib.suppress(OSError):  # another user's, who has to do it himself
        present = path.stat().st_mode
        if present & 0o077:
            path.chmod(present & 0o700)
    return path


def positive_integer(env: environ.Env, name: str, default: int) -> int:
    """Return a variable as a whole number, `default` if it is empty. Raises ImproperlyConfigured for anything else.

    Zero is a number only where it is the default.
    """
    text: str = env.str(name, default="").strip()
    number = whole_number(text, digits=6)
    if text and (number is None or number < min(1, default)):
        raise ImproperlyConfigured(f"{name}={text[:40]} is no whole number: give one, as {name}={default}")
    return default if number is None else number


def site_url(env: environ.Env, *, public: bool) -> str:
    """Return SITE_URL without a slash at its end; without one the address at which `serve` opens the site by default.

    Raises ImproperlyConfigured for anything but the address of a site, and without one for a site that is `public`: the links
    of its mails would lead nowhere, and the host that a request names is not trusted.
    """
    text: str = env.str("SITE_URL", default="").strip().rstrip("/")
    example = "write it as SITE_URL=https://ratings.example.org"
    if not text and public:
        raise ImproperlyConfigured(f"SITE_URL is not set, the site’s address in the links of its mails: {example}")
    try:
        parts = urlsplit(text or "http://127.0.0.1:8000")
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and len(text.split()) < 2
    except ValueError:
        whole = False
    if not whole or parts.path or parts.query or parts.fragment or parts.username is not None:
        raise ImproperlyConfigured(f"SITE_URL={text[:80]} is not the address of a site: {example}")
    return text or "http://127.0.0.1:8000"


def database(env: environ.Env, var: Path) -> dict[str, Any]:
    """Return Django's DATABASES["default"]: the server of DATABASE_URL, or SQLite in the folder `var`."""
    if not env.str("DATABASE_URL", default=""):
        return {"ENGINE": "config.sqlite", "NAME": _sqlite_file(var), "OPTIONS": SQLITE_OPTIONS}
    settings = _parsed(env.db_url, "DATABASE_URL", "postgres://user:password@localhost:5432/bureau")
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        settings["ENGINE"], settings["OPTIONS"] = "config.sqlite", SQLITE_OPTIONS
    else:
        if settings["ENGINE"] == "django.db.backends.postgresql":
            settings["ENGINE"] = "config.postgresql"
        settings["CONN_MAX_AGE"] = 60
        settings["OPTIONS"] = {**POSTGRES_OPTIONS, **settings.get("OPTIONS", {})}
        settings["CONN_HEALTH_CHECKS"] = True
    return settings


def _sqlite_file(var: Path) -> Path:
    """Return the path of the embedded database; what is there of it already is readable by its owner only from now on."""
    path = folder(var) / "bureau.sqlite3"
    for name in ("bureau.sqlite3", "bureau.sqlite3-wal", "bureau.sqlite3-shm"):
        owners_only(var / name)
    return path


def broker(env: environ.Env, var: Path) -> dict[str, Any]:
    """Return Celery's broker settings: the Redis of REDIS_URL, or folders under `var`."""
    redis_url = env.str("REDIS_URL", default="")
    if redis_url:
        if not redis_url.startswith(("redis://", "rediss://")):
            raise ImproperlyConfigured("REDIS_URL cannot be read: write it as redis://localhost:6379/0")
        options = {  # seconds
            # Redis redelivers a killed worker's message after so long; the lease of a run is shorter.
            "visibility_timeout": 600,
            # A request waits no longer to tell a worker; one that waits for messages asks again every second.
            "socket_connect_timeout": 2,
            "socket_timeout": 4,
        }
        return {"CELERY_BROKER_URL": redis_url, "CELERY_BROKER_TRANSPORT_OPTIONS": options}
    queue = owners_only(folder(var / "queue"))
    return {
        "CELERY_BROKER_URL": "folder://localhost",
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            "data_folder_in": str(queue),
            "data_folder_out": str(queue),
            "polling_interval": 0.1,
        },
    }


def page_cache(redis_url: str) -> dict[str, Any]:
    """Return the settings of the cache of rendered pages: in Redis, or in the memory of each web process."""
    if not redis_url:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "pages",
            "OPTIONS": {"MAX_ENTRIES": 1000},
        }
    options = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5, "serializer": "config.page_cache.Bytes"}
    return {
        "BACKEND": "config.page_cache.Pages",
        "LOCATION": redis_url,
        "KEY_PREFIX": "pages",
        "OPTIONS": options,
    }


def mail(env: environ.Env, var: Path, *, public: bool) -> dict[str, Any]:
    """Return Django's mail settings from EMAIL_URL, or for the console. Mail to files goes to `var`/mail by default.

    Raises ImproperlyConfigured for a URL that cannot be read, and without one for a site that is `public`: its mails, with
    addresses and secret links, would stand in the log and count as sent.
    """
    settings = {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    example = "smtp+tls://user:password@mail.example.org:587"
    if env.str("EMAIL_URL", default=""):
        settings = _parsed(env.email_url, "EMAIL_URL", example)
    elif public:
        raise ImproperlyConfigured(
            f"EMAIL_URL is not set, by which mails are sent: write it as {example}; filemail:///folder keeps them in files"
        )
    if settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend":
        settings["EMAIL_BACKEND"] = SMTP_BACKEND
    place = settings.pop("EMAIL_FILE_PATH", "")
    set_options = {name: value for name, value in settings.items() if value is not None}
    # The URL's path lacks the leading slash of the folder.
    return {**set_options, "EMAIL_FILE_PATH": str(Path("/", place) if place else var / "mail"), "EMAIL_TIMEOUT": 20}


def _parsed(parse: Callable[[str], dict[str, Any]], name: str, example: str) -> dict[str, Any]:
    """Return a parsed URL. Raises ImproperlyConfigured if it is not usable, without quoting it: it holds a password."""
    try:
        with warnings.catch_warnings(action="ignore"):
            settings = parse(name)
        if not (settings.get("ENGINE") or settings.get("EMAIL_BACKEND") or "").startswith("django."):
            raise ValueError
    except (ValueError, ImproperlyConfigured):
        raise ImproperlyConfigured(f"{name} cannot be read: write it as {example}") from None
    return settings
