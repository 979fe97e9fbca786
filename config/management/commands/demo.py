"""`manage.py demo`: load the demonstration federation into an empty database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from demo.accounts import accounts
from demo.build import NotEmptyError, is_empty, load
from demo.federation import MONTHS, PEOPLE, Scale
from ratings.models import PublishedRun


class Command(BaseCommand):
    """Loads invented people, events and two years of lists. The users' passwords are public."""

    help = "Load the demonstration federation into an empty database: all of it, or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options for a database in use and for the size."""
        parser.add_argument("--if-empty", action="store_true", help="do nothing, quietly, when the database is in use")
        people, months = (f"{least} to {most}; default: %(default)s" for least, most in (PEOPLE, MONTHS))
        parser.add_argument("--people", type=int, default=Scale().people, help=people)
        parser.add_argument("--months", type=int, default=Scale().months, help=f"published ones, {months}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the demonstration and print its accounts. Raises CommandError if the size or the database does not allow it."""
        if options["if_empty"] and not is_empty():
            return
        try:
            load(Scale(options["people"], options["months"]), say=self.stdout.write)
        except ValueError as error:
            raise CommandError(str(error)) from None
        except NotEmptyError as error:
            raise CommandError(f"{error}: nothing was changed. Use a fresh one (VAR_DIR or DATABASE_URL).") from None
        # A worker makes the files of the months from now on, whatever day they were published on.
        PublishedRun.objects.update(files_asked_at=timezone.now())
        for account in accounts():
            self.stdout.write(f"{account.role}: {account.email}, password {account.password}")
