"""The base of commands about one rating period."""

from abc import abstractmethod
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.periods import RunError, parse_month


class MonthCommand(BaseCommand):
    """A command with a month as its argument. A RunError ends it with its text."""

    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the month."""
        parser.add_argument("month", help="as 2024-03")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what `output` returns. Raises CommandError."""
        try:
            self.stdout.write(self.output(parse_month(options["month"])))
        except RunError as error:
            raise CommandError(str(error)) from None

    @abstractmethod
    def output(self, month: date) -> str:
        """Do the work for a month and return the line to print. Raises RunError or CommandError."""
