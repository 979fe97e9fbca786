"""Reading a registration as a plan, for the rules of `events.registration_rules`."""

from collections.abc import Iterable
from datetime import date

from django.db.models import Q

from events.models import Arbiter, Entry, Event, Membership, Section
from events.registration_rules import PlannedArbiter, PlannedEvent, PlannedSection
from events.states import State
from players.identity import fold


def plan_of(event: Event) -> PlannedEvent:
    """An event as it is kept. Seven queries at the most."""
    appointed = list(event.appointments.select_related("arbiter").order_by("position"))
    arbiters = [one.arbiter for one in appointed]
    paid, players = fees(arbiters), entered(event, arbiters)
    return PlannedEvent(
        name=event.name,
        kind=event.kind,
        region=event.region.code,
        federation=event.federation,
        hubs=tuple(event.hubs.order_by("code").values_list("code", flat=True)),
        starts=event.starts,
        ends=event.ends,
        place=event.place,
        organiser_name=event.organiser_name,
        organiser_number=event.organiser_number,
        fide_rated=event.fide_rated,
        norm_event=event.norm_event,
        results_url=event.results_url,
        sections=tuple(
            PlannedSection(
                name=one.name,
                format=one.format,
                disabled=one.disabled,
                base=one.base_minutes,
                increment=one.increment_seconds,
                rounds=one.planned_rounds,
                starts=one.starts,
                ends=one.ends,
                days=tuple(round_.date for round_ in one.rounds.all()),
                key=one.pk,
            )
            for one in event.sections.prefetch_related("rounds")
        ),
        arbiters=tuple(
            PlannedArbiter(
                name=one.arbiter.name,
                first=one.first_round,
                last=one.last_round,
                federation=one.arbiter.federation,
                paid=paid.get(one.arbiter_id, ()),
                plays=one.arbiter_id in players,
                key=one.arbiter_id,
            )
            for one in appointed
        ),
    )


def twins(name: str, starts: date | None, ends: date | None, *, beside: Event | None = None) -> list[Event]:
    """The events of any region that are known to everybody, have a day in common and the same name, or one that holds all
    words of the other; `beside` is not one. One query."""
    words = set(fold(name).split())
    if not (words and starts and ends):
        return []
    hidden = (State.DRAFT, State.WITHDRAWN, State.REFUSED)
    found = Event.objects.filter(starts__lte=ends, ends__gte=starts).exclude(state__in=hidden).select_related("region")
    return [one for one in found if one != beside and _same_name(words, set(fold(one.name).split()))]


def _same_name(words: set[str], others: set[str]) -> bool:
    fewer, more = sorted((words, others), key=len)
    return words == others or (len(fewer) > 1 and fewer <= more)


def fees(arbiters: Iterable[Arbiter]) -> dict[int, tuple[tuple[int, date], ...]]:
    """The membership fees of arbiters, by key, as (year, day of payment). One query."""
    found: dict[int, tuple[tuple[int, date], ...]] = {}
    rows = Membership.objects.filter(arbiter__in=list(arbiters)).values_list("arbiter_id", "year", "paid_on")
    for arbiter, year, day in rows:
        found[arbiter] = (*found.get(arbiter, ()), (year, day))
    return found


def entered(event: Event | None, arbiters: Iterable[Arbiter], *, besides: Section | None = None) -> set[int]:
    """The keys of the arbiters who are entered as players of an event, `besides` one of its sections (article 8). One query."""
    if event is None:
        return set()
    arbiters = list(arbiters)
    rows = Entry.objects.filter(players_are(arbiters, "player__"), section__event=event)
    if besides is not None:
        rows = rows.exclude(section=besides)
    players = list(rows.values_list("player_id", "player__number", "player__fide_id").distinct())
    return {one.pk for one in arbiters if any(is_player(one, *player) for player in players)}


def players_are(arbiters: Iterable[Arbiter], prefix: str = "") -> Q:
    """The players who are one of these arbiters, by their record or an id; `prefix` leads to the player."""
    arbiters = list(arbiters)
    return (
        Q(**{f"{prefix}pk__in": [one.player_id for one in arbiters if one.player_id]})
        | Q(**{f"{prefix}number__in": [one.number for one in arbiters if one.number]})
        | Q(**{f"{prefix}fide_id__in": [one.fide_id for one in arbiters if one.fide_id]})
    )


def is_player(arbiter: Arbiter, player: int, number: str, fide_id: int | None) -> bool:
    """Whether an arbiter is the player with this key and these ids."""
    return (
        player == arbiter.player_id
        or bool(arbiter.number and number == arbiter.number)
        or (arbiter.fide_id is not None and fide_id == arbiter.fide_id)
    )
