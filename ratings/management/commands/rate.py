"""`manage.py rate FILE|-`: the answer to a rating case, or to a list of them, as JSON."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.cases.answer import answer_document
from ratings.cases.document import DocumentError, parse_document
from ratings.cases.fields import CaseError


class Command(BaseCommand):
    """Reads a document of cases and prints its answer; a document that cannot be read leaves standard output empty."""

    help = "Rate a case, or a list of cases, in JSON. No database is read or written."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file to read."""
        parser.add_argument("file", help="a file with one case or a list of cases; - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the answer. CommandError, exit status 1, with one line that names the place."""
        document = read_document(options["file"])
        try:
            answer = answer_document(document)
        except CaseError as error:
            raise CommandError(one_line(str(error))) from error
        self.stdout.write(json.dumps(answer, allow_nan=False))


def read_document(name: str) -> Any:
    """Return the JSON of a file, or of standard input for `-`. CommandError with one line, with line and column where known."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise CommandError(one_line(f"{name}: {getattr(error, 'strerror', None) or error}")) from error
    try:
        return parse_document(data)
    except DocumentError as error:
        raise CommandError(one_line(f"{name}: {error}")) from error


def one_line(text: str) -> str:
    """Return the text with every line break and other control character as a space."""
    return "".join(character if character.isprintable() else " " for character in text)
