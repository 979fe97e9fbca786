"""Suggestions for a player's field."""

from typing import Any

from config.lib import formatting
from config.lib.database import as_float
from events.visibility import public_players
from players.search import suggested_players
from ratings.lists.queries import publications
from ratings.models import Rating
from ratings.systems.chessa.columns import LISTS

NO_LIST = "none"  # where no rating of a suggested player can be used


def suggestions(text: str, period: str = "", list_code: str = "") -> dict[str, Any]:
    """Up to eight players whose name or number begins so, with their published and raw ratings on the regulations' four
    lists, or on the one list that is named: those at the start of a rating period (`2026-11`), or the latest.

    `{"day": "2026-11-01", "players": [{"number", "name", "region", "ratings": {"main": {"published", "raw"}}, "told"}]}`,
    where `told` is the rating by which a reader knows him, in words.
    """
    codes = (list_code,) if list_code else LISTS
    published = publications()
    at_period = (publication for publication in published if f"{publication.day:%Y-%m}" == period)
    latest = next(at_period, published[0] if published else None)
    players = suggested_players(public_players(), text)
    ratings: dict[int, dict[str, dict[str, float]]] = {player.id: {} for player in players}
    told: dict[int, str] = {}
    if latest:
        rows = Rating.objects.filter(
            run_id=latest.run, player_id__in=list(ratings), list__code__in=codes, published__isnull=False
        )
        for pk, code, name, rating, raw in rows.order_by("list__position").values_list(
            "player_id", "list__code", "list__name", as_float("published"), as_float("raw")
        ):
            ratings[pk][code] = {"published": rating, "raw": raw}
            if code == codes[0]:
                told[pk] = f"{name} {formatting.rating(*((rating, 0) if list_code else (raw, 1)))}"
    return {
        "day": latest.day.isoformat() if latest else None,
        "players": [
            {
                "number": player.number,
                "name": player.name,
                "region": player.region,
                "ratings": ratings[player.id],
                "told": told.get(player.id, "" if list_code == NO_LIST else "unrated"),
            }
            for player in players
        ],
    }
