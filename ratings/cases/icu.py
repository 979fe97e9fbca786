"""Cases of the Irish Chess Union's system. Pure."""

import re
from collections.abc import Iterator
from typing import Any

from config.lib.editions import Edition, edition_named
from ratings.cases.events import CASE_FIELDS, read_events, read_player_ids
from ratings.cases.fields import RATING_RANGE, CaseError, Node
from ratings.cases.sequential import in_order, refuse_penalties, taking_part
from ratings.systems import icu
from ratings.systems.base import RatingError

_NUMBER = re.compile("-?[0-9]{1,18}")
_FIELDS = ("id", "type", "rating", "k", "games", "on_list")
_NEEDED = {
    icu.PlayerType.RATED: ("rating", "k"),
    icu.PlayerType.PROVISIONAL: ("rating", "games"),
    icu.PlayerType.UNRATED: (),
    icu.PlayerType.FOREIGN: ("rating",),
}


def answer(case: Node) -> dict[str, Any]:
    """Return the answer to a case: error, iterations and the players' figures.

    Several events are rated one after the other, by date when all are dated, else as they are listed, each from the
    standings after the one before (`icu.standing_after`). A player's rating is that after his last event, and his other
    figures are of that event; the iterations are the last event's. An event that does not converge ends the case.
    CaseError and RatingError for what cannot be read or rated.
    """
    outcomes: dict[str, icu.Outcome] = {}
    iterations = (0, 0)
    for result in rate_events(case):
        iterations = result.iterations
        if result.error:
            return {"error": result.error, "iterations": list(iterations), "players": {}}
        for name, outcome in result.outcomes.items():
            if outcome.games or name not in outcomes:
                outcomes[name] = outcome
    return {
        "error": None,
        "iterations": list(iterations),
        "players": {name: figures(outcome) for name, outcome in outcomes.items()},
    }


def rate_events(case: Node) -> Iterator[icu.Result]:
    """Return the events of a case as they are rated, up to one that does not converge: the first with all players, of whom
    some may never play, every other with those who take part in it. Raises CaseError, RatingError."""
    case.fields(CASE_FIELDS)
    editions = [edition.name for edition in icu.EDITIONS]
    edition = edition_named(icu.EDITIONS, case["rules"].choice(editions) if case.has("rules") else icu.TEXT.name)
    no_bonuses = case.options("no_bonuses")["no_bonuses"].flag()
    refuse_penalties(case)
    nodes = read_player_ids(case)
    if edition["by_number"]:
        _check_numbers(nodes)
    standings = {name: read_standing(node, edition) for name, node in nodes.items()}
    events = read_events(case, nodes)
    ranks = {name: rank for rank, name in enumerate(nodes)}
    for place, (node, event) in enumerate(in_order(case, events)):
        playing = taking_part(event, standings, ranks) if place else standings
        try:
            result = icu.rate(event, playing, edition, no_bonuses=no_bonuses)
        except RatingError as error:
            if error.game is None:
                raise
            raise CaseError(f"{node['games'].place}[{error.game}]", error.message) from error
        yield result
        if result.error:
            return
        for name, outcome in result.outcomes.items():
            standings[name] = icu.standing_after(standings[name], outcome, edition)


def _check_numbers(nodes: dict[str, Node]) -> None:
    seen: dict[int, str] = {}
    for name, node in nodes.items():
        if not _NUMBER.fullmatch(name):
            raise node["id"].fail(f"a whole number written as text was expected, found {name!r}")
        if int(name) in seen:
            raise node["id"].fail(f"players {seen[int(name)]!r} and {name!r} have the same number")
        seen[int(name)] = name


def read_standing(node: Node, edition: Edition) -> icu.Standing:
    """Read a player of a case. Raises CaseError with the place."""
    node.fields(_FIELDS)
    kind = icu.PlayerType(node["type"].choice([kind.value for kind in icu.PlayerType]))
    for name in ("rating", "k", "games"):
        if node.has(name) and name not in _NEEDED[kind]:
            raise node[name].fail(f"a player who is {kind} has no {name}")
    needed = _NEEDED[kind]
    return icu.Standing(
        type=kind,
        rating=node["rating"].number(*RATING_RANGE) if "rating" in needed else None,
        k=_read_k(node["k"]) if "k" in needed else None,
        games=node["games"].whole(1, edition["full_games"] - 1) if "games" in needed else None,
    )


def _read_k(node: Node) -> float:
    k = node.number(0, 1_000)
    if k == 0:
        raise node.fail("more than 0 was expected")
    return k


def figures(outcome: icu.Outcome) -> dict[str, float | None]:
    """Return a player's figures in an answer."""
    return {
        "rating": outcome.rating,
        "performance": outcome.performance,
        "games": outcome.games,
        "score": outcome.score,
        "expected": outcome.expected,
        "change": outcome.change,
        "bonus": outcome.bonus,
    }
