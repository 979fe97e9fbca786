"""Those of the register who may be players of a file, and how far its lines are compared with them.

Hazard: who sends a file learns what of it agrees with the register. Many lines with a birth date each would find out a
player's, whether they have his id, his name, or one that is nearly his.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db.models import Q

from events.rules.tournament import Entrant
from events.submission.persons import chess_sa_id, known_person, person_of, without_day
from players.identity import NameParts, Person, fold, is_same_name, parts_of
from players.merged import on_register
from players.models import Player
from players.name_index import NameIndex, sounds

_COMPARED = (
    "number", "fide_id", "last_name", "first_name", "folded_name", "birth_date", "birth_year", "died_on", "sex", "region",
    "erased_at",
)  # fmt: skip
MOST_OF_A_NAME = 2  # lines of a file, none known by an id, that are looked up by their name
_MOST_DAYS = 2  # of birth in a file that are compared with a player's


class KnownPlayers:
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
        self.years = {key: without_day(person) for key, (_, person) in self.people.items()}
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
        line = person_of(entrant)
        return any(is_same_name(line, self.people[player][1]) for player in self.of_ids(entrant))


def _sounding_like(entrants: Sequence[Entrant]) -> dict[int, NameParts]:
    """Return the names of those on the register with a word that sounds like one of the file, by key."""
    heard = set().union(*(sounds(fold(entrant.name)) for entrant in entrants))
    names = on_register().values_list("pk", "folded_name", "last_name", "first_name")
    return {
        key: parts_of(Person(last_name, first_name))
        for key, folded_name, last_name, first_name in (names.iterator(chunk_size=5000) if heard else ())
        if not heard.isdisjoint(sounds(folded_name))
    }


def of_repeated_names(entrants: Sequence[Entrant], known: KnownPlayers) -> set[int]:
    """Return the start numbers of lines whose name stands in more than MOST_OF_A_NAME lines that no id tells apart.

    They are matched by an id only.
    """
    names = {entrant.number: fold(entrant.name) for entrant in entrants if not known.bears_its_id(entrant)}
    lines = Counter(names.values())
    return {number for number, name in names.items() if name and lines[name] > MOST_OF_A_NAME}


def of_repeated_ids(entrants: Sequence[Entrant]) -> set[int]:
    """Return the start numbers of lines with an id that stands in more than MOST_OF_A_NAME lines."""
    ids = {entrant.number: {chess_sa_id(entrant), entrant.fide_id} - {""} for entrant in entrants}
    lines = Counter(key for of_line in ids.values() for key in of_line)
    return {number for number, of_line in ids.items() if any(lines[key] > MOST_OF_A_NAME for key in of_line)}


def compared_by_day(entrants: Sequence[Entrant], known: KnownPlayers) -> set[tuple[int, int]]:
    """Return the start numbers and players whose days of birth are compared, of a player's lines _MOST_DAYS at most: those with
    an id of his first, then those with his name, then those with nearly his. Of others the years, which are public, are.
    """
    lines = defaultdict[int, list[tuple[bool, bool, int]]](list)
    repeated = of_repeated_names(entrants, known) | of_repeated_ids(entrants)
    for entrant in entrants:
        if entrant.birth_date is None or entrant.number in repeated:
            continue
        line, of_ids = person_of(entrant), known.of_ids(entrant)
        for player in of_ids | known.by_name[entrant.number]:
            person = known.people[player][1]
            if person.birth_date is not None:
                lines[player].append((player not in of_ids, not is_same_name(line, person), entrant.number))
    return {(number, player) for player, of_player in lines.items() for *_, number in sorted(of_player)[:_MOST_DAYS]}
