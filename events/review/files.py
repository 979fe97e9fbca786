"""What the submitted files of a section say: the lines that findings are about, and what differs. Reads no database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from config.lib import formatting
from config.lib.names import shown
from events.archive import read_tournament
from events.files.arbiters import read_arbiter
from events.files.encodings import CODE_PAGE
from events.files.reader import WITHOUT_LINES
from events.files.text import read_text
from events.models import Appointment, Event, Section, Submission, SubmissionFinding
from events.rules.corrections import Corrections, corrections_from
from events.rules.time_controls import time_control_text
from events.rules.tournament import Tournament
from events.submission.differences import Difference, differences
from events.submission.report import place_in_words, stretch
from players.identity import fold

MOST_DIFFERENCES = 200  # between two files, on one page
_WITHOUT_LINES = (*WITHOUT_LINES, "abroad")  # formats


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file a finding stands: in words, and the line in three parts, of which the middle one is meant."""

    words: str
    before: str = ""
    wrong: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail as it is rated and as the file has it."""

    label: str
    rated: str
    in_file: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a submission changed of the one before it; `more` differences are not shown."""

    submission: Submission
    before: Submission
    differences: list[Difference]
    more: int


@dataclass(slots=True)
class SectionFiles:
    """The submitted files of a section, oldest first, each read once. `answers`: submission → (kind, key, value) of answers."""

    submissions: Sequence[Submission]
    answers: dict[int, list[tuple[str, str, str]]] = field(default_factory=dict)
    _read: dict[int, Tournament] = field(default_factory=dict)
    _lines_read: dict[int, Sequence[str]] = field(default_factory=dict)

    @property
    def latest(self) -> Submission | None:
        """The file that counts."""
        return self.submissions[-1] if self.submissions else None

    def place_of(self, finding: SubmissionFinding) -> Place | None:
        """Return where a finding of the latest file stands; None for one of the whole file."""
        if not finding.line or self.latest is None:
            return None
        words, first = place_in_words(finding.line, finding.column, finding.end_column), finding.column or 1
        lines = self._lines(self.latest)
        if finding.line > len(lines):
            return Place(words)
        line = lines[finding.line - 1]
        return Place(words, *stretch(line, first, (finding.end_column or first) if finding.column else len(line)))

    def changes(self) -> list[Change]:
        """Return what each file changed of the one before it, the latest first."""
        rows = []
        for before, after in zip(self.submissions, self.submissions[1:], strict=False):
            old, new = self._tournament(before), self._tournament(after)
            found = differences(old, new) if old and new else []
            rows.append(Change(after, before, found[:MOST_DIFFERENCES], max(len(found) - MOST_DIFFERENCES, 0)))
        return rows[::-1]

    def beside(self, event: Event, section: Section, arbiters: Sequence[Appointment]) -> list[Detail]:
        """Return what the latest file says otherwise than the registration that it is rated by."""
        tournament = self._tournament(self.latest) if self.latest else None
        if tournament is None:
            return []
        return [
            Detail(label, rated, shown(in_file))
            for label, rated, in_file in _details(event, section, arbiters, tournament)
            if in_file and _words(rated) != _words(in_file)
        ]

    def _corrections(self, submission: Submission) -> Corrections:
        return corrections_from(self.answers.get(submission.pk, ()))

    def _tournament(self, submission: Submission) -> Tournament | None:
        if submission.format == "abroad":
            return None
        if submission.pk not in self._read:
            content, corrections = bytes(submission.file.content), self._corrections(submission)
            self._read[submission.pk] = read_tournament(content, submission.name, corrections)
        return self._read[submission.pk]

    def _lines(self, submission: Submission) -> Sequence[str]:
        if submission.format in _WITHOUT_LINES:
            return []
        if submission.pk not in self._lines_read:
            encoding = self._corrections(submission).encoding or CODE_PAGE
            self._lines_read[submission.pk] = read_text(bytes(submission.file.content), encoding).lines
        return self._lines_read[submission.pk]


def _details(
    event: Event, section: Section, arbiters: Sequence[Appointment], tournament: Tournament
) -> Iterable[tuple[str, str, str]]:
    chief, *deputies = [row.arbiter.name for row in arbiters] or [""]
    yield "Event", event.name, tournament.name
    yield "Place", event.place, tournament.city
    yield "First day", formatting.day(section.starts), formatting.day(tournament.starts) if tournament.starts else ""
    yield "Last day", formatting.day(section.ends), formatting.day(tournament.ends) if tournament.ends else ""
    control = tournament.time_control
    written = time_control_text(control.base, control.increment) if control else tournament.time_control_text
    yield "Time control", time_control_text(section.base_minutes, section.increment_seconds), written
    rounds = str(section.planned_rounds or "")
    yield "Rounds", rounds, str(tournament.planned_rounds or tournament.rounds or "")
    yield "Chief Arbiter", chief, read_arbiter(tournament.chief_arbiter).name if tournament.chief_arbiter else ""
    named = [read_arbiter(text).name for text in tournament.deputy_arbiters if text.strip()]
    yield "Other arbiters", "; ".join(deputies), "; ".join(named)


def _words(text: str) -> list[str]:
    """Return the words of a text in an order that does not depend on who comes first, for the comparison."""
    return sorted(fold(text.replace(",", " ").replace(";", " ")).split())
