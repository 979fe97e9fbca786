"""`manage.py export_period 2024-03`: print a month as a rating case."""

import json
from datetime import date

from events.models import RatingPeriod
from ratings.explanations.case_files import export_period
from ratings.management.month_command import MonthCommand
from ratings.periods import RunError


class Command(MonthCommand):
    """Print the case; `manage.py rate` calculates it again."""

    help = "Write a calculated month as a rating case."

    def output(self, month: date) -> str:
        """Return the case as JSON."""
        period = RatingPeriod.objects.filter(month=month).first()
        if period is None:
            raise RunError(f"{month:%Y-%m} is not on record")
        return json.dumps(export_period(period), ensure_ascii=False, allow_nan=False)
