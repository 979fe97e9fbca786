"""March 2024 of a federation at each stage of its calculation, prepared once in a run of the tests."""

from pathlib import Path

from tests import prepared
from tests.faults.bureau import Bureau

_LOAD = """
from django.db import transaction
from tests.federation import load
with transaction.atomic():
    load(players=2000, games=3000, sections=40)
"""
# An officer asks for the calculation, and the message to the workers is lost.
START = """
from django.utils import timezone
from events.models import RatingPeriod
from ratings.runs.operations import start_run
start_run(RatingPeriod.objects.get(), at=timezone.now())
"""
_COMMAND = """
from django.core.management import call_command
call_command("{}", "2024-03")
"""
# As above, for the publication.
PUBLISH = """
from django.utils import timezone
from ratings.models import RatingRun
from ratings.runs.operations import request_publication
request_publication(RatingRun.objects.select_related("period").get(), at=timezone.now())
"""
# What is made anew with the rows: the versions of the tables.
EVERYTHING = """
import json, hashlib
from django.db import connection
from config.backup.making import backed_up_models, _rows, _fields
def select(sql, at_once):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()
for model in backed_up_models():
    rows = sorted(json.dumps(row, sort_keys=True) for row in _rows(select, model, _fields(model)))
    print(model._meta.db_table, len(rows), hashlib.sha256("".join(rows).encode()).hexdigest())
"""
# Stage: the stage before it, and what leads from there to it.
_STAGES = {
    "accepted": ("", _LOAD),
    "started": ("accepted", START),
    "calculated": ("accepted", _COMMAND.format("calculate")),
    "being published": ("calculated", PUBLISH),
    "published": ("calculated", _COMMAND.format("publish")),
}


def at_stage(kind: str, stage: str) -> str:
    """The database of the month at a stage, or of an empty bureau, to be copied: the template of a `Bureau`."""
    if not stage:
        return ""
    before, code = _STAGES[stage]

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder, at_stage(kind, before))
        bureau.python(code)
        if kind == "servers":
            (folder / prepared.DATABASE).write_text(bureau.name)

    folder = prepared.once(f"{kind}-{stage}", make)
    return (folder / prepared.DATABASE).read_text() if kind == "servers" else str(folder / "bureau.sqlite3")


def backed_up(kind: str, stage: str) -> Path:
    """A back-up of the month at a stage, to be read alone."""

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder / "bureau", at_stage(kind, stage))
        bureau.command("backup", str(folder / "bureau.zip"))
        bureau.close()

    return prepared.once(f"{kind}-{stage}-backed-up", make) / "bureau.zip"


def everything(kind: str, stage: str) -> str:
    """Each table of the month at a stage: its rows, their number and their hash."""

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder / "bureau", at_stage(kind, stage))
        (folder / "everything").write_text(bureau.python(EVERYTHING))
        bureau.close()

    return (prepared.once(f"{kind}-{stage}-everything", make) / "everything").read_text()
