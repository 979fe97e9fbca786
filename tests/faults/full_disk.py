"""A worker whose work PostgreSQL refuses with the code by which it says that its disk is full, then a disk with room.

Each function works in a bureau without data.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, timedelta

from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import Decision
from config.lib.leases import lease_length
from events.models import Upload
from events.submission.tasks import check_upload, rescue_uploads
from events.submission.uploads import take_file
from ratings.models import Erasure, ImportJob, RatingRun, Rerating
from ratings.moving_in.jobs.operations import create_job
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS
from ratings.personal_data.erasure.jobs import ask_for_erasure, process_erasure
from ratings.rerating.operations import start_rerating
from ratings.rerating.worker import process_rerating
from ratings.runs.filling import ask_to_fill, process_fill
from ratings.runs.operations import start_run
from ratings.runs.worker import process_run
from tests.builders import CLOCK, event_of, people, period, publish
from tests.events.submission.world import clean, known, played
from tests.pages.builders import add_list

Work = Callable[[Callable[[], datetime]], object]
FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
"""
ATTEMPTS = 6  # more than any job has
WORDS = "The disk is full: it is tried again until all is well."


@contextmanager
def _full(table: str, what: str = "INSERT") -> Iterator[None]:
    """What a worker writes to a table has no room."""
    with connection.cursor() as cursor:
        cursor.execute(FULL)
        cursor.execute(f"CREATE TRIGGER full_disk BEFORE {what} ON {table} EXECUTE FUNCTION full_disk()")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER full_disk ON {table}")
            cursor.execute("DROP FUNCTION full_disk")


def _tried(work: Work) -> datetime:
    """Do what a worker does, each time a little longer after a lease than the last."""
    for attempt in range(ATTEMPTS):
        now = CLOCK + attempt * (lease_length() + timedelta(seconds=1))
        with suppress(OperationalError):
            work(lambda now=now: now)
    return CLOCK + ATTEMPTS * (lease_length() + timedelta(seconds=1))


def month_is_calculated() -> None:
    event_of([(*people(2), "1-0")])
    run = start_run(period(), at=CLOCK)
    with _full("ratings_rating"):
        later = _tried(lambda clock: process_run(run.pk, clock=clock))
    run.refresh_from_db()
    assert (run.state, run.attempts, run.error) == (RatingRun.State.RUNNING, 0, WORDS)
    assert process_run(run.pk, clock=lambda: later).state == RatingRun.State.CALCULATED
    run.refresh_from_db()
    assert run.error == ""


def months_are_rated_again() -> None:
    event_of([(*people(2), "1-0")])
    publish()
    rerating = start_rerating(date(2024, 3, 1), [], reason="To see.", at=CLOCK)
    with _full("ratings_rating"):
        later = _tried(lambda clock: process_rerating(rerating.pk, clock=clock))
    rerating.refresh_from_db()
    assert (rerating.state, rerating.attempts, rerating.error) == (Rerating.State.RUNNING, 0, WORDS)
    assert process_rerating(rerating.pk, clock=lambda: later).state == Rerating.State.CALCULATED


def list_is_read() -> None:
    job = create_job(ImportJob.Kind.REGISTER, filename="a", chunks=[b"Surname,Id\nCele,100000001\n"], at=CLOCK, by=None)
    with _full("ratings_listedplayer"):
        later = _tried(lambda clock: process_job(job.pk, STEPS[job.kind], clock=clock))
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (ImportJob.State.READING, 0, WORDS)
    assert process_job(job.pk, STEPS[job.kind], clock=lambda: later).state == ImportJob.State.READY


def list_is_filled() -> None:
    event_of([(*people(2), "1-0")])
    publish()
    later = add_list("later", system="icu", position=7)
    ask_to_fill(later, date(2024, 3, 1), at=CLOCK, by=None)
    with _full("accounts_decision"):
        _tried(lambda clock: process_fill(later.pk, clock=clock))
    later.refresh_from_db()
    assert (later.fill_attempts, later.fill_error) == (0, "")
    process_fill(later.pk)
    assert Decision.objects.filter(action="filled").exists()


def file_is_checked() -> None:
    known()
    upload = take_file(played(), name="open.trf", content=clean(), at=timezone.now(), by=None)
    with _full("events_upload", "UPDATE OF report"):
        _tried(lambda clock: check_upload(upload.pk))
        rescue_uploads()
    upload.refresh_from_db()
    assert (upload.checked, upload.attempts, upload.error) == (0, 0, "")
    check_upload(upload.pk)
    assert Upload.objects.get(pk=upload.pk).checked == upload.asked


def personal_data_are_erased() -> None:
    erasure = ask_for_erasure(people(1)[0], at=CLOCK, by=None, reason="asked for")
    with _full("accounts_decision"):
        later = _tried(lambda clock: process_erasure(erasure.pk, clock=clock))
    erasure.refresh_from_db()
    assert (erasure.state, erasure.attempts) == (Erasure.State.WAITING, 0)
    process_erasure(erasure.pk, clock=lambda: later)
    erasure.refresh_from_db()
    assert erasure.state == Erasure.State.DONE
