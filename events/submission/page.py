"""Reads the page of an event's results: its sections with their files, reports and penalties."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from config.languages import counted
from config.lib import formatting
from events.models import Correction, Event, Section, Submission, Upload
from events.operations import sections_to_rate
from events.rules.corrections import BIRTH_DATE, NEW, PENALTY, PLAYER
from events.rules.deadlines import is_late_to_submit, last_day_to_submit
from events.rules.findings import Finding
from events.rules.penalties import PenaltyKind
from events.rules.states import AWAITING_RESULTS, WITH_OUTLOOK, State
from events.rules.time_controls import time_control_text
from events.submission.checker import renew
from events.submission.compare import as_seen
from events.submission.correction_forms import FORMS
from events.submission.correction_forms.base import CorrectionForm
from events.submission.correction_forms.penalties import NoticeForm
from events.submission.finding_words import CHANGES, finding_said
from events.submission.newcomers.queries import lacking_cells, open_lines
from events.submission.operations import obstacles, section_words, version_shown
from events.submission.report import newcomer_of
from events.submission.typed import typed_answers
from events.submission.uploads import is_outdated, not_submitted
from events.submission.validation import first_sent
from events.submission.words import (
    ANSWERS,
    GUESSES,
    NOTICES,
    candidate_shown,
    counted_severity,
    finding_shown,
    line_shown,
)
from events.wording import state_words
from players.administrators import called
from players.identity import same_newcomers

_OFFICER = gettext_noop("the ratings officer")
_WAITS = gettext_noop("The ratings officer decides this one.")


# Headings of the findings that no form settles.
_HEADINGS = {
    "file": gettext_noop("To be corrected in the file"),
    "officer": gettext_noop("For the ratings officer to decide"),
    "notes": gettext_noop("Notes"),
    BIRTH_DATE.form: gettext_noop("Details of new players"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A group of findings with the form that settles them, if any."""

    control: str
    findings: list[dict[str, Any]]
    form: CorrectionForm | None = None

    @property
    def heading(self) -> str:
        """The heading of the group."""
        return str(FORMS[self.control].heading) if self.control in FORMS else gettext(_HEADINGS[self.control])


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

    `answer` and `by`: the answer and its user in words; `undo`: the key of the answer if it can be taken back.
    """

    what: str
    points: str
    article: str
    form: Any = None
    answer: str = ""
    by: str = ""
    undo: int | None = None
    pk: int | None = None

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

    `newcomers`: lines answered to be new players; `open_players`: lines of which it is not said who they are; `lacking`:
    details of new players that are missing; `players_there`: there is a table of players.
    """

    section: Section
    facts: str
    upload: Upload | None
    submission: Submission | None
    groups: list[Question] = field(default_factory=list)
    encoding: CorrectionForm | None = None
    penalties: list[PenaltyRow] = field(default_factory=list)
    corrections: list[AnswerRow] = field(default_factory=list)
    newcomers: int = 0
    open_players: int = 0
    lacking: int = 0
    players_there: bool = False
    held: list[dict[str, Any]] = field(default_factory=list)
    matched: list[dict[str, Any]] = field(default_factory=list)

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
        return asked + [penalty.place for penalty in self.penalties if penalty.form and not penalty.answer]

    @property
    def settled(self) -> bool:
        """Whether a file is here, or sent in, that needs nothing more of the region: the section is shown folded."""
        if self.upload:
            unsettled = self.upload.pending or bool(self.upload.error or self.counts.get("error"))
        else:
            unsettled = self.submission is None or bool(self.held)
        return not unsettled and not self.open_anchors

    @property
    def open_penalties(self) -> int:
        """The number of penalties without an answer."""
        return sum(not penalty.answer for penalty in self.penalties)


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
    """The content of the page. `waiting`: a file is still being checked; `returned`: the reason why the officer returned it.

    `sent`: of a returned event the day on which it was first sent in, else "". `shown`: the state of registration, files and
    answers, as `version_shown` gives it, which the declaration is about.
    """

    event: Event
    blocks: list[SectionBlock]
    stray_files: list[StrayFile]
    obstacles: list[Finding]
    open: bool
    holds: int
    errors: int
    waiting: bool
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
        count = len(self.open_anchors)
        return counted(count, "%(count)s question is open", "%(count)s questions are open") if count else ""

    @property
    def same_newcomers(self) -> list[str]:
        """New players of two sections who will be registered as one, in words."""
        names = []
        for block, other in combinations(self.blocks, 2):
            for person in same_newcomers(map(newcomer_of, block.new), map(newcomer_of, other.new)):
                name = f"{person.last_name}, {person.first_name}".strip(", ")
                names.append(f"{name} ({block.name}, {other.name})")
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
        if self.waiting:
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
        read = any(block.upload for block in self.blocks)
        first = f"section-{self.blocks[0].section.pk}" if self.blocks else "files"
        asking = next(
            (f"players-{block.upload.pk}" for block in self.blocks if block.upload and block.open_players), first
        )
        missed = next((f"penalties-{block.section.pk}" for block in self.blocks if block.penalties), first)
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
                gettext("to be ticked"),
                done=False,
                ahead=bool(self.obstacles),
            ),
        ]


def _stage(label: str, anchor: str, count: str, *, done: bool, ahead: bool = False) -> Stage:
    return Stage(label, anchor, "" if ahead else count, "ahead" if ahead else "ready" if done else "open")


def results_page(
    event: Event,
    *,
    today: date,
    bound: CorrectionForm | NoticeForm | None = None,
    renewed: bool = False,
    births_of: Collection[int] = (),
) -> ResultsPage:
    """Return the page of an event. `bound`: a sent form with errors.

    `renewed`: replace outdated reports by those that a check would write now, without writing them. `births_of`: the regions of
    whose players the reader may see the birth dates.
    """
    waiting = not_submitted(event.uploads.all()) if event.state in AWAITING_RESULTS else Upload.objects.none()
    uploads = list(waiting.select_related("file", "by").defer("file__content").prefetch_related("corrections__by"))
    for live_upload in uploads:
        live_upload.event = event
        if renewed and is_outdated(live_upload, today=today):
            renew(live_upload, today=today)
    sent = None
    if event.state == State.RETURNED:
        sent = first_sent(Submission.objects.filter(section__event=event))
    typed = typed_answers(event)
    by_section = {upload.section_id: upload for upload in uploads if upload.section_id}
    blocks = [
        _block(section, by_section.get(section.pk), event, bound, births_of, typed)
        for section in sections_to_rate(event).order_by("position", "pk")
    ]
    closes = last_day_to_submit(event.ends)
    counts = [block.counts for block in blocks]
    return ResultsPage(
        event=event,
        blocks=blocks,
        stray_files=[_stray(upload, blocks) for upload in uploads if upload.section_id is None],
        obstacles=obstacles(event, uploads),
        open=event.state in AWAITING_RESULTS,
        holds=sum(by_severity.get("hold", 0) for by_severity in counts),
        errors=sum(by_severity.get("error", 0) for by_severity in counts),
        waiting=any(upload.pending for upload in uploads),
        last_day=formatting.day(closes),
        last_machine_day=closes.isoformat(),
        clock=_clock(closes, today),
        late=is_late_to_submit(event.ends, today=sent or today),
        sent=formatting.day(sent) if sent else "",
        state_word=state_words(State(event.state)).word,
        ended=event.ends <= today,
        returned=_returned(event),
        shown=version_shown(event, (upload for block in blocks if (upload := block.upload))),
    )


def _stray(upload: Upload, blocks: Iterable[SectionBlock]) -> StrayFile:
    guess = upload.report.get("guess") or {"section": None, "reasons": []}
    block = next((block for block in blocks if block.section.pk == guess["section"]), None)
    reasons = [GUESSES.said(reason) for reason in guess["reasons"]] if block else []
    return StrayFile(upload, line_shown(upload.error), line_shown(upload.report.get("problem", "")), block, reasons)


def _returned(event: Event) -> str:
    if event.state != State.RETURNED:
        return ""
    last = event.moves.filter(target=State.RETURNED.value, recalled=False).last()
    return last.reason if last else ""


def _clock(closes: date, today: date) -> str:
    left = (closes - today).days
    if left < 0:
        return gettext("closed %(time)s ago") % {"time": counted(-left, "%(count)s day", "%(count)s days")}
    if not left:
        return gettext("today is the last day")
    return gettext("%(time)s left") % {"time": counted(left, "%(count)s day", "%(count)s days")}


def _block(
    section: Section,
    upload: Upload | None,
    event: Event,
    bound: CorrectionForm | NoticeForm | None,
    births_of: Collection[int],
    typed: Mapping[str, QueryDict],
) -> SectionBlock:
    facts = ", ".join(
        part
        for part in (
            formatting.sentence(gettext(section.get_format_display())),
            time_control_text(section.base_minutes, section.increment_seconds),
            counted(section.planned_rounds, "%(count)s round", "%(count)s rounds") if section.planned_rounds else "",
            formatting.days(section.starts, section.ends),
        )
        if part
    )
    if upload is None:
        submission = section.submissions.select_related("file").defer("file__content").first()
        return SectionBlock(
            section,
            facts,
            None,
            submission,
            penalties=list(_recorded(section, bound, typed)),
            held=[
                {"message": finding_said(finding.message), "article": finding.article, "waived": finding.waived_reason}
                for finding in submission.findings.filter(severity="hold")
            ]
            if submission
            else [],
        )

    def form(name: str, key: str = "") -> CorrectionForm:
        made = FORMS[name](upload, key)
        kept = typed.get(made.anchor)
        if isinstance(bound, CorrectionForm) and bound.anchor == made.anchor:
            return bound
        if kept is None or made.stale:
            return made
        as_typed = FORMS[name](upload, key, kept)
        as_typed.is_valid()
        return as_typed

    def question(control: str, findings: list[dict[str, Any]]) -> Question:
        asking = form(control) if control in FORMS else None
        shown = [finding_shown(finding) for finding in findings]
        return Question(control, shown, None if asking is None or asking.stale else asking)

    report, corrections = upload.report, list(upload.corrections.all())
    open_players = open_lines(report)
    return SectionBlock(
        section,
        facts,
        upload,
        None,
        groups=[
            question(**group)
            for group in report.get("groups", [])
            # nobody is asked for details of a new player before it is said that he is new
            if group["control"] != BIRTH_DATE.form or not open_players
        ],
        encoding=form("encoding") if report.get("samples") else None,
        penalties=[*_proposed(report, corrections, form), *_officers(report)],
        corrections=[
            AnswerRow(answer.pk, ANSWERS.said(answer.question), ANSWERS.said(answer.answer))
            for answer in corrections
            if answer.kind != PENALTY.code
        ],
        newcomers=sum(answer.kind == PLAYER.code and answer.value == NEW for answer in corrections),
        open_players=open_players,
        lacking=0 if open_players else lacking_cells(upload),
        players_there=bool(report.get("lines")),
        matched=[candidate_shown(as_seen(line, births_of)) for line in report.get("matched", [])],
    )


def _proposed(report: dict[str, Any], corrections: Iterable[Correction], form: Any) -> Iterable[PenaltyRow]:
    answers = {correction.key: correction for correction in corrections if correction.kind == PENALTY.code}
    for row in report.get("proposals", []):
        decided = row.get("decided", "")
        correction = None if decided else answers.get(row["key"])
        yield PenaltyRow(
            what=f"{row['name']}: {_absence_text(row['kind'], row['round'], row['rounds'])}",
            points=_points(row["points"]),
            article=PenaltyKind(row["kind"]).article,
            form=None if correction or decided else form("penalty", row["key"]),
            answer=NOTICES.said(correction.answer.partition(": ")[2] if correction else decided),
            by=gettext(_OFFICER) if decided else _who(correction.by if correction else None),
            undo=correction.pk if correction else None,
        )


def _officers(report: dict[str, Any]) -> Iterable[PenaltyRow]:
    for row in report.get("officers", []):
        yield PenaltyRow(
            what=f"{row['name']}: {_absence_text(row['kind'], row['round'], 1)}",
            points=_points(row["points"]),
            article=PenaltyKind(row["kind"]).article,
            answer=NOTICES.said(row["decided"]) or gettext(_WAITS),
            by=gettext(_OFFICER) if row["decided"] else "",
        )


def _who(user: User | None) -> str:
    return called(user) if user else ""


def _absence_text(kind: str, round_: int, rounds: int) -> str:
    if kind == PenaltyKind.WITHDRAWAL:
        if rounds > 1:
            last = round_ + rounds - 1
            return gettext("withdrew from round %(round)s on, to round %(last)s") % {"round": round_, "last": last}
        return gettext("withdrew from round %(round)s") % {"round": round_}
    return gettext("forfeited round %(round)s") % {"round": round_}


def _points(points: float) -> str:
    return gettext("%(points)s points") % {"points": formatting.in_style(f"{points:g}")}


def _notice_form(prefix: str, bound: CorrectionForm | NoticeForm | None, typed: Mapping[str, QueryDict]) -> NoticeForm:
    if isinstance(bound, NoticeForm) and bound.prefix == prefix:
        return bound
    form = NoticeForm(typed.get(prefix), prefix=prefix)
    form.is_valid()
    return form


def _recorded(
    section: Section, bound: CorrectionForm | NoticeForm | None, typed: Mapping[str, QueryDict]
) -> Iterable[PenaltyRow]:
    for penalty in section.penalties.select_related("player", "decided_by").order_by("round", "pk"):
        prefix = f"p{penalty.pk}"
        yield PenaltyRow(
            what=f"{penalty.player.name}: {_absence_text(penalty.kind, penalty.round, 1)}",
            points=_points(float(penalty.points)),
            article=PenaltyKind(penalty.kind).article,
            form=None if penalty.final else _notice_form(prefix, bound, typed),
            answer=NOTICES.said(penalty.decision)
            or (f"{gettext(_WAITS)} {penalty.reason}".strip() if penalty.final else ""),
            by=gettext(_OFFICER) if penalty.final and penalty.decision else _who(penalty.decided_by),
            pk=penalty.pk,
        )
