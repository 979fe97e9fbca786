"""`manage.py calculate 2024-03`: run the calculation of a month in the foreground."""

from datetime import date

from django.core.management.base import CommandError
from django.utils import timezone

from config.lib import formatting
from ratings.management.month_command import MonthCommand
from ratings.models import RatingRun
from ratings.periods import period_to_calculate, run_in_force
from ratings.runs.operations import start_run
from ratings.runs.worker import process_run


class Command(MonthCommand):
    """Calculate a rating period; the figures stay hidden until it is published."""

    help = "Calculate the ratings of a month."

    def output(self, month: date) -> str:
        """Start the run, or take up one that waits or whose worker is gone, process it, and return its state and size."""
        period = period_to_calculate(month)
        run = run_in_force(period)
        if run is None or run.state not in (RatingRun.State.QUEUED, RatingRun.State.RUNNING):
            run = start_run(period, at=timezone.now(), reason="started on the command line")
        run = process_run(run.pk)
        if run.state in RatingRun.UNDER_WAY:
            raise CommandError(f"{period} is being calculated already: {run}, {run.progress} %, which a worker has")
        if run.state == RatingRun.State.FAILED:
            raise CommandError(f"{run} failed: {run.error}")
        counts = (run.sections, "section"), (run.games, "game"), (run.players, "rated player")
        size = ", ".join(formatting.count(value, noun) for value, noun in counts)
        return f"{period} {run.get_state_display()}: {size}"
