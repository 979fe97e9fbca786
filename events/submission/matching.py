"""Finds the players on the register for the lines of a file, by national id, FIDE id, name and birth date."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from events.rules.tournament import Entrant, Tournament
from events.submission.known_players import KnownPlayers, compared_by_day, of_repeated_ids, of_repeated_names
from events.submission.persons import chess_sa_id, known_person, person_of, reading_for
from players.identity import (
    Likelihood,
    Person,
    Strength,
    is_candidate,
    is_same_name,
    is_same_newcomer,
    likelihood,
)
from players.merged import leading_ids, on_register, players_of
from players.models import Player

_MOST_CANDIDATES = 5
CHOSEN = "chosen by the uploader"
NEWCOMER = "new to the register, as in another section of the event"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player on the register who may be the player of a line; `known`: what of him the line was compared with."""

    player: Player
    likelihood: Likelihood
    known: Person


@dataclass(frozen=True, slots=True)
class Match:
    """A line of a file with its candidates, the likeliest first; `player` is None unless the match is certain.

    `id_moved`: the line's Chess SA id stood in the file's column for FIDE ids; `by_name`: it was looked up by its name, too;
    `by_day`: the player's day of birth may be compared with the line's.
    """

    entrant: Entrant
    candidates: tuple[Candidate, ...]
    player: Player | None
    reason: str
    id_moved: bool = False
    by_name: bool = True
    by_day: bool = False

    @property
    def unknown(self) -> bool:
        """Whether the line is like nobody on the register."""
        return self.player is None and not self.candidates and self.by_name

    @property
    def not_looked_up(self) -> bool:
        """Whether nobody has an id of the line, and it was not looked up by its name."""
        return self.player is None and not self.candidates and not self.by_name


def called_by_id(match: Match) -> Match:
    """Return a match in which a player whose data was erased is called by his id: what is found about him is kept, and stands
    beside his pseudonym."""
    if match.player is None or match.player.erased_at is None:
        return match
    number = match.player.number
    return replace(match, entrant=replace(match.entrant, name=number, last_name=number, first_name=""))


def still_registered(chosen: Mapping[int, str]) -> tuple[dict[int, str], dict[int, str]]:
    """Split choices, start number → Chess SA id, into those still on the register and the others."""
    registered = players_of(on_register(), chosen.values())
    kept = {number: player for number, player in chosen.items() if player in registered}
    return kept, {number: player for number, player in chosen.items() if number not in kept}


def match_entrants(
    tournament: Tournament,
    chosen: Mapping[int, str] | None = None,
    *,
    new: Collection[int] = (),
    newcomers: Collection[int] = (),
    as_sent: Sequence[Entrant] | None = None,
    unsure: Collection[int] = (),
) -> list[Match]:
    """Return the matches of a file's lines in order. Nothing is written.

    `chosen`: the uploader's choices, start number → Chess SA id; `new`: the start numbers of players who are new by his
    answer; `newcomers`: the keys of players whom another section of the event has just registered, so that a player who is new
    in both is registered once; `as_sent`: the lines of the file without the uploader's answers, where there are any;
    `unsure`: start numbers of lines that may say something else in another code page.
    Raises ValueError if a choice is not on the register or its start number not in the file.
    """
    strangers = sorted({*(chosen or {}), *new} - {entrant.number for entrant in tournament.entrants})
    if strangers:
        raise ValueError(f"start number {strangers[0]} is not in the file: a choice names a line by its start number")
    ids = {number for entrant in tournament.entrants for number in (chess_sa_id(entrant), entrant.fide_id) if number}
    led = leading_ids(ids)
    as_led = [_led(entrant, led) for entrant in tournament.entrants]
    known = KnownPlayers(as_led)
    entrants = [_placed(entrant, known, new) for entrant in as_led]
    repeated, shared = of_repeated_names(entrants, known), of_repeated_ids(entrants)
    as_sent = [_led(entrant, led) for entrant in as_sent or tournament.entrants]
    by_day = _compared_by_day(as_led, known, as_sent, unsure)
    registered = players_of(on_register(), {*(chosen or {}).values()})
    picked = {number: _chosen(number, player, registered) for number, player in (chosen or {}).items()}
    matches = [
        Match(entrant, (), player, CHOSEN, by_day=(entrant.number, player.pk) in by_day)
        if (player := picked.get(entrant.number)) is not None
        else _match(
            entrant,
            known,
            by_day=by_day,
            new=entrant.number in new,
            newcomers=newcomers,
            by_name=entrant.number not in repeated | shared,
            by_id=entrant.number not in shared,
        )
        for entrant in entrants
    ]
    # two lines that match one newcomer are both left open
    taken = Counter(match.player.pk for match in matches if match.player is not None)
    matches = [
        _match(match.entrant, known, by_day=by_day, new=True, newcomers=())
        if match.reason == NEWCOMER and match.player is not None and taken[match.player.pk] > 1
        else match
        for match in matches
    ]
    matches = [
        match if match.entrant is as_led else _moved(match) for match, as_led in zip(matches, as_led, strict=True)
    ]
    return [
        match if as_led is as_read or match.id_moved else _read(match, as_read, led)
        for match, as_led, as_read in zip(matches, as_led, tournament.entrants, strict=True)
    ]


def _compared_by_day(
    entrants: Sequence[Entrant], known: KnownPlayers, as_sent: Sequence[Entrant], unsure: Collection[int]
) -> Collection[tuple[int, int]]:
    """Return the start numbers and players whose days of birth are compared.

    Hazard: an answer can be given again and again. Which lines are compared depends on the file alone. One whose name, birth
    or id was typed is not, nor one that says something else in another code page.
    """
    typed = {
        entrant.number
        for entrant, sent in zip(entrants, as_sent, strict=True)
        if replace(person_of(entrant), sex="") != replace(person_of(sent), sex="")
    }
    certain = [entrant for entrant in as_sent if entrant.number not in unsure]
    by_day = compared_by_day(certain, KnownPlayers(certain) if typed else known)
    return {(number, player) for number, player in by_day if number not in typed}


def _led(entrant: Entrant, led: Mapping[str, str]) -> Entrant:
    """Return a line with the ids to which its own lead: players on the register were merged."""
    national_id, fide_id = (led.get(number, number) for number in (chess_sa_id(entrant), entrant.fide_id))
    if (national_id, fide_id) == (chess_sa_id(entrant), entrant.fide_id):
        return entrant
    return replace(entrant, national_id=national_id or entrant.national_id, fide_id=fide_id)


def _read(match: Match, as_read: Entrant, led: Mapping[str, str]) -> Match:
    """Return a match of a line whose ids lead on, with the line as it is in the file, and the reason by its ids."""
    reason = match.reason
    for number in (chess_sa_id(as_read), as_read.fide_id):
        if number in led:
            reason = reason.replace(led[number], f"{led[number]} (in the file {number}, which leads to it)")
    return replace(match, entrant=as_read, reason=reason)


def _moved(match: Match) -> Match:
    number = match.entrant.national_id
    return replace(match, id_moved=True, reason=match.reason.replace(number, f"{number} (in the column for FIDE ids)"))


def _placed(entrant: Entrant, known: KnownPlayers, new: Collection[int]) -> Entrant:
    """Return a line with its Chess SA id in place if the file has it in the column for FIDE ids, as South African files do.

    It is one if a player on the register has it, and no other has it as FIDE id. What might be either stays where it is, and
    is asked about (`reading_for`); so does the id of a line that is no player on the register, by the uploader's answer.
    """
    number = entrant.fide_id
    owners = known.by_id.get(("national", number))
    others = known.by_id.get(("fide", number), owners)
    if not owners or owners != others or entrant.number in new or entrant.national_id not in ("", number):
        return entrant
    return replace(entrant, fide_id="", national_id=number)


def _chosen(start_number: int, number: str, registered: Mapping[str, Player]) -> Player:
    player = registered.get(number)
    if player is None:
        raise ValueError(f"start number {start_number}: no player with Chess SA id {number} is on the register")
    return player


def _match(
    entrant: Entrant,
    known: KnownPlayers,
    *,
    by_day: Collection[tuple[int, int]],
    new: bool,
    newcomers: Collection[int],
    by_name: bool = True,
    by_id: bool = True,
) -> Match:
    line = person_of(entrant)
    candidates: list[Candidate] = []
    others: list[Candidate] = []
    for pk in known.possible(entrant, by_name=by_name, by_id=by_id):
        player, person = known.people[pk]
        if (entrant.number, pk) not in by_day:
            person = known.years[pk]
        reading = line if new or entrant.fide_id != player.number else reading_for(entrant, player)
        agreement = likelihood(reading, person)
        (candidates if is_candidate(reading, person, agreement) else others).append(
            Candidate(player, agreement, person)
        )
    candidates.sort(key=lambda candidate: (-candidate.likelihood.score, candidate.player.number))
    new_players = [candidate.player for candidate in candidates if new and candidate.player.pk in newcomers]
    alike = [player for player in new_players if is_same_newcomer(line, known_person(player))]
    if len(alike) == 1:
        return Match(entrant, (), alike[0], NEWCOMER)
    certain = [candidate for candidate in candidates if candidate.likelihood.strength is Strength.CERTAIN]
    against = any(candidate.likelihood.strength is Strength.AGAINST for candidate in candidates)
    if len(certain) == 1 and not _is_called(line, certain[0]):
        # the id is one player's: if the name is another's, a user decides
        namesakes = [
            player for player in (*candidates, *others) if player is not certain[0] and _is_called(line, player)
        ]
        candidates += [player for player in namesakes if player not in candidates]
        against = against or bool(namesakes)
    match = Match(entrant, tuple(candidates[:_MOST_CANDIDATES]), None, "", by_name=by_name)
    if len(certain) == 1 and not against and not new:
        player = certain[0].player
        is_by_day = (entrant.number, player.pk) in by_day
        return replace(match, player=player, reason=certain[0].likelihood.reason, by_day=is_by_day)
    return match


def _is_called(line: Person, candidate: Candidate) -> bool:
    return is_same_name(line, candidate.known)
