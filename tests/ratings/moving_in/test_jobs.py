"""Import jobs: the lease, workers that die, and the file in pieces."""

import contextlib
from datetime import timedelta

import pytest
from django.db import OperationalError

from ratings.desk.trays import BY_CODE
from ratings.models import ImportJob, ImportPiece
from ratings.moving_in.jobs.files import PIECE, opened
from ratings.moving_in.jobs.operations import (
    GOES_BACK_TO,
    KEPT_UNCONFIRMED,
    MOST_ATTEMPTS,
    ImportRefusedError,
    State,
    ask_for,
    cancel_job,
    claim_job,
    create_job,
    discard_forgotten,
    discard_job,
    note_error,
    to_work_on,
)
from ratings.moving_in.jobs.worker import process_job
from tests.builders import CLOCK, officer
from tests.faults.bureau import Bureau

pytestmark = pytest.mark.django_db
CANCELLED_BESIDE = """
from threading import Thread

from django.utils import timezone

from players.models import Title
from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import State, cancel_job, create_job
from ratings.moving_in.jobs.worker import process_job

job = create_job(ImportJob.Kind.REGISTER, filename="a", chunks=[b"a"], at=timezone.now(), by=None)
ImportJob.objects.update(state=State.TAKING)
told = []


def take(job, tell, at):
    Title.objects.create(code="ZZZ", name="Written", position=999)
    tell("Taking", 0.1)
    told.append("Taking")
    beside = Thread(target=lambda: cancel_job(job, at=timezone.now(), by=None))
    beside.start()
    beside.join()
    tell("Further", 0.2)
    told.append("Further")


print(process_job(job.pk, {State.TAKING: take}).state, Title.objects.filter(code="ZZZ").exists(), told)
"""
LATER = CLOCK + timedelta(minutes=3)  # longer than a lease


def made(content: bytes = b"Surname\nCele\n") -> ImportJob:
    return create_job(ImportJob.Kind.REGISTER, filename="list.csv", chunks=[content], at=CLOCK, by=officer())


def done(job, tell, at):
    tell("Reading", 0.5)
    return {"lines": 1}


def process(job, work=done, at=CLOCK) -> ImportJob:
    return process_job(job.pk, dict.fromkeys(GOES_BACK_TO, work), clock=lambda: at)


def test_a_file_is_kept_in_pieces_and_given_back_whole():
    content = bytes(range(256)) * (PIECE // 100)
    job = create_job(
        ImportJob.Kind.REGISTER,
        filename="list.csv",
        chunks=(content[start : start + 65_536] for start in range(0, len(content), 65_536)),
        at=CLOCK,
        by=None,
    )
    assert job.size == len(content)
    assert ImportPiece.objects.filter(job=job).count() == 3
    with opened(job) as file:
        assert file.read() == content


def test_a_list_is_read_taken_and_undone():
    job = made()
    states = [process(job).state]
    for state in (State.COMPARING, State.TAKING, State.UNDOING):
        ask_for(job, state, at=CLOCK, by=None)
        states.append(process(job).state)
    assert states == ["ready", "ready", "taken", "undone"]
    assert ImportJob.objects.get().summary == {"lines": 1}


def test_a_job_is_held_by_one_worker_until_its_lease_runs_out():
    job = made()
    assert claim_job(job.pk, at=CLOCK) is not None
    assert claim_job(job.pk, at=CLOCK + timedelta(minutes=1)) is None
    assert claim_job(job.pk, at=LATER) is not None


@pytest.mark.parametrize("state", [State.READING, State.TAKING])
def test_a_worker_whose_lease_went_to_another_ends_nothing(state):
    job = made()
    ImportJob.objects.update(state=state)

    def slow(job, tell, at):
        claim_job(job.pk, at=LATER)
        return {"late": True}

    assert (process(job, slow).state, process(job).summary) == (state, {})


def test_what_kills_its_workers_is_given_up():
    job = made()
    for attempt in range(MOST_ATTEMPTS + 1):
        claim_job(job.pk, at=CLOCK + attempt * timedelta(minutes=3))
    job.refresh_from_db()
    assert (job.state, job.error[:22]) == ("failed", "Given up after 3 attem")


def hit_by_an_outage(job: ImportJob) -> None:
    note_error(claim_job(job.pk, at=CLOCK), OperationalError("unable to open database file"))
    assert ImportJob.objects.get().error.startswith("The database did not answer")


def test_what_kills_its_workers_after_an_outage_says_so():
    hit_by_an_outage(job := made())
    for attempt in range(1, MOST_ATTEMPTS + 2):
        claim_job(job.pk, at=CLOCK + attempt * timedelta(minutes=3))
    job.refresh_from_db()
    assert (job.state, job.error[:22]) == ("failed", "Given up after 3 attem")


def test_what_goes_on_after_an_outage_tells_no_error():
    hit_by_an_outage(job := made())
    claim_job(job.pk, at=LATER)
    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == (State.READING, "", 1)


def test_what_is_refused_says_why_and_is_where_it_was():
    job = made()
    process(job)
    ask_for(job, State.TAKING, at=CLOCK, by=None)

    def refusing(job, tell, at):
        raise ImportRefusedError("Answer line 3 first.")

    assert (process(job, refusing).state, ImportJob.objects.get().error) == ("ready", "Answer line 3 first.")


def test_a_fault_is_tried_again_after_the_lease():
    job = made()

    def broken(job, tell, at):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        process(job, broken)
    assert "ZeroDivisionError" in ImportJob.objects.get().error
    assert process(job).state == "reading"
    assert (process(job, at=LATER).state, ImportJob.objects.get().error) == ("ready", "")


def test_a_job_is_asked_only_for_what_its_state_allows():
    job = made()
    with pytest.raises(ImportRefusedError, match="is being read by now"):
        ask_for(job, State.TAKING, at=CLOCK, by=None)
    process(job)
    with pytest.raises(ImportRefusedError, match="to be confirmed"):
        ask_for(job, State.UNDOING, at=CLOCK, by=None)
    discard_job(job, at=CLOCK, by=None)
    assert not ImportPiece.objects.exists()
    with pytest.raises(ImportRefusedError, match="discarded"):
        ask_for(job, State.TAKING, at=CLOCK, by=None)


def test_a_list_that_nobody_confirms_is_put_away():
    job = made()
    process(job)
    discard_forgotten(at=CLOCK + KEPT_UNCONFIRMED)
    assert ImportJob.objects.get().state == "ready"
    discard_forgotten(at=CLOCK + KEPT_UNCONFIRMED + timedelta(days=1))
    assert ImportJob.objects.get().state == "discarded"


def test_a_lost_message_is_made_up_for_by_the_clock():
    job = made()
    assert list(to_work_on(at=CLOCK)) == [job]
    claim_job(job.pk, at=CLOCK)
    assert not to_work_on(at=CLOCK)
    assert list(to_work_on(at=LATER)) == [job]
    process(job, at=LATER)
    assert not to_work_on(at=LATER + timedelta(days=1))


@pytest.mark.parametrize(("state", "before"), GOES_BACK_TO.items())
def test_work_is_cancelled_while_a_worker_has_it(state, before):
    job = made()
    ImportJob.objects.update(state=state)

    def cancelled(job, tell, at):
        cancel_job(job, at=at, by=None)
        tell("Reading", 0.5)
        pytest.fail("the work went on")

    if state in (State.TAKING, State.UNDOING):  # one transaction, into which this test's connection would be drawn
        cancel_job(job, at=CLOCK, by=None)
    else:
        process(job, cancelled)
    left = ImportJob.objects.get()
    assert (left.state, left.lease) == (before, None)
    assert left.error.startswith("Cancelled while it was being")
    with pytest.raises(ImportRefusedError):
        cancel_job(job, at=CLOCK, by=None)


@pytest.mark.parametrize("is_refused", [True, False], ids=["refused", "cancelled"])
def test_an_undo_that_a_worker_refuses_waits_on_the_desk_and_one_that_is_cancelled_does_not(is_refused):
    job = made()
    ImportJob.objects.update(state=State.TAKEN)
    ask_for(job, State.UNDOING, at=CLOCK, by=None)

    def refused(job, tell, at):
        raise ImportRefusedError("Anna was changed since.")

    if is_refused:
        process(job, refused)
    else:
        cancel_job(job, at=CLOCK, by=None)
    assert ImportJob.objects.get().state == State.TAKEN
    assert BY_CODE["kept"].rows(CLOCK.date()).exists() is is_refused


@pytest.mark.servers
def test_what_is_being_taken_is_cancelled_while_its_worker_writes(tmp_path):
    bureau = Bureau("servers", tmp_path)
    with contextlib.closing(bureau):
        printed = bureau.python(CANCELLED_BESIDE)
    assert printed.split() == ["ready", "False", "['Taking']"]
