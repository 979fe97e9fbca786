"""What is known of arbiters: membership fees paid, and whether one is entered as a player (articles 7, 8)."""

from collections.abc import Iterable
from datetime import date

from django.db.models import Q

from events.models import Arbiter, Entry, Event, Membership, Section


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
