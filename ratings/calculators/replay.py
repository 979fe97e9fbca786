"""A published section on a list of another system, played again by one of its players: everybody else's games as they were.

The whole section is rated by the function that rated it for the list, from the standings that it saw then. With the results
as they were played it gives the published figures bit for bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from config.lib.database import as_float
from events.models import Section
from events.visibility import public_players
from players.hidden import in_public
from players.identity import is_chess_sa_id
from players.models import Player
from ratings.calculators.fields import game_result, own_result
from ratings.calculators.players import published_section
from ratings.explanations.case_files import AGES_BY_DAY, section_case
from ratings.explanations.queries import guest_names, names_of_players
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.models import Performance, Rating
from ratings.runs.inputs import read_input
from ratings.runs.sequential import rate_section
from ratings.systems.adapters import ADAPTERS, Rated
from ratings.systems.base import Event, Opponent


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the player's: its place in the event, the other side, and the result from his own side."""

    place: int
    round: int | None
    white: bool
    opponent: str | Opponent
    result: str


@dataclass(frozen=True)
class Replay:
    """What is played again, and by whom. `rated`: as it was played; `shown`: everybody's rating before it, as readers know
    it; `published`: the player's rating at the end of the month; `ages_by_day`: the month was calculated with ages to the day,
    which are not shown, and is played again with years."""

    listing: ListDefinition
    section: Section
    player: Player
    rated: Rated
    shown: dict[str, float | None]
    published: float | None
    ages_by_day: bool

    @property
    def id(self) -> str:
        """The player in the calculation."""
        return str(self.player.pk)

    @cached_property
    def games(self) -> list[OwnGame]:
        """His games, in the order of their rounds."""
        own_games = []
        for place, game in enumerate(self.rated.event.games):
            white = game.white == self.id
            opponent = game.black if white else game.white
            if opponent is not None and (white or game.black == self.id):
                own_games.append(OwnGame(place, game.round, white, opponent, own_result(game.result, white)))
        return sorted(own_games, key=lambda game: (game.round or 0, game.place))

    @cached_property
    def people(self) -> dict[str, Player]:
        """The section's players, as the public sees them, by their ids in the calculation. One query."""
        people = Player.objects.in_bulk([int(name) for name in self.shown])
        return {str(pk): in_public(player) for pk, player in people.items()}

    @cached_property
    def names(self) -> dict[str, str]:
        """The players' names for readers, by their ids in the calculation."""
        names = names_of_players({player.pk: player for player in self.people.values()})
        return {str(pk): name for pk, name in names.items()}

    @cached_property
    def guests(self) -> dict[tuple[int, int], str]:
        """The names of opponents abroad, by section and round."""
        return guest_names(self.player.pk, [self.section.pk])

    def rate(self, results: Sequence[str]) -> Rated:
        """Return the section rated with other results of the player, one a game. Raises RatingError if it cannot be rated."""
        return ADAPTERS[self.listing.system].rate(self._event(results), self.rated.before, self.rated.edition)

    def case(self, results: Sequence[str]) -> dict[str, Any]:
        """Return the section with other results of the player as a rating case."""
        remark = AGES_BY_DAY if self.ages_by_day else ""
        return section_case(self.listing, replace(self.rated, event=self._event(results)), self.people, remark=remark)

    def after(self, rated: Rated) -> float | None:
        """Return the player's rating after a rating of the section, as readers know it."""
        line = rated.lines[self.id]
        return line.rating if line.published is None else line.published

    def _event(self, results: Sequence[str]) -> Event:
        games = list(self.rated.event.games)
        for own, result in zip(self.games, results, strict=True):
            games[own.place] = replace(games[own.place], result=game_result(result, own.white))
        return replace(self.rated.event, games=tuple(games))


def read_replay(system: str, code: str, number: str, section_id: str) -> Replay | None:
    """Return a player's part of a published section on a list of a system, to be played again; None where there is none."""
    listing = next(
        (
            definition
            for definition in list_definitions()
            if definition.system == system and code in ("", definition.code)
        ),
        None,
    )
    section = published_section(section_id)
    player = public_players().filter(number=number).first() if is_chess_sa_id(number) else None
    if listing is None or listing.is_national or section is None or section.period is None or player is None:
        return None
    run = section.period.publication.run_id
    if not Performance.objects.filter(run=run, list=listing.id, section=section.pk).exists():
        return None
    period_input = read_input(section.period)
    rated = rate_section(period_input, listing.id, section.pk)
    if rated is None or str(player.pk) not in rated[1]:
        return None
    published = Rating.objects.filter(run=run, list=listing.id, player=player.pk).values_list(as_float("published"))
    by_day = period_input.ages_by_day and ADAPTERS[system].uses_age
    return Replay(listing, section, player, *rated, next((value for (value,) in published), None), by_day)
