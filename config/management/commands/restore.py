"""`manage.py restore FILE`: the bureau as a back-up has it, on SQLite or PostgreSQL."""

import time
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from config.backup.archive import BackupError
from config.backup.restoring import restore_backup
from config.lib import formatting
from players.models import Player


class Command(BaseCommand):
    """Make the database anew from a back-up."""

    help = (
        "Make the database and the kept keys anew from a back-up, of this release or an earlier one, on the database of"
        " DATABASE_URL or SQLite, whichever it was made on. Stop the site first. Until the end nothing is changed."
    )
    requires_system_checks: list[str] = []  # they load every page
    _has_listed = False  # the database that is given up

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, and whether what is there is given up."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="give up what the database holds now")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore it and print how much. Raises CommandError."""
        began = time.perf_counter()
        listed = options["file"].with_name("erasures.jsonl")
        try:
            manifest = restore_backup(
                options["file"],
                replace=options["replace"],
                say=self.stdout.write,
                before_replacing=lambda: self._keep_erasures(listed),
            )
        except BackupError as error:
            raise CommandError(str(error)) from None
        rows = formatting.count(manifest.rows, "row")
        self.stdout.write(f"restored: {rows}, {time.perf_counter() - began:.1f} s; “verify” proves the published lists")
        self.stdout.write("what was closed since then is open again: end tokens, accounts and rights of before anew")
        if self._has_listed:
            self.stdout.write(
                f"whose data was erased or to be erased, and who was hidden until now, is in {listed}: before the site is up,"
                f" “erasures --again {listed}”"
            )

    def _keep_erasures(self, file: Path) -> None:
        """Add to a list whose data is erased or to be erased, and who is hidden, in the database that is given up: the back-up
        may bring them back. Raises BackupError."""
        try:
            if Player._meta.db_table not in connection.introspection.table_names():
                return
            listed = StringIO()
            call_command("erasures", stdout=listed)
            if listed.getvalue() or file.exists():  # of which lines may not hold any more
                call_command("erasures", write=str(file), stdout=StringIO(), stderr=StringIO())
                self._has_listed = True
        except (DatabaseError, UnicodeDecodeError, MemoryError) as error:  # of another release, or damaged
            text = " ".join(str(error).split())
            self.stderr.write(
                f"whose data is erased in the database that is given up cannot be read ({text}), nor who is hidden there:"
                " erase and hide them again"
            )
        except CommandError as error:
            raise BackupError(f"{error}: it is to name whose data is erased here. Nothing was changed") from None
