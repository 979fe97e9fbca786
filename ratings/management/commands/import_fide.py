"""`manage.py import_fide FILE`: show what FIDE's list would change, and take it with `--confirm`."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.lib import formatting
from events.files.fide_list.listed import KINDS, FideListError
from players.models import FideQuestion
from ratings.moving_in.fide_matching import FideDifference, Kind, differences
from ratings.moving_in.fide_operations import (
    FewerPlayersError,
    OlderListError,
    SentFideList,
    answer_question,
    compare_list,
    open_question,
    take_list,
)


class Command(BaseCommand):
    """Take FIDE's rating list, after its differences were shown, and answer what it asks."""

    help = (
        "Show what FIDE's rating list (text or XML, perhaps zipped) would change; with --confirm, take it. --same and --other"
        " answer whether a player is a person of the list."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file, what is said of it, and the answers."""
        parser.add_argument("file", nargs="?", type=Path)
        parser.add_argument("--confirm", action="store_true", help="take the list; without it nothing is kept")
        parser.add_argument(
            "--month", type=_month, metavar="YYYY-MM", help="of the list, which does not always tell it"
        )
        parser.add_argument(
            "--kind", choices=KINDS, default="", help="of a list of one kind whose name does not tell it"
        )
        parser.add_argument(
            "--older", action="store_true", help="take a list older than the one held, which it replaces"
        )
        parser.add_argument("--fewer", action="store_true", help="take a list with less than half of the players held")
        for answer, words in (("same", "is the player"), ("other", "is somebody else than the player")):
            parser.add_argument(
                f"--{answer}",
                action="append",
                default=[],
                metavar="FIDE_ID=ID",
                help=f"the person of the list {words} with this Chess SA id",
            )

    def handle(self, *args: Any, **options: Any) -> None:
        """Show or take a list, then answer. Raises CommandError."""
        answers = [
            (*_pair(answer, pair), answer)
            for answer in (FideQuestion.Answer.SAME.value, FideQuestion.Answer.OTHER.value)
            for pair in options[answer]
        ]
        if not options["file"] and not answers:
            raise CommandError("give the file of the list, or answers to the questions of the one that was taken")
        if options["file"] and answers and not options["confirm"]:
            raise CommandError("answers are kept with --confirm, or without a file once the list was taken")
        try:
            if options["file"]:
                self._import(_sent(options), confirm=options["confirm"])
            for fide_id, number, answer in answers:
                question = open_question(fide_id, number)
                answer_question(question, answer, at=timezone.now(), by=None)
                self.stdout.write(f"{question}: {FideQuestion.Answer(answer).label}")
        except OlderListError as error:
            raise CommandError(f"{error} --older takes it.") from None
        except FewerPlayersError as error:
            raise CommandError(f"{error} --fewer takes it.") from None
        except FideListError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror or error}") from None

    def _import(self, sent: SentFideList, *, confirm: bool) -> None:
        now = timezone.now()
        comparison = compare_list(sent, at=now, progress=self._progress("read"))
        for place in comparison.unreadable:
            self.stderr.write(f"note: {place}")
        for place in comparison.cleaned:
            self.stderr.write(f"note: {place}, without characters that cannot be seen")
        if (more := comparison.cleaned_names - len(comparison.cleaned)) > 0:
            self.stderr.write(f"note: {formatting.count(more, 'further name')} without such characters")
        listed = formatting.count(len(comparison.ids), "player")
        self.stdout.write(f"FIDE list of {formatting.month(comparison.month)}, {', '.join(comparison.kinds)}: {listed}")
        counts = Counter[Kind]()
        for chunk in differences(comparison):
            counts.update(difference.kind for difference in chunk)
            for difference in chunk:
                if difference.kind is not Kind.UNCHANGED:
                    self.stdout.write(_line(difference))
        if not confirm:
            self._write_counts(counts)
            self.stdout.write("Nothing is kept; --confirm takes the list.")
            return
        done = take_list(sent, comparison, at=now, by=None, progress=self._progress("taken"))
        self._write_counts(
            {
                Kind.NEW: done.new,
                Kind.CHANGED: done.changed,
                Kind.UNCHANGED: done.unchanged,
                Kind.GONE: done.gone,
                Kind.QUESTION: done.questions,
            }
        )
        self.stdout.write(f"The {done} is taken.")

    def _write_counts(self, counts: Mapping[Kind, int]) -> None:
        shown = [kind for kind in Kind if counts.get(kind) or kind is Kind.NEW]
        self.stdout.write(", ".join(f"{counts.get(kind, 0)} {kind}" for kind in shown))

    def _progress(self, what: str) -> "_Progress":
        return _Progress(self, what)


class _Progress:
    """Writes each further per cent to the error output, if that is a terminal."""

    def __init__(self, command: BaseCommand, what: str) -> None:
        self._command, self._what, self._shown = command, what, -1

    def __call__(self, done: int, total: int) -> None:
        """Write how much is done, if it is more than before."""
        share = 100 * done // max(total, 1)
        if self._command.stderr.isatty() and share > self._shown and (self._shown >= 0 or share < 100):
            self._shown = share
            self._command.stderr.write(f"{self._what}: {share} %", ending="\r" if share < 100 else "\n")


def _month(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m").date()  # noqa: DTZ007 - a month
    except ValueError:
        raise CommandError(f"--month {text}: give year and month, as 2026-10") from None


def _pair(answer: str, pair: str) -> tuple[int, str]:
    fide_id, _, number = pair.partition("=")
    if not fide_id.isdecimal() or not number:
        raise CommandError(f"--{answer} {pair}: give the FIDE id and the Chess SA id, as 14300001=100000123")
    return int(fide_id), number


def _sent(options: dict[str, Any]) -> SentFideList:
    file: Path = options["file"]
    return SentFideList(file, file.name, options["month"], options["kind"], options["older"], options["fewer"])


def _line(difference: FideDifference) -> str:
    listed = f"{difference.listed.fide_id}" if difference.listed else f"{difference.player.fide_id or ''}"
    if difference.kind is Kind.QUESTION and difference.listed:
        person = difference.listed
        born = f", born {person.birth_year}" if person.birth_year else ""
        what = f"is {person.name}, {person.federation}{born}, the player? {difference.why}"
    else:
        what = "; ".join(f"{label} {before} → {after}" for label, before, after in difference.changes)
    return f"{listed:>9}  {difference.kind:9}  {difference.player}  {what}".rstrip()
