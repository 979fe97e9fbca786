"""`manage.py import_register FILE`: show what a list of players would change on the register, and take it with `--confirm`."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.lib import formatting
from events.files.register_list import RegisterList
from players.models import RegisterImport
from ratings.moving_in.register_matching import LEAVE_OUT, NEW, Difference, Kind, differences
from ratings.moving_in.register_operations import RegisterImportError, SentList, read_list, take_list, undo_import


class Command(BaseCommand):
    """Take a list of players into the register, after its differences were shown."""

    help = "Show what a list of players (CSV or XLSX, perhaps zipped) would change on the register; with --confirm, take it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file, the answers and the columns."""
        parser.add_argument("file", nargs="?", type=Path)
        parser.add_argument("--confirm", action="store_true", help="take the list; without it nothing is kept")
        parser.add_argument(
            "--same",
            action="append",
            default=[],
            metavar="LINE=ID",
            help="the line is the player with this Chess SA id",
        )
        parser.add_argument(
            "--new", action="append", default=[], type=int, metavar="LINE", help="the line is a new player"
        )
        parser.add_argument("--leave-out", action="append", default=[], type=int, metavar="LINE")
        parser.add_argument(
            "--leave-out-doubtful", action="store_true", help="leave out all lines that ask for an answer and have none"
        )
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="HEADING=COLUMN",
            help='as "Bond no=national_id"; "" leaves it out',
        )
        parser.add_argument("--undo", type=int, metavar="NUMBER", help="take back the import of this number")

    def handle(self, *args: Any, **options: Any) -> None:
        """Show, take or undo. Raises CommandError."""
        try:
            if options["undo"] is not None:
                self._undo(options["undo"])
            elif options["file"] is None:
                raise CommandError("give the file of the list, or --undo with the number of an import")
            else:
                self._import(_sent(options), confirm=options["confirm"])
        except RegisterImportError as error:
            raise CommandError(str(error)) from None

    def _undo(self, number: int) -> None:
        done = RegisterImport.objects.filter(pk=number).first()
        if done is None:
            raise CommandError(f"there is no register import {number}")
        undo_import(done, at=timezone.now(), by=None)
        new, changed = formatting.count(done.new, "new player"), formatting.count(done.changed, "changed player")
        self.stdout.write(f"{done} is undone: {new} off the register, {changed} as before")

    def _import(self, sent: SentList, *, confirm: bool) -> None:
        listed = read_list(sent)
        for finding in listed.findings:
            self.stderr.write(f"{finding.severity}: {finding.as_line}")
        read = ", ".join(f"{heading} → {column}" for heading, column in listed.columns if column)
        if read:
            self.stdout.write(f"columns: {read}")
        if listed.errors:
            raise CommandError(
                f"nothing was taken: {formatting.count(len(listed.errors), 'error')} to correct in the list"
            )
        if not confirm:
            self._show(sent, listed)
            return
        done = take_list(sent, listed, at=timezone.now(), by=None, progress=self._progress)
        self._write_counts(
            {
                Kind.NEW: done.new,
                Kind.CHANGED: done.changed,
                Kind.UNCHANGED: done.unchanged,
                Kind.LEFT_OUT: done.left_out,
            }
        )
        self.stdout.write(
            f"{done}: {done.new} new, {done.changed} changed, {done.unchanged} without a difference, {done.left_out} left out;"
            f" --undo {done.pk} takes it back"
        )

    def _show(self, sent: SentList, listed: RegisterList) -> None:
        counts = Counter[Kind]()
        for chunk in differences(listed.lines, sent.answers, leave_out_doubtful=sent.leave_out_doubtful):
            counts.update(difference.kind for difference in chunk)
            for difference in chunk:
                if difference.kind is not Kind.UNCHANGED:
                    self.stdout.write(_line(difference))
        self._write_counts(counts)
        self.stdout.write("Nothing is kept; --confirm takes the list.")

    def _write_counts(self, counts: Mapping[Kind, int]) -> None:
        shown = [kind for kind in Kind if counts.get(kind) or kind is Kind.NEW]
        self.stdout.write(", ".join(f"{counts.get(kind, 0)} {kind}" for kind in shown))

    def _progress(self, done: int, total: int) -> None:
        if total > 2_000:
            self.stderr.write(f"{done} of {total}", ending="\r" if done < total else "\n")


def _sent(options: dict[str, Any]) -> SentList:
    try:
        content = options["file"].read_bytes()
    except OSError as error:
        raise CommandError(f"{options['file']}: {error.strerror}") from None
    answers = dict.fromkeys(options["new"], NEW) | dict.fromkeys(options["leave_out"], LEAVE_OUT)
    for pair in options["same"]:
        line, _, number = pair.partition("=")
        if not line.isdecimal() or not number:
            raise CommandError(f"--same {pair}: give the line and the Chess SA id, as 7=100000123")
        answers[int(line)] = number
    columns = {}
    for pair in options["column"]:
        heading, separator, column = pair.rpartition("=")
        if not separator:
            raise CommandError(f'--column {pair}: give the heading and the column, as "Bond no=national_id"')
        columns[heading] = column
    return SentList(content, options["file"].name, columns, answers, options["leave_out_doubtful"])


def _line(difference: Difference) -> str:
    line = difference.line
    if difference.kind is Kind.NEW:
        facts = (
            line.national_id,
            line.fide_id and f"FIDE {line.fide_id}",
            line.birth.day or line.birth.year,
            line.region,
        )
        what = ", ".join(str(fact) for fact in facts if fact)
    elif difference.kind is Kind.CHANGED:
        what = f"{difference.player}: " + "; ".join(
            f"{change.label} {change.before or '–'} → {change.after}" for change in difference.changes
        )
    else:
        whom = f"{difference.player}? " if difference.player and difference.kind is Kind.DOUBTFUL else ""
        what = f"{whom}{difference.why}"
    return f"line {line.line}  {difference.kind:9}  {line.name}  {what}".rstrip()
