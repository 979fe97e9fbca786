"""Checks a section whose time control, format or days an officer changes, against the file that was submitted for it."""

from collections.abc import Iterable
from datetime import date, datetime

from accounts.models import User
from events.appeals.size_requests import permission_for
from events.archive import submitted_tournament
from events.models import Section, SubmissionFinding
from events.operations import record_waiver
from events.rules.findings import Finding, Severity
from events.rules.section_file import (
    SectionFacts,
    event_details,
    smallest_section,
    submission_deadline,
    time_control,
)
from events.rules.states import ACCEPTED_OR_LATER
from events.rules.time_controls import speed_errors
from events.rules.tournament import TimeControl
from events.submission.validation import first_sent

FACTS = frozenset(["base_minutes", "increment_seconds", "format", "disabled", "starts", "ends"])
# The holds that follow from these facts.
_HOLDS = frozenset(
    ["round-dates-missing", "round-dates-outside", "teams-missing", "too-few-players", "too-few-rounds", "too-late"]
)


def check_changed_facts(section: Section, *, today: date) -> list[Finding]:
    """Return what the regulations say of a section's unsaved time control, format and days, held against its file.

    Without a submission only the time control is checked (23).
    """
    submission = section.submissions.select_related("file").first()
    if submission is None:
        return list(speed_errors(section.base_minutes, section.increment_seconds, section.ends))
    tournament = submitted_tournament(submission)
    if tournament.errors:  # results from abroad are kept as they were typed
        return list(speed_errors(section.base_minutes, section.increment_seconds, section.ends))
    facts = SectionFacts(
        tournament=tournament,
        time_control=TimeControl(section.base_minutes, section.increment_seconds),
        format=section.format,
        starts=section.starts,
        ends=section.ends,
        organiser="",
        chief_arbiter="",
        control_answered=True,  # by the officer, who gives the reason for the change
        permission=permission_for(section),
        disabled=section.disabled,
        sent=first_sent(section.submissions.all()),
    )
    findings = (
        *event_details(facts, today=today),
        *smallest_section(facts),
        *time_control(facts),
        *submission_deadline(facts, today=today),
    )
    return [
        finding
        for finding in findings
        if finding.severity is Severity.ERROR or (finding.severity is Severity.HOLD and finding.code in _HOLDS)
    ]


def record_changed_facts(
    section: Section, holds: Iterable[Finding], *, at: datetime, by: User | None, reason: str
) -> None:
    """Put the holds of a changed section on its latest submission: waived with the reason if the event is accepted already.

    Open holds that follow from the changed facts and hold no longer are taken off.
    """
    submission = section.submissions.first()
    if submission is None:
        return
    accepted = section.event.state in ACCEPTED_OR_LATER
    holds = list(holds)
    now = {(hold.code, hold.message) for hold in holds}
    known = submission.findings.filter(severity=Severity.HOLD.value, code__in=_HOLDS)
    for old in known.filter(waived_at=None):
        if (old.code, old.message) not in now:
            old.delete()
    there = set(known.values_list("code", "message"))
    for hold in holds:
        if (hold.code, hold.message) in there:
            continue
        SubmissionFinding.objects.create(
            submission=submission,
            severity=hold.severity.value,
            code=hold.code,
            message=hold.message,
            article=hold.article,
            waived_by=by if accepted else None,
            waived_at=at if accepted else None,
            waived_reason=reason if accepted else "",
        )
        if accepted:
            record_waiver(section, hold.message, at=at, by=by, reason=reason)
