"""Writes a player's games abroad as rows, and removes them (articles 10, 43–46)."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import Max, Q

from events.models import Entry, Event, Game, Guest, Kind, Round, Section
from events.operations import EventError
from events.rules.abroad import GameAbroad
from events.rules.game_result import BYES, POINTS
from events.rules.sizes import LONGEST_NAME
from events.rules.states import State
from players.merged import by_fide_id
from players.models import Player

__all__ = ["GameAbroad", "record_abroad", "remove_abroad"]

_STILL_OPEN = (State.DRAFT, State.REGISTERED, State.RETURNED)


def record_abroad(
    section: Section,
    player: Player,
    games: Sequence[GameAbroad],
    *,
    rank: int | None = None,
    on_list: Mapping[int, date] | None = None,
) -> Entry:
    """Write a player's entry and games in a section of an event abroad, and his opponents as guests. Return the entry.

    `rank` is his place in the official results; `on_list`: opponents' FIDE ids → the month of FIDE's list that has the rating.
    An opponent who is on the register is a guest too, linked to the player: the FIDE rating counts (article 44), and each
    player sends in his own games. Raises EventError if the event is not abroad, is submitted already or has no link to its
    official results (article 10), or if the games contradict each other.
    """
    _check(section.event, player, games)
    points = sum(POINTS[game.result][0 if game.white or game.result in BYES else 1] for game in games)
    with transaction.atomic():
        Section.objects.select_for_update().get(pk=section.pk)
        entered = section.entries.aggregate(last=Max("number"))["last"] or 0
        if section.entries.filter(player=player).exists():
            raise EventError(f"{player} has games in {section} already: have the event returned to correct them")
        entry = Entry.objects.create(
            section=section,
            player=player,
            number=entered + 1,
            name_in_file=player.name[:LONGEST_NAME],
            points=Decimal(str(points)),
            rank=rank or entered + 1,
            match_reason="sent in by the player or the team manager (article 10)",
        )
        Round.objects.bulk_create(
            [Round(section=section, number=number) for number in sorted({game.round for game in games})],
            ignore_conflicts=True,
        )
        guests: dict[tuple[object, ...], Guest] = {}
        fide_ids = {game.fide_id for game in games if game.fide_id}
        registered = {key: other for key, other in by_fide_id(fide_ids).items() if other != player}
        for game in games:
            bye = game.result in BYES
            Game.objects.create(
                section=section,
                round=game.round,
                white=player if game.white or bye else None,
                black=None if game.white or bye else player,
                guest=None
                if bye
                else _guest(
                    section, game, guests, registered.get(game.fide_id or 0), (on_list or {}).get(game.fide_id or 0)
                ),
                result=game.result.value,
            )
    return entry


def remove_abroad(section: Section, player: Player) -> None:
    """Delete a player's entry, games, opponents and penalties in a section abroad, so that corrected ones can be written."""
    with transaction.atomic():
        games = Game.objects.filter(Q(white=player) | Q(black=player), section=section)
        guests = set(games.filter(guest__isnull=False).values_list("guest", flat=True))
        games.delete()
        Guest.objects.filter(pk__in=guests, game__isnull=True).delete()
        section.penalties.filter(player=player).delete()
        section.entries.filter(player=player).delete()
        if not section.entries.exists():
            section.rounds.all().delete()


def _check(event: Event, player: Player, games: Sequence[GameAbroad]) -> None:
    if event.kind != Kind.ABROAD:
        raise EventError(f"{event} is not an event abroad: submit its file")
    if State(event.state) not in _STILL_OPEN:
        raise EventError(f"{event} is {event.state}: have it returned before its games are changed")
    if not event.results_url:
        raise EventError(f"{event} has no link to its official results (article 10)")
    if not games:
        raise EventError(f"{player} has no game in {event}: give the player’s own games")
    rounds = [game.round for game in games]
    if min(rounds) < 1 or len(set(rounds)) < len(rounds):
        raise EventError(f"{player} in {event}: give one game a round, and rounds from 1")
    for game in games:
        if game.result in BYES:
            if game.opponent or game.rating is not None:
                raise EventError(
                    f"{player} in {event}, round {game.round}: a bye has no opponent; correct one of the two"
                )
            continue
        if not game.opponent.strip():
            raise EventError(f"{player} in {event}, round {game.round}: name the opponent")
        if game.rating is None:
            raise EventError(
                f"{player} in {event}, round {game.round}: give {game.opponent}'s FIDE rating, or the performance rating of an"
                f" unrated opponent (article 44)"
            )


def _guest(
    section: Section,
    game: GameAbroad,
    known: dict[tuple[object, ...], Guest],
    player: Player | None,
    on_list: date | None,
) -> Guest:
    who = (game.opponent, game.federation, game.fide_id, game.fide_rating, game.performance)
    if who not in known:
        known[who] = Guest.objects.create(
            section=section,
            player=player,
            name=game.opponent[:LONGEST_NAME],
            federation=game.federation,
            fide_id=game.fide_id,
            fide_rating=game.fide_rating,
            performance=game.performance,
            fide_list=on_list,
        )
    return known[who]
