"""The opponents of results from abroad on FIDE's list of the month in which the event began (article 44)."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from config.lib import formatting
from events.rules.abroad import ResultsAbroad
from events.rules.fide_list import ListedPeople, listed_findings
from events.rules.findings import Finding
from events.rules.game_result import BYES
from events.rules.time_controls import type_of_game
from events.submission.fide_list import people_on_list


def listed_opponents(results: ResultsAbroad) -> tuple[str, ListedPeople] | None:
    """Return the type of game and the opponents with a FIDE id as the list has them; None without such a list."""
    if results.starts is None or results.ends is None or results.base is None:
        return None
    kind = type_of_game(results.base, results.increment, results.ends)
    ids = {game.fide_id for game in results.games if game.fide_id and game.result not in BYES}
    listed = people_on_list(ids, results.starts, kind)
    return (kind, listed) if listed else None


def list_findings(results: ResultsAbroad) -> Iterator[Finding]:
    """Yield what FIDE's list says otherwise, and of how many it agrees; nothing without a list of the month."""
    found = listed_opponents(results)
    if found:
        kind, listed = found
        yield from listed_findings(results.games, kind, listed)


def ratings_on_list(results: ResultsAbroad) -> dict[int, date]:
    """Return the ids of the opponents whose FIDE rating is that of the list, with its month."""
    found = listed_opponents(results)
    if found is None:
        return {}
    kind, listed = found
    return {
        game.fide_id: listed.month
        for game in results.games
        if game.fide_id is not None
        and game.fide_id in listed.people
        and game.fide_rating is not None
        and game.fide_rating == listed.people[game.fide_id].rating(kind)[0]
    }


def fill_from_list(data: QueryDict, results: ResultsAbroad, *, rounds: str = "game") -> str:
    """Put the ratings of opponents who have an id and no rating into the form's data. Return what was filled in, or "".

    A name or federation that is blank is filled in, too; what was entered stays. `rounds`: as of `ResultsForm`.
    """
    missing = [game for game in results.games if game.fide_id and game.rating is None and game.result not in BYES]
    found = listed_opponents(results) if missing else None
    if found is None:
        return ""
    kind, listed = found
    filled = []
    for game in missing:
        person = listed.people.get(game.fide_id or 0)
        rating = person.rating(kind)[0] if person else None
        if person is None or rating is None:
            continue
        values: Mapping[str, Any] = {
            "fide_rating": rating,
            "opponent": game.opponent or person.name,
            "federation": game.federation or person.federation,
        }
        for name, value in values.items():
            data[f"{rounds}-{game.round - 1}-{name}"] = str(value)
        filled.append(str(game.round))
    if not filled:
        return ""
    return gettext(
        "Filled in from FIDE’s list of %(month)s: the opponent’s rating in round %(rounds)s. Compare it with the official"
        " results."
    ) % {"month": formatting.month(listed.month), "rounds": ", ".join(filled)}
