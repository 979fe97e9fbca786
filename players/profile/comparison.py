"""Several players on one list."""

from collections.abc import Sequence
from dataclasses import dataclass

from config.lib.database import as_float
from players.models import Player
from players.profile.chart import Point, Series
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication
from ratings.models import Rating

MARKS = ("main", "standard", "rapid", "blitz")  # classes of colour and dash, told apart by those who see no colours
MOST_COMPARED = len(MARKS)


@dataclass(frozen=True, slots=True)
class ComparedPlayer:
    """A player with his published ratings on the list. `latest` and `highest` are texts, a dash where he is not on it."""

    player: Player
    series: Series
    latest: str
    highest: str


def compared(
    players: Sequence[Player], listing: ListDefinition, published: Sequence[Publication]
) -> list[ComparedPlayer]:
    """Return the players with their ratings on a list, in their order. One query, or none without a player."""
    if not players:
        return []
    by_run = {publication.run: publication for publication in published}
    rows = Rating.objects.filter(
        player_id__in=[player.pk for player in players], list_id=listing.id, published__isnull=False
    )
    points: dict[int, list[Point]] = {player.pk: [] for player in players}
    for run, player, rating, games in rows.order_by().values_list(
        "run_id", "player_id", as_float("published"), "games"
    ):
        if run in by_run:
            points[player].append(Point(by_run[run].day, rating, None, games))
    result = []
    for player, mark in zip(players, MARKS, strict=False):
        own = sorted(points[player.pk], key=lambda point: point.month)
        series = Series(player.number, player.name, own, mark=mark, decimals=listing.decimals, short=player.last_name)
        latest, highest = (own[-1].published, max(point.published for point in own)) if own else (None, None)
        result.append(ComparedPlayer(player, series, listing.rating(latest), listing.rating(highest)))
    return result
