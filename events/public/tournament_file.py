"""A section as the bureau has it, as a tournament that can be written to a file; public data only."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from django.utils.text import slugify

from events.files.trf.writer import write_trf26
from events.models import Entry, Game, Guest, Section
from events.models.section import Format
from events.rules.constants import HOME
from events.rules.game_result import Result
from events.rules.tournament import Entrant, Pairing, Team, TimeControl, Tournament
from players.hidden import in_public, met_hidden_since, name_in_public
from players.models import Player


def file_name(section: Section) -> str:
    """Return a name for the file that no other section has: `1234-mopane-open-u12.trf`."""
    return f"{section.pk}-{slugify(str(section))[:60].strip('-') or 'section'}.trf"


def file_headers(section: Section) -> dict[str, str]:
    """Return the headers of an answer with the file of a section."""
    return {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{file_name(section)}"',
    }


def trf26(section: Section) -> bytes:
    """Return the results of a section as a TRF26 file. Six queries."""
    return write_trf26(section_tournament(section))


def section_tournament(section: Section) -> Tournament:
    """Return a section with its players as the register has them, their Chess SA ids and years of birth, and hidden ones
    without. Six queries.

    Who played without a line of his own follows the entries, and opponents abroad follow the players.
    """
    entries = list(section.entries.select_related("player__region", "team").order_by("number"))
    guests = section.guests.annotate(hidden_since=met_hidden_since("")).order_by("pk")
    games = list(section.games.order_by("round", "pk"))
    numbers = {entry.player_id: entry.number for entry in entries}
    missing = {pk for game in games for pk in (game.white_id, game.black_id) if pk} - numbers.keys()
    first = max(numbers.values(), default=0) + 1
    numbers |= {pk: number for number, pk in enumerate(sorted(missing), first)}
    others = list(Player.objects.select_related("region").filter(pk__in=missing).order_by("pk"))
    guest_numbers = {guest.pk: first + len(missing) + place for place, guest in enumerate(guests)}
    rounds = {row.number: row.date for row in section.rounds.all()}
    event = section.event
    arbiters = [row.arbiter for row in event.appointments.select_related("arbiter").order_by("position")]
    names = [f"{arbiter.title} {arbiter.name}" for arbiter in arbiters]
    last = max([*rounds, *(game.round for game in games)], default=0)
    return Tournament(
        format="TRF26",
        encoding="utf-8",
        name=str(section),
        city=event.place or event.region.name,
        federation=event.federation,
        starts=section.starts,
        ends=section.ends,
        rounds=last,
        planned_rounds=last or None,
        round_dates=tuple(rounds.get(number) for number in range(1, last + 1)),
        kind=Format(section.format).label,
        chief_arbiter=names[0] if names else "",
        deputy_arbiters=tuple(names[1:]),
        time_control_text=f"{section.base_minutes}+{section.increment_seconds}",
        time_control=TimeControl(section.base_minutes, section.increment_seconds),
        entrants=(
            *(
                replace(
                    _entrant(in_public(entry.player), entry.number),
                    rating=entry.rating_in_file,
                    points=float(entry.points),
                    rank=entry.rank,
                )
                for entry in entries
            ),
            *(_entrant(in_public(player), numbers[player.pk]) for player in others),
            *(_visitor(guest, guest_numbers[guest.pk]) for guest in guests),
        ),
        pairings=tuple(_pairings(games, numbers, guest_numbers)),
        teams=_teams(entries),
        extra_lines=(f"212 {section.tie_breaks}",) if section.tie_breaks else (),
    )


def _teams(entries: Iterable[Entry]) -> tuple[Team, ...]:
    """Return the teams by number, their members by board."""
    members: dict[tuple[int, str], list[Entry]] = {}
    for entry in entries:
        if entry.team:
            members.setdefault((entry.team.number, entry.team.name), []).append(entry)
    return tuple(
        Team(name, tuple(entry.number for entry in sorted(players, key=lambda entry: entry.board or 0)))
        for (_, name), players in sorted(members.items())
    )


def _entrant(player: Player, number: int) -> Entrant:
    return Entrant(
        number=number,
        name=", ".join(part for part in (player.last_name, player.first_name) if part),
        last_name=player.last_name,
        first_name=player.first_name,
        sex=player.sex,
        title=player.title_id or "",
        federation=player.federation,
        region=player.region.code if player.region else "",
        fide_id=str(player.fide_id or ""),
        national_id=player.number,
        national_federation=HOME if player.number else "",
        birth_year=player.birth_year,
    )


def _visitor(guest: Guest, number: int) -> Entrant:
    hidden_since: date | None = guest.hidden_since  # type: ignore[attr-defined]
    name = name_in_public(guest.name, hidden_since)
    last, _, first = name.partition(", ")
    return Entrant(
        number=number,
        name=name,
        last_name=last,
        first_name=first,
        rating=guest.fide_rating,
        federation=guest.federation,
        fide_id="" if hidden_since else str(guest.fide_id or ""),
    )


def _pairings(games: Iterable[Game], numbers: dict[int, int], guest_numbers: dict[int, int]) -> Iterable[Pairing]:
    for game in games:
        guest = guest_numbers[game.guest_id] if game.guest_id else None
        white, black = (numbers[pk] if pk else guest for pk in (game.white_id, game.black_id))
        if white is not None:
            yield Pairing(game.round, white, black, Result(game.result), colour_known=game.colour_known)
