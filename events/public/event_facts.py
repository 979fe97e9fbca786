"""Reads what the page of an event says besides results."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef

from accounts.models import Decision
from accounts.trail.operations import key_of
from config.lib.row_lists import RowList, moment
from events.appeals.queries import appeal_steps
from events.models import Appointment, Arbiter, BodyApproval, Event, Kind, Refusal
from events.operations import APPROVAL_TAKEN_BACK
from events.organising_body import organising_body
from events.public.moves import moves_from, moves_of
from events.rules.states import State
from events.timeline import MoveFacts, TimelineStep, event_timeline
from events.visibility import public_events
from players.models import Player


@dataclass(frozen=True, slots=True)
class NationalBody:
    """The body that organises a national event, its approval or None, and whether that was taken back."""

    body: str
    approval: BodyApproval | None
    taken_back: bool


@dataclass(frozen=True, slots=True)
class EventFacts:
    """A public event with its region, its moves, its arbiters in order, and the approvals of bodies to organise it.

    `has_refusals`: it, or a section of it, was refused at some time.
    """

    event: Event
    moves: list[MoveFacts]
    appointments: list[Appointment]
    approvals: list[BodyApproval]
    has_refusals: bool

    def steps(self, *, today: date) -> list[TimelineStep]:
        """Return the timeline, with the steps of refusals and appeals. One query if there are any."""
        event = self.event
        happened, ahead = appeal_steps(event.pk, today=today) if self.has_refusals else ([], [])
        moves = [*self.moves, *happened]
        abroad = event.kind == Kind.ABROAD
        return event_timeline(
            State(event.state), event.starts, event.ends, moves, today=today, ahead=ahead, abroad=abroad
        )

    def national_body(self) -> NationalBody | None:
        """Return the body that organises a national event, None for others. One query if it is not approved."""
        if self.event.kind != Kind.NATIONAL:
            return None
        body = organising_body(self.event)
        approval = next((approval for approval in self.approvals if approval.body == body), None)
        taken_back = Decision.objects.filter(subject=key_of(self.event), action=APPROVAL_TAKEN_BACK)
        return NationalBody(body, approval, approval is None and taken_back.exists())


def event_facts(event: int) -> EventFacts | None:
    """Return what the page of an event says; None if there is no such event or it is not public. One query."""
    this = OuterRef("pk")
    appointments = Appointment.objects.filter(event=this).order_by("position")
    row = (
        Event.objects.filter(public_events(), pk=event)
        .select_related("region")
        .annotate(
            listed_moves=moves_of(),
            listed_appointments=RowList(
                appointments,
                position="position",
                first_round="first_round",
                last_round="last_round",
                arbiter="arbiter",
                name="arbiter__name",
                title="arbiter__title",
                number="arbiter__player__number",
            ),
            listed_approvals=RowList(BodyApproval.objects.filter(event=this), body="body", at="at"),
            has_refusals=Exists(Refusal.objects.filter(event=this)),
        )
        .first()
    )
    if row is None:
        return None
    return EventFacts(
        row,
        moves_from(row.listed_moves),
        [_appointment(**listed) for listed in row.listed_appointments],
        [BodyApproval(body=listed["body"], at=moment(listed["at"])) for listed in row.listed_approvals],
        row.has_refusals,
    )


def _appointment(
    position: int,
    first_round: int | None,
    last_round: int | None,
    arbiter: int,
    name: str,
    title: str,
    number: str | None,
) -> Appointment:
    player = Player(number=number) if number else None
    return Appointment(
        position=position,
        first_round=first_round,
        last_round=last_round,
        arbiter=Arbiter(pk=arbiter, name=name, title=title, player=player),
    )
