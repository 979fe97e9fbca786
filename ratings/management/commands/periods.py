"""`manage.py periods`: the months and how far they are."""

from typing import Any

from django.core.management.base import BaseCommand

from events.models import RatingPeriod
from ratings.periods import status


class Command(BaseCommand):
    """One month a line."""

    help = "List the rating periods."
    requires_system_checks: list[str] = []  # they load every page

    def handle(self, *args: Any, **options: Any) -> None:
        """Print them, oldest first."""
        for period in RatingPeriod.objects.order_by("month"):
            self.stdout.write(f"{period} {status(period)}")
