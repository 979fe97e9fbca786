"""A worker is killed: the month ends with the figures of an undisturbed run, and readers see all of a list or nothing."""

import contextlib
import threading
import time

import pytest

from tests.faults.month import PUBLISH, START
from tests.faults.stall import stalled, wait_for_stall

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


def kill_at(bureau, table, *, stage=""):
    """Have a worker begin, and kill it where it stands still."""
    with stalled(bureau, table, stage=stage):
        worker = bureau.worker(clock=True)
        wait_for_stall(bureau)
        bureau.kill(worker)


@pytest.mark.parametrize(("moment", "following"), [("gathering", "calculating"), ("calculating", "writing")])
def test_worker_killed_while_calculating(month, undisturbed, moment, following):
    bureau = month("started")
    kill_at(bureau, "ratings_ratingrun", stage=following)
    assert bureau.rows("SELECT state, stage FROM ratings_ratingrun") == [("running", moment)]
    finish(bureau, "calculated")
    assert bureau.figures() == undisturbed
    assert bureau.value("SELECT count(*) FROM ratings_ratingrun") == 1


@pytest.mark.parametrize("table", ["ratings_rating", "ratings_performance", "events_eventmove"])
def test_worker_killed_in_the_middle_of_writing(month, undisturbed, table):
    bureau = month("started")
    kill_at(bureau, table)
    assert bureau.rows("SELECT state, stage FROM ratings_ratingrun") == [("running", "writing")]
    assert bureau.value("SELECT count(*) FROM ratings_rating") == 0
    finish(bureau, "calculated")
    assert bureau.figures() == undisturbed


@pytest.mark.parametrize("table", ["events_ratingperiod", "events_eventmove"])
def test_worker_killed_while_publishing(month, undisturbed, table):
    bureau = month("being published")
    reader = Reader(bureau)
    kill_at(bureau, table)
    reader.start()
    assert bureau.value("SELECT run_id FROM ratings_publishedrun") is None
    finish(bureau, "published")
    assert bureau.figures() == undisturbed
    assert reader.stop() <= {None, len(undisturbed)}
    assert bureau.rows("SELECT state, count(*) FROM events_event GROUP BY state") == [("published", 40)]


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
