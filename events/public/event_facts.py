"""Reads what the page of an event says besides results."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, OuterRef, When

from accounts.models import Decision
from accounts.trail.operations import key_of
from config.lib.row_lists import RowList, moment
from events.appeals.queries import appeal_steps
from events.models import Appeal, Appointment, Arbiter, BodyApproval, Event, Kind, Refusal, Section
from events.operations import APPROVAL_TAKEN_BACK
from events.organising_body import organising_body
from events.public.moves import moves_from, moves_of
from events.rules.states import State
from events.timeline import MoveFacts, TimelineStep, event_timeline
from events.visibility import public_events
from players.hidden import not_hidden
from players.models import Player, Region

_MOMENTS = ("at", "notified_at", "lifted_at", "appealed_at", "answered_at")  # of a refusal and its appeal


@dataclass(frozen=True, slots=True)
class NationalBody:
    """The body that organises a national event, its approval or None, and whether that was taken back."""

    body: str
    approval: BodyApproval | None
    taken_back: bool


@dataclass(frozen=True, slots=True)
class EventFacts:
    """A public event with its region, its moves, its arbiters in order, and the approvals of bodies to organise it.

    `hubs`: the regions with a playing hub, of a hybrid event.
    `refusals`: of it and of its sections, lifted ones, too, each with its section and its appeal.
    """

    event: Event
    moves: list[MoveFacts]
    appointments: list[Appointment]
    approvals: list[BodyApproval]
    refusals: list[Refusal]
    hubs: list[Region]

    def steps(self, *, today: date) -> list[TimelineStep]:
        """Return the timeline, with the steps of refusals and appeals."""
        event = self.event
        happened, ahead = appeal_steps(self.refusals, today=today)
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
    shown_number = Case(When(not_hidden("arbiter__player__"), then="arbiter__player__number"))
    appointments = Appointment.objects.filter(event=this).order_by("position").annotate(shown_number=shown_number)
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
                number="shown_number",
            ),
            listed_hubs=RowList(Region.objects.filter(hub_events=this).order_by("code"), code="code", name="name"),
            listed_approvals=RowList(BodyApproval.objects.filter(event=this), body="body", at="at"),
            listed_refusals=RowList(
                Refusal.objects.filter(event=this).order_by("at", "pk"),
                section="section",
                name="section__name",
                position="section__position",
                at="at",
                notified_at="notified_at",
                lifted_at="lifted_at",
                taken_back_reason="taken_back_reason",
                party="appeal__party",
                appealed_at="appeal__at",
                state="appeal__state",
                answered_at="appeal__answered_at",
            ),
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
        [_refusal(listed) for listed in row.listed_refusals],
        [Region(**listed) for listed in row.listed_hubs] if row.kind == Kind.HYBRID else [],
    )


def _refusal(listed: dict[str, Any]) -> Refusal:
    """Return a refusal that is not for saving: without a key, so that nothing more of it is looked up."""
    moments = {name: listed[name] and moment(listed[name]) for name in _MOMENTS}
    section = listed["section"] and Section(pk=listed["section"], name=listed["name"], position=listed["position"])
    refusal = Refusal(
        section=section or None,
        at=moments["at"],
        notified_at=moments["notified_at"],
        lifted_at=moments["lifted_at"],
        taken_back_reason=listed["taken_back_reason"],
    )
    if moments["appealed_at"]:
        refusal.appeal = Appeal(
            refusal=refusal,
            party=listed["party"],
            at=moments["appealed_at"],
            state=listed["state"],
            answered_at=moments["answered_at"],
        )
    return refusal


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
