"""What many tests start from and none changes, made once in a run, however many test processes there are."""

import atexit
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path

import psycopg

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
    return once("sqlite", lambda folder: _manage(folder, "migrate", "-v0")) / "bureau.sqlite3"


def postgres() -> str:
    """The name of a PostgreSQL database with all tables, to be a template: no connection to it stays open."""

    def make(folder: Path) -> None:
        name = f"prepared_{uuid.uuid4().hex}"
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        (folder / DATABASE).write_text(name)
        _manage(folder, "migrate", "-v0", DATABASE_URL=f"{SERVER.rsplit('/', 1)[0]}/{name}")

    return (once("postgres", make) / DATABASE).read_text()


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
