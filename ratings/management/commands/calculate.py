"""`manage.py calculate 2024-03`: one month's run, in the foreground."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ratings.models import RatingRun
from ratings.periods import RunError, parse_month, period_to_calculate
from ratings.runs.operations import start_run
from ratings.runs.worker import process_run


class Command(BaseCommand):
    """Calculate a rating period; the figures stay hidden until it is published."""

    help = "Calculate the ratings of a month."

    def add_arguments(self, parser: CommandParser) -> None:
        """The month."""
        parser.add_argument("month", help="as 2024-03")

    def handle(self, *args: Any, **options: Any) -> None:
        """Start the run and do it here."""
        try:
            period = period_to_calculate(parse_month(options["month"]))
            run = process_run(start_run(period, at=timezone.now(), reason="started on the command line").pk)
        except RunError as error:
            raise CommandError(str(error)) from None
        if run.state == RatingRun.State.FAILED:
            raise CommandError(f"{run} failed: {run.error}")
        self.stdout.write(
            f"{period} {run.get_state_display()}: {run.sections} sections, {run.games} games, {run.players} rated players"
        )
