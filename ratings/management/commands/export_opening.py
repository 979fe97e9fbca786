"""`manage.py export_opening 2024-02`: print the standings after a published month as a rating case."""

import json
from datetime import date

from ratings.management.month_command import MonthCommand
from ratings.opening.export import export_opening


class Command(MonthCommand):
    """Print the case; `manage.py opening_balance FILE --month 2024-02` takes it in another bureau."""

    help = "Write the standings after a published month as a rating case, an opening balance for another bureau."

    def output(self, month: date) -> str:
        """Return the case, or the list of cases, as JSON."""
        return json.dumps(export_opening(month), ensure_ascii=False, allow_nan=False)
