"""`manage.py rerate 2024-03 --reason TEXT [--publish | --from-now-on]`: calculate published months again, with what was
corrected."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from ratings.management.rerating import end_abandoned, process_in_foreground, published_already
from ratings.models import Amendment, Rerating
from ratings.periods import RunError, parse_month
from ratings.rerating.operations import start_rerating


class Command(BaseCommand):
    """Print what changes as lines of JSON; with --publish, publish all months together; with --from-now-on let them stand and
    adjust the next month; else keep nothing."""

    help = "Calculate the published months from one on again, with all amendments, and print what changes."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the month and the reason."""
        parser.add_argument("month", help="the first month, as 2024-03")
        parser.add_argument("--reason", required=True, help="shown with the corrected lists")
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--publish", action="store_true", help="publish the corrected lists")
        chosen.add_argument(
            "--from-now-on",
            action="store_true",
            help="let what is published stand, and correct raw ratings in the next month by adjustments, which are printed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Calculate in the foreground."""
        try:
            end_abandoned(self.stderr.write)
            rerating = self._started(
                parse_month(options["month"]), reason=options["reason"], publish=options["publish"]
            )
            if rerating is None:
                return
            process_in_foreground(
                rerating,
                publish=options["publish"],
                from_now_on=options["from_now_on"],
                write=self.stdout.write,
                say=self.stderr.write,
            )
        except RunError as error:
            raise CommandError(str(error)) from None

    @transaction.atomic
    def _started(self, first: date, *, reason: str, publish: bool) -> Rerating | None:
        """Start a re-rating, unless it is to be published and one that is published says all that it would."""
        done = published_already(first, reason=reason) if publish else None
        if done is not None:
            self.stderr.write(
                f"{done} is published for this reason, and nothing has changed since: nothing is left to do"
            )
            return None
        amendments = list(Amendment.objects.filter(Amendment.OPEN, rerating=None))
        return start_rerating(first, amendments, reason=reason, at=timezone.now())
