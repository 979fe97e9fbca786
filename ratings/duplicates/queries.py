"""Finds who may be on the register twice, and reads what a worker has found."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, permutations

from django.db.models import Exists, F, OuterRef, QuerySet

from events.models import Entry
from events.submission.persons import known_person
from players.identity import (
    BirthAgreement,
    Person,
    Strength,
    birth_agreement,
    likelihood,
    name_similarity,
    names_agree,
)
from players.merged import on_register
from players.models import Player
from ratings.models import DistinctPair, DuplicateSearch, LikelyDuplicate

MOST_SHOWN = 200
_MOST_ALIKE = 60  # players who are compared with one another
_FIELDS = ("number", "fide_id", "last_name", "first_name", "folded_name", "birth_date", "birth_year", "sex", "region")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two players who may be one person: why, and how likely, from 0 to 1. `second` came later to the register."""

    first: Player
    second: Player
    why: str
    score: float

    @property
    def players(self) -> tuple[Player, Player]:
        """Both."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The likeliest first, as many as are shown, how many there are in all, and when they were looked for, None for never."""

    shown: list[Duplicate]
    total: int
    as_of: datetime | None


def likely_duplicates() -> QuerySet[LikelyDuplicate]:
    """Return the pairs that the last search found, without those that were told apart or merged since."""
    apart = DistinctPair.objects.filter(first=OuterRef("first"), second=OuterRef("second"))
    return LikelyDuplicate.objects.filter(~Exists(apart), first__merged_into=None, second__merged_into=None)


def duplicates() -> Duplicates:
    """Return the likely duplicates that the last search found. Three queries."""
    found, search = likely_duplicates(), DuplicateSearch.objects.first()
    rows = found.select_related("first__region", "second__region")
    shown = [Duplicate(row.first, row.second, row.why, row.score) for row in rows[:MOST_SHOWN]]
    return Duplicates(shown, found.count(), search.at if search else None)


def find_duplicates() -> list[Duplicate]:
    """Return the pairs of players who may be one person and whom no officer has told apart, the likeliest first.

    Four queries, and seconds of calculation at 15,000 players: for a worker.

    They have the same name, whatever the order of its words, and no other birth; or nearly the same and the year of birth; or
    one was entered in a file with the FIDE id of the other.
    """
    players = {player.pk: player for player in on_register().only(*_FIELDS).select_related("region")}
    apart = set(DistinctPair.objects.values_list("first", "second"))
    found: dict[tuple[int, int], Duplicate] = {}
    people = {key: _person(player) for key, player in players.items()}
    for pair in set(_alike(players.values())):
        if pair not in apart:
            duplicate = _compared(*((players[key], people[key]) for key in pair))
            if duplicate is not None:
                found[pair] = duplicate
    for first, second, fide_id in _of_fide_ids():
        pair = min(first, second), max(first, second)
        if pair not in apart and pair[0] in players and pair[1] in players:
            why = f"one was entered in a file with FIDE id {fide_id}, which is the other’s"
            known = found.get(pair)
            reasons = f"{known.why}; {why}" if known else why
            found[pair] = Duplicate(players[pair[0]], players[pair[1]], reasons, 1.0)
    return sorted(found.values(), key=lambda row: (-row.score, row.first.folded_name, row.first.pk, row.second.pk))


def _alike(players: Iterable[Player]) -> Iterator[tuple[int, int]]:
    """Yield pairs to be compared, by key: of one name, or of one year, with a word of the name in common and the initial of
    another."""
    by_name: dict[str, list[int]] = defaultdict(list)
    by_word: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for player in players:
        words = player.folded_name.split()
        by_name[" ".join(sorted(words))].append(player.pk)
        if player.birth_year:
            shared = {(word, other[0]) for word, other in permutations(words, 2) if len(word) > 1}
            for word, initial in shared:
                by_word[player.birth_year, word, initial].append(player.pk)
    for name, keys in by_name.items():
        if name and len(keys) <= _MOST_ALIKE:
            yield from combinations(sorted(keys), 2)
    for keys in by_word.values():
        if len(keys) <= _MOST_ALIKE:
            yield from combinations(sorted(keys), 2)


def _compared(first_row: tuple[Player, Person], second_row: tuple[Player, Person]) -> Duplicate | None:
    (first, one), (second, other) = first_row, second_row
    if birth_agreement(one, other) in (BirthAgreement.OTHER_DAY, BirthAgreement.OTHER_YEAR):
        return None
    if not names_agree(one, other):
        return None
    match = likelihood(one, other)
    if match.strength is Strength.AGAINST or (one.sex and other.sex and one.sex != other.sex and match.score < 0.6):
        return None
    return Duplicate(
        first, second, match.reason, match.score if name_similarity(one, other) == 1.0 else match.score - 0.05
    )


def _person(player: Player) -> Person:
    """Return a player without his ids, which tell two rows of the register apart and not two people."""
    known = known_person(player)
    return Person(
        known.last_name, known.first_name, birth_date=known.birth_date, birth_year=known.birth_year, sex=known.sex
    )


def _of_fide_ids() -> list[tuple[int, int, int]]:
    """Return the players who were entered with a FIDE id of another: their keys and the id."""
    ids = dict(on_register().filter(fide_id__isnull=False).order_by().values_list("fide_id", "pk"))
    rows = Entry.objects.filter(fide_id_in_file__isnull=False, player__merged_into=None)
    others = rows.exclude(fide_id_in_file=F("player__fide_id")).order_by().values_list("player", "fide_id_in_file")
    return [
        (player, ids[fide_id], fide_id)
        for player, fide_id in others.distinct()
        if fide_id is not None and ids.get(fide_id, player) != player
    ]
