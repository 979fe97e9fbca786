"""CFC cases: one event after the other, each from the standings that the one before left. Pure."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ratings.cases.events import CASE_FIELDS, read_events, read_player_ids
from ratings.cases.fields import MOST_GAMES, Node
from ratings.cases.sequential import (
    edition_of_case,
    first_edition,
    in_order,
    last_outcomes,
    placed,
    refuse_penalties,
    taking_part,
)
from ratings.systems.base import Event
from ratings.systems.cfc import EDITIONS, Outcome, Result, Standing, Status, rate

_PLAYER_FIELDS = frozenset(["id", "status", "rating", "games", "high", "on_list"])
_HIGHEST = 4000


def answer(case: Node) -> dict[str, Any]:
    """Return the answer to a case: the players' figures.

    Events are rated in the order of `in_order`, each from the standings after the one before. A player's rating is that
    after his last event, and his other figures are of that event. Raises CaseError with the place.
    """
    outcomes = last_outcomes(
        (result.outcomes for result in rate_events(case)), lambda outcome: outcome.performance is not None
    )
    return {"players": {name: figures(outcome) for name, outcome in outcomes.items()}}


def rate_events(case: Node) -> Iterator[Result]:
    """Return the results of a case: first that of no event, which leaves everybody as he is, then event by event,
    each with the players who take part in it.

    Raises CaseError with the place.
    """
    case.fields(CASE_FIELDS)
    refuse_penalties(case)
    options = case.options("match", "preliminary", "rounds")
    match = options["match"].flag()
    preliminary = options["preliminary"].whole(-_HIGHEST, _HIGHEST) if options.has("preliminary") else None
    rounds = options["rounds"].whole(1, MOST_GAMES) if options.has("rounds") else None
    nodes = read_player_ids(case)
    standings = {name: read_standing(node) for name, node in nodes.items()}
    ranks = {name: rank for rank, name in enumerate(nodes)}
    events = read_events(case, nodes)
    yield rate(Event("none", ()), dict(standings), first_edition(case, events, EDITIONS))
    for node, event in in_order(case, events):
        edition = edition_of_case(case, node, event, EDITIONS)
        playing = taking_part(event, standings, ranks)
        with placed(node):
            result = rate(event, playing, edition, match=match, preliminary=preliminary, rounds=rounds)
        yield result
        standings |= result.standings


def read_standing(node: Node) -> Standing:
    """Read a player of a case. Raises CaseError with the place."""
    node.fields(_PLAYER_FIELDS)
    status = Status(node["status"].choice(list(Status)))
    if status is Status.UNRATED:
        if node.has("rating"):
            raise node["rating"].fail("an unrated player has no rating")
        if node.has("games") and node["games"].whole(0):
            raise node["games"].fail("an unrated player has no games")
        return Standing(status)
    return Standing(
        status=status,
        rating=node["rating"].whole(0, _HIGHEST),
        games=node["games"].whole(0, MOST_GAMES),
        high=node["high"].whole(0, 2 * _HIGHEST) if node.has("high") else None,
    )


def figures(outcome: Outcome) -> dict[str, Any]:
    """Return a player's figures in an answer, as numbers of JSON."""
    return {
        "status": outcome.status.value,
        "performance": _number(outcome.performance),
        "k": outcome.k,
        "score": _number(outcome.score),
        "expected": _number(outcome.expected),
        "natural": _number(outcome.natural),
        "bonus_high": _number(outcome.bonus_high),
        "bonus_jump": _number(outcome.bonus_jump),
        "exact": _number(outcome.exact),
        "rating": outcome.rating,
        "games": outcome.games,
        "high": outcome.high,
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
