"""Finds the players on the register for the lines of a file, by national id, FIDE id, name and birth date."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from config.lib.days import is_birth_year
from events.rules.tournament import Entrant, Tournament
from players.identity import (
    FIDE_ID_DIGITS,
    Likelihood,
    NameParts,
    Person,
    Strength,
    fold,
    is_candidate,
    is_chess_sa_id,
    is_same_newcomer,
    likelihood,
    name_similarity,
    names_agree,
    parts_of,
)
from players.merged import leading_ids, on_register, players_of
from players.models import Player
from players.name_index import NameIndex, sounds

MOST_OF_A_NAME = 2  # lines of a file, none known by an id, that are looked up by their name
_MOST_CANDIDATES = 5
_COMPARED = (
    "number", "fide_id", "last_name", "first_name", "folded_name", "birth_date", "birth_year", "died_on", "sex", "region",
    "erased_at",
)  # fmt: skip
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
    `by_day`: the day of birth of a player whom the uploader has chosen may be compared with the line's.
    """

    entrant: Entrant
    candidates: tuple[Candidate, ...]
    player: Player | None
    reason: str
    id_moved: bool = False
    by_name: bool = True
    by_day: bool = True

    @property
    def unknown(self) -> bool:
        """Whether the line is like nobody on the register."""
        return self.player is None and not self.candidates and self.by_name

    @property
    def not_looked_up(self) -> bool:
        """Whether nobody has an id of the line, and it was not looked up by its name."""
        return self.player is None and not self.candidates and not self.by_name


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
) -> list[Match]:
    """Return the matches of a file's lines in order. Nothing is written.

    `chosen`: the uploader's choices, start number → Chess SA id; `new`: the start numbers of players who are new by his
    answer; `newcomers`: the keys of players whom another section of the event has just registered, so that a player who is new
    in both is registered once. Raises ValueError if a choice is not on the register or its start number not in the file.
    """
    strangers = sorted({*(chosen or {}), *new} - {entrant.number for entrant in tournament.entrants})
    if strangers:
        raise ValueError(f"start number {strangers[0]} is not in the file: a choice names a line by its start number")
    ids = {number for entrant in tournament.entrants for number in (chess_sa_id(entrant), entrant.fide_id) if number}
    led = leading_ids(ids)
    as_led = [_led(entrant, led) for entrant in tournament.entrants]
    known = _Known(as_led)
    entrants = [_placed(entrant, known, new) for entrant in as_led]
    repeated = _of_repeated_names(entrants, known)
    shared = _of_repeated_ids(entrants)
    guessed = _of_alike_names(entrants, known)
    registered = players_of(on_register(), {*(chosen or {}).values()})
    picked = {number: _chosen(number, player, registered) for number, player in (chosen or {}).items()}
    matches = [
        _picked(entrant, picked[entrant.number], repeated | shared, guessed)
        if entrant.number in picked
        else _match(
            entrant,
            known,
            guessed=guessed,
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
        _match(match.entrant, known, guessed=guessed, new=True, newcomers=())
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


def _placed(entrant: Entrant, known: "_Known", new: Collection[int]) -> Entrant:
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


def _of_repeated_names(entrants: Sequence[Entrant], known: "_Known") -> set[int]:
    """Return the start numbers of lines whose name stands in more than MOST_OF_A_NAME lines that no id tells apart.

    Hazard: many lines of one name with a birth date each would find out the register's. They are matched by an id only.
    """
    names = {entrant.number: fold(entrant.name) for entrant in entrants if not known.bears_its_id(entrant)}
    lines = Counter(names.values())
    return {number for number, name in names.items() if name and lines[name] > MOST_OF_A_NAME}


def _of_repeated_ids(entrants: Sequence[Entrant]) -> set[int]:
    """Return the start numbers of lines with an id that stands in more than MOST_OF_A_NAME lines.

    Hazard: as of names, one id with many birth dates would find out the register's.
    """
    ids = {entrant.number: {chess_sa_id(entrant), entrant.fide_id} - {""} for entrant in entrants}
    lines = Counter(key for of_line in ids.values() for key in of_line)
    return {number for number, of_line in ids.items() if any(lines[key] > MOST_OF_A_NAME for key in of_line)}


def _of_alike_names(entrants: Sequence[Entrant], known: "_Known") -> set[tuple[int, int]]:
    """Return the start numbers and players of lines whose name is nearly the player's, if more than MOST_OF_A_NAME are.

    Hazard: as of lines of one name, which each could misspell otherwise. The year of birth is compared, which is public.
    """
    alike = [
        (entrant, player)
        for entrant in entrants
        for player in known.by_name[entrant.number]
        if name_similarity(person_of(entrant), known.people[player][1]) < 1.0
    ]
    lines = Counter(player for _, player in alike)
    return {
        (entrant.number, player)
        for entrant, player in alike
        if lines[player] > MOST_OF_A_NAME and player not in known.of_ids(entrant)
    }


def _picked(entrant: Entrant, player: Player, repeated: Collection[int], guessed: Collection[tuple[int, int]]) -> Match:
    """Return the match of a line with the player whom the uploader has chosen."""
    is_a_guess = entrant.number in repeated or (entrant.number, player.pk) in guessed
    agrees = names_agree(person_of(entrant), known_person(player))
    return Match(entrant, (), player, CHOSEN, by_day=agrees and not is_a_guess)


def _chosen(start_number: int, number: str, registered: Mapping[str, Player]) -> Player:
    player = registered.get(number)
    if player is None:
        raise ValueError(f"start number {start_number}: no player with Chess SA id {number} is on the register")
    return player


def known_as(player: Player) -> str:
    """Return who a player on the register is, as an uploader may read it.

    Hazard: of one whose data was erased the pseudonym beside the name in the file would tell who he is on the lists.
    """
    return player.number if player.erased_at else str(player)


def person_of(entrant: Entrant) -> Person:
    """Return a line of a file as data for the comparison."""
    return Person(
        last_name=entrant.last_name,
        first_name=entrant.first_name,
        national_id=chess_sa_id(entrant),
        fide_id=entrant.fide_id,
        birth_date=entrant.birth_date,
        birth_year=entrant.birth_year,
        sex=entrant.sex,
    )


def reading_for(entrant: Entrant, player: Player) -> Person:
    """Return a line as data for the comparison with a player.

    An id in the column for FIDE ids that is the player's Chess SA id is read so.
    """
    if entrant.fide_id != player.number:
        return person_of(entrant)
    return replace(person_of(entrant), national_id=player.number, fide_id="")


def chess_sa_id(entrant: Entrant) -> str:
    """Return the national id of a line; "" if it is another federation's."""
    return entrant.national_id if entrant.national_federation in ("", "RSA") else ""


def ids_on_line(entrant: Entrant) -> tuple[str, int | None]:
    """Return the Chess SA id and the FIDE id of a line, as `usable_ids` does."""
    return usable_ids(chess_sa_id(entrant), entrant.fide_id)


def usable_ids(number: str, fide_id: str) -> tuple[str, int | None]:
    """Return a text as Chess SA id and a text as FIDE id; "" and None for what is none.

    Nine digits in the column for FIDE ids may be either, since South African files have Chess SA ids there: they are both.
    """
    return (
        next((text for text in (number, fide_id) if is_chess_sa_id(text)), ""),
        int(fide_id) if fide_id.isdecimal() and len(fide_id) <= FIDE_ID_DIGITS and int(fide_id) else None,
    )


def _sounding_like(entrants: Sequence[Entrant]) -> dict[int, NameParts]:
    """Return the names of those on the register with a word that sounds like one of the file, by key."""
    heard = set().union(*(sounds(fold(entrant.name)) for entrant in entrants))
    names = on_register().values_list("pk", "folded_name", "last_name", "first_name")
    return {
        key: parts_of(Person(last_name, first_name))
        for key, folded_name, last_name, first_name in (names.iterator(chunk_size=5000) if heard else ())
        if not heard.isdisjoint(sounds(folded_name))
    }


class _Known:
    """Those of the register who may be players of a file: by an id, or by a name that sounds like one of the file."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        ids = {number for entrant in entrants for number in (chess_sa_id(entrant), entrant.fide_id) if number}
        fide = {int(entrant.fide_id) for entrant in entrants if entrant.fide_id.isdecimal()}
        fide = {number for number in fide if number < 2**63}  # what the column can hold
        wanted = set(on_register().filter(Q(number__in=ids) | Q(fide_id__in=fide)).values_list("pk", flat=True))
        agreeing = NameIndex(_sounding_like(entrants)).agreeing([parts_of(person_of(entrant)) for entrant in entrants])
        self.by_name = {entrant.number: keys for entrant, keys in zip(entrants, agreeing, strict=True)}
        players = Player.objects.only(*_COMPARED).in_bulk(wanted.union(*agreeing))
        self.people = {key: (player, known_person(player)) for key, player in players.items()}
        self.by_id: dict[tuple[str, str], list[int]] = {}
        for player in players.values():
            self.by_id.setdefault(("national", player.number), []).append(player.pk)
            if player.fide_id:
                self.by_id.setdefault(("fide", str(player.fide_id)), []).append(player.pk)

    def of_ids(self, entrant: Entrant) -> set[int]:
        """Return the players with an id of a line; what stands in the column for FIDE ids may be either kind."""
        ids = (("national", chess_sa_id(entrant)), ("fide", entrant.fide_id), ("national", entrant.fide_id))
        return {player for key in ids for player in self.by_id.get(key, ())}

    def possible(self, entrant: Entrant, *, by_name: bool, by_id: bool) -> set[int]:
        """Return the players with an id of a line, `by_id`, and, `by_name`, those whose names sound alike and agree."""
        return (self.of_ids(entrant) if by_id else set()) | (self.by_name[entrant.number] if by_name else set())

    def bears_its_id(self, entrant: Entrant) -> bool:
        """Return whether an id of a line is that of a player of its name."""
        people = [self.people[player] for player in self.of_ids(entrant)]
        return any(name_similarity(reading_for(entrant, player), person) == 1.0 for player, person in people)


def _match(
    entrant: Entrant,
    known: _Known,
    *,
    guessed: Collection[tuple[int, int]],
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
        if (entrant.number, pk) in guessed:
            person = without_day(person)
        reading = line if new else reading_for(entrant, player)
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
        return replace(match, player=certain[0].player, reason=certain[0].likelihood.reason)
    return match


def _is_called(line: Person, candidate: Candidate) -> bool:
    return name_similarity(line, known_person(candidate.player)) == 1.0


def without_day(person: Person) -> Person:
    """Return a person with the year of birth alone."""
    year = person.birth_date.year if person.birth_date else person.birth_year
    return replace(person, birth_date=None, birth_year=year)


def known_person(player: Player) -> Person:
    """Return a player on the register as data for the comparison; a birth in 1900 or before stands for an unknown one."""
    if player.birth_year and not is_birth_year(player.birth_year):
        return Person(player.last_name, player.first_name, player.number, str(player.fide_id or ""), sex=player.sex)
    return Person(
        last_name=player.last_name,
        first_name=player.first_name,
        national_id=player.number,
        fide_id=str(player.fide_id or ""),
        birth_date=player.birth_date,
        birth_year=player.birth_year,
        sex=player.sex,
    )
