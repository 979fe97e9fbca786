"""`manage.py fill_list us 2024-03`: fill a list that was added later, from a published month on."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.lib import formatting
from ratings.models import RatingList
from ratings.periods import RunError, parse_month
from ratings.runs.filling import fill_list


class Command(BaseCommand):
    """Rate the published months from a month on for a list of another system."""

    help = "Fill a list of another system for published months, from a month on."
    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the list's code and the first month."""
        parser.add_argument("list", help="the list's code, as in its address")
        parser.add_argument("month", help="as 2024-03")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill the list and print how many months. Raises CommandError."""
        rating_list = RatingList.objects.filter(code=options["list"]).first()
        if rating_list is None:
            codes = ", ".join(RatingList.objects.values_list("code", flat=True))
            raise CommandError(f"there is no list {options['list']}; there are {codes}")
        try:
            count = fill_list(rating_list, parse_month(options["month"]), at=timezone.now())
        except RunError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{rating_list}: {formatting.count(count, 'month')} filled")
