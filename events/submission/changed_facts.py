"""Checks what an officer changes of a section or an event against the files that were submitted.

Of a section: time control, format and days. Of an event: what its sections' files are checked against, its arbiters included.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from events.appeals.size_requests import permissions_for
from events.archive import section_facts, submitted_tournament
from events.models import Event, Kind, Section, SubmissionFinding
from events.operations import record_waiver
from events.rules.arbiters import check_arbiters
from events.rules.findings import Finding, Severity
from events.rules.player_details import RegisterDetails
from events.rules.section_file import (
    arbiter_details,
    borders,
    event_details,
    player_details,
    smallest_section,
    submission_deadline,
    time_control,
)
from events.rules.states import ACCEPTED_OR_LATER
from events.rules.time_controls import speed_errors
from events.rules.tournament import Entrant, Tournament
from events.submission.arbiter_facts import arbiter_facts
from events.submission.matching import Match
from events.submission.validation import first_sent, organiser_id_of
from players.models import Player

FACTS = frozenset(["base_minutes", "increment_seconds", "format", "disabled", "starts", "ends"])
# The holds that follow from these facts.
SECTION_HOLDS = frozenset(
    ["round-dates-missing", "round-dates-outside", "teams-missing", "too-few-players", "too-few-rounds", "too-late"]
)

EVENT_FACTS = frozenset(["kind", "federation", "starts", "organiser_name", "organiser_number", "fide_rated"])
EVENT_HOLDS = frozenset(
    [
        "federation-elsewhere", "organiser-missing", "organiser-id-missing", "organiser-id-of-another", "fide-ids-missing",
        "arbiter-missing", "round-without-arbiter", "arbiter-unknown", "arbiter-uncertain", "membership-unpaid",
        "licence-unpaid", "arbiter-plays", "arbiter-namesake", "chief-arbiter-differs", "arbiter-not-appointed",
        "arbiter-id-of-another", "arbiter-id-of-player", "arbiter-id-missing", "arbiter-title-missing",
    ]
)  # fmt: skip


def check_changed_facts(section: Section, *, today: date) -> list[Finding]:
    """Return what the regulations say of a section's unsaved time control, format and days, held against its file.

    Without a submission only the time control is checked (23).
    """
    tournament = _submitted(section)
    if tournament is None:
        return list(speed_errors(section.base_minutes, section.increment_seconds, section.ends))
    facts = replace(
        section_facts(section, tournament),
        control_answered=True,  # by the officer, who gives the reason for the change
        permissions=permissions_for(section),
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
        if finding.severity is Severity.ERROR or (finding.severity is Severity.HOLD and finding.code in SECTION_HOLDS)
    ]


def check_changed_event(section: Section, *, today: date) -> list[Finding]:
    """Return what holds the file of a section by the facts of its event as they are saved (articles 6 to 8, 10, 12.3 to 15).

    Its players are those on record. None without a submission, and for results from abroad, which
    `events.abroad.changed_results` checks.
    """
    event, tournament = section.event, _submitted(section)
    if tournament is None:
        return []
    players = {entry.number: entry.player for entry in section.entries.select_related("player")}
    entrants = tuple(_without_moved_id(entrant, players.get(entrant.number)) for entrant in tournament.entrants)
    tournament = replace(tournament, entrants=entrants)
    matches = [Match(entrant, (), players.get(entrant.number), "") for entrant in entrants]
    known = {
        number: RegisterDetails(fide_id=player.fide_id is not None, birth_date=True, sex=True)
        for number, player in players.items()
    }
    appointed = event.appointments.order_by("position").values_list("arbiter__name", flat=True).first()
    facts = replace(
        section_facts(section, tournament),
        organiser=event.organiser_name,
        organiser_number=event.organiser_number,
        organiser_id_of=organiser_id_of(event),
        chief_arbiter=tournament.chief_arbiter or appointed or "",
        fide_rated=event.fide_rated,
        known=known,
        federation=event.federation,
        abroad=event.kind == Kind.ABROAD,
    )
    findings = (
        *borders(facts),
        *event_details(facts, today=today),
        *player_details(facts),
        *arbiter_details(facts),
        *check_arbiters(arbiter_facts(event, section, tournament, matches, starts=section.starts)),
    )
    return [finding for finding in findings if finding.severity is Severity.HOLD and finding.code in EVENT_HOLDS]


def _without_moved_id(entrant: Entrant, player: Player | None) -> Entrant:
    """Return the entrant without a Chess SA id in the file's column for FIDE ids (article 14.4)."""
    moved = player is not None and entrant.fide_id == player.number
    return replace(entrant, fide_id="") if moved else entrant


def record_changed_event(event: Event, *, at: datetime, by: User | None, reason: str) -> None:
    """Check the sections of an event whose facts or arbiters were changed, and record for what their files are held now."""
    with transaction.atomic():
        for section in event.sections.filter(submissions__isnull=False).distinct():
            section.event = event
            holds = check_changed_event(section, today=timezone.localdate(at))
            record_changed_facts(section, holds, codes=EVENT_HOLDS, at=at, by=by, reason=reason)


def _submitted(section: Section) -> Tournament | None:
    """Return the file of a section's latest submission with the uploader's answers; None if there is none to read.

    Results from abroad are kept as they were typed, and are no such file.
    """
    submission = section.submissions.select_related("file").first()
    tournament = submitted_tournament(submission) if submission else None
    return tournament if tournament and not tournament.errors else None


def record_changed_facts(
    section: Section,
    holds: Iterable[Finding],
    *,
    codes: Collection[str] = SECTION_HOLDS,
    at: datetime,
    by: User | None,
    reason: str,
) -> None:
    """Put the holds of a changed section on its latest submission: waived with the reason if the event is accepted already.

    Open holds that follow from the changed facts, those with one of the `codes`, and hold no longer are taken off.
    """
    submission = section.submissions.first()
    if submission is None:
        return
    accepted = section.event.state in ACCEPTED_OR_LATER
    holds = list(holds)
    now = {(hold.code, hold.message) for hold in holds}
    known = submission.findings.filter(severity=Severity.HOLD.value, code__in=codes)
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
