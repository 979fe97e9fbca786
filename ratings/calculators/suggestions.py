"""Suggestions for a player's field."""

from typing import Any

from django.utils.translation import gettext

from config.lib import formatting
from config.lib.database import as_float
from events.visibility import public_players
from players.search import suggested_players
from ratings.lists.queries import publications
from ratings.models import Rating
from ratings.systems.chessa.columns import LISTS

NO_LIST = "none"  # instead of a list's code: no ratings


def suggestions(text: str, period: str = "", list_code: str = "") -> dict[str, Any]:
    """Return up to eight players whose name or number begins with a text, with published and raw ratings.

    The ratings are those on the four national lists, or on the list `list_code`, at the start of the rating period `period`
    (`2026-11`), by default the latest: `{"day": "2026-11-01", "players": [{"number", "name", "region", "ratings": {"main":
    {"published", "raw"}}, "told"}]}`. `told`: the rating to be shown beside the name, in words.
    """
    codes = (list_code,) if list_code else LISTS
    published = publications()
    at_period = (publication for publication in published if f"{publication.day:%Y-%m}" == period)
    latest = next(at_period, published[0] if published else None)
    players = suggested_players(public_players(), text)
    ratings: dict[int, dict[str, dict[str, float]]] = {player.pk: {} for player in players}
    texts: dict[int, str] = {}
    if latest:
        rows = Rating.objects.filter(
            run_id=latest.run, player_id__in=list(ratings), list__code__in=codes, published__isnull=False
        )
        for pk, code, name, rating, raw in rows.order_by("list__position").values_list(
            "player_id", "list__code", "list__name", as_float("published"), as_float("raw")
        ):
            ratings[pk][code] = {"published": rating, "raw": raw}
            if code == codes[0]:
                texts[pk] = f"{name} {formatting.rating(*((rating, 0) if list_code else (raw, 1)))}"
    return {
        "day": latest.day.isoformat() if latest else None,
        "players": [
            {
                "number": player.number,
                "name": player.name,
                "region": player.region and player.region.code,
                "ratings": ratings[player.pk],
                "told": texts.get(player.pk, "" if list_code == NO_LIST else gettext("unrated")),
            }
            for player in players
        ],
    }
