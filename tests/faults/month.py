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
# Stage: the stage before it, and what leads from there to it.
_STAGES = {
    "accepted": ("", _LOAD),
    "started": ("accepted", START),
    "calculated": ("accepted", _COMMAND.format("calculate")),
    "being published": ("calculated", PUBLISH),
    "published": ("calculated", _COMMAND.format("publish")),
}


def at_stage(kind: str, stage: str) -> str:
    """The database of the month at a stage, to be copied: the template of a `Bureau`."""
    before, code = _STAGES[stage]

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder, at_stage(kind, before) if before else "")
        bureau.python(code)
        if kind == "servers":
            (folder / prepared.DATABASE).write_text(bureau.name)

    folder = prepared.once(f"{kind}-{stage}", make)
    return (folder / prepared.DATABASE).read_text() if kind == "servers" else str(folder / "bureau.sqlite3")
