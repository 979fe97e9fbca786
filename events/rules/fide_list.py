"""Holds people of files and results from abroad against FIDE's list of the month in which the event began. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from config.lib import formatting
from events.rules.abroad import GameAbroad
from events.rules.findings import Finding, Severity, several
from events.rules.game_result import BYES
from events.rules.tournament import Entrant
from players.identity import is_another_name


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """What the list says of a person; ratings are None for the unrated. `ratings`: by type of game."""

    name: str
    federation: str
    ratings: Mapping[str, int | None]

    def rating(self, type_of_game: str) -> tuple[int | None, str]:
        """Return the rating that counts for a type of game, and its kind: the standard one where there is no other."""
        kind = type_of_game if self.ratings.get(type_of_game) else "standard"
        return self.ratings.get(kind), kind


@dataclass(frozen=True, slots=True)
class ListedPeople:
    """The opponents by FIDE id as the list of a month has them."""

    month: date
    people: Mapping[int, ListedPerson]

    @property
    def name(self) -> str:
        """The list, in words."""
        return f"FIDE’s list of {formatting.month(self.month)}"


def entrant_findings(entrants: Sequence[Entrant], listed: ListedPeople) -> Iterator[Finding]:
    """Yield, for a FIDE-rated section, a hold for each FIDE id of another name, and a note of those not on the list (14.4).

    Who has just got an id is on no list before the next month's.
    """
    missing = []
    for entrant in entrants:
        if not entrant.fide_id.isdecimal():
            continue
        person = listed.people.get(int(entrant.fide_id))
        if person is None:
            missing.append(entrant)
        elif is_another_name(entrant.name, person.name):
            message = f"{listed.name} has the FIDE id {entrant.fide_id} for {person.name}, and not for {entrant.name}."
            yield Finding(Severity.HOLD, "fide-id-of-another", message, line=entrant.line, article="14.4")
    if missing:
        first = missing[0]
        message = (
            f"{listed.name} has no player with the FIDE id of {formatting.count(len(missing), 'line')}; the first is"
            f" {first.fide_id}, {first.name}."
        )
        lines = several(entrant.line for entrant in missing)
        yield Finding(Severity.NOTE, "fide-id-not-listed", message, line=first.line, article="14.4", lines=lines)


def listed_findings(games: tuple[GameAbroad, ...], type_of_game: str, listed: ListedPeople) -> Iterator[Finding]:
    """Yield a hold for each opponent abroad whom the list has otherwise, and a note of those who agree."""
    agreeing = 0
    seen: set[int] = set()
    for game in games:
        if game.fide_id is None or game.fide_id in seen or game.result in BYES:
            continue
        seen.add(game.fide_id)
        finding = _finding(game, type_of_game, listed.people.get(game.fide_id), listed.name)
        if finding:
            yield finding
        else:
            agreeing += 1
    if agreeing:
        message = f"{listed.name} agrees with {formatting.count(agreeing, 'opponent')}."
        yield Finding(Severity.NOTE, "fide-list-agrees", message, article="44")


def _finding(game: GameAbroad, type_of_game: str, person: ListedPerson | None, list_text: str) -> Finding | None:
    start = f"Round {game.round}: {list_text}"
    if person is None:
        message = f"{start} has no player with the id {game.fide_id}. Look into the official results."
        return Finding(Severity.HOLD, "fide-id-not-listed", message, article="14.4")
    if is_another_name(game.opponent, person.name):
        message = f"{start} has the id {game.fide_id} for {person.name}, and not for {game.opponent}."
        return Finding(Severity.HOLD, "fide-id-of-another", message, article="14.4")
    rating, kind = person.rating(type_of_game)
    if rating == game.fide_rating:
        return None
    if rating is None:
        message = f"{start} has {person.name} without a rating; {game.fide_rating} is given."
    elif game.fide_rating is None:
        message = f"{start} has {person.name} at {rating} ({kind}), which counts; a performance is given."
    else:
        message = f"{start} has {person.name} at {rating} ({kind}); {game.fide_rating} is given."
    return Finding(Severity.HOLD, "fide-rating-differs", message, article="44")
