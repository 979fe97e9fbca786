"""Games between players of the register: two of them, or many at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from events.models import Game
from events.rules.game_result import PLAYED, POINTS, Result
from events.visibility import results_shown


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game that was played between two players, by their keys, or by those of guests who are on the register."""

    white: int
    black: int
    result: Result
    colour_known: bool
    event: int
    event_name: str
    section: int
    section_name: str
    round: int
    ends: date | None

    def points(self, player: int) -> float:
        """Return a player's points."""
        return POINTS[self.result][0 if player == self.white else 1]


@dataclass(frozen=True, slots=True)
class Score:
    """What a player scored against another in games that were played."""

    games: int
    wins: int
    draws: int
    losses: int
    points: float


def meetings(players: Collection[int]) -> list[Meeting]:
    """Return the games that were played between any two of these players and are public, newest first. One query.

    Byes, forfeits and games that were not played are left out.
    """
    rows = (
        Game.objects.filter(results_shown("section"), result__in=[result.value for result in PLAYED])
        .annotate(
            first=Coalesce(F("white_id"), F("guest__player_id")), second=Coalesce(F("black_id"), F("guest__player_id"))
        )
        .filter(Q(first__in=players), Q(second__in=players))
        .order_by("-section__ends", "-section", "-round", "-pk")
        .values_list(
            "first", "second", "result", "colour_known", "section__event", "section__event__name", "section",
            "section__name", "round", "section__ends",
        )
    )  # fmt: skip
    return [Meeting(row[0], row[1], Result(row[2]), *row[3:]) for row in rows]


def score_of(player: int, games: Sequence[Meeting]) -> Score:
    """Return what a player scored in games that all are his."""
    points = [game.points(player) for game in games]
    return Score(len(games), points.count(1), points.count(0.5), points.count(0), sum(points))
