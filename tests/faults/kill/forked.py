"""The short form: works in processes that are forked from one that has loaded everything, and die at a statement.

`python -m tests.faults.kill.forked WHATS` with the bureau's surroundings prints a line of JSON for each moment.
"""

import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import django
import psycopg

from tests.faults.kill.moment import Moment, arm, counts, watch
from tests.faults.kill.works import account, differences


class What(NamedTuple):
    """A task that waits after some code was run on what the one before it has left, and where it dies: parts of its
    statements.

    `waiting`: the SQL that lets the patience of its rescue run out, if that is no lease; `key`: the query of the id that the
    task is given.
    """

    name: str
    code: str
    task: str
    moments: Sequence[float]
    waiting: str = ""
    key: str = "SELECT 1"


class Here:
    """The bureau of this process, as `account` reads it."""

    def __init__(self) -> None:
        from django.conf import settings
        from django.db import connection

        self.connection = connection
        self.kind = "servers" if connection.vendor == "postgresql" else "embedded"
        self.folder = Path(settings.VAR_DIR)
        self.name = str(connection.settings_dict["NAME"])
        self.kept = f"{self.name}_kept" if self.kind == "servers" else str(self.folder / "kept.sqlite3")

    def rows(self, query: str) -> list[Any]:
        """All rows of a query."""
        with self.connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())

    def value(self, query: str) -> object:
        """The one value of a query."""
        return self.rows(query)[0][0]

    def keep(self) -> None:
        """Keep the database as it is."""
        self.connection.close()
        if self.kind == "servers":
            self._copy(self.name, self.kept)
        else:
            with closing(sqlite3.connect(self.name)) as whole, closing(sqlite3.connect(self.kept)) as copy:
                whole.backup(copy)

    def go_back(self) -> None:
        """Have the database that was kept."""
        self.connection.close()
        if self.kind == "servers":
            self._copy(self.kept, self.name)
            return
        for file in self.folder.glob("bureau.sqlite3*"):
            file.unlink()
        shutil.copy(self.kept, self.name)

    def forget(self) -> None:
        """Keep it no longer."""
        if self.kind == "servers":
            self._server(f'DROP DATABASE IF EXISTS "{self.kept}"')

    def _copy(self, source: str, target: str) -> None:
        self._server(
            f'DROP DATABASE IF EXISTS "{target}" WITH (FORCE)', f'CREATE DATABASE "{target}" TEMPLATE "{source}"'
        )

    def _server(self, *statements: str) -> None:
        address = os.environ["DATABASE_URL"].rsplit("/", 1)[0] + "/postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)


def main() -> None:
    """Try each moment."""
    django.setup()
    from config.celery import app

    app.loader.import_default_modules()  # the tasks
    app.conf.task_always_eager = True
    here = Here()
    watch(here.folder)
    here.connection.close()
    for given in json.loads(sys.argv[1]):
        what = What(*given)
        exec(what.code, {})
        if what.moments:
            here.keep()
        counts(here.folder)
        app.tasks[what.task].apply([here.value(what.key)])
        right, statements = account(here), counts(here.folder)[what.task]
        for part in what.moments:  # the next one goes on where the last has ended
            here.go_back()
            _try(here, what, right, statements, min(statements + 1, 1 + int(part * statements)))
    here.forget()


def _try(here: Here, what: What, right: dict[str, Any], statements: int, statement: int) -> None:
    from config.celery import app

    arm(here.folder, Moment(what.task, statement))
    key = here.value(what.key)
    here.connection.close()
    died = _die_in(app.tasks[what.task], key)
    began = time.monotonic()
    line = {
        "moment": f"{what.name}, statement {statement} of {statements}",
        "differences": _rescued(here, what, right),
        "died": died,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(line), flush=True)


def _die_in(task: Any, key: object) -> int:
    """Do a task in a process of its own; the signal that ended it."""
    child = os.fork()
    if not child:
        os.setsid()  # a group of its own, for all of which the signal is
        task.apply([key])
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _rescued(here: Here, what: What, right: dict[str, Any]) -> list[str]:
    """Do what the clock does each second, until the bureau is as an undisturbed one: what differs after all."""
    from django.conf import settings

    from config.celery import app

    if what.waiting:
        with here.connection.cursor() as cursor:
            cursor.execute(what.waiting)
    rescues = [row["task"] for name, row in settings.CELERY_BEAT_SCHEDULE.items() if name.startswith("rescue")]
    lines, deadline = ["nothing was done"], time.monotonic() + settings.RUN_LEASE_SECONDS + 60
    while lines and time.monotonic() < deadline:
        time.sleep(0.2)
        for name in rescues:
            app.tasks[name].apply()
        lines = differences(right, account(here))
    return lines


if __name__ == "__main__":
    main()
