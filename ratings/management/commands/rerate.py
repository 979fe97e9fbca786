"""`manage.py rerate 2024-03 --reason TEXT [--publish]`: calculate published months again, with what was corrected."""

import json
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ratings.models import Amendment, Rerating
from ratings.periods import RunError, parse_month
from ratings.rerating.impact import numbered_changes
from ratings.rerating.operations import request_publication, start_rerating, withdraw
from ratings.rerating.worker import process_rerating


class Command(BaseCommand):
    """Print what changes as lines of JSON; with --publish, publish all months together, else keep nothing."""

    help = "Calculate the published months from one on again, with all amendments, and print what changes."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the month and the reason."""
        parser.add_argument("month", help="the first month, as 2024-03")
        parser.add_argument("--reason", required=True, help="shown with the corrected lists")
        parser.add_argument("--publish", action="store_true", help="publish the corrected lists")

    def handle(self, *args: Any, **options: Any) -> None:
        """Calculate in the foreground."""
        try:
            amendments = list(Amendment.objects.filter(rerating=None, applied_at=None))
            rerating = start_rerating(
                parse_month(options["month"]), amendments, reason=options["reason"], at=timezone.now()
            )
        except RunError as error:
            raise CommandError(str(error)) from None
        try:
            _require(process_rerating(rerating.pk), Rerating.State.CALCULATED)
            for row in numbered_changes(rerating):
                self.stdout.write(json.dumps(row))
            if options["publish"]:
                request_publication(rerating, at=timezone.now())
                _require(process_rerating(rerating.pk), Rerating.State.PUBLISHED)
        except RunError as error:
            raise CommandError(str(error)) from None
        finally:
            with suppress(RunError):  # it is published, or a worker has it
                withdraw(rerating, at=timezone.now())


def _require(rerating: Rerating, state: Rerating.State) -> None:
    if rerating.state != state:
        raise RunError(rerating.error or f"{rerating} is {rerating.get_state_display()}: another worker has it")
