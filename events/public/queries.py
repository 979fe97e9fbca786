"""Reading events: the list of events, and an event's own facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from config.lib import formatting
from config.lib.pages import PAGE_SIZE, keyset_page
from events.models import Appointment, Event, EventMove, Format, Kind, Refusal, Section
from events.rules.states import State
from events.rules.time_controls import time_control_text, type_of_game
from events.timeline import MoveFacts
from events.visibility import RESULTS_SHOWN, public_events
from events.wording import STATE_WORDS
from players.search import NO_REGION, RegionChoice


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event in the list; abroad its federation stands for the region."""

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
    """A stretch of the events, the newest first. `before` and `after` are the ids to go on from; None at either end."""

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
    """Events by their last day, narrowed to a region or province, a month, a part of the name, and those that had `begun`
    on a day. Two queries, a third to go on from an event."""
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


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """What is shown in public of an event."""

    id: int
    name: str
    kind: str
    place: str
    region: str
    region_name: str
    federation: str
    abroad: bool
    starts: date
    ends: date
    organiser: str
    fide_rated: bool
    norm_event: bool
    results_url: str
    rules_url: str  # of the host region's own rules (article 59), approved on `rules_day`
    rules_day: str
    state: State

    @property
    def days(self) -> str:
        """From the first day to the last."""
        return formatting.days(self.starts, self.ends)

    @property
    def home(self) -> str:
        """The host region; of an event abroad the federation."""
        return self.federation if self.abroad else self.region_name

    @property
    def sentence(self) -> str:
        """How far it is."""
        if self.abroad and self.state is State.RETURNED:
            return "Its results went back to whoever sent them in, to be corrected."
        return STATE_WORDS[self.state].sentence

    @property
    def results_shown(self) -> bool:
        """Whether names and results are public."""
        return self.state in RESULTS_SHOWN


def event_facts(event: int) -> PublicEvent | None:
    """An event; None when there is none or it is a draft. One query."""
    row = Event.objects.filter(public_events(), pk=event).select_related("region").first()
    if row is None:
        return None
    return PublicEvent(
        id=row.pk,
        name=row.name,
        kind=str(Kind(row.kind).label),
        place=row.place,
        region=row.region.code,
        region_name=row.region.name,
        federation=row.federation,
        abroad=row.kind == Kind.ABROAD,
        starts=row.starts,
        ends=row.ends,
        organiser=row.organiser_name,
        fide_rated=row.fide_rated,
        norm_event=row.norm_event,
        results_url=row.results_url,
        rules_url="" if row.kind == Kind.ABROAD else row.region.rules_url,
        rules_day=formatting.day(row.region.rules_approved) if row.region.rules_approved else "",
        state=State(row.state),
    )


def event_moves(event: int) -> list[MoveFacts]:
    """The moves of an event in their order, each with the role of its actor. One query."""
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
    """What somebody said with a step of an event, for those who answer for it."""

    label: str
    day: str
    role: str
    reason: str


def event_reasons(event: int) -> list[MoveReason]:
    """The reasons that were given with an event's steps, the latest first. One query."""
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
class EventArbiter:
    """An arbiter of an event with his place, title and rounds."""

    role: str
    name: str
    title: str
    player_number: str
    rounds: str


def event_arbiters(event: int) -> list[EventArbiter]:
    """The arbiters of an event in their order. One query."""
    found = Appointment.objects.filter(event_id=event).select_related("arbiter__player").order_by("position")
    return [
        EventArbiter(
            role=one.role,
            name=one.arbiter.name,
            title=one.arbiter.get_title_display(),
            player_number=one.arbiter.player.number if one.arbiter.player else "",
            rounds=f"rounds {one.first_round}–{one.last_round}" if one.first_round else "",
        )
        for one in found
    ]


@dataclass(frozen=True, slots=True)
class PublicSection:
    """A section with its time control. `period` is the month in which its games count; None before it is accepted.

    `refused` is the day of the notice that it is not rated, empty when it is.
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
    """The sections of an event in their order; `run` is the published run that rated them. One query."""
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
