"""The decisions on an event with their mails, as the desk makes them: on its review page, and from the list of events.

Each takes the clock and the acting user, runs in the caller's transaction, raises EventError as its operation does, and
returns what is told of its mails: messages with their levels.
"""

from datetime import datetime

from django.contrib import messages

from accounts.models import User
from config.lib import formatting
from events.abroad.mails import tell_sender
from events.admin_base import mailed, without_notice
from events.appeals.operations import refuse_section
from events.claims import release
from events.mails import send_acceptance, send_decision, send_refusal
from events.models import Event, Kind, Section
from events.operations import EventError, accept_event, open_holds, refuse_event, return_event
from events.penalty_decisions import applied_unanswered
from events.registration.operations import grant_late

Messages = list[tuple[str, int]]


def accept(event: Event, *, at: datetime, by: User, reason: str = "", penalty_reason: str = "") -> Messages:
    """Accept an event. Raises EventError also if a finding is on hold: each is waived with a reason of its own (article 12)."""
    held = open_holds(event).count()
    if held:
        raise EventError(
            f"{event} has {formatting.count(held, 'finding')} on hold: waive each with its own reason on its review page"
            " (article 12), or return it"
        )
    accept_event(event, at=at, by=by, reason=reason, penalty_reason=penalty_reason)
    applied = applied_unanswered(event, at=at)
    told: Messages = [(f"{event}: {applied}", messages.WARNING)] if applied else []
    if event.kind != Kind.ABROAD:
        send_acceptance(event, applied=applied)
    _after(event, at)
    return told


def send_back(event: Event, *, at: datetime, by: User, reason: str, ground: str = "") -> Messages:
    """Return an event to its region, results from abroad to their sender."""
    return_event(event, at=at, by=by, reason=reason, ground=ground)
    told = [mailed(send_decision(event, reason))] if event.kind != Kind.ABROAD else []
    _after(event, at)
    return told


def refuse(event: Event, *, at: datetime, by: User, reason: str, ground: str = "") -> Messages:
    """Refuse an event; the region gets the reason and the last day to appeal (article 11)."""
    refuse_event(event, at=at, by=by, reason=reason, ground=ground)
    refusal = event.refusals.latest("pk")
    told = [mailed(send_refusal(refusal), nobody=without_notice(refusal))]
    _after(event, at)
    return told


def refuse_part(section: Section, *, at: datetime, by: User, reason: str, ground: str = "") -> Messages:
    """Refuse a section, and leave the rest of its event as it is (article 11)."""
    refusal = refuse_section(section, at=at, by=by, reason=reason, ground=ground)
    return [mailed(send_refusal(refusal), nobody=without_notice(refusal))]


def grant(event: Event, *, at: datetime, by: User, reason: str) -> Messages:
    """Register an event although it comes late (articles 12, 60)."""
    grant_late(event, at=at, by=by, reason=reason)
    event.refresh_from_db()
    release(event)
    return [mailed(send_decision(event, reason))]


def _after(event: Event, at: datetime) -> None:
    tell_sender(event, at=at, reason=event.moves.latest("pk").reason)
    release(event)
