"""What a worker does with an import job, in the foreground of a command or woken by the queue."""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import (
    ImportRefusedError,
    Lease,
    LeaseLostError,
    State,
    claim_job,
    finish,
    note_error,
    refuse,
)
from ratings.moving_in.jobs.progress import Progress, Tell

# Does the work of a state under way; returns the job's new summary, or None to leave it. Raises ImportRefusedError.
Work = Callable[[ImportJob, Tell, datetime], dict[str, Any] | None]
# What a kind does in each state under way: READING and COMPARING commit as they go and begin anew when they are tried again;
# TAKING and UNDOING are one transaction with the change of the job's state.
Steps = Mapping[ImportJob.State, Work]
_WHOLE = (State.TAKING, State.UNDOING)

log = logging.getLogger(__name__)


def process_job(
    job_id: int,
    steps: Steps,
    *,
    clock: Callable[[], datetime] = timezone.now,
    watch: Tell = lambda stage, share: None,
) -> ImportJob:
    """Do what a job waits for, unless another worker holds it. Return the job afterwards. `watch` is told the progress, too."""
    lease = claim_job(job_id, at=clock())
    if lease is not None:
        try:
            _work(lease, steps, clock, watch)
        except LeaseLostError:
            log.warning("import job %s went to another worker", job_id)
        except ImportRefusedError as error:
            refuse(lease, error=str(error), at=clock())
        except Exception as error:
            note_error(lease, error)
            raise
    return ImportJob.objects.get(pk=job_id)


def _work(lease: Lease, steps: Steps, clock: Callable[[], datetime], watch: Tell) -> None:
    job = ImportJob.objects.get(pk=lease.job_id)
    work, whole = steps[State(job.state)], job.state in _WHOLE
    with Progress(lease, clock, beside=whole, watch=watch) as tell:
        if whole:
            with transaction.atomic():
                summary = work(job, tell, clock())
                finish(lease, summary=summary, at=clock())
        else:
            summary = work(job, tell, clock())
            with transaction.atomic():
                finish(lease, summary=summary, at=clock())
