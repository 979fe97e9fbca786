"""Reads the page of an event's results: its sections with their files, reports and penalties."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from config.languages import counted
from config.lib import formatting
from config.lib.shown_rows import Shown, first_of
from events.models import Declaration, Event, Section, Submission, Upload
from events.operations import sections_to_rate
from events.rules.corrections import NEW, PENALTY, PLAYER
from events.rules.deadlines import is_late_to_submit, last_day_to_submit
from events.rules.states import AWAITING_RESULTS, State
from events.rules.time_controls import time_control_text
from events.submission.checker import renew_all
from events.submission.compare import as_seen
from events.submission.correction_forms import FORMS
from events.submission.correction_forms.base import CorrectionForm
from events.submission.correction_forms.penalties import NoticeForm
from events.submission.finding_words import finding_said
from events.submission.newcomers.queries import lacking_cells, open_lines
from events.submission.operations import obstacles, version_shown
from events.submission.page_parts import AnswerRow, Question, ResultsPage, SectionBlock, StrayFile, asked_groups
from events.submission.penalty_rows import proposed_rows, recorded_rows
from events.submission.typed import typed_answers
from events.submission.uploads import not_submitted
from events.submission.validation import first_sent
from events.submission.words import ANSWERS, GUESSES, candidate_shown, finding_shown, line_shown
from events.wording import state_words

MOST_ANSWERS = 200  # of a file, the latest, that its page shows


def results_page(
    event: Event,
    *,
    today: date,
    bound: CorrectionForm | NoticeForm | None = None,
    renewed: bool = False,
    births_of: Collection[int | None] = (),
) -> ResultsPage:
    """Return the page of an event. `bound`: a sent form with errors.

    `renewed`: replace outdated reports by those that a check would write now, without writing them. `births_of`: the regions of
    whose players the reader may see the birth dates.
    """
    awaited = event.state in AWAITING_RESULTS
    waiting = not_submitted(event.uploads.all()) if awaited else Upload.objects.none()
    declaration = Declaration.objects.filter(event=event).first() if awaited else None
    uploads = list(waiting.select_related("file", "by").defer("file__content").prefetch_related("corrections__by"))
    for live_upload in uploads:
        live_upload.event = event
    if renewed:
        renew_all(uploads, today=today)
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
        declaration=declaration,
        open=awaited,
        holds=sum(by_severity.get("hold", 0) for by_severity in counts),
        errors=sum(by_severity.get("error", 0) for by_severity in counts),
        checking=any(upload.pending for upload in uploads),
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


def _held(submission: Submission) -> Shown[dict[str, Any]]:
    """Return the holds of what was sent in."""
    held = first_of(submission.findings.filter(severity="hold"), lambda finding: finding.waived_at is None)
    rows = [
        {"message": finding_said(finding.message), "article": finding.article, "waived": finding.waived_reason}
        for finding in held.rows
    ]
    return Shown(rows, held.more_open, held.more_answered)


def _block(
    section: Section,
    upload: Upload | None,
    event: Event,
    bound: CorrectionForm | NoticeForm | None,
    births_of: Collection[int | None],
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
            penalties=recorded_rows(section, bound, typed),
            held=_held(submission) if submission else Shown([], 0, 0),
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
        shown = first_of(findings)
        rows = [finding_shown(finding) for finding in shown.rows]
        return Question(control, rows, shown.more, None if asking is None or asking.stale else asking)

    report, corrections = upload.report, list(upload.corrections.all())
    # who has no Chess SA id in the file is shown first: the declaration confirms who he is
    matched = first_of(report.get("matched", []), lambda line: not line.get("ids", ("", None))[0])
    answers = [answer for answer in corrections if answer.kind != PENALTY.code]
    newcomers = [answer.pk for answer in corrections if answer.kind == PLAYER.code and answer.value == NEW]
    open_players = open_lines(report)
    return SectionBlock(
        section,
        facts,
        upload,
        None,
        groups=[question(**group) for group in asked_groups(report)],
        encoding=form("encoding") if report.get("samples") else None,
        penalties=proposed_rows(report, corrections, form),
        corrections=[
            AnswerRow(answer.pk, ANSWERS.said(answer.question), ANSWERS.said(answer.answer))
            for answer in answers[-MOST_ANSWERS:]
        ],
        earlier_corrections=len(answers[:-MOST_ANSWERS]),
        newcomers=len(newcomers),
        last_new=max(newcomers, default=0),
        open_players=open_players,
        lacking=0 if open_players else lacking_cells(upload),
        players_there=bool(report.get("lines")),
        matched=replace(matched, rows=[candidate_shown(as_seen(line, births_of)) for line in matched.rows]),
    )
