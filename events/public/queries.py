"""Reads the list of events, and the public data of an event."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import Decision
from accounts.trail.operations import key_of
from config.lib import formatting
from config.lib.pages import PAGE_SIZE, keyset_page
from config.lib.parsing import BIGINT_DIGITS
from config.lib.row_lists import RowList
from events.models import (
    Appointment,
    Arbiter,
    Event,
    EventMove,
    Kind,
    PastAppointment,
    Refusal,
    Round,
    Section,
    WithdrawalRequest,
)
from events.operations import APPROVAL_TAKEN_BACK, BODY_APPROVED
from events.public.moves import role_in_words
from events.rules.states import ACCEPTED_OR_LATER, State
from events.rules.time_controls import time_control_text, type_of_game
from events.visibility import public_events
from events.wording import state_words, type_words
from players.hidden import hidden_in
from players.search import NO_REGION, RegionChoice


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event in the list; the `region` of an event abroad is its federation."""

    event: Event
    days: str
    region: str
    region_name: str
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
    state: str = "",
    name: str = "",
    begun: date | None = None,
    kind: str = "",
    since: date | None = None,
    until: date | None = None,
    after: int | None = None,
    before: int | None = None,
    size: int = PAGE_SIZE,
) -> EventPage:
    """Return events by their last day, latest first, filtered by region or province, month, state and part of the name.

    `begun`: only those that start by this day; `since`, `until`: whose last day is not before or after these;
    `after`, `before`: the id of the event to continue from. Two or three queries.
    """
    chosen = Event.objects.filter(public_events(), place.condition())
    if begun:
        chosen = chosen.filter(starts__lte=begun)
    if kind:
        chosen = chosen.filter(kind=kind)
    if since:
        chosen = chosen.filter(ends__gte=since)
    if until:
        chosen = chosen.filter(ends__lte=until)
    if month:
        chosen = chosen.filter(ends__year=month.year, ends__month=month.month)
    if state:
        chosen = chosen.filter(state=state)
    if name:
        chosen = chosen.filter(name__icontains=name)
    page = keyset_page(
        chosen.select_related("region"), ("-ends", "-pk"), _key(after or before), backwards=not after, size=size
    )
    return EventPage(
        event_rows(page.rows), page.rows[0].pk if page.earlier else None, page.rows[-1].pk if page.later else None
    )


def _key(event: int | None) -> tuple[date, int] | None:
    return Event.objects.filter(pk=event).values_list("ends", "pk").first() if event else None


def public_arbiters() -> QuerySet[Arbiter]:
    """Return the arbiters whom the page of an event names."""
    named = Appointment.objects.filter(arbiter=OuterRef("pk"), event__in=Event.objects.filter(public_events()))
    return Arbiter.objects.filter(Exists(named))


def public_arbiter(arbiter: int) -> Arbiter | None:
    """Return an arbiter whom the page of an event names, without what he is as a player if that is hidden; None if there is
    none. One query."""
    row = public_arbiters().select_related("player").filter(pk=arbiter).first()
    if row is not None and row.player is not None and row.player.hidden_since is not None:
        row.player = None
    return row


def public_appointments(arbiter: Arbiter) -> list[Appointment]:
    """Return an arbiter's appointments to public events, the newest first. One query."""
    rows = arbiter.appointments.filter(event__in=Event.objects.filter(public_events()))
    return list(rows.select_related("event").order_by("-event__starts", "-event", "position"))


def event_rows(events: Sequence[Event]) -> list[EventRow]:
    """Return events as the list of events shows them. One query."""
    totals = section_totals(events)
    rows = []
    for event in events:
        types, sections, players = totals.get(event.pk, ("", 0, 0))
        abroad = event.kind == Kind.ABROAD
        rows.append(
            EventRow(
                event=event,
                days=formatting.days(event.starts, event.ends),
                region=event.federation if abroad else event.region.code,
                region_name=event.federation if abroad else event.region.name,
                state_word=state_words(State(event.state)).word,
                sections=sections,
                players=players,
                types=types,
            )
        )
    return rows


def section_totals(events: Sequence[Event]) -> dict[int, tuple[str, int, int]]:
    """Return event → (types of game in words, number of sections, number of players); events without sections lack."""
    totals: dict[int, tuple[str, int, int]] = {}
    sections = Section.objects.filter(event__in=events).order_by("event_id", "position")
    for section in sections.annotate(players=Count("entries")):
        kind = type_words(section.base_minutes, section.increment_seconds, section.ends)
        types, number, players = totals.get(section.event_id, ("", 0, 0))
        if kind not in types.split(", "):
            types = f"{types}, {kind}" if types else kind
        totals[section.event_id] = types, number + 1, players + section.players
    return totals


def public_event(event: int) -> Event | None:
    """Return an event with its region; None if there is none or it is not public. One query."""
    return Event.objects.filter(public_events(), pk=event).select_related("region").first()


def public_section(section: int, *, event: int | None = None) -> Section | None:
    """Return a section, of a certain event if one is given, with its event, whose results are public; None if there is none.

    One query.
    """
    if max(event or 0, section) >= 10**BIGINT_DIGITS:
        return None
    refused = Refusal.objects.filter(section=OuterRef("pk"), lifted_at=None)
    sections = Section.objects.filter(~Exists(refused), event__state__in=ACCEPTED_OR_LATER, pk=section)
    if event is not None:
        sections = sections.filter(event=event)
    return sections.select_related("event__region").first()


def state_sentence(event: Event) -> str:
    """Return what the page of an event says about its state."""
    if event.kind == Kind.ABROAD and event.state == State.RETURNED:
        return gettext("Its results went back to whoever sent them in, to be corrected.")
    return state_words(State(event.state)).sentence


@dataclass(frozen=True, slots=True)
class MoveReason:
    """The reason given with a move of an event, an approval of its body, or a request to withdraw it or its answer."""

    label: str
    day: str
    role: str
    reason: str


def event_reasons(event: int, *, moves: bool) -> list[MoveReason]:
    """Return the reasons given about an event, latest first: with requests to withdraw it (57.3), and, if wanted, its `moves`.

    These go with the approval of the body that organises a national one (62.4) and the changes of arbiters. Four queries.
    """
    dated = _withdrawal_reasons(event)
    if moves:
        rows = EventMove.objects.filter(event_id=event).exclude(reason="")
        dated += [(move.at, _move_reason(move)) for move in rows.order_by("at", "pk")]
        steps = Decision.objects.filter(subject=key_of(Event(pk=event)), action__in=_BODY_STEPS).order_by("at", "pk")
        dated += [(step.at, _approval_reason(step)) for step in steps]
        ended = PastAppointment.objects.filter(event_id=event).exclude(reason="").select_related("arbiter", "by")
        dated += [(row.until, _appointment_reason(row)) for row in ended]
    hidden = hidden_in(reason.reason for _, reason in dated)
    return [
        replace(reason, reason=hidden.replaced(reason.reason))
        for _, reason in sorted(dated, key=lambda pair: pair[0])[::-1]
    ]


def _move_reason(move: EventMove) -> MoveReason:
    target = State(move.target)
    return MoveReason(
        gettext("recalled") if move.recalled else state_words(target).word,
        formatting.day(timezone.localdate(move.at)),
        role_in_words(move.target, move.role),
        move.reason,
    )


_BODY_STEPS = {
    BODY_APPROVED: gettext_noop("organising body approved"),
    APPROVAL_TAKEN_BACK: gettext_noop("approval of the organising body taken back"),
}


def _approval_reason(step: Decision) -> MoveReason:
    day = formatting.day(timezone.localdate(step.at))
    return MoveReason(gettext(_BODY_STEPS[step.action]), day, gettext("by the ratings officer"), step.reason)


def _withdrawal_reasons(event: int) -> list[tuple[datetime, MoveReason]]:
    """Return the requests to withdraw an event and the answers that declined one; a granted one is a move."""
    dated = []
    for row in WithdrawalRequest.objects.filter(event=event).order_by("at", "pk"):
        day = formatting.day(timezone.localdate(row.at))
        dated.append(
            (row.at, MoveReason(gettext("withdrawal asked"), day, gettext("by the Regional Administrator"), row.reason))
        )
        if row.answered_at is not None and row.state == WithdrawalRequest.State.DECLINED:
            day = formatting.day(timezone.localdate(row.answered_at))
            declined = MoveReason(gettext("withdrawal declined"), day, gettext("by the ratings officer"), row.answer)
            dated.append((row.answered_at, declined))
    return dated


def _appointment_reason(ended: PastAppointment) -> MoveReason:
    by_bureau = ended.by is not None and ended.by.is_officer
    return MoveReason(
        gettext("%(name)s no longer appointed") % {"name": ended.arbiter.name},
        formatting.day(timezone.localdate(ended.until)),
        gettext("by the ratings officer") if by_bureau else gettext("by the Regional Administrator"),
        ended.reason,
    )


@dataclass(frozen=True, slots=True)
class PublicSection:
    """A section with its time control. `period`: the month in which its games count, None before it is accepted.

    `planned_rounds`: None where unknown; `round_days`: of the rounds in order, None for a day that is unknown.
    `run`: the published run that rated it; `refused`: the day of the notice that it is not rated, or ""; `tie_breaks`: the
    codes that its file names, with commas.
    """

    id: int
    name: str
    format: str
    format_code: str
    time_control: str
    type: str
    period: date | None
    run: int | None
    refused: str
    starts: date
    ends: date
    tie_breaks: str
    planned_rounds: int | None
    round_days: tuple[date | None, ...]


def event_sections(event: int) -> list[PublicSection]:
    """Return the sections of an event in order. One query."""
    notices = Refusal.objects.filter(section=OuterRef("pk"), lifted_at=None).values("at")
    sections = Section.objects.filter(event_id=event).select_related("period").order_by("position", "pk")
    return [
        PublicSection(
            id=section.pk,
            name=section.name,
            format=gettext(section.get_format_display()),
            format_code=section.format,
            time_control=time_control_text(section.base_minutes, section.increment_seconds),
            type=type_of_game(section.base_minutes, section.increment_seconds, section.ends),
            period=section.period.month if section.period else None,
            run=section.run,
            refused=formatting.day(timezone.localdate(section.refused_at)) if section.refused_at else "",
            starts=section.starts,
            ends=section.ends,
            tie_breaks=section.tie_breaks,
            planned_rounds=section.planned_rounds,
            round_days=tuple(row["day"] and date.fromisoformat(row["day"]) for row in section.listed_rounds),
        )
        for section in sections.annotate(
            run=F("period__publication__run"),
            refused_at=Subquery(notices[:1]),
            listed_rounds=RowList(Round.objects.filter(section=OuterRef("pk")).order_by("number"), day="date"),
        )
    ]
