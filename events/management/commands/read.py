"""`manage.py read FILE…`: what a tournament file holds and what is wrong with it, one JSON object a line."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from events.files.reader import read, summary, unreadable
from events.rules.limits import MAX_BYTES
from events.rules.tournament import Tournament


class Command(BaseCommand):
    """Prints the figures and findings of tournament files. A file that cannot be read is a finding, not a failure."""

    help = (
        "Read tournament files (TRF, TUNX, SwissPerfect, CSV) and print figures and findings, one JSON object a line."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and the encoding of those that do not tell theirs."""
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--encoding", default="cp1252", help="for text that is not UTF-8 (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line for each file, in their order."""
        for name in options["files"]:
            tournament = _read(name, options["encoding"])
            self.stdout.write(json.dumps(summary(name, tournament)))


def _read(name: str, encoding: str) -> Tournament:
    try:
        with Path(name).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return unreadable(getattr(error, "strerror", None) or str(error))
    return read(content, Path(name).name, encoding)
