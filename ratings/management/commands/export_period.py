"""`manage.py export_period 2024-03`: a month as a rating case, for anybody to recompute."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.models import RatingPeriod
from ratings.explanations.case_files import export_period
from ratings.periods import RunError, parse_month


class Command(BaseCommand):
    """Print the case; `manage.py rate` computes it again."""

    help = "Write a calculated month as a rating case."

    def add_arguments(self, parser: CommandParser) -> None:
        """The month."""
        parser.add_argument("month", help="as 2024-03")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it."""
        try:
            month = parse_month(options["month"])
            period = RatingPeriod.objects.filter(month=month).first()
            if period is None:
                raise RunError(f"{month:%Y-%m} is not on record")
            case = export_period(period)
        except RunError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(case, ensure_ascii=False, allow_nan=False))
