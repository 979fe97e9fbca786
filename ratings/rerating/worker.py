"""What a worker does with a re-rating, in the foreground of a command or woken by the queue."""

import logging
from collections.abc import Callable
from datetime import date, datetime
from functools import partial

from django.utils import timezone

from ratings.models import Rerating
from ratings.periods import RunError
from ratings.rerating.chain import calculate_month, published_chain, read_amended, require_verified
from ratings.rerating.impact import summary
from ratings.rerating.operations import (
    ChainLease,
    begin_again,
    begin_month,
    claim_rerating,
    end_calculation,
    fail,
    note_error,
    publish_rerating,
    report_progress,
)
from ratings.runs.operations import LeaseLostError
from ratings.systems.base import RatingError

log = logging.getLogger(__name__)


def process_rerating(rerating_id: int, *, clock: Callable[[], datetime] = timezone.now) -> Rerating:
    """Do what a re-rating waits for, calculation or publication, unless another worker holds it. Return it afterwards."""
    lease = claim_rerating(rerating_id, at=clock())
    if lease is not None:
        rerating = Rerating.objects.select_related("first").get(pk=rerating_id)
        try:
            if rerating.state == Rerating.State.PUBLISHING:
                publish_rerating(lease, at=clock())
            else:
                _calculate(lease, rerating, clock)
        except LeaseLostError:
            log.warning("re-rating %s went to another worker", rerating_id)
        except Exception as error:
            note_error(lease, error)
            raise
    return Rerating.objects.select_related("first").get(pk=rerating_id)


def _calculate(lease: ChainLease, rerating: Rerating, clock: Callable[[], datetime]) -> None:
    try:
        begin_again(lease)
        periods = published_chain(rerating.first.month)
        for place, period in enumerate(periods):
            report_progress(lease, stage=f"verifying {period}", progress=2 + 38 * place // len(periods), at=clock())
            require_verified(period)
        report_progress(lease, stage="gathering", progress=40, at=clock())
        amendments = list(rerating.amendments.select_related("section"))
        merges = list(rerating.merges.all())
        runs: dict[date, int] = {}
        for place, month in enumerate(read_amended(periods, amendments, merges, at=clock())):
            progress = 42 + 53 * place // len(periods)
            report_progress(lease, stage=f"calculating {month.period}", progress=progress, at=clock())
            run = calculate_month(month, runs, partial(begin_month, lease, at=clock()))
            runs[month.period.month] = run.pk
        report_progress(lease, stage="comparing", progress=95, at=clock())
        end_calculation(lease, summary(rerating), at=clock())
    except (RatingError, RunError) as error:
        fail(lease, error=str(error), at=clock())
