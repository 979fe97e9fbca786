"""`manage.py publish 2024-03`: publish a calculated month."""

from datetime import date

from django.core.management.base import CommandError
from django.utils import timezone

from events.models import RatingPeriod
from ratings.management.month_command import MonthCommand
from ratings.models import RatingRun
from ratings.periods import RunError, run_in_force
from ratings.runs.operations import request_publication
from ratings.runs.worker import process_run


class Command(MonthCommand):
    """Switch the month's pointer to its calculated run."""

    help = "Publish the calculated lists of a month."

    def output(self, month: date) -> str:
        """Publish the month in the foreground, or go on where a publication was broken off, and return its state."""
        period = RatingPeriod.objects.filter(month=month).first()
        run = run_in_force(period) if period else None
        if period is None or run is None:
            raise RunError(f"{month:%Y-%m} has not been calculated: run “calculate {month:%Y-%m}” first")
        if period.state == RatingPeriod.State.PUBLISHED:
            raise RunError(f"{period} is published already")
        if run.state != RatingRun.State.PUBLISHING:
            request_publication(run, at=timezone.now())
        run = process_run(run.pk)
        if run.state != RatingRun.State.PUBLISHED:
            raise CommandError(run.error or f"{run} is {run.get_state_display()}: another worker has it")
        return f"{run.period} {run.get_state_display()}"
