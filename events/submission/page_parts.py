"""What the page of an event's results is made of, in words for its reader."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.utils.translation import gettext, gettext_noop

from config.languages import counted
from config.lib import formatting
from config.lib.shown_rows import Shown
from events.models import Declaration, Event, Section, Submission, Upload
from events.rules.corrections import BIRTH_DATE
from events.rules.findings import Finding
from events.rules.states import AWAITING_RESULTS, WITH_OUTLOOK, State
from events.submission.correction_forms import FORMS
from events.submission.correction_forms.base import CorrectionForm
from events.submission.finding_words import CHANGES
from events.submission.newcomers.queries import open_lines
from events.submission.operations import section_words
from events.submission.recall import moment_text
from events.submission.report import newcomer_of
from events.submission.words import GUESSES, counted_severity, line_shown
from events.wording import state_words
from players.identity import same_newcomers

# Headings of the findings that no form settles.
_HEADINGS = {
    "file": gettext_noop("To be corrected in the file"),
    "officer": gettext_noop("For the ratings officer to decide"),
    "notes": gettext_noop("Notes"),
    BIRTH_DATE.form: gettext_noop("Details of new players"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A group of findings with the form that settles them, if any; `more` of them are not shown."""

    control: str
    findings: list[dict[str, Any]]
    more: int = 0
    form: CorrectionForm | None = None

    @property
    def count(self) -> int:
        """The number of findings of the group."""
        return len(self.findings) + self.more

    @property
    def heading(self) -> str:
        """The heading of the group."""
        return str(FORMS[self.control].heading) if self.control in FORMS else gettext(_HEADINGS[self.control])


def asked_groups(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the groups of findings of a report that its uploader is shown."""
    groups: list[dict[str, Any]] = report.get("groups", [])
    # nobody is asked for details of a new player before it is said that he is new
    return [group for group in groups if group["control"] != BIRTH_DATE.form or not open_lines(report)]


@dataclass(frozen=True, slots=True)
class Stage:
    """A step from files to declaration. `mark`: ready, open or ahead; `count`: what is left, in words."""

    label: str
    anchor: str
    count: str
    mark: str


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A penalty, proposed by an uploaded file or on record, with its form.

    `answer` and `by`: the answer and its user in words; `undo`: the key of the answer if it can be taken back; `pk`, `status`:
    of one on record.
    """

    what: str
    points: str
    article: str
    form: Any = None
    answer: str = ""
    by: str = ""
    undo: int | None = None
    pk: int | None = None
    status: str = ""

    @property
    def place(self) -> str:
        """The place of its form on the page."""
        return f"{getattr(self.form, 'anchor', '') or self.form.prefix}-form" if self.form else ""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer that was given on the page, with its question, in the reader's language."""

    pk: int
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class SectionBlock:
    """A section on the page, with its upload, or else its last submission.

    `corrections`: the latest answers, beside so many earlier ones; `newcomers`: lines answered to be new players;
    `last_new`: the key of the latest such answer; `open_players`: lines of which it is not said who they are; `lacking`:
    details of new players that are missing; `players_there`: there is a table of players.
    """

    section: Section
    facts: str
    upload: Upload | None
    submission: Submission | None
    groups: list[Question] = field(default_factory=list)
    encoding: CorrectionForm | None = None
    penalties: Shown[PenaltyRow] = field(default_factory=lambda: Shown([], 0, 0))
    corrections: list[AnswerRow] = field(default_factory=list)
    earlier_corrections: int = 0
    newcomers: int = 0
    last_new: int = 0
    open_players: int = 0
    lacking: int = 0
    players_there: bool = False
    held: Shown[dict[str, Any]] = field(default_factory=lambda: Shown([], 0, 0))
    matched: Shown[dict[str, Any]] = field(default_factory=lambda: Shown([], 0, 0))

    @property
    def name(self) -> str:
        """The name of the section on the page."""
        return section_words(self.section)

    @property
    def tally(self) -> list[tuple[str, str]]:
        """The numbers of errors, holds and notes in words, each with its mark."""
        severities = [severity for severity in ("error", "hold", "note") if self.counts.get(severity)]
        counts = [(severity, counted_severity(severity, self.counts[severity])) for severity in severities]
        return counts if self.counts.get("error") else [("good", gettext("No errors")), *counts]

    @property
    def new(self) -> list[dict[str, Any]]:
        """The lines that are confirmed as new players."""
        lines: list[dict[str, Any]] = self.upload.report.get("new", []) if self.upload else []
        return lines

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings by severity; {} before the file is checked."""
        counts: dict[str, int] = self.upload.report.get("counts", {}) if self.upload else {}
        return counts

    @property
    def findings(self) -> list[dict[str, Any]]:
        """All findings of the file, in English, each with the `control` of its group."""
        groups = asked_groups(self.upload.report) if self.upload else []
        return [{**finding, "control": group["control"]} for group in groups for finding in group["findings"]]

    @property
    def changes(self) -> list[str]:
        """What differs from the section's file before, a sentence each."""
        return [CHANGES.said(change) for change in (self.upload.report.get("changes") or () if self.upload else ())]

    @property
    def guessed(self) -> list[str]:
        """Why the file was taken for this section, where its uploader did not say."""
        guess = self.upload.report.get("guess") if self.upload else None
        reasons = guess["reasons"] if guess and guess["section"] == self.section.pk else ()
        return [GUESSES.said(reason) for reason in reasons]

    @property
    def differences(self) -> int:
        """The number of differences from the section's file before."""
        return len(self.changes) + ((self.upload.report.get("more_changes") or 0) if self.upload else 0)

    @property
    def error(self) -> str:
        """Why the file could not be checked; "" if it could."""
        return line_shown(self.upload.error) if self.upload else ""

    @property
    def open_anchors(self) -> list[str]:
        """The places of the questions that the region has not answered, in the order of the page."""
        forms = [self.encoding, *(group.form for group in self.groups)] if self.upload else []
        asked = [form.anchor for form in forms if form]
        if self.upload and (self.open_players or self.lacking):
            asked.insert(1 if self.encoding else 0, f"u{self.upload.pk}-players")
        return asked + [penalty.place for penalty in self.penalties.rows if penalty.form and not penalty.answer]

    @property
    def settled(self) -> bool:
        """Whether a file is here, or sent in, that needs nothing more of the region: the section is shown folded."""
        if self.upload:
            unsettled = self.upload.pending or bool(self.upload.error or self.counts.get("error"))
        else:
            unsettled = self.submission is None or bool(self.held.rows)
        return not unsettled and not self.open_anchors

    @property
    def open_penalties(self) -> int:
        """The number of penalties without an answer."""
        return sum(not penalty.answer for penalty in self.penalties.rows) + self.penalties.more_open


@dataclass(frozen=True, slots=True)
class StrayFile:
    """A file that is for no section yet. `error`: why it could not be checked; `problem`: why it cannot be read in full.

    `guess`: the section that it fits, with the `reasons`; it has a file already, or this one cannot be read in full.
    """

    upload: Upload
    error: str
    problem: str
    guess: SectionBlock | None
    reasons: list[str]


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """The content of the page. `checking`: a file is still being checked; `returned`: the reason why the officer returned it;
    `declaration`: that with which a worker sends the event in, or could not.

    `sent`: of a returned event the day on which it was first sent in, else "". `shown`: the state of registration, files and
    answers, as `version_shown` gives it, which the declaration is about.
    """

    event: Event
    blocks: list[SectionBlock]
    stray_files: list[StrayFile]
    obstacles: list[Finding]
    declaration: Declaration | None
    open: bool
    holds: int
    errors: int
    checking: bool
    last_day: str
    last_machine_day: str
    clock: str
    late: bool
    sent: str
    state_word: str
    ended: bool
    returned: str
    shown: str

    @property
    def sending(self) -> bool:
        """Whether a worker is to send the event in."""
        return self.declaration is not None and not self.declaration.error

    @property
    def waiting(self) -> bool:
        """Whether a worker has something to do for this page."""
        return self.checking or self.sending

    @property
    def not_sent(self) -> str:
        """When the event could not be sent in as it was declared, and why; "" without that."""
        if self.declaration is None or self.sending:
            return ""
        words = {
            "at": moment_text(self.declaration.at),
            "problem": formatting.sentence(gettext(self.declaration.error)),
        }
        return gettext("What was declared on %(at)s could not be sent in: %(problem)s") % words

    @property
    def reason(self) -> str:
        """What was to be said to the officer with the declaration that could not be sent in."""
        return self.declaration.reason if self.not_sent and self.declaration else ""

    @property
    def open_anchors(self) -> list[str]:
        """The places of all questions that the region has not answered, in the order of the page."""
        strays = [f"stray-{stray.upload.pk}" for stray in self.stray_files]
        return strays + [anchor for block in self.blocks for anchor in block.open_anchors]

    def next_open(self, section: int) -> str:
        """Return the place of the question to be answered next: of this section, of those below, of any; the declaration
        if nothing is open."""
        places = [block.section.pk for block in self.blocks]
        here = places.index(section) if section in places else 0
        later = [anchor for block in self.blocks[here:] for anchor in block.open_anchors]
        return next(iter(later or self.open_anchors), "declaration")

    @property
    def open_words(self) -> str:
        """How many questions are open, in words."""
        count = len(self.open_anchors) + sum(block.penalties.more_open for block in self.blocks)
        return counted(count, "%(count)s question is open", "%(count)s questions are open") if count else ""

    @property
    def same_newcomers(self) -> list[str]:
        """New players of two sections who will be registered as one, in words."""
        names = []
        new = [(block.name, list(map(newcomer_of, block.new))) for block in self.blocks]
        for (section, players), (other_section, others) in combinations(new, 2):
            for person in same_newcomers(players, others):
                name = f"{person.last_name}, {person.first_name}".strip(", ")
                names.append(f"{name} ({section}, {other_section})")
        return names

    @property
    def days(self) -> str:
        """The days of the event in words."""
        return formatting.days(self.event.starts, self.event.ends)

    @property
    def sentence(self) -> str:
        """The state of the event as a sentence."""
        if not self.open:
            return state_words(State(self.event.state)).sentence
        if self.event.state == State.RETURNED:
            return gettext("It was returned: upload what is corrected, and submit it again.")
        return gettext("Upload the arbiter’s file of each section, correct what the checks find, and submit the event.")

    @property
    def has_outlook(self) -> bool:
        """Whether there are results of which can be shown what they would give."""
        there = any(block.upload or block.submission for block in self.blocks)
        return there and State(self.event.state) in (*AWAITING_RESULTS, *WITH_OUTLOOK)

    @property
    def summary(self) -> str:
        """What is left to do, and the last day."""
        if self.sending:
            return gettext("The event is being sent in.")
        if self.checking:
            return gettext("A file is still being checked; submitting closes on %(day)s (article 61).") % {
                "day": self.last_day
            }
        counts = {"errors": counted_severity("error", self.errors), "holds": counted_severity("hold", self.holds)}
        if self.errors and self.holds:
            what = gettext("%(errors)s and %(holds)s left") % counts
        elif self.errors or self.holds:
            what = gettext("%(count)s left") % {"count": counts["errors"] if self.errors else counts["holds"]}
        else:
            what = gettext("Not ready yet") if self.obstacles else gettext("Nothing is left to correct")
        return gettext("%(what)s; submitting closes on %(day)s (article 61).") % {"what": what, "day": self.last_day}

    @property
    def stages(self) -> list[Stage]:
        """The five steps from the files to the declaration."""
        if not self.open:
            return []
        files = sum(block.upload is not None or block.submission is not None for block in self.blocks)
        players = sum(block.open_players for block in self.blocks)
        penalties = sum(block.open_penalties for block in self.blocks)
        read = any(block.upload and block.upload.report for block in self.blocks)
        first = f"section-{self.blocks[0].section.pk}" if self.blocks else "files"
        asking = next(
            (f"players-{block.upload.pk}" for block in self.blocks if block.upload and block.open_players), first
        )
        missed = next((f"penalties-{block.section.pk}" for block in self.blocks if block.penalties.rows), first)
        counts = [("error", self.errors), ("hold", self.holds)]
        left = ", ".join(counted_severity(severity, number) for severity, number in counts if number)
        there = gettext("%(files)s of %(sections)s") % {"files": files, "sections": len(self.blocks)}
        asked = gettext("%(count)s open") % {"count": players} if players else gettext("all known")
        unanswered = (
            gettext("%(count)s without an answer") % {"count": penalties} if penalties else gettext("nothing open")
        )
        return [
            _stage(
                gettext("Files"),
                "strays" if self.stray_files else "files",
                there,
                done=0 < len(self.blocks) == files and not self.stray_files,
            ),
            _stage(gettext("Players"), asking, asked, done=not players, ahead=not read),
            _stage(
                gettext("Checks"),
                first,
                left or gettext("all good"),
                done=not (self.errors or self.holds),
                ahead=not read,
            ),
            _stage(gettext("Penalties"), missed, unanswered, done=not penalties, ahead=not read),
            _stage(
                gettext("Declaration"),
                "declaration",
                gettext("being sent in") if self.sending else gettext("to be ticked"),
                done=False,
                ahead=bool(self.obstacles),
            ),
        ]


def _stage(label: str, anchor: str, count: str, *, done: bool, ahead: bool = False) -> Stage:
    return Stage(label, anchor, "" if ahead else count, "ahead" if ahead else "ready" if done else "open")
