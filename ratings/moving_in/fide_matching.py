"""Compares FIDE's list with the register: whose id it has, who may be one of its people, and what changes.

An id that the register has is a match unless the name speaks against it. A player without one is asked about where federation,
name and year of birth agree with somebody of the list; nobody gets an id unasked.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

import numpy as np

from config.lib import formatting
from events.files.fide_list.listed import KINDS, FideListError, Figure, ListedPlayer
from events.submission.persons import known_person
from players.identity import Person, Strength, fold, is_candidate, likelihood, sorted_words
from players.merged import on_register
from players.models import FideQuestion, FideRating, Player

CHUNK = 2_000  # players who are compared, and written, at once
LETTERS = dict(zip(KINDS, "SRB", strict=True))  # of `FideRating.Kind`


class Kind(StrEnum):
    """What a list means for a player on the register."""

    NEW = "new"  # no FIDE rating was held
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    QUESTION = "question"  # whether the person of the list is the player
    GONE = "gone"  # no longer on the list


@dataclass(frozen=True, slots=True)
class FideDifference:
    """What a list means for a player. `changes`: (what, before, after), "–" for nothing; `why`: of a question."""

    player: Player
    kind: Kind
    listed: ListedPlayer | None = None
    changes: tuple[tuple[str, str, str], ...] = ()
    why: str = ""


@dataclass
class Comparison:
    """A list that was read once: its month and kinds, and the players whom it may mean.

    `ids`: the FIDE ids of the list in its order; `matched`: player → the person who has his id; `possible`: (player, person)
    of one name; `unreadable`: who was left out; `cleaned`: the first of the `cleaned_names`, of which characters that cannot be
    seen are left out.
    """

    month: date
    kinds: tuple[str, ...]
    ids: "array[int]" = field(default_factory=lambda: array("q"))
    matched: dict[int, ListedPlayer] = field(default_factory=dict)
    possible: list[tuple[int, ListedPlayer]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    cleaned: list[str] = field(default_factory=list)
    cleaned_names: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the list holds all kinds, so that who is not on it is not listed at all."""
        return len(self.kinds) == len(KINDS)

    @property
    def most(self) -> int:
        """About how many differences there are, at least 1: for the progress."""
        return max(1, len(self.matched) + len(self.possible))


class RegisterIndex:
    """Finds the players whom a person of the list may mean. Small enough for a register of 400,000."""

    def __init__(self) -> None:
        """Read the register once."""
        self._by_id: dict[int, int] = {}
        self._federations: set[str] = set()
        keys, players = array("q"), array("q")
        rows = (
            on_register().order_by().values_list("pk", "fide_id", "last_name", "first_name", "birth_year", "federation")
        )
        for pk, fide_id, last_name, first_name, year, federation in rows.iterator(chunk_size=CHUNK):
            if fide_id:
                self._by_id[fide_id] = pk
                continue
            self._federations.add(federation)
            for key in _register_keys(federation, last_name, first_name, year):
                keys.append(hash(key))
                players.append(pk)
        order = np.argsort(np.frombuffer(keys, dtype=np.int64), kind="stable") if keys else np.array([], np.int64)
        self._keys = np.frombuffer(keys, dtype=np.int64)[order] if keys else order
        self._players = np.frombuffer(players, dtype=np.int64)[order] if keys else order

    def meet(self, person: ListedPlayer, comparison: Comparison) -> None:
        """Put a person of the list among the matched or the possible ones, if the register may have him."""
        player = self._by_id.get(person.fide_id)
        if player is not None:
            comparison.matched[player] = person
        elif person.federation in self._federations:
            found = {pk for key in _list_keys(person) for pk in self._of(hash(key))}
            comparison.possible += [(pk, person) for pk in sorted(found)]

    def _of(self, key: int) -> list[int]:
        first, last = (int(np.searchsorted(self._keys, key, side=side)) for side in ("left", "right"))
        players: list[int] = self._players[first:last].tolist()
        return players


def _register_keys(federation: str, last_name: str, first_name: str, year: int | None) -> Iterator[str]:
    words = sorted_words(f"{last_name} {first_name}")
    yield f"{federation} * {words}"
    if year is None:
        yield f"{federation} ? {words}"
        return
    yield f"{federation} {year} {words}"
    yield f"{federation} {year} {_short(last_name, first_name)}"


def _list_keys(person: ListedPlayer) -> Iterator[str]:
    words = sorted_words(person.name)
    if person.birth_year is None:
        yield f"{person.federation} * {words}"
        return
    last_name, first_name = names(person)
    yield f"{person.federation} ? {words}"
    yield f"{person.federation} {person.birth_year} {words}"
    yield f"{person.federation} {person.birth_year} {_short(last_name, first_name)}"


def _short(last_name: str, first_name: str) -> str:
    return f"{fold(last_name)}, {fold(first_name)[:1]}"


def names(person: ListedPlayer) -> tuple[str, str]:
    """Return (surname, first names) of a person of the list."""
    last_name, _, first_name = (part.strip() for part in person.name.partition(","))
    return last_name, first_name


def check_twice(ids: "array[int]") -> None:
    """Raise FideListError if an id stands twice in a list."""
    values = np.frombuffer(ids, dtype=np.int64) if ids else np.array([], np.int64)
    order = np.argsort(values, kind="stable")
    places = np.flatnonzero(np.diff(values[order]) == 0)
    if len(places):
        first, second = sorted(order[places[0] : places[0] + 2].tolist())
        more = f" ({formatting.count(len(places) - 1, 'more such id')})" if len(places) > 1 else ""
        raise FideListError(
            f"The FIDE id {values[first]} stands twice in the list, as player {first + 1} and player {second + 1}{more}."
            " Download the list again, or take one of the two out."
        )


def differences(comparison: Comparison, *, lock: bool = False) -> Iterator[list[FideDifference]]:
    """Yield what the list means for the players on the register, in chunks. `lock`: keep them until the transaction ends."""
    answers = {
        (player, fide_id): answer
        for player, fide_id, answer in FideQuestion.objects.exclude(answer="").values_list(
            "player", "fide_id", "answer"
        )
    }
    rows = Player.objects.select_for_update(of=("self",)) if lock else Player.objects.all()
    letters = [LETTERS[kind] for kind in comparison.kinds]
    for keys in _chunks(sorted(comparison.matched)):
        players = rows.filter(pk__in=keys).order_by("pk")
        held = _held(keys, letters)
        yield [
            difference
            for player in players
            if player.fide_id == comparison.matched[player.pk].fide_id
            and (difference := _difference(player, comparison, held.get(player.pk, {}), answers))
        ]
    for start in range(0, len(comparison.possible), CHUNK):
        pairs = comparison.possible[start : start + CHUNK]
        known = rows.order_by("pk").in_bulk([pk for pk, _ in pairs])
        yield [
            difference
            for pk, person in pairs
            if pk in known and (difference := _question(known[pk], person, answers.get((pk, person.fide_id), "")))
        ]
    for keys in _chunks(_gone(comparison, letters)):
        yield [FideDifference(player, Kind.GONE) for player in rows.filter(pk__in=keys).order_by("pk")]


def _chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(keys), CHUNK):
        yield keys[start : start + CHUNK]


def _held(keys: Iterable[int], letters: Sequence[str]) -> dict[int, dict[str, FideRating]]:
    held: dict[int, dict[str, FideRating]] = {}
    for rating in FideRating.objects.filter(player__in=keys, kind__in=letters):
        held.setdefault(rating.player_id, {})[rating.kind] = rating
    return held


def _gone(comparison: Comparison, letters: Sequence[str]) -> list[int]:
    rated = FideRating.objects.filter(kind__in=letters).order_by("player").values_list("player", flat=True).distinct()
    return [pk for pk in rated if pk not in comparison.matched]


def _difference(
    player: Player, comparison: Comparison, held: dict[str, FideRating], answers: Mapping[tuple[int, int], str]
) -> FideDifference | None:
    person = comparison.matched[player.pk]
    answer = answers.get((player.pk, person.fide_id), "")
    if answer == FideQuestion.Answer.OTHER:
        return FideDifference(player, Kind.GONE) if held else None
    match = likelihood(_person(person), known_person(player))
    if match.strength is not Strength.CERTAIN and not answer:
        return FideDifference(player, Kind.QUESTION, person, why=match.reason)
    changes = tuple(_changes(player, person, comparison.kinds, held))
    if not held and any(person.figures):
        return FideDifference(player, Kind.NEW, person, changes)
    return FideDifference(player, Kind.CHANGED if changes else Kind.UNCHANGED, person, changes)


def _changes(
    player: Player, person: ListedPlayer, kinds: Sequence[str], held: dict[str, FideRating]
) -> Iterator[tuple[str, str, str]]:
    for kind in kinds:
        figure: Figure | None = getattr(person, kind)
        known = held.get(LETTERS[kind])
        before = (known.rating, known.k or 0) if known else None
        after = (figure.rating, figure.k) if figure else None
        if before != after:
            yield kind, _rating(before), _rating(after)
    if person.title and person.title != player.title_id:
        yield "title", player.title_id or formatting.NONE, person.title


def _rating(figure: tuple[int, int] | None) -> str:
    if figure is None:
        return formatting.NONE
    return f"{figure[0]} (K {figure[1]})" if figure[1] else str(figure[0])


def _question(player: Player, person: ListedPlayer, answer: str) -> FideDifference | None:
    if answer or player.fide_id or player.federation != person.federation:
        return None
    listed, known = _person(person), known_person(player)
    match = likelihood(listed, known)
    return (
        FideDifference(player, Kind.QUESTION, person, why=match.reason) if is_candidate(listed, known, match) else None
    )


def _person(person: ListedPlayer) -> Person:
    last_name, first_name = names(person)
    return Person(last_name, first_name, fide_id=str(person.fide_id), birth_year=person.birth_year, sex=person.sex)
