"""Suggestions for a player's field."""

from typing import Any

from config.lib import formatting
from config.lib.database import as_float
from events.visibility import public_players
from players.search import name_choice
from ratings.lists.queries import publications
from ratings.models import Rating
from ratings.systems.chessa.columns import LISTS

MOST = 8
NO_LIST = "none"  # where no rating of a suggested player can be used


def suggestions(text: str, period: str = "", list_code: str = "") -> dict[str, Any]:
    """Up to eight players whose name or number begins so, with their published and raw ratings on the regulations' four
    lists, or on the one list that is named: those at the start of a rating period (`2026-11`), or the latest.

    `{"day": "2026-11-01", "players": [{"number", "name", "region", "ratings": {"main": {"published", "raw"}}, "told"}]}`,
    where `told` is the rating by which a reader knows him, in words.
    """
    codes = (list_code.replace("\0", ""),) if list_code else LISTS
    published = publications()
    latest = next((one for one in published if f"{one.day:%Y-%m}" == period), published[0] if published else None)
    choice = name_choice(text[:80].replace("\0", ""))
    answer: dict[str, Any] = {"day": latest.day.isoformat() if latest else None, "players": []}
    if not choice:
        return answer
    rows = list(
        public_players()
        .filter(choice.on_name())
        .order_by("folded_name", "number")
        .values_list("pk", "number", "first_name", "last_name", "region__code")[:MOST]
    )
    found: dict[int, dict[str, dict[str, float]]] = {row[0]: {} for row in rows}
    told: dict[int, str] = {}
    if latest:
        ratings = Rating.objects.filter(
            run_id=latest.run, player_id__in=list(found), list__code__in=codes, published__isnull=False
        )
        for pk, code, name, rating, raw in ratings.order_by("list__position").values_list(
            "player_id", "list__code", "list__name", as_float("published"), as_float("raw")
        ):
            found[pk][code] = {"published": rating, "raw": raw}
            if code == codes[0]:
                told[pk] = f"{name} {formatting.rating(*((rating, 0) if list_code else (raw, 1)))}"
    answer["players"] = [
        {
            "number": number,
            "name": f"{first} {last}".strip(),
            "region": region,
            "ratings": found[pk],
            "told": told.get(pk, "" if list_code == NO_LIST else "unrated"),
        }
        for pk, number, first, last, region in rows
    ]
    return answer
