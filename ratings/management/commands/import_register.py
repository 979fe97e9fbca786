"""`manage.py import_register FILE`: show what a list of players would change on the register, and take it with `--confirm`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.lib import formatting
from players.models import Player, RegisterImport
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.jobs.files import PIECE
from ratings.moving_in.jobs.operations import ImportRefusedError, State, ask_for, create_job, drop_kept
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.register.answering import answer_lines
from ratings.moving_in.register.lines import changes_of_row, line_of, row_chunks
from ratings.moving_in.register.matching import LEAVE_OUT, NEW, Kind
from ratings.moving_in.register.undoing import undo_import
from ratings.moving_in.steps import STEPS


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
                self._import(options)
        except ImportRefusedError as error:
            raise CommandError(str(error)) from None

    def _undo(self, number: int) -> None:
        done = RegisterImport.objects.filter(pk=number).first()
        if done is None:
            raise CommandError(f"there is no register import {number}")
        job = ImportJob.objects.filter(state=State.TAKEN, summary__import=number).first()
        if job is None:
            undo_import(done, at=timezone.now(), by=None)
        else:
            self._process(job, State.UNDOING)
        new, changed = formatting.count(done.new, "new player"), formatting.count(done.changed, "changed player")
        self.stdout.write(f"{done} is undone: {new} off the register, {changed} as before")

    def _import(self, options: dict[str, Any]) -> None:
        answers, how = _answers(options), {"columns": _columns(options)}
        job = _job(options["file"], how)
        try:
            job = self._process(job)
            self._show_reading(job.summary)
            if answers:
                answer_lines(job, answers)
            if options["leave_out_doubtful"]:
                job = self._process(job, State.COMPARING, {**how, "doubtful": LEAVE_OUT})
            if options["confirm"]:
                job = self._process(job, State.TAKING)
                self._show_taken(RegisterImport.objects.get(pk=job.summary["import"]))
            else:
                self._show(job)
        finally:
            if not RegisterImport.objects.filter(pk=job.summary.get("import", 0)).exists():
                drop_kept(job)
                ImportJob.objects.filter(pk=job.pk).delete()

    def _process(
        self, job: ImportJob, state: ImportJob.State | None = None, how: dict[str, Any] | None = None
    ) -> ImportJob:
        """Do in the foreground what a worker would do. Raises CommandError."""
        if state is not None:
            ask_for(job, state, at=timezone.now(), by=None, how=how)
        done = process_job(job.pk, STEPS[job.kind], watch=self._progress)
        if done.error:
            raise CommandError(done.error)
        return done

    def _show_reading(self, summary: dict[str, Any]) -> None:
        for finding in summary["findings"]:
            self.stderr.write(f"{finding['severity']}: {_placed(finding)}")
        read = ", ".join(f"{heading} → {column}" for heading, column in summary["columns"] if column)
        if read:
            self.stdout.write(f"columns: {read}")
        if summary["errors"]:
            raise CommandError(
                f"nothing was taken: {formatting.count(summary['errors'], 'error')} to correct in the list"
            )

    def _show(self, job: ImportJob) -> None:
        for rows in row_chunks(ListedPlayer.objects.filter(job=job).exclude(kind=Kind.UNCHANGED)):
            players = Player.objects.in_bulk({row.player_id for row in rows if row.player_id})
            for row in rows:
                self.stdout.write(_line(row, players.get(row.player_id or 0)))
        self._write_counts(ImportJob.objects.get(pk=job.pk).summary["counts"])
        self.stdout.write("Nothing is kept; --confirm takes the list.")

    def _show_taken(self, done: RegisterImport) -> None:
        self.stdout.write(
            f"{done}: {done.new} new, {done.changed} changed, {done.unchanged} without a difference, {done.left_out} left out;"
            f" --undo {done.pk} takes it back"
        )

    def _write_counts(self, counts: Mapping[str, int]) -> None:
        shown = [kind for kind in Kind if counts.get(kind) or kind is Kind.NEW]
        self.stdout.write(", ".join(f"{counts.get(kind, 0)} {kind}" for kind in shown))

    def _progress(self, stage: str, share: float) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"{stage}: {share:.0%}")


def _job(file: Path, how: dict[str, Any]) -> ImportJob:
    try:
        with file.open("rb") as content:
            return create_job(
                ImportJob.Kind.REGISTER,
                filename=file.name,
                chunks=iter(lambda: content.read(PIECE), b""),
                at=timezone.now(),
                by=None,
                how=how,
            )
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from None


def _answers(options: dict[str, Any]) -> dict[int, str]:
    answers = dict.fromkeys(options["new"], NEW) | dict.fromkeys(options["leave_out"], LEAVE_OUT)
    for pair in options["same"]:
        line, _, number = pair.partition("=")
        if not line.isdecimal() or not number:
            raise CommandError(f"--same {pair}: give the line and the Chess SA id, as 7=100000123")
        answers[int(line)] = number
    return answers


def _columns(options: dict[str, Any]) -> dict[str, str]:
    columns = {}
    for pair in options["column"]:
        heading, separator, column = pair.rpartition("=")
        if not separator:
            raise CommandError(f'--column {pair}: give the heading and the column, as "Bond no=national_id"')
        columns[heading] = column
    return columns


def _placed(finding: dict[str, Any]) -> str:
    return f"{finding['place']}: {finding['message']}" if finding["place"] else str(finding["message"])


def _line(row: ListedPlayer, player: Player | None) -> str:
    line = line_of(row)
    if row.kind == Kind.NEW:
        facts = (
            line.national_id,
            line.fide_id and f"FIDE {line.fide_id}",
            line.birth.day or line.birth.year,
            line.region,
        )
        what = ", ".join(str(fact) for fact in facts if fact)
    elif row.kind == Kind.CHANGED:
        what = f"{player}: " + "; ".join(
            f"{change.label} {change.before or '–'} → {change.after}" for change in changes_of_row(row)
        )
    else:
        whom = f"{player}? " if player and row.kind == Kind.DOUBTFUL else ""
        what = f"{whom}{row.why}"
    written = f" (in the list: {line.written})" if line.written else ""
    return f"line {line.line}  {row.kind:9}  {line.name}{written}  {what}".rstrip()
