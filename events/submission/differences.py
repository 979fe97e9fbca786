"""Finds the differences between two files of a section. Pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import zip_longest
from operator import attrgetter
from typing import Final

from config.lib.names import shown
from config.lib.texts import shortened
from events.rules.game_result import mirrored
from events.rules.limits import LONGEST_TEXT
from events.rules.tournament import Entrant, Pairing, Tournament
from players.identity import NAME_AGREES, Person, name_similarity, sorted_words

_LONGEST_QUOTED: Final = 10 * LONGEST_TEXT  # letters: a hundred deputies are one text


class What(StrEnum):
    """The detail that differs."""

    EVENT_NAME = "event-name"
    CITY = "city"
    STARTS = "starts"
    ENDS = "ends"
    CHIEF_ARBITER = "chief-arbiter"
    DEPUTY_ARBITERS = "deputy-arbiters"
    TIME_CONTROL = "time-control"
    PLANNED_ROUNDS = "planned-rounds"
    ROUND_DATE = "round-date"
    PLAYER_ADDED = "player-added"
    PLAYER_GONE = "player-gone"
    NAME = "name"
    NATIONAL_ID = "national-id"
    FIDE_ID = "fide-id"
    BIRTH = "birth"
    SEX = "sex"
    TITLE = "title"
    RATING = "rating"
    GAME_ADDED = "game-added"
    GAME_GONE = "game-gone"
    RESULT = "result"
    COLOURS = "colours"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference: the detail `before` and `after` as texts, "" for nothing; `line`: of the new file; a sentence.

    In the texts signs stand for characters that cannot be seen.
    """

    what: What
    before: str
    after: str
    line: int | None
    sentence: str

    def __post_init__(self) -> None:
        for name in ("before", "after", "sentence"):
            object.__setattr__(self, name, shown(getattr(self, name)))


def differences(before: Tournament, after: Tournament) -> list[Difference]:
    """Return how `after` differs from `before`: the event, its rounds, its players, its games, in this order.

    Players are matched by national id, FIDE id, name, or start number with a similar name. Start numbers may differ.
    """
    pairs = _pair(before, after)
    return [
        *_of_event(before, after),
        *_of_round_dates(before, after),
        *_of_players(before, after, pairs),
        *_of_games(before, after, pairs),
    ]


_EVENT: tuple[tuple[What, str, Callable[[Tournament], str]], ...] = (
    (What.EVENT_NAME, "name of the event", lambda file: file.name),
    (What.CITY, "city", lambda file: file.city),
    (What.STARTS, "start", lambda file: _day(file.starts)),
    (What.ENDS, "end", lambda file: _day(file.ends)),
    (What.CHIEF_ARBITER, "Chief Arbiter", lambda file: file.chief_arbiter),
    (What.DEPUTY_ARBITERS, "list of the Deputies", lambda file: "; ".join(file.deputy_arbiters)),
    (What.TIME_CONTROL, "time control", lambda file: _time_control(file)),
    (What.PLANNED_ROUNDS, "number of rounds planned", lambda file: str(file.planned_rounds or "")),
)
_PLAYER: tuple[tuple[What, str, Callable[[Entrant], str]], ...] = (
    (What.NAME, "name", lambda entrant: entrant.name),
    (What.NATIONAL_ID, "national id", lambda entrant: entrant.national_id),
    (What.FIDE_ID, "FIDE id", lambda entrant: entrant.fide_id),
    (What.BIRTH, "birth date", lambda entrant: _day(entrant.birth_date) or str(entrant.birth_year or "")),
    (What.SEX, "sex", lambda entrant: entrant.sex),
    (What.TITLE, "title", lambda entrant: entrant.title),
    (What.RATING, "rating", lambda entrant: str(entrant.rating or "")),
)


def _of_event(before: Tournament, after: Tournament) -> Iterator[Difference]:
    for what, called, value in _EVENT:
        old, new = value(before), value(after)
        if old != new:
            old, new = shortened(old, _LONGEST_QUOTED), shortened(new, _LONGEST_QUOTED)
            yield Difference(what, old, new, None, _sentence(f"The {called}", old, new))


def _of_round_dates(before: Tournament, after: Tournament) -> Iterator[Difference]:
    for number, (old, new) in enumerate(zip_longest(before.round_dates, after.round_dates), start=1):
        if old != new:
            sentence = _sentence(f"The date of round {number}", _day(old), _day(new))
            yield Difference(What.ROUND_DATE, _day(old), _day(new), None, sentence)


def _of_players(before: Tournament, after: Tournament, pairs: dict[int, int]) -> Iterator[Difference]:
    old_ones = {entrant.number: entrant for entrant in before.entrants}
    for entrant in after.entrants:
        if entrant.number not in pairs:
            called = _called(entrant)
            yield Difference(What.PLAYER_ADDED, "", called, entrant.line, f"{called} is new in the file.")
            continue
        old_one = old_ones[pairs[entrant.number]]
        for what, detail, value in _PLAYER:
            old, new = value(old_one), value(entrant)
            if old != new:
                subject = f"The {detail} of {_called(old_one if what is What.NAME else entrant)}"
                yield Difference(what, old, new, entrant.line, _sentence(subject, old, new))
    kept = set(pairs.values())
    for entrant in before.entrants:
        if entrant.number not in kept:
            called = _called(entrant)
            yield Difference(What.PLAYER_GONE, called, "", None, f"{called} is no longer in the file.")


def _of_games(before: Tournament, after: Tournament, pairs: dict[int, int]) -> Iterator[Difference]:
    old_games = _games(before, {entrant.number: ("old", entrant.number) for entrant in before.entrants})
    persons = {
        entrant.number: ("old", pairs[entrant.number]) if entrant.number in pairs else ("new", entrant.number)
        for entrant in after.entrants
    }
    new_games = _games(after, persons)
    old_names, new_names = _names(before), _names(after)
    for key, new in new_games.items():
        now = _game(new, new_names)
        if key not in old_games:
            yield Difference(What.GAME_ADDED, "", now, new.line, f"Round {new.round}: {now} is new in the file.")
            continue
        old = old_games[key]
        was = _game(old, old_names)
        exchanged = persons.get(new.white) != ("old", old.white)
        old_result = mirrored(old.result) if exchanged and old.result else old.result
        if old_result != new.result:
            sentence = f"Round {new.round}: {now} instead of {was}."
            yield Difference(What.RESULT, was, now, new.line, sentence)
        elif exchanged or old.colour_known != new.colour_known:
            sentence = f"Round {new.round}: the colours are those of {now} instead of {was}; the result stays."
            yield Difference(What.COLOURS, was, now, new.line, sentence)
    for key, old in old_games.items():
        if key not in new_games:
            was = _game(old, old_names)
            yield Difference(What.GAME_GONE, was, "", None, f"Round {old.round}: {was} is no longer in the file.")


def _names(tournament: Tournament) -> dict[int, str]:
    """Return start number → name, with an id or the start number where several players share a name."""
    times = Counter(_called(entrant) for entrant in tournament.entrants)
    names = {}
    for entrant in tournament.entrants:
        name = _called(entrant)
        apart = entrant.national_id or entrant.fide_id or f"number {entrant.number}"
        names[entrant.number] = f"{name} ({apart})" if times[name] > 1 else name
    return names


def _pair(before: Tournament, after: Tournament) -> dict[int, int]:
    """Return start number in the new file → start number in the old one, for the players who are in both."""
    pairs: dict[int, int] = {}
    for key in (attrgetter("national_id"), attrgetter("fide_id"), _folded, attrgetter("number")):
        waiting: defaultdict[Hashable, list[Entrant]] = defaultdict(list)
        taken = set(pairs.values())
        for entrant in before.entrants:
            if entrant.number not in taken:
                waiting[key(entrant)].append(entrant)
        for entrant in after.entrants:
            value = key(entrant)
            if not value or entrant.number in pairs or not waiting[value]:
                continue
            if isinstance(value, str) or _is_similar(entrant, waiting[value][0]):
                pairs[entrant.number] = waiting[value].pop(0).number
    return pairs


def _folded(entrant: Entrant) -> str:
    return sorted_words(entrant.name)


def _is_similar(new: Entrant, old: Entrant) -> bool:
    persons = [Person(entrant.last_name, entrant.first_name) for entrant in (new, old)]
    return bool(new.name and old.name) and name_similarity(*persons) >= NAME_AGREES


_Key = tuple[int, frozenset[tuple[str, int]], int]


def _games(tournament: Tournament, persons: dict[int, tuple[str, int]]) -> dict[_Key, Pairing]:
    """Return the pairings by (round, players, number); the number counts repetitions in a faulty file."""
    games: dict[_Key, Pairing] = {}
    for pairing in sorted(tournament.pairings, key=attrgetter("round", "white")):
        sides = (pairing.white,) if pairing.black is None else (pairing.white, pairing.black)
        people = frozenset(persons.get(side, ("unknown", side)) for side in sides)
        count = 0
        while (pairing.round, people, count) in games:
            count += 1
        games[pairing.round, people, count] = pairing
    return games


def _game(pairing: Pairing, names: dict[int, str]) -> str:
    """Return a pairing in words: `Cele, Ann – Botha, Ben 1-0`, or `Cele, Ann bye`."""
    sides = (pairing.white,) if pairing.black is None else (pairing.white, pairing.black)
    players = " – ".join(names.get(side, f"number {side}") for side in sides)
    colours = "" if pairing.colour_known or pairing.black is None else " (colours not known)"
    return f"{players} {pairing.result.value if pairing.result else 'without a result'}{colours}"


def _called(entrant: Entrant) -> str:
    return entrant.called or f"number {entrant.number}"


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _time_control(tournament: Tournament) -> str:
    control = tournament.time_control
    return f"{control.base}+{control.increment}" if control else tournament.time_control_text


def _sentence(subject: str, before: str, after: str) -> str:
    if not before:
        return f"{subject} is {after}; there was none."
    return f"{subject} is {after} instead of {before}." if after else f"{subject} is gone; it was {before}."
