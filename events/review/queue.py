"""The events that wait for an officer, tray by tray, who waits longest first."""

from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from events.models import Event, EventMove, Penalty, Refusal, Submission, SubmissionFinding
from events.organising_body import waiting_for_approval
from events.rules.findings import Severity
from events.rules.states import State


class Tray(StrEnum):
    """What events wait for."""

    LATE = "late"  # the permission to be registered
    CLEAN = "clean"  # submitted, and nothing stands in the way of accepting them
    HOLDS = "holds"  # submitted, with something to decide first


TRAY_WORDS = {
    Tray.LATE: "late registrations",
    Tray.CLEAN: "submitted, clean",
    Tray.HOLDS: "submitted, something to decide",
}


def waiting_events(tray: Tray) -> QuerySet[Event]:
    """Return the events of a tray with `since`, when they came there, the oldest first."""
    state = State.LATE if tray is Tray.LATE else State.SUBMITTED
    came = EventMove.objects.filter(event=OuterRef("pk"), target=state.value).order_by("-at", "-pk").values("at")
    events = Event.objects.filter(state=state.value).annotate(since=Subquery(came[:1])).order_by("since", "pk")
    if tray is Tray.LATE:
        return events
    return events.filter(_undecided()) if tray is Tray.HOLDS else events.exclude(_undecided())


def tray_of(event: Event) -> Tray | None:
    """Return the tray in which an event waits; None if it waits for no officer. One query at most."""
    if event.state == State.LATE:
        return Tray.LATE
    if event.state != State.SUBMITTED:
        return None
    return Tray.HOLDS if Event.objects.filter(_undecided(), pk=event.pk).exists() else Tray.CLEAN


def next_event(tray: Tray, after: Event | None = None) -> Event | None:
    """Return the event that waits longest; with `after`, the next behind that one, and behind the last the first again.

    None if no other one waits. Two queries at most.
    """
    waiting = waiting_events(tray)
    if after is None:
        return waiting.first()
    target = State.LATE if tray is Tray.LATE else State.SUBMITTED
    came = after.moves.filter(target=target.value).order_by("-at", "-pk").values_list("at", flat=True).first()
    others = waiting.exclude(pk=after.pk)
    later = others.filter(Q(since__gt=came) | Q(since=came, pk__gt=after.pk)).first() if came else None
    return later or others.first()


def _undecided() -> Q:
    """Return the condition that something stands in the way of accepting an event: a hold of a section's latest file, a penalty
    without a decision, the body that organises it (articles 12, 51, 52, 62.4)."""
    refused = Refusal.objects.filter(section=OuterRef("submission__section"), lifted_at=None)
    newer = Submission.objects.filter(section=OuterRef("submission__section"), pk__gt=OuterRef("submission"))
    holds = SubmissionFinding.objects.filter(severity=Severity.HOLD.value, waived_at=None)
    held = holds.filter(~Exists(newer), ~Exists(refused), submission__section__event=OuterRef("pk"))
    out = Refusal.objects.filter(section=OuterRef("section"), lifted_at=None)
    proposed = Penalty.objects.filter(~Exists(out), section__event=OuterRef("pk"), status=Penalty.Status.PROPOSED)
    return Exists(held) | Exists(proposed) | Q(pk__in=waiting_for_approval().values("pk"))
