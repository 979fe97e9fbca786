"""A worker or the web server is killed: all ends as undisturbed, and readers see all of a list or nothing.

Many more moments, of PostgreSQL and Redis, too: `script/kill`.
"""

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time

from tests.faults.bureau import ROOT, Bureau
from tests.faults.kill.forked import What
from tests.faults.month import PUBLISH, START

STATE = "SELECT state FROM ratings_ratingrun ORDER BY id DESC LIMIT 1"
# The message that `START` and `PUBLISH` alone do not send.
WAKE = """
from ratings.models import RatingRun
from ratings.tasks import wake_worker
wake_worker(RatingRun.objects.get())
"""
# What a reader of the published list sees: how many ratings stand behind the pointer.
READ = """
    SELECT (SELECT count(*) FROM ratings_rating WHERE run_id = published.run_id), published.run_id
    FROM events_ratingperiod period LEFT JOIN ratings_publishedrun published ON published.period_id = period.id
    ORDER BY month LIMIT 1
"""


class Reader(threading.Thread):
    """Reads the published list over and over and keeps every number of rows that it saw."""

    def __init__(self, bureau):
        super().__init__(daemon=True)
        self.bureau, self.seen, self.stopped = bureau, set(), threading.Event()

    def run(self):
        with contextlib.closing(self.bureau.connect()) as connection:
            while not self.stopped.is_set():
                count, pointer = connection.execute(READ).fetchone()
                self.seen.add(count if pointer else None)
                time.sleep(0.005)

    def wait_for(self, count):
        for _ in range(3000):
            if count in self.seen:
                return
            time.sleep(0.1)
        raise AssertionError(f"the reader saw {self.seen} and never {count}")

    def stop(self):
        self.stopped.set()
        self.join()
        return self.seen


def finish(bureau, state):
    """A new worker and the clock: the rescue finds the run, whose lease has run out."""
    with contextlib.closing(bureau.connect()) as connection:
        connection.execute(
            "UPDATE ratings_ratingrun SET lease_until = '2024-01-01 00:00:00+00:00' WHERE lease IS NOT NULL"
        )
    bureau.worker(clock=True)
    bureau.wait_until(STATE, {state})


def test_readers_see_the_list_whole_or_not_at_all(month, undisturbed):
    bureau = month("accepted")
    reader = Reader(bureau)
    reader.start()
    bureau.worker()
    bureau.python(START + WAKE)
    bureau.wait_until(STATE, {"calculated"})
    bureau.python(PUBLISH + WAKE)
    bureau.wait_until(STATE, {"published"})
    reader.wait_for(len(undisturbed))
    assert reader.stop() == {None, len(undisturbed)}


def test_a_lost_message_is_made_up_for(month, undisturbed):
    bureau = month("started")
    finish(bureau, "calculated")
    assert bureau.figures() == undisturbed


# A result of the month that was published is amended and re-rated, and that published; a file waits for its check; a player of
# that month is to be erased.
RERATE = """
from django.utils import timezone
from events.amending.edits import with_result
from events.models import Section
from events.rules.game_result import Result
from ratings.rerating.amendments import amend
from ratings.rerating.operations import start_rerating
section = Section.objects.earliest("pk")
game = section.games.filter(result="1-0").earliest("pk")
right = amend(section, lambda content: with_result(content, game.pk, Result.BLACK_WINS), reason="So.", at=timezone.now())
start_rerating(None, [right], reason="The score sheet.", at=timezone.now())
"""
PUBLISH_AGAIN = """
from django.utils import timezone
from ratings.models import Rerating
from ratings.rerating.operations import request_publication
request_publication(Rerating.objects.get(), at=timezone.now())
"""
UPLOAD = """
from django.utils import timezone
from events.submission.uploads import take_file
from tests.events.submission.world import clean, known, played
known(30)
take_file(played(), name="open.trf", content=clean(30), at=timezone.now(), by=None)
"""
SUBMIT = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from events.models import Declaration, Event
from events.submission.checker import check
from events.submission.uploads import not_submitted
from tests.events.submission.world import known, played, taken
event = Event.objects.latest("pk")
for upload in not_submitted(event.uploads.all()):
    check(upload.pk, today=timezone.localdate())
by = User.objects.create_user("region@example.org", is_officer=True)
at = timezone.now() - timedelta(minutes=1)  # its rescue waits no longer
Declaration.objects.create(event=event, by=by, at=at, language="en-gb")
"""
ERASE = """
from django.utils import timezone
from events.models import Section
from ratings.personal_data.erasure.jobs import ask_for_erasure
player = Section.objects.earliest("pk").games.earliest("pk").white
ask_for_erasure(player, at=timezone.now(), by=None, reason="His mother asks.")
"""
RUN = "ratings.tasks.calculate_or_publish"
CHAIN = "ratings.rerating.tasks.calculate_or_publish_rerating"
LOAD = """
from django.db import transaction
from tests.federation import load
with transaction.atomic():
    load(players=200, games=300, sections=6)
"""
WHATS = [
    What("run", LOAD + START, RUN, [0.6]),
    What("publication", PUBLISH, RUN, [0.1, 1]),
    What("re-rating", RERATE, CHAIN, [0.5]),
    What("its publication", PUBLISH_AGAIN, CHAIN, [0.2]),
    What("upload", UPLOAD, "events.submission.tasks.check_upload", [0.9],
         "UPDATE events_upload SET asked_at = '2024-01-01 00:00:00+00:00'"),
    What("submission", SUBMIT, "events.submission.tasks.submit_large", [0.2, 0.9],
         key="SELECT max(id) FROM events_event"),
    What("erasure", ERASE, "ratings.personal_data.tasks.erase_personal_data", [0.3, 1]),
]  # fmt: skip


ON_SERVERS = ("run", "publication", "its publication", "erasure")  # to copy a database of a server is dear


def test_a_worker_killed_at_a_statement_leaves_its_work_to_the_next(kind, tmp_path):
    whats = [
        what if kind == "embedded" else what._replace(moments=what.moments[:1] if what.name in ON_SERVERS else [])
        for what in WHATS
    ]
    bureau = Bureau(kind, tmp_path / "bureau")
    bureau.env |= {"RUN_LEASE_SECONDS": "1"}
    try:
        line = [sys.executable, "-m", "tests.faults.kill.forked", json.dumps(whats)]
        done = subprocess.run(line, cwd=ROOT, env=bureau.env, capture_output=True, text=True, check=False)
    finally:
        bureau.close()
    assert done.returncode == 0, done.stderr[-3000:]
    found = [json.loads(row) for row in done.stdout.splitlines() if row.startswith("{")]  # the rest is a mail
    assert len(found) == sum(len(what.moments) for what in whats)
    assert [row for row in found if row["differences"] or row["died"] != -9] == [], done.stderr[-3000:]


# `manage.py rerate` that dies when it has begun to lead the months to their corrected runs.
RERATE_KILLED = """
import os, signal
from django.core.management import call_command
from django.db import connection
def die(execute, sql, *rest):
    if 'INSERT INTO "ratings_revision"' in sql:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, *rest)
with connection.execute_wrapper(die):
    call_command("rerate", "2024-03", "--reason", "The score sheet.", "--publish")
"""
REVISIONS = "SELECT number FROM ratings_revision ORDER BY number"


def test_a_command_killed_while_it_published_is_given_again_and_publishes_once(month):
    bureau = month("published")
    bureau.env |= {"RUN_LEASE_SECONDS": "1"}
    killed = bureau.start([sys.executable, "-c", f"import django; django.setup()\n{RERATE_KILLED}"])
    assert killed.wait() == -signal.SIGKILL
    assert bureau.rows(REVISIONS) == [(1,)]
    assert bureau.rows("SELECT state FROM ratings_rerating") == [("publishing",)]
    time.sleep(1.1)  # its lease
    said = bureau.command("rerate", "2024-03", "--reason", "The score sheet.", "--publish").stderr
    assert "of a command that was broken off, is published" in said
    assert "nothing is left to do" in said
    assert bureau.rows(REVISIONS) == [(1,), (2,)]
    assert bureau.rows("SELECT state FROM ratings_rerating") == [("published",)]
