"""Takes back what a region sent in, before a ratings officer has opened it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from config.lib import formatting
from events.access import require_write_access
from events.claims import release
from events.models import Event, EventMove, Kind, Submission
from events.operations import EventError, move_event
from events.rules.states import AWAITING_RESULTS, State
from events.submission.uploads import take_file
from events.wording import state_name


@dataclass(frozen=True, slots=True)
class Sent:
    """When results were sent in, and when an officer first opened them, both in words with the zone; "" while none has."""

    at: str
    opened: str


def sent(event: Event) -> Sent | None:
    """Return when the results of an event were sent in that its region may want to recall; None if there are none."""
    move = _sending(event)
    if move is None:
        return None
    return Sent(moment_text(move.at), moment_text(move.opened_at) if move.opened_at else "")


def moment_text(at: datetime) -> str:
    """Return a moment in words, in South African time, and say so: `23 Nov 2026, 03:45 South African time`."""
    local = timezone.localtime(at)
    return gettext("%(day)s, %(time)s South African time") % {"day": formatting.day(local), "time": f"{local:%H:%M}"}


def _sending(event: Event, *, locked: bool = False) -> EventMove | None:
    if event.state != State.SUBMITTED or event.kind == Kind.ABROAD:
        return None
    moves = event.moves.select_for_update() if locked else event.moves.all()
    sending = moves.filter(target=State.SUBMITTED.value).last()
    return sending if sending is not None and sending.source in AWAITING_RESULTS else None


def recall(event: Event, *, at: datetime, by: User, reason: str) -> None:
    """Take back what was sent in. The event waits for its results again, with its files as they were uploaded and answered.

    Raises EventError without a reason, if it is not with the officers, if an officer has opened it, or if the user is one:
    an officer returns it.
    """
    with transaction.atomic():
        present = Event.objects.select_for_update(of=("self",)).select_related("region").get(pk=event.pk)
        require_write_access(by, present.region)
        if by.is_officer:
            raise EventError(gettext("a ratings officer returns an event: its region recalls it"))
        move = _sending(present, locked=True)  # an officer who opens it meanwhile comes first, or after this
        if move is None:
            raise EventError(
                gettext("%(event)s is %(state)s: there is nothing to recall")
                % {"event": present, "state": state_name(present.state)}
            )
        if move.opened_at is not None:
            raise EventError(
                gettext(
                    "a ratings officer opened it on %(moment)s: it is no longer recalled. Ask the officer to return it, and"
                    " say what is wrong"
                )
                % {"moment": moment_text(move.opened_at)}
            )
        if not reason.strip():
            raise EventError(gettext("say why you recall it: the reason stays on record"))
        move_event(present, State(move.source), at=at, by=by, reason=reason, recalled=True)
        release(present)
        if move.source == State.REGISTERED:  # the same results may belong to another event, which is why it is recalled
            present.sections.update(results_hash="")
        files = Submission.objects.filter(section__event=present, at=move.at).select_related("file", "section")
        for file in files.order_by("section__position"):
            content = bytes(file.file.content)
            take_file(present, name=file.name, content=content, at=at, by=by, section=file.section)
    event.state = present.state
