"""Reads the list of events, and the public data of an event."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from config.lib import formatting
from config.lib.pages import PAGE_SIZE, keyset_page
from events.models import Event, EventMove, Format, Kind, Refusal, Section
from events.rules.states import State
from events.rules.time_controls import time_control_text, type_of_game
from events.timeline import MoveFacts
from events.visibility import public_events
from events.wording import STATE_WORDS
from players.search import NO_REGION, RegionChoice


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event in the list; the `region` of an event abroad is its federation."""

    id: int
    name: str
    days: str
    place: str
    region: str
    region_name: str
    state: str
    state_word: str
    sections: int
    players: int
    types: str


@dataclass(frozen=True, slots=True)
class EventPage:
    """A page of events, latest first. `before` and `after`: the ids to continue from, None at either end."""

    rows: list[EventRow]
    before: int | None
    after: int | None


def event_page(
    *,
    place: RegionChoice = NO_REGION,
    month: date | None = None,
    name: str = "",
    begun: date | None = None,
    after: int | None = None,
    before: int | None = None,
    size: int = PAGE_SIZE,
) -> EventPage:
    """Return events by their last day, latest first, filtered by region or province, month and part of the name.

    `begun`: only those that start by this day; `after`, `before`: the id of the event to continue from. Two or three queries.
    """
    chosen = Event.objects.filter(public_events(), place.condition())
    if begun:
        chosen = chosen.filter(starts__lte=begun)
    if month:
        chosen = chosen.filter(ends__year=month.year, ends__month=month.month)
    if name:
        chosen = chosen.filter(name__icontains=name)
    stretch = keyset_page(
        chosen.values_list(
            "id", "name", "starts", "ends", "place", "region__code", "region__name", "kind", "federation", "state"
        ),
        ("-ends", "-pk"),
        _key(after or before),
        backwards=not after,
        size=size,
    )
    shown = _with_sections(stretch.rows)
    return EventPage(
        shown, before=shown[0].id if stretch.earlier else None, after=shown[-1].id if stretch.later else None
    )


def _key(event: int | None) -> tuple[date, int] | None:
    return Event.objects.filter(pk=event).values_list("ends", "pk").first() if event else None


def _with_sections(rows: Sequence[tuple[int, str, date, date, str, str, str, str, str, str]]) -> list[EventRow]:
    types: dict[int, list[str]] = {}
    counts: dict[int, tuple[int, int]] = {}
    for event, base, increment, ends, players in (
        Section.objects.filter(event_id__in=[row[0] for row in rows])
        .order_by("event_id", "position")
        .annotate(players=Count("entries"))
        .values_list("event_id", "base_minutes", "increment_seconds", "ends", "players")
    ):
        kind = type_of_game(base, increment, ends)
        if kind not in types.setdefault(event, []):
            types[event].append(kind)
        sections, total = counts.get(event, (0, 0))
        counts[event] = sections + 1, total + players
    return [
        EventRow(
            id=id_,
            name=name,
            days=formatting.days(starts, ends),
            place=place,
            region=federation if kind == Kind.ABROAD else region,
            region_name=federation if kind == Kind.ABROAD else region_name,
            state=state,
            state_word=STATE_WORDS[State(state)].word,
            sections=counts.get(id_, (0, 0))[0],
            players=counts.get(id_, (0, 0))[1],
            types=", ".join(types.get(id_, [])),
        )
        for id_, name, starts, ends, place, region, region_name, kind, federation, state in rows
    ]


def public_event(event: int) -> Event | None:
    """Return an event with its region; None if there is none or it is not public. One query."""
    return Event.objects.filter(public_events(), pk=event).select_related("region").first()


def state_sentence(event: Event) -> str:
    """Return what the page of an event says about its state."""
    if event.kind == Kind.ABROAD and event.state == State.RETURNED:
        return "Its results went back to whoever sent them in, to be corrected."
    return STATE_WORDS[State(event.state)].sentence


def event_moves(event: int) -> list[MoveFacts]:
    """Return the moves of an event in order, each with the role of its actor. One query."""
    rows = (
        EventMove.objects.filter(event_id=event)
        .order_by("at", "pk")
        .values_list("source", "target", "at", "actor_id", "actor__is_officer", "actor__is_superuser", "event__kind")
    )
    return [
        MoveFacts(
            State(target),
            at,
            _role(State(target), actor, bool(officer or superuser), kind),
            label="Appeal upheld" if source == State.REFUSED.value else "",
        )
        for source, target, at, actor, officer, superuser, kind in rows
        if target != State.DRAFT.value
    ]


@dataclass(frozen=True, slots=True)
class MoveReason:
    """The reason that was given with a move of an event."""

    label: str
    day: str
    role: str
    reason: str


def event_reasons(event: int) -> list[MoveReason]:
    """Return the reasons given with an event's moves, latest first. One query."""
    moves = EventMove.objects.filter(event_id=event).exclude(reason="").select_related("actor", "event")
    return [
        MoveReason(
            STATE_WORDS[State(move.target)].word,
            formatting.day(timezone.localdate(move.at)),
            _role(State(move.target), move.actor_id, bool(move.actor and move.actor.of_bureau), move.event.kind),
            move.reason,
        )
        for move in moves.order_by("-at", "-pk")
    ]


def _role(target: State, actor: int | None, officer: bool, kind: str) -> str:
    if target in (State.CALCULATED, State.PUBLISHED):
        return "by the ratings bureau"
    if actor is None:
        by_link = kind == Kind.ABROAD and target in (State.REGISTERED, State.SUBMITTED)
        return "by the player or the team manager" if by_link else ""
    if officer:
        return "by the ratings officer"
    return "by the Regional Administrator"


@dataclass(frozen=True, slots=True)
class PublicSection:
    """A section with its time control. `period`: the month in which its games count, None before it is accepted.

    `refused`: the day of the notice that it is not rated, or "".
    """

    id: int
    name: str
    format: str
    days: str
    time_control: str
    type: str
    planned_rounds: int | None
    period: date | None
    run: int | None
    refused: str = ""


def event_sections(event: int) -> list[PublicSection]:
    """Return the sections of an event in order; `run`: the published run that rated them. One query."""
    notices = Refusal.objects.filter(section=OuterRef("pk"), lifted_at=None).values("at")
    rows = (
        Section.objects.filter(event_id=event)
        .annotate(refused_at=Subquery(notices[:1]))
        .order_by("position", "pk")
        .values_list(
            "id",
            "name",
            "format",
            "starts",
            "ends",
            "base_minutes",
            "increment_seconds",
            "planned_rounds",
            "period__month",
            "period__publication__run",
            "refused_at",
        )
    )
    return [
        PublicSection(
            id=id_,
            name=name,
            format=str(Format(format_).label),
            days=formatting.days(starts, ends),
            time_control=time_control_text(base, increment),
            type=type_of_game(base, increment, ends),
            planned_rounds=rounds,
            period=month,
            run=run,
            refused=formatting.day(timezone.localdate(refused)) if refused else "",
        )
        for id_, name, format_, starts, ends, base, increment, rounds, month, run, refused in rows
    ]
