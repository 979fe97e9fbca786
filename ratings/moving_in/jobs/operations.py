"""Import jobs: create, ask for work, claim, finish. The clock and the actor are passed in.

A job is held by a lease: whoever claims it gets a token, renews it with his progress and must still have it when he finishes.
A worker that dies leaves the lease to run out, and the next `claim_job` does the work from the start; one that was only slow
finds his token gone, and what he wrote in the transaction that finishes is rolled back.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from config.lib.leases import free, lease_length, write_error
from config.lib.shown import digest
from config.lib.texts import plain_name
from ratings.models import ImportJob, ImportPiece
from ratings.moving_in.jobs.files import store_pieces
from ratings.moving_in.jobs.findings import has_errors

State = ImportJob.State
MOST_ATTEMPTS = 3
KEPT_UNCONFIRMED = timedelta(days=30)
# What a state under way ends in, READY with errors being FAULTY, and where the job goes back to if it is refused or given up.
ENDS_IN = {
    State.READING: State.READY,
    State.COMPARING: State.READY,
    State.TAKING: State.TAKEN,
    State.UNDOING: State.UNDONE,
}
GOES_BACK_TO = {
    State.READING: State.FAILED,
    State.COMPARING: State.READY,
    State.TAKING: State.READY,
    State.UNDOING: State.TAKEN,
}
# From which states an officer may ask for work.
_ASKED_FROM = {
    State.READING: (State.READY, State.FAULTY, State.FAILED),
    State.COMPARING: (State.READY,),
    State.TAKING: (State.READY,),
    State.UNDOING: (State.TAKEN,),
    State.DISCARDED: (State.READY, State.FAULTY, State.FAILED),
}
# What a summary quotes of the list: a file without headings has a person's line in their place.
_QUOTES = ("samples", "columns", "findings", "unreadable", "cleaned", "remarks", "rows")


class ImportRefusedError(Exception):
    """A list that is not taken, or an import that is not undone. Nothing was written; the text says why and what to do."""


class LeaseLostError(Exception):
    """Another worker has taken over the job."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a job."""

    job_id: int
    token: uuid.UUID


def create_job(
    kind: ImportJob.Kind,
    *,
    filename: str,
    chunks: Iterable[bytes],
    at: datetime,
    by: User | None,
    how: dict[str, Any] | None = None,
) -> ImportJob:
    """Keep a file that was sent, `chunks` its consecutive stretches, for a worker to read. `how`: the options of its kind."""
    with transaction.atomic():
        job = ImportJob.objects.create(
            kind=kind,
            filename=plain_name(filename)[-200:],
            size=0,
            options=how or {},
            at=at,
            by=by,
            asked_at=at,
            asked_by=by,
        )
        job.size, job.sha256 = store_pieces(job, chunks)
        job.save(update_fields=["size", "sha256"])
    return job


def ask_for(
    job: ImportJob, state: ImportJob.State, *, at: datetime, by: User | None, how: dict[str, Any] | None = None
) -> None:
    """Put a job up for what a state under way stands for; `how`: other options. Raises ImportRefusedError if it is elsewhere.

    The caller wakes a worker.
    """
    with transaction.atomic():
        present = locked_job(job.pk, *_ASKED_FROM[state])
        present.state, present.stage, present.progress, present.error = state, "", 0, ""
        present.attempts, present.lease, present.lease_until = 0, None, None
        present.asked_at, present.asked_by, present.finished_at = at, by, None
        if how is not None:
            present.options = how
        present.save()


def as_shown(job: ImportJob) -> str:
    """Return a short text of what is known of a list: another one once it was read, compared or answered anew."""
    return digest([job.asked_at.isoformat(), job.options, job.summary])


def require_as_shown(job: ImportJob, shown: str) -> None:
    """Lock a job; raise ImportRefusedError if it was read or answered anew since a page showed it. In a transaction."""
    present = ImportJob.objects.select_for_update().get(pk=job.pk)
    if shown != as_shown(present):
        raise ImportRefusedError(f"{job} was read or answered anew meanwhile: look at the page as it is now.")


def locked_job(job_id: int, *states: str) -> ImportJob:
    """Return a job, locked until the transaction ends. Raises ImportRefusedError if it is in none of the states."""
    job = ImportJob.objects.select_for_update().get(pk=job_id)
    if job.state not in states:
        raise ImportRefusedError(f"{job} is {job.get_state_display()} by now: look at the page as it is.")
    return job


def discard_job(job: ImportJob, *, at: datetime, by: User | None) -> None:
    """Put a list away that was not taken, with its file. Raises ImportRefusedError if it is being worked on, or taken."""
    with transaction.atomic():
        ask_for(job, State.DISCARDED, at=at, by=by)
        ImportJob.objects.filter(pk=job.pk).update(finished_at=at, **_unquoted(job))
        drop_kept(job)


def cancel_job(job: ImportJob, *, at: datetime, by: User | None) -> None:
    """Stop the work on a job, whether a worker has it or not: the job is where it was before, and what was written is undone.

    The worker finds its lease gone when it next tells its progress, or when it finishes. Raises ImportRefusedError if the job
    is no longer under way.
    """
    with transaction.atomic():
        present = locked_job(job.pk, *ImportJob.UNDER_WAY)
        present.error = f"Cancelled{f' by {by}' if by else ''} while it was {present.get_state_display()}."
        present.attempts = 0  # nothing failed
        _go_back(present, at=at)


def drop_kept(job: ImportJob) -> None:
    """Delete what is kept of a list, its file and its lines; the job stays, with hash and name of the file."""
    for relation in ImportJob._meta.related_objects:
        rows = relation.related_model._base_manager.filter(**{relation.field.name: job})
        rows._raw_delete(using=rows.db)


def drop_file(job: ImportJob) -> None:
    """Delete the file of a job; its hash and name stay."""
    ImportPiece.objects.filter(job=job).delete()


def claim_job(job_id: int, *, at: datetime) -> Lease | None:
    """Take a job that waits or whose lease has expired. Return None if it is neither, or was tried too often."""
    with transaction.atomic():
        job = to_work_on(at=at).filter(pk=job_id).select_for_update().first()
        if job is None:
            return None
        if job.attempts >= MOST_ATTEMPTS:
            job.error = job.error or f"Given up after {MOST_ATTEMPTS} attempts: each ended before it had finished."
            _go_back(job, at=at)
            return None
        job.lease, job.lease_until = uuid.uuid4(), at + lease_length()
        job.attempts += 1
        job.error = ""  # what ended the attempt before is over
        job.save(update_fields=["lease", "lease_until", "attempts", "error"])
    return Lease(job_id, job.lease)


def to_work_on(*, at: datetime) -> QuerySet[ImportJob]:
    """Return the jobs that wait for a worker, or whose worker gave no sign while its lease lasted."""
    return ImportJob.objects.filter(free(at=at), state__in=ImportJob.UNDER_WAY)


def finish(lease: Lease, *, summary: dict[str, Any] | None, at: datetime) -> None:
    """End the work, in the transaction that wrote its result. Raises LeaseLostError, which must roll that back."""
    job = _held(lease)
    job.state = ENDS_IN[State(job.state)]
    job.stage, job.progress, job.error, job.lease, job.lease_until, job.finished_at = "", 100, "", None, None, at
    if summary is not None:
        job.summary = summary
    if job.state in (State.TAKEN, State.UNDONE):
        job.summary.pop("samples", None)  # for choosing what the columns of the file are, which is gone
    if job.state == State.READY and has_errors(job.summary):
        job.state = State.FAULTY
    job.save()


def refuse(lease: Lease, *, error: str, at: datetime) -> None:
    """End work that cannot be done, with the reason: the job is where it was before. Raises LeaseLostError."""
    with transaction.atomic():
        job = _held(lease)
        job.error = error
        _go_back(job, at=at)


def note_error(lease: Lease, error: Exception) -> None:
    """Record an error; the work is tried again when the lease has expired."""
    held = ImportJob.objects.filter(pk=lease.job_id, lease=lease.token)
    write_error(held, error, fault="A fault of this software, tell those who run it: ")


def discard_forgotten(*, at: datetime) -> None:
    """Put lists away that wait for a confirmation longer than KEPT_UNCONFIRMED."""
    states = (State.READY, State.FAULTY, State.FAILED)
    for job in ImportJob.objects.filter(state__in=states, asked_at__lt=at - KEPT_UNCONFIRMED):
        discard_job(job, at=at, by=None)


def forget_lines(job: ImportJob) -> None:
    """Delete what is kept of a list that was taken or given up, and say so on its row, within the caller's transaction."""
    drop_kept(job)
    kept = _unquoted(job)
    kept["summary"]["forgotten"] = True
    ImportJob.objects.filter(pk=job.pk).update(**kept)


def _unquoted(job: ImportJob) -> dict[str, dict[str, Any]]:
    """Return summary and options of a job without what they quote of its list."""
    return {
        "summary": {name: value for name, value in job.summary.items() if name not in _QUOTES},
        "options": {name: value for name, value in job.options.items() if name != "columns"},
    }


def _go_back(job: ImportJob, *, at: datetime) -> None:
    job.state = GOES_BACK_TO[State(job.state)]
    job.stage, job.progress, job.lease, job.lease_until, job.finished_at = "", 0, None, None, at
    job.save()


def _held(lease: Lease) -> ImportJob:
    job = ImportJob.objects.select_for_update().filter(pk=lease.job_id, lease=lease.token).first()
    if job is None:
        raise LeaseLostError
    return job
