"""What many tests start from and none changes, made once in a run, however many test processes there are."""

import atexit
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVER = os.environ.get("DATABASE_URL", "")
DATABASE = "database_of_server"  # the file with the name of a prepared PostgreSQL database
FOLDER = "PREPARED_FOR_TESTS"  # the variable that tells the test processes where it lies


def begin() -> None:
    """Make the folder of this run; the processes started from here on find it. It goes when this process ends."""
    if FOLDER not in os.environ:
        folder = tempfile.mkdtemp(prefix="bureau-prepared-")
        os.environ[FOLDER] = folder
        atexit.register(_end, Path(folder), os.getpid())


def _end(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        import psycopg  # where it is used: each process that the tests start begins with these settings

        for name in folder.glob(f"*/{DATABASE}"):
            with psycopg.connect(SERVER, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {name.read_text()} WITH (FORCE)")
        shutil.rmtree(folder, ignore_errors=True)


def once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, filled by whoever asks first; others wait for it."""
    begin()
    shared = Path(os.environ[FOLDER])
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / name).exists():
            half = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=shared))
            make(half)
            half.rename(shared / name)
    return shared / name


def sqlite() -> Path:
    """A SQLite file with all tables."""

    def make(folder: Path) -> None:
        shutil.copy(_migrated(), folder / "bureau.sqlite3")
        _manage(folder, "migrate", "-v0")  # all are applied: only what follows a migration is done anew

    return once("sqlite", make) / "bureau.sqlite3"


def fill_memory() -> None:
    """Give the SQLite database in memory that Django's tests use all tables, before Django asks it for migrations."""
    memory = sqlite3.connect("file:memorydb_default?mode=memory&cache=shared", uri=True, check_same_thread=False)
    with closing(sqlite3.connect(_migrated())) as made:
        made.backup(memory)
    atexit.register(memory.close)  # what is in memory lasts as long as a connection to it


def _migrated() -> Path:
    """A SQLite file after all migrations, kept for later runs: they take longer than the tests of a room."""
    kept = _cache() / f"{_migrations()}.sqlite3"

    def make(folder: Path) -> None:
        if not kept.exists():
            _manage(folder, "migrate", "-v0")
            half = kept.with_suffix(f".{os.getpid()}")
            with closing(sqlite3.connect(folder / "bureau.sqlite3")) as made, closing(sqlite3.connect(half)) as copy:
                made.backup(copy)
            half.rename(kept)

    once("migrated", make)
    return kept


def _cache() -> Path:
    """The folder of what later runs may use again; without what has not been used for a week."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ratings-bureau-tests")
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        if file.stat().st_atime < time.time() - 7 * 86_400:
            file.unlink(missing_ok=True)
    return folder


def _migrations() -> str:
    """A fingerprint of all migrations and of the packages that they are written for."""
    digest = hashlib.sha256((ROOT / "constraints.txt").read_bytes())
    for file in sorted(ROOT.glob("*/migrations/*.py")):
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()[:32]


def postgres() -> str:
    """The name of a PostgreSQL database with all tables, to be a template: no connection to it stays open."""

    def make(folder: Path) -> None:
        import psycopg

        name = f"prepared_{uuid.uuid4().hex}"
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
            version = connection.info.server_version
        (folder / DATABASE).write_text(name)
        address = f"{SERVER.rsplit('/', 1)[0]}/{name}"
        kept = _cache() / f"{_migrations()}-{version}.sql"
        if not kept.exists():
            _manage(folder, "migrate", "-v0", DATABASE_URL=address)  # it takes longer than the tests of a room
            _dump(address, kept)
        else:
            restore = ["psql", "-qX", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", str(kept), address]
            subprocess.run(restore, check=True, capture_output=True)
            _manage(folder, "migrate", "-v0", DATABASE_URL=address)  # only what follows a migration is done anew

    return (once("postgres", make) / DATABASE).read_text()


def _dump(address: str, kept: Path) -> None:
    """Keep a database for later runs, if the programs for it are here and know this server."""
    half = kept.with_suffix(f".{os.getpid()}")
    if shutil.which("pg_dump") and shutil.which("psql"):
        done = subprocess.run(["pg_dump", "--no-owner", "-f", half, address], check=False, capture_output=True)
        if done.returncode == 0:
            half.rename(kept)


def static() -> Path:
    """The folder of the static files as the site serves them, compressed and under their fingerprints."""
    return once("collected", lambda folder: _manage(folder, "collectstatic", "--noinput", "-v0")) / "static"


def _manage(var: Path, *words: str, **env: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(
        command, cwd=ROOT, env={**kept, "VAR_DIR": str(var), **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
