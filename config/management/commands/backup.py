"""`manage.py backup FILE`: everything that the bureau keeps, as of one moment, while the site runs."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from config.backup.archive import BackupError
from config.backup.making import make_backup, missing_migrations
from config.lib import formatting


class Command(BaseCommand):
    """Write a back-up."""

    help = (
        "Write all rows of the database and the kept keys into a file, as of one moment and while the site runs. It holds"
        " personal data and secrets: keep it as the database itself."
    )
    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file."""
        parser.add_argument("file", type=Path, help="a new file, as bureau-2024-03-01.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it and print how much. Raises CommandError."""
        missing = missing_migrations()
        if missing:
            there = connection.settings_dict["NAME"]
            raise CommandError(
                f"the database {there} lacks {missing[0]}: run “migrate” first, or set DATABASE_URL if it is another one"
            )
        began = time.perf_counter()
        try:
            manifest = make_backup(options["file"], at=timezone.now(), say=self._say(options["verbosity"]))
        except BackupError as error:
            raise CommandError(str(error)) from None
        size = options["file"].stat().st_size / 1e6
        rows = formatting.count(manifest.rows, "row")
        self.stdout.write(f"{options['file']}: {rows}, {size:.1f} MB, {time.perf_counter() - began:.1f} s")

    def _say(self, verbosity: int) -> Any:
        return self.stdout.write if verbosity > 1 else lambda line: None
