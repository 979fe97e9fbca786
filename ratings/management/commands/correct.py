"""`manage.py correct SECTION FILE --reason TEXT`: a new file for a published section, until a re-rating publishes it."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.lib import formatting
from events.amending.differences import differences
from events.archive import store_file
from events.management.options import minutes, start_and_id
from events.models import Section
from events.operations import EventError
from events.submission.anew import check_anew, content_anew
from ratings.rerating.amendments import amend


class Command(BaseCommand):
    """Print the findings and what the file changes; exit status 1, and nothing kept, when one of them blocks."""

    help = "Take a new file for a section of a published list. Nothing changes before the re-rating (rerate)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the section, the file, and what the file does not say."""
        parser.add_argument("section", type=int, help="number of the section, as in its address")
        parser.add_argument("file", type=Path)
        parser.add_argument("--reason", required=True, help="why, and from what it is known; shown with the correction")
        parser.add_argument("--base", type=minutes, help="base time in minutes; default: the section’s")
        parser.add_argument("--increment", type=minutes, help="seconds a move; default: the section’s")
        parser.add_argument(
            "--match", type=start_and_id, action="append", default=[], metavar="START=ID", help="who a line is"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Keep one file as what is right of a section."""
        section = Section.objects.select_related("event__region").filter(pk=options["section"]).first()
        if section is None:
            raise CommandError(f"there is no section {options['section']}")
        path: Path = options["file"]
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from None
        twice = [number for number, times in Counter(number for number, _ in options["match"]).items() if times > 1]
        if twice:
            raise CommandError(f"start number {twice[0]} is matched twice: say once who it is")
        now = timezone.now()
        try:
            validated = check_anew(
                section,
                content,
                path.name,
                today=timezone.localdate(now),
                base=options["base"],
                increment=options["increment"],
                chosen=dict(options["match"]),
            )
            for finding in validated.findings:
                self.stdout.write(f"  {finding.as_line}")
            after = content_anew(section, validated, at=now, by=None)
            amendment = amend(section, lambda _: after, reason=options["reason"], at=now, file=store_file(content))
        except (EventError, ValueError) as error:
            raise CommandError(str(error)) from None
        if amendment is None:
            self.stdout.write(f"{section}: the file says what is published already; nothing to correct")
            return
        found = differences(amendment.before, amendment.after)
        for difference in found:
            self.stdout.write(f"  {difference.what}: {difference.before or '–'} → {difference.after or '–'}")
        count = formatting.count(len(found), "difference")
        self.stdout.write(
            f"{section}: {count}; nothing is changed before a re-rating from {_first(section)} is published"
        )


def _first(section: Section) -> str:
    return str(section.period) if section.period else "its month"
