"""Holds opponents abroad against FIDE's list of the month in which the event began (articles 14.4, 44). Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from config.lib import formatting
from events.rules.abroad import GameAbroad
from events.rules.findings import Finding, Severity
from events.rules.game_result import BYES
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


def listed_findings(games: tuple[GameAbroad, ...], type_of_game: str, listed: ListedPeople) -> Iterator[Finding]:
    """Yield a hold for each opponent whom the list has otherwise, and a note of those who agree."""
    agreeing = 0
    seen: set[int] = set()
    list_text = f"FIDE’s list of {formatting.month(listed.month)}"
    for game in games:
        if game.fide_id is None or game.fide_id in seen or game.result in BYES:
            continue
        seen.add(game.fide_id)
        finding = _finding(game, type_of_game, listed.people.get(game.fide_id), list_text)
        if finding:
            yield finding
        else:
            agreeing += 1
    if agreeing:
        message = f"{list_text} agrees with {formatting.count(agreeing, 'opponent')}."
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
