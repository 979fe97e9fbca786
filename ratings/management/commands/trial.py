"""`manage.py trial 2024-03 --published FILE`: compare a month, as it is calculated here, with what the old bureau published."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.lib.csv_lines import csv_lines
from ratings.management.standings_command import files_of
from ratings.opening.trial import trial
from ratings.periods import RunError, parse_month

_MOST = 100


class Command(BaseCommand):
    """Print how many players agree on each list, and the likely cause of each difference. Nothing is kept."""

    help = "Compare a calculated month with the lists that the old bureau published of it."
    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the month, the published lists and the file of the differences."""
        parser.add_argument("month", help="as 2024-03")
        parser.add_argument(
            "--published", nargs="+", type=Path, required=True, metavar="FILE", help="CSV, XLSX or case"
        )
        parser.add_argument("--list", default="", metavar="CODE", help="the list of files that do not name theirs")
        parser.add_argument("--csv", type=Path, metavar="FILE", help="write every difference there")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare and print. Raises CommandError."""
        files = [file for path in options["published"] for file in files_of(path, options["list"])]
        try:
            found = trial(parse_month(options["month"]), files)
        except RunError as error:
            raise CommandError(str(error)) from None
        for finding in found.findings:
            self.stderr.write(f"{finding.severity}: {finding.as_line}")
        if found.errors:
            count = len(found.errors)
            raise CommandError(f"nothing was compared: {count} error{'s' if count > 1 else ''} to correct in the file")
        self.stdout.write(found.text)
        for of_list in found.lists:
            self.stdout.write(f"{of_list.listing.code}: {of_list.text}")
            for cause, count in of_list.causes:
                self.stdout.write(f"{of_list.listing.code}: {count} × {cause}")
            for row in of_list.differences[:_MOST]:
                self.stdout.write(
                    f"{row.list}: {row.number} {row.name}: {row.here_text} here, {row.there_text} there ({row.points_text}):"
                    f" {row.cause.kind}: {row.cause.text}"
                )
            if len(of_list.differences) > _MOST:
                self.stdout.write(
                    f"{of_list.listing.code}: and {len(of_list.differences) - _MOST} more: --csv FILE has all"
                )
        if options["csv"]:
            try:
                options["csv"].write_text("".join(csv_lines(found.rows())), encoding="utf-8", newline="")
            except OSError as error:
                raise CommandError(f"{options['csv']}: {error.strerror}") from None
        self.stdout.write("Nothing was published.")
