"""Real players as the calculators of the other systems start from them: where they stand on a published list."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from config.lib.editions import EditionError
from events.visibility import public_players
from players.identity import is_chess_sa_id
from ratings.models import Rating, RatingList
from ratings.runs.sequential import standings_after
from ratings.systems.adapters import PlayerFacts


@dataclass(frozen=True, slots=True)
class Member:
    """A registered player, and his standing on a list as an event of the day would see it; without a list there is none."""

    number: str
    name: str
    standing: Any = None
    person: PlayerFacts | None = None

    @property
    def rating(self) -> float | None:
        """His rating on the list, if he has one."""
        return None if self.standing is None else self.standing.rating


def lists_of(system: str, run: int) -> list[RatingList]:
    """Return the lists of a system with ratings in a published run, in order. One query."""
    rated = Rating.objects.filter(run=run, published__isnull=False).values("list_id")
    return list(RatingList.objects.filter(system=system, pk__in=rated).select_related("starts_from"))


def members(numbers: Collection[str], rating_list: RatingList | None, run: int | None, on: date) -> dict[str, Member]:
    """Registered players by number, with where they stand on the list after a run. Five queries, however many they are."""
    rows = (
        public_players()
        .filter(number__in={number for number in numbers if is_chess_sa_id(number)})
        .values_list("pk", "number", "first_name", "last_name")
    )
    names = {pk: (number, f"{first} {last}".strip()) for pk, number, first, last in rows}
    standings: dict[int, tuple[Any, PlayerFacts]] = {}
    if rating_list is not None and names:
        try:
            standings = standings_after(run, rating_list, list(names), on)
        except EditionError:  # the list's rules were not in force yet: no player stands on it
            standings = {}
    return {number: Member(number, name, *standings.get(pk, ())) for pk, (number, name) in names.items()}
