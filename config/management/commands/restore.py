"""`manage.py restore FILE`: the bureau as a back-up has it, on SQLite or PostgreSQL."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backup.archive import BackupError
from config.backup.restoring import restore_backup
from config.lib import formatting


class Command(BaseCommand):
    """Make the database anew from a back-up."""

    help = (
        "Make the database and the kept keys anew from a back-up, of this release or an earlier one, on the database of"
        " DATABASE_URL or SQLite, whichever it was made on. Stop the site first. Until the end nothing is changed."
    )
    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, and whether what is there is given up."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="give up what the database holds now")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore it and print how much. Raises CommandError."""
        began = time.perf_counter()
        try:
            manifest = restore_backup(options["file"], replace=options["replace"], say=self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from None
        rows = formatting.count(manifest.rows, "row")
        self.stdout.write(f"restored: {rows}, {time.perf_counter() - began:.1f} s; “verify” proves the published lists")
        self.stdout.write("what was closed since then is open again: end tokens, accounts and rights of before anew")
