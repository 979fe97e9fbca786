"""What the commands that read standings share: their files, and what they print of them."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.opening.reading import SentFile, Standings, sent_files
from ratings.opening.standings import FILLED

_MOST_REMARKS = 200


class StandingsCommand(BaseCommand):
    """A command with files of standings and a month."""

    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files, the month and the list."""
        parser.add_argument("file", nargs="+", type=Path, help="CSV, XLSX or case, perhaps zipped")
        parser.add_argument("--month", required=True, help="as 2024-02: the standings are those after this month")
        parser.add_argument("--list", default="", metavar="CODE", help="the list of files that do not name theirs")
        parser.add_argument("--confirm", action="store_true", help="take it; without it nothing is kept")
        parser.add_argument("--reason", default="", help="goes on the record")

    def sent(self, options: dict[str, Any]) -> list[SentFile]:
        """Return the files. Raises CommandError if one cannot be read."""
        return [file for path in options["file"] for file in files_of(path, options["list"])]

    def show(self, standings: Standings, *, filled: bool = True) -> None:
        """Print the findings and the totals, with what was `filled` in for the next run. Raises CommandError for errors."""
        for finding in standings.findings:
            self.stderr.write(f"{finding.severity}: {finding.as_line}")
        if standings.errors:
            if len(standings.errors) == 1:
                raise CommandError(f"nothing was taken: {standings.errors[0].as_line}")
            raise CommandError(f"nothing was taken: {len(standings.errors)} errors to correct")
        for total in standings.totals:
            self.stdout.write(f"{total.list}: {total.text}")
            for name, number in total.filled.items() if filled else ():
                self.stdout.write(f"{total.list}: filled in for {number}: {FILLED[name]}")

    def show_remarks(self, standings: Standings) -> None:
        """Print what the next run will change by itself."""
        for remark in standings.remarks[:_MOST_REMARKS]:
            name = standings.names[remark.number]
            self.stdout.write(f"{remark.list}: {remark.number} {name}: {remark.text}")
        more = len(standings.remarks) - _MOST_REMARKS
        if more > 0:
            self.stdout.write(f"and {more} more standings that the next run changes by itself")


def files_of(path: Path, list_code: str = "") -> list[SentFile]:
    """Return what a file holds, as it is sent. Raises CommandError if it cannot be read."""
    try:
        return sent_files(path.read_bytes(), path.name, list_code)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
