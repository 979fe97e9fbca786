"""Reads arbiters' paid fees, and whether arbiters are entered as players (articles 7, 8)."""

from collections.abc import Collection, Iterable
from datetime import date

from django.db.models import Q

from events.models import Arbiter, Entry, Event, Fee, Membership
from players.id_bearers import IdBearers, known_as


def paid_fees(arbiters: Iterable[Arbiter], fee: Fee = Fee.AOC) -> dict[int, tuple[tuple[int, date], ...]]:
    """Return the paid fees of arbiters, of one kind: key → (year, day of payment) pairs. One query."""
    paid: dict[int, tuple[tuple[int, date], ...]] = {}
    rows = Membership.objects.filter(arbiter__in=list(arbiters), fee=fee).values_list("arbiter_id", "year", "paid_on")
    for arbiter, year, day in rows:
        paid[arbiter] = (*paid.get(arbiter, ()), (year, day))
    return paid


def entered_as_players(event: Event | None, arbiters: Iterable[Arbiter], *, besides: Collection[int] = ()) -> set[int]:
    """Return the keys of arbiters entered as players of an event, not counting sections `besides` (article 8). One query; none
    for an event that is not saved yet."""
    if event is None or event.pk is None:
        return set()
    arbiters = list(arbiters)
    rows = Entry.objects.filter(entries_are_of(arbiters), section__event=event)
    if besides:
        rows = rows.exclude(section__in=besides)
    entries = list(rows.select_related("player"))
    return {arbiter.pk for arbiter in arbiters if any(_is_entry(arbiter, entry) for entry in entries)}


def others_with_ids_of(arbiters: Iterable[Arbiter], bearers: IdBearers | None = None) -> dict[int, str]:
    """Return the players of another name who have an id of an arbiter's: key of the arbiter → player in words.

    `bearers`: the bearers of the arbiters' ids, among others, if they were read already; else that takes one query.
    """
    arbiters = list(arbiters)
    bearers = bearers or IdBearers(ids_of(arbiters))
    others = {
        arbiter.pk: bearers.other_than(arbiter.name, *ids_of([arbiter]), besides=arbiter.player_id)
        for arbiter in arbiters
    }
    return {arbiter: known_as(player) for arbiter, player in others.items() if player is not None}


def ids_of(arbiters: Iterable[Arbiter]) -> list[str]:
    """Return the Chess SA ids and FIDE ids of arbiters."""
    return [number for arbiter in arbiters for number in (arbiter.number, str(arbiter.fide_id or "")) if number]


def players_are(arbiters: Iterable[Arbiter], prefix: str = "") -> Q:
    """Return the condition that a player is one of the arbiters, by link or id; `prefix` leads to the player."""
    arbiters = list(arbiters)
    return (
        Q(**{f"{prefix}pk__in": [arbiter.player_id for arbiter in arbiters if arbiter.player_id]})
        | Q(**{f"{prefix}number__in": [arbiter.number for arbiter in arbiters if arbiter.number]})
        | Q(**{f"{prefix}fide_id__in": [arbiter.fide_id for arbiter in arbiters if arbiter.fide_id]})
    )


def entries_are_of(arbiters: Iterable[Arbiter]) -> Q:
    """Return the condition that an entry is of one of the arbiters, by its player or by an id on its line of the file."""
    arbiters = list(arbiters)
    return (
        players_are(arbiters, "player__")
        | Q(chess_sa_id_in_file__in=[arbiter.number for arbiter in arbiters if arbiter.number])
        | Q(fide_id_in_file__in=[arbiter.fide_id for arbiter in arbiters if arbiter.fide_id])
    )


def _is_entry(arbiter: Arbiter, entry: Entry) -> bool:
    player = entry.player
    return is_player(arbiter, player.pk, player.number, player.fide_id) or is_player(
        arbiter, None, entry.chess_sa_id_in_file, entry.fide_id_in_file
    )


def is_player(arbiter: Arbiter, player: int | None, number: str, fide_id: int | None) -> bool:
    """Return whether an arbiter is the person with this key of a player, Chess SA id and FIDE id; an id may be empty."""
    return (
        (player is not None and player == arbiter.player_id)
        or bool(arbiter.number and number == arbiter.number)
        or (arbiter.fide_id is not None and fide_id == arbiter.fide_id)
    )
