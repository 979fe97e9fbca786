"""The events that wait for an officer, tray by tray, who waits longest first."""

from datetime import date
from enum import StrEnum

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from events import waiting
from events.models import Event, EventMove, Kind
from events.rules.states import State


class Tray(StrEnum):
    """What events wait for."""

    LATE = "late"  # the permission to be registered
    CLEAN = "clean"  # submitted, and nothing stands in the way of accepting them
    HOLDS = "holds"  # submitted, with something to decide first
    ABROAD = "abroad"  # results from abroad


TRAY_WORDS = {
    Tray.LATE: "late registrations",
    Tray.CLEAN: "submitted, clean",
    Tray.HOLDS: "submitted, something to decide",
    Tray.ABROAD: "results from abroad",
}


def waiting_events(tray: Tray) -> QuerySet[Event]:
    """Return the events of a tray with `since`, when they came there, the oldest first."""
    state = State.LATE if tray is Tray.LATE else State.SUBMITTED
    came = EventMove.objects.filter(event=OuterRef("pk"), target=state.value).order_by("-pk").values("at")
    rows = _events(tray, timezone.localdate())
    return rows.annotate(since=Subquery(came[:1])).order_by("since", "pk")


def _events(tray: Tray, today: date) -> QuerySet[Event]:
    if tray is Tray.LATE:
        return waiting.late_registrations(today)
    if tray is Tray.ABROAD:
        return waiting.from_abroad(today)
    clean = waiting.submitted_clean(today)
    if tray is Tray.CLEAN:
        return clean
    return waiting.submitted_at_home(today).exclude(pk__in=clean.values("pk"))


def tray_of(event: Event) -> Tray | None:
    """Return the tray in which an event waits; None if it waits for no officer. One query at most."""
    if event.state == State.LATE:
        return Tray.LATE
    if event.state != State.SUBMITTED:
        return None
    if event.kind == Kind.ABROAD:
        return Tray.ABROAD
    is_clean = waiting.submitted_clean(timezone.localdate()).filter(pk=event.pk).exists()
    return Tray.CLEAN if is_clean else Tray.HOLDS


def next_event(tray: Tray, after: Event | None = None) -> Event | None:
    """Return the event that waits longest; with `after`, the next behind that one, and behind the last the first again.

    None if no other one waits. Two queries at most.
    """
    waiting = waiting_events(tray)
    if after is None:
        return waiting.first()
    target = State.LATE if tray is Tray.LATE else State.SUBMITTED
    came = after.moves.filter(target=target.value).order_by("-pk").values_list("at", flat=True).first()
    others = waiting.exclude(pk=after.pk)
    later = others.filter(Q(since__gt=came) | Q(since=came, pk__gt=after.pk)).first() if came else None
    return later or others.first()
