"""Requests for permission for a section below the smallest size, and their answers (articles 17, 18)."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from config.lib import formatting
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.access import person_in_part
from events.appeals.decisions import lock_unanswered, record_answer
from events.archive import section_facts, submitted_tournament
from events.models import Event, Kind, Party, PermissionRequest, Refusal, Section, SubmissionFinding
from events.operations import EventError, record_waiver
from events.rules.deadlines import last_day_before, permission_closes
from events.rules.findings import Severity
from events.rules.section_file import Permission, smallest_section
from events.rules.sizes import smallest
from events.rules.states import State
from events.rules.tournament import Tournament
from events.wording import state_name

ASKING = (State.LATE, State.REGISTERED, State.SUBMITTED, State.RETURNED)


def section_name(section: Section) -> str:
    """Return a section's name among the sections of its event."""
    return section.name or gettext("Section %(number)s") % {"number": section.position}


@dataclass(frozen=True, slots=True)
class SizeRequest:
    """A request: the actual or expected size of the section, and the reason."""

    players: int
    rounds: int
    reason: str


def why_not_permitted(event: Event, *, at: datetime) -> str:
    """Return why no permission can be asked for sections of an event at `at`, or "" if it can."""
    if event.kind == Kind.ABROAD:
        return gettext(
            "Permission is not asked for an event abroad: send the results in all the same. With too few rounds they are put on"
            " hold, and the ratings officer decides (article 17.6)."
        )
    if event.state == State.DRAFT:
        return gettext("It is not registered yet: permission is asked from the registration on.")
    if event.state not in ASKING:
        return gettext("It is %(state)s: there is nothing left to permit.") % {"state": state_name(event.state)}
    closes = permission_closes(event.ends)
    if at >= closes:
        return gettext(
            "The last day to ask was %(day)s (article 18). Submit the section’s file all the same: it is put on hold for its"
            " size, and the ratings officer may rate it even so (articles 12, 17.6)."
        ) % {"day": formatting.day(last_day_before(closes))}
    return ""


def ask_permission(
    section: Section, size: SizeRequest, *, at: datetime, by: User | None, party: str = Party.ADMINISTRATOR
) -> PermissionRequest:
    """Ask permission for a section below the smallest size, in the name of a `party`.

    Raises EventError if it is too late, not needed, or asked already.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=section.event_id)
        problem = why_not_permitted(event, at=at)
        if problem:
            raise EventError(problem)
        if section.permission_requests.filter(state=PermissionRequest.State.ASKED).exists():
            raise EventError(gettext("Permission for this section was asked already: the ratings officer will answer."))
        _require_small(section, size)
        request = PermissionRequest(
            section=section,
            at=at,
            by=by,
            party=party,
            person=person_in_part(event, party),
            players=size.players,
            rounds=size.rounds,
            reason=plain_text(size.reason),
        )
        save_recorded(request, at=at, by=by)
    return request


def correct_request(request: PermissionRequest, size: SizeRequest, *, at: datetime, by: User) -> PermissionRequest:
    """Change the size and the reason of a request that waits for its answer; what stood there before stays in its history.

    When and by whom it was asked stays. Raises EventError if it is answered meanwhile, or if the new size needs no permission.
    """
    with transaction.atomic():
        current = PermissionRequest.objects.select_for_update(of=("self",)).get(pk=request.pk)
        if current.answered_at is not None:
            raise EventError(gettext("The ratings officer has answered it meanwhile: it is no longer corrected."))
        _require_small(current.section, size)
        current.players, current.rounds, current.reason = size.players, size.rounds, plain_text(size.reason)
        save_recorded(current, at=at, by=by)
    return current


def _require_small(section: Section, size: SizeRequest) -> None:
    """Raise EventError for a size at which a section is rated without permission (article 17)."""
    players, rounds = smallest(section.format, section.ends, disabled=section.disabled)
    if size.players >= players and size.rounds >= rounds:
        raise EventError(
            gettext("A %(format)s section of %(players)s players and %(rounds)s rounds needs no permission.")
            % {"format": gettext(section.get_format_display()), "players": players, "rounds": rounds}
        )


def answer_permission(request: PermissionRequest, *, granted: bool, at: datetime, by: User | None, answer: str) -> None:
    """Grant or decline a request with a reason. Granting waives holds for size of the latest submission.

    Raises EventError without a reason, if the request is answered already or corrected since it was read, or if the event is
    withdrawn.
    """
    states = PermissionRequest.State
    with transaction.atomic():
        current = lock_unanswered(request)
        if (current.players, current.rounds, current.reason) != (request.players, request.rounds, request.reason):
            raise EventError("it was corrected meanwhile: read it as it stands now")
        if current.section.event.state == State.WITHDRAWN:
            raise EventError("The event is withdrawn: there is nothing left to permit.")
        refused = Refusal.objects.filter(event=current.section.event, lifted_at=None)
        if granted and refused.filter(Q(section=None) | Q(section=current.section)).exists():
            raise EventError("The section is refused: take back the refusal first, or let an appeal decide.")
        record_answer(current, states.GRANTED if granted else states.DECLINED, at=at, by=by, answer=answer)
        if granted:
            _waive(current, at=at, by=by)


def _waive(request: PermissionRequest, *, at: datetime, by: User | None) -> None:
    section, latest = request.section, request.section.submissions.first()
    if latest is None:
        return
    covered = {"too-few-players", "too-few-rounds"} - _too_small(section, submitted_tournament(latest))
    holds = SubmissionFinding.objects.filter(
        submission=latest,
        severity=Severity.HOLD.value,
        waived_at=None,
        code__in=covered,
    )
    reason = f"Permission granted: {request.answer}"
    for hold in holds:
        record_waiver(section, hold.message, at=at, by=by, reason=reason)
    holds.update(waived_by=by, waived_at=at, waived_reason=reason)


def _too_small(section: Section, tournament: Tournament) -> set[str]:
    """Return the codes of the holds for size that a file has in spite of the permission (17)."""
    facts = replace(section_facts(section, tournament), permissions=permissions_for(section))
    return {finding.code for finding in smallest_section(facts) if finding.severity is Severity.HOLD}


def permissions_for(section: Section | None) -> tuple[Permission, ...]:
    """Return the permissions for the checks of a section's file: all granted, else all declined, the latest first."""
    if section is None:
        return ()
    answered = [
        Permission(
            request.state == PermissionRequest.State.GRANTED,
            request.players,
            request.rounds,
            timezone.localdate(request.answered_at),
        )
        for request in section.permission_requests.exclude(state=PermissionRequest.State.ASKED)
    ]
    return tuple(row for row in answered if row.granted) or tuple(answered)
