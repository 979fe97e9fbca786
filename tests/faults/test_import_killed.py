"""A worker that is killed while it takes a list of players leaves nothing by half; the next one takes it."""

import contextlib

from tests.faults.bureau import Bureau
from tests.faults.stall import stalled, wait_for_stall

READY = """
from django.utils import timezone
from players.models import Player
from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import State, ask_for, create_job
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS
now = timezone.now()
# SQLite stands still for as long as it takes to count them.
Player.objects.bulk_create(
    Player(number=f"{100000001 + place}", last_name=f"Known{place}", folded_name=f" known{place}", registered_at=now)
    for place in range(1000)
)
lines = b"Surname,First names,Born\\n" + b"".join(b"Dube%d,Ann,1990\\n" % place for place in range(5))
job = create_job(ImportJob.Kind.REGISTER, filename="list.csv", chunks=[lines], at=now, by=None)
process_job(job.pk, STEPS[job.kind])
ask_for(job, State.TAKING, at=now, by=None)
"""
STATE, PLAYERS = "SELECT state FROM ratings_importjob", "SELECT count(*) FROM players_player"


def test_worker_killed_while_taking_a_list(kind, tmp_path):
    bureau = Bureau(kind, tmp_path / "bureau")
    try:
        bureau.python(READY)
        with stalled(bureau, "players_historicalplayer"):
            worker = bureau.worker(clock=True)
            wait_for_stall(bureau)
            bureau.kill(worker)
        assert (bureau.value(STATE), bureau.value(PLAYERS)) == ("taking", 1000)
        with contextlib.closing(bureau.connect()) as connection:
            connection.execute("UPDATE ratings_importjob SET lease_until = '2024-01-01 00:00:00+00:00'")
        bureau.worker(clock=True)
        bureau.wait_until(STATE, {"taken"})
        assert bureau.value(PLAYERS) == 1005
        assert bureau.value("SELECT count(*) FROM players_historicalplayer WHERE history_type = '+'") == 5
        assert bureau.value("SELECT count(*) FROM players_registerimport") == 1
    finally:
        bureau.close()
