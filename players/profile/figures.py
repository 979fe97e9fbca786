"""A player's figures on all lists: of the published months, of his activity, and of the open month."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, CharField, F, FloatField, QuerySet, Value, When
from django.db.models.functions import ExtractMonth, ExtractYear

from config.lib.database import as_float
from players.models import FideRating
from players.profile.fide import FideFigure, fide_figures
from players.profile.history import ListStanding, standing_columns, standings_from
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication
from ratings.live.queries import LiveStanding
from ratings.models import Activity, LiveRating, Rating

_PUBLISHED, _ACTIVITY, _LIVE, _FIDE = "published", "activity", "live", "fide"
_NONE = Value(None, output_field=FloatField())


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's standings of the published months, oldest first, with what else is known of him by list.

    `counted`: games that count towards his activity by (run, list); `live`: (rating, previous, games) by list; `fide`: those
    of FIDE's list, which stand apart.
    """

    standings: list[ListStanding]
    counted: dict[tuple[int, int], int]
    live: dict[int, tuple[float, float | None, int]]
    fide: list[FideFigure]

    def live_standings(self, lists: Sequence[ListDefinition]) -> list[LiveStanding]:
        """Return his live ratings in the order of the lists."""
        return [LiveStanding(listing, *self.live[listing.id]) for listing in lists if listing.id in self.live]


def player_figures(player: int, published: Sequence[Publication], *, live: bool) -> PlayerFigures:
    """Return a player's figures; those of the open month if they are `live`, or else none of them. One query."""
    rows = Rating.objects.filter(player=player).order_by().values_list(_kind(_PUBLISHED), *standing_columns())
    parts: list[QuerySet[Any, Any]] = [_activity(player), _fide(player)]
    if live:
        parts.append(_live(player))
    of_kind: dict[str, list[tuple[Any, ...]]] = {_PUBLISHED: [], _ACTIVITY: [], _LIVE: [], _FIDE: []}
    for kind, *columns in rows.union(*parts, all=True):
        of_kind[kind].append(tuple(columns))
    return PlayerFigures(
        standings_from(of_kind[_PUBLISHED], published),
        {(run, listing): games for run, listing, games, *_ in of_kind[_ACTIVITY]},
        {listing: (rating, previous, games) for _, listing, games, rating, previous, *_ in of_kind[_LIVE]},
        fide_figures(columns[:6] for columns in of_kind[_FIDE]),
    )


def _kind(name: str) -> Value:
    return Value(name, output_field=CharField())


def _activity(player: int) -> QuerySet[Any, Any]:
    unused = [_NONE] * (len(standing_columns()) - 3)
    return (
        Activity.objects.filter(player=player)
        .order_by()
        .values_list(_kind(_ACTIVITY), "run_id", "list_id", "games", *unused)
    )


def _live(player: int) -> QuerySet[Any, Any]:
    unused = [_NONE] * (len(standing_columns()) - 5)
    return (
        LiveRating.objects.filter(player=player, position__isnull=False)
        .order_by()
        .values_list(_kind(_LIVE), _NONE, "list_id", "games", as_float("published"), as_float("previous"), *unused)
    )


def _fide(player: int) -> QuerySet[Any, Any]:
    """Return the rows of FIDE's ratings: month (counted from year 0), place of the kind, games, rating, K, inactive."""
    unused = [_NONE] * (len(standing_columns()) - 6)
    month = ExtractYear("list__month") * 12 + ExtractMonth("list__month") - 1
    place = Case(*(When(kind=kind, then=place) for place, kind in enumerate(FideRating.Kind)))
    inactive = Case(When(inactive=True, then=1.0), When(inactive=False, then=0.0), output_field=FloatField())
    return (
        FideRating.objects.filter(player=player)
        .order_by()
        .values_list(_kind(_FIDE), month, place, F("games"), as_float("rating"), as_float("k"), inactive, *unused)
    )
