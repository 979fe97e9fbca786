"""Games between players of the register: two of them, or many at once."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from events.models import Game, Kind
from events.rules.game_result import BYES, PENALISED, PLAYED, POINTS, Result
from events.visibility import results_shown
from players.profile.statistics import Record
from ratings.lists.definitions import ListDefinition
from ratings.models import Performance


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game between two players, by their keys, or by those of guests who are on the register.

    `rated_on`: the lists that a published run rated it on; `is_abroad`: one of them sent it in from an event abroad.
    """

    white: int
    black: int
    result: Result
    colour_known: bool
    event: int
    event_name: str
    section: int
    section_name: str
    round: int
    ends: date
    is_abroad: bool
    rated_on: frozenset[int] = frozenset()

    @property
    def is_played(self) -> bool:
        """Whether it was played and counts in the score."""
        return self.result in PLAYED

    def points(self, player: int) -> float:
        """Return a player's points."""
        return POINTS[self.result][0 if player == self.white else 1]

    def remark(self, player: int) -> str:
        """Return what colour a player had, or why the game does not count, and whether it was abroad."""
        if self.result in PENALISED:
            return gettext("not rated")
        if not self.is_played:
            return gettext("not played, not rated")
        colour = (gettext("White") if player == self.white else gettext("Black")) if self.colour_known else ""
        return ", ".join(part for part in (colour, gettext("abroad") if self.is_abroad else "") if part)


def meetings(players: Collection[int]) -> list[Meeting]:
    """Return the public games between any two of these players, newest first. Two queries.

    This is what the page of two players, the API and its crosstables stand on. A score counts what was played, on whatever
    list, or on none yet: that is what "they have met three times" means. Forfeits, games decided before each side had moved
    and games that an arbiter's penalty changed are here too, to be shown apart, and count in no score; byes have no opponent.
    A game abroad counts as any other, marked, if its sender's opponent is on the register; what both have sent in is one game.
    """
    rows = (
        Game.objects.filter(results_shown("section"))
        .exclude(result__in=[result.value for result in BYES])
        .annotate(
            first=Coalesce(F("white_id"), F("guest__player_id")), second=Coalesce(F("black_id"), F("guest__player_id"))
        )
        .filter(Q(first__in=players), Q(second__in=players))
        .order_by("-section__ends", "-section", "-round", "-pk")
        .values_list(
            "first", "second", "result", "colour_known", "section__event", "section__event__name", "section",
            "section__name", "round", "section__ends", "section__event__kind",
        )
    )  # fmt: skip
    games = [Meeting(row[0], row[1], Result(row[2]), *row[3:10], row[10] == Kind.ABROAD) for row in rows]
    rated = _rated_on({game.section for game in games}, players)
    return [_with_lists(game, rated) for game in {_sent_in_once(game): game for game in games}.values()]


def _sent_in_once(game: Meeting) -> tuple[object, ...]:
    """What tells a game from others; two reports of one game abroad, from either side, have it in common."""
    return (frozenset((game.white, game.black)), game.round, game.ends, None if game.is_abroad else game.section)


def _with_lists(game: Meeting, rated: dict[tuple[int, int], set[int]]) -> Meeting:
    if not game.is_played:
        return game
    of_both = (rated.get((game.section, player), set()) for player in (game.white, game.black))
    return replace(game, rated_on=frozenset().union(*of_both))


def _rated_on(sections: Collection[int], players: Collection[int]) -> dict[tuple[int, int], set[int]]:
    """Return (section, player) → the lists on which the published run of its period rated him. One query, or none."""
    lists: dict[tuple[int, int], set[int]] = {}
    published = F("section__period__publication__run")
    rows = Performance.objects.filter(section__in=sections, player__in=players, run=published).order_by()
    for section, player, listing in rows.values_list("section_id", "player_id", "list_id"):
        lists.setdefault((section, player), set()).add(listing)
    return lists


def score_of(player: int, games: Iterable[Meeting], label: str = "") -> Record:
    """Return what a player scored in games that all are his, as far as they were played."""
    record = Record(label)
    for game in games:
        if game.is_played:
            record.add(game.points(player))
    return record


def scores_of(player: int, games: Sequence[Meeting], lists: Iterable[ListDefinition]) -> list[Record]:
    """Return a player's score in all games, with each colour and on each list that rated some of them."""
    with_colour = [game for game in games if game.colour_known]
    parts = [
        score_of(player, games, gettext("All games")),
        score_of(player, [game for game in with_colour if game.white == player], gettext("with White")),
        score_of(player, [game for game in with_colour if game.black == player], gettext("with Black")),
        *(
            score_of(
                player,
                [game for game in games if listing.id in game.rated_on],
                gettext("rated on %(list)s") % {"list": listing.name},
            )
            for listing in lists
        ),
    ]
    return [record for record in parts if record.games]
