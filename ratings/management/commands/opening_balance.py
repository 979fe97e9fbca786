"""`manage.py opening_balance FILE --month 2024-02`: show the standings that a federation brings; take them with `--confirm`."""

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from config.lib import formatting
from config.lib.days import next_month
from ratings.management.standings_command import StandingsCommand
from ratings.opening.operations import check_opening, take_opening, with_hindrance
from ratings.opening.reading import read_standings
from ratings.periods import RunError, parse_month


class Command(StandingsCommand):
    """Publish the standings after a month as the opening balance."""

    help = "Show the standings after a month (CSV or rating case) and their totals; with --confirm, begin with them."

    def handle(self, *args: Any, **options: Any) -> None:
        """Show or take them. Raises CommandError."""
        try:
            month = parse_month(options["month"])
            standings = read_standings(self.sent(options), month)
            standings = with_hindrance(standings, check_opening, today=timezone.localdate())
            self.show(standings)
            self.show_remarks(standings)
            if not options["confirm"]:
                self.stdout.write("Nothing is kept; --confirm signs the opening balance.")
                return
            run = take_opening(standings, at=timezone.now(), by=None, reason=options["reason"])
        except RunError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"opening balance of {run.period} published: {formatting.count(run.players, 'rated player')};"
            f" the first month to calculate is {next_month(month):%Y-%m}"
        )
