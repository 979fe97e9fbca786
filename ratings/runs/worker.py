"""What a worker does with a run, in the foreground of a command or woken by the queue."""

import logging
from collections.abc import Callable
from datetime import datetime

from django.utils import timezone

from ratings.models import RatingRun
from ratings.runs.inputs import read_run_input
from ratings.runs.operations import (
    Lease,
    LeaseLostError,
    claim_run,
    fail_run,
    note_error,
    publish_run,
    report_progress,
    write_run,
)
from ratings.runs.sequential import rate_lists
from ratings.systems import chessa
from ratings.systems.base import RatingError

log = logging.getLogger(__name__)


def process_run(run_id: int, *, clock: Callable[[], datetime] = timezone.now) -> RatingRun:
    """Do what a run waits for, calculation or publication, unless another worker holds it. Return the run afterwards."""
    lease = claim_run(run_id, at=clock())
    if lease is not None:
        run = RatingRun.objects.select_related("period").get(pk=run_id)
        try:
            if run.state == RatingRun.State.PUBLISHING:
                publish_run(lease, at=clock())
            else:
                _calculate(lease, run, clock)
        except LeaseLostError:
            log.warning("run %s went to another worker", run_id)
        except Exception as error:
            note_error(lease, error)
            raise
    return RatingRun.objects.select_related("period").get(pk=run_id)


def _calculate(lease: Lease, run: RatingRun, clock: Callable[[], datetime]) -> None:
    try:
        report_progress(lease, stage="gathering", progress=5, at=clock())
        gathered = read_run_input(run.period)
        report_progress(lease, stage="calculating", progress=40, at=clock())
        result = chessa.rate(gathered.columns, gathered.input.edition)
        lists = rate_lists(gathered.input)
        report_progress(lease, stage="writing", progress=50, at=clock())
        write_run(lease, gathered, result, lists, at=clock())
    except RatingError as error:
        fail_run(lease, error=str(error), at=clock())
