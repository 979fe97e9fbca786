"""`manage.py import_history FILE --month 2023-05`: bring in a list that a former bureau published, to be looked up."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from config.lib import formatting
from ratings.management.standings_command import StandingsCommand
from ratings.opening.operations import check_history, take_history, with_hindrance
from ratings.opening.reading import read_standings
from ratings.periods import RunError, parse_month


class Command(StandingsCommand):
    """Publish a former bureau's list of a month: it is shown, and never calculated with."""

    help = "Show a former bureau's list of a month and its totals; with --confirm, keep it for lists and charts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add those of standings, and what to do with players who are not on the register."""
        super().add_arguments(parser)
        parser.add_argument(
            "--leave-out-unknown", action="store_true", help="leave out players who are not on the register"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Show or take it. Raises CommandError."""
        try:
            month = parse_month(options["month"])
            standings = read_standings(self.sent(options), month, leave_out_unknown=options["leave_out_unknown"])
            standings = with_hindrance(standings, check_history, today=timezone.localdate())
            self.show(standings, filled=False)  # nothing is calculated from it
            if not options["confirm"]:
                self.stdout.write("Nothing is kept; --confirm brings the list in.")
                return
            run = take_history(standings, at=timezone.now(), by=None, reason=options["reason"])
        except RunError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"the former list of {run.period} is published: {formatting.count(run.players, 'rated player')}"
        )
