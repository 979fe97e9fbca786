"""Permission for a section below the smallest size: asked in time, granted or declined with a reason (articles 17, 18)."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config.lib import formatting
from events.appeals.decisions import locked, record_answer, save_checked
from events.models import Event, Format, Kind, PermissionRequest, Section, SubmissionFinding
from events.operations import EventError
from events.rules.deadlines import last_day_before, permission_closes
from events.rules.findings import Severity
from events.rules.section_file import Permission
from events.rules.sizes import smallest
from events.rules.states import State

ASKING = (State.REGISTERED, State.SUBMITTED, State.RETURNED)
_TEAMS = (Format.TEAM, Format.SCHEVENINGEN)


def section_name(section: Section) -> str:
    """What a section is called beside the others of its event."""
    return section.name or f"Section {section.position}"


@dataclass(frozen=True, slots=True)
class SizeRequest:
    """What a request says: the size that the section has or will have, and why."""

    players: int
    rounds: int
    reason: str


def why_not_permitted(event: Event, *, at: datetime) -> str:
    """Why no permission can be asked for a section of an event at a moment; empty when it can."""
    if event.kind == Kind.ABROAD:
        return "The sizes of article 17 are not asked of an event abroad."
    if event.state in (State.DRAFT, State.LATE):
        return "It is not registered yet: permission is asked from the registration on."
    if event.state not in ASKING:
        return f"It is {event.state}: there is nothing left to permit."
    closes = permission_closes(event.ends)
    if at >= closes:
        return (
            f"The last day to ask was {formatting.day(last_day_before(closes))} (article 18). Submit the section’s file all the"
            " same: it is put on hold for its size, and the ratings officer may rate it even so (articles 12, 17.6)."
        )
    return ""


def ask_permission(section: Section, asked: SizeRequest, *, at: datetime, by: User | None) -> PermissionRequest:
    """Ask that a section be rated below the smallest size. EventError when it is too late, not needed, or asked already."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=section.event_id)
        problem = why_not_permitted(event, at=at)
        if problem:
            raise EventError(problem)
        if section.permission_requests.filter(state=PermissionRequest.State.ASKED).exists():
            raise EventError("Permission for this section was asked already: the ratings officer will answer.")
        players, rounds = smallest(section.format, section.ends, disabled=section.disabled)
        if asked.players >= players and asked.rounds >= rounds:
            raise EventError(
                f"A {section.get_format_display()} section of {players} players and {rounds} rounds needs no permission."
            )
        made = PermissionRequest(
            section=section, at=at, by=by, players=asked.players, rounds=asked.rounds, reason=asked.reason.strip()
        )
        save_checked(made, at=at, by=by)
    return made


def answer_permission(request: PermissionRequest, *, granted: bool, at: datetime, by: User | None, answer: str) -> None:
    """Grant or decline a request with a reason. Granted, it waives what a file that came before is on hold for.

    EventError without a reason, or when it is answered already or the event is withdrawn.
    """
    states = PermissionRequest.State
    with transaction.atomic():
        present = locked(request)
        if present.section.event.state == State.WITHDRAWN:
            raise EventError("The event is withdrawn: there is nothing left to permit.")
        record_answer(present, states.GRANTED if granted else states.DECLINED, at=at, by=by, answer=answer)
        if granted:
            _waive(present)


def _waive(request: PermissionRequest) -> None:
    section, latest = request.section, request.section.submissions.first()
    if latest is None:
        return
    # Teams are not kept: of theirs the officer has seen the file.
    enough = section.format in _TEAMS or section.entries.count() >= request.players
    covered = {"too-few-players": enough, "too-few-rounds": section.rounds.count() >= request.rounds}
    SubmissionFinding.objects.filter(
        submission=latest,
        severity=Severity.HOLD.value,
        waived_at=None,
        code__in=[code for code, is_covered in covered.items() if is_covered],
    ).update(
        waived_by=request.answered_by,
        waived_at=request.answered_at,
        waived_reason=f"Permission granted: {request.answer}",
    )


def permission_for(section: Section | None) -> Permission | None:
    """The permission that a section's file is checked with: the latest granted, or else the latest declined."""
    if section is None:
        return None
    answered = list(section.permission_requests.exclude(state=PermissionRequest.State.ASKED))
    granted = [one for one in answered if one.state == PermissionRequest.State.GRANTED]
    row = next(iter(granted or answered), None)
    if row is None or row.answered_at is None:
        return None
    return Permission(bool(granted), row.players, row.rounds, timezone.localdate(row.answered_at))
