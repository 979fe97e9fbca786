"""`manage.py publish 2024-03`: make a calculated month public."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from events.models import RatingPeriod
from ratings.models import RatingRun
from ratings.periods import RunError, parse_month, run_in_force
from ratings.runs.operations import request_publication
from ratings.runs.worker import process_run


class Command(BaseCommand):
    """Switch the month's pointer to its calculated run."""

    help = "Publish the calculated lists of a month."

    def add_arguments(self, parser: CommandParser) -> None:
        """The month."""
        parser.add_argument("month", help="as 2024-03")

    def handle(self, *args: Any, **options: Any) -> None:
        """Publish here."""
        try:
            month = parse_month(options["month"])
            period = RatingPeriod.objects.filter(month=month).first()
            run = run_in_force(period) if period else None
            if period is None or run is None:
                raise RunError(f"{month:%Y-%m} has not been calculated: run “calculate {month:%Y-%m}” first")
            if period.state == RatingPeriod.State.PUBLISHED:
                raise RunError(f"{period} is published already")
            request_publication(run, at=timezone.now())
            run = process_run(run.pk)
        except RunError as error:
            raise CommandError(str(error)) from None
        if run.state != RatingRun.State.PUBLISHED:
            raise CommandError(run.error or f"{run} is {run.get_state_display()}: another worker has it")
        self.stdout.write(f"{run.period} {run.get_state_display()}")
