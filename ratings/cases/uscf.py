"""USCF cases: one event after the other, each from the standings that the one before left. Pure."""

from collections.abc import Iterator
from dataclasses import asdict
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
from ratings.systems.uscf import EDITIONS, METHODS, GuideResult, Outcome, Record, Result, Standing, rate

_PLAYER_FIELDS = frozenset(
    ["id", "rating", "games", "peak", "record", "age", "fide", "cfc", "start", "wins", "draws", "events", "on_list"]
)
_HIGHEST = 4000.0


def answer(case: Node) -> dict[str, Any]:
    """Return the answer to a case: the players' figures.

    Events are rated in the order of `in_order`, each from the standings after the one before. A player's rating is that
    after his last event, and his other figures are of that event. Raises CaseError with the place.
    """
    outcomes = last_outcomes((result.outcomes for result in rate_events(case)), lambda outcome: outcome.formula)
    return {"players": {name: figures(outcome) for name, outcome in outcomes.items()}}


def figures(outcome: Outcome) -> dict[str, Any]:
    """Return a player's figures in an answer."""
    return asdict(outcome)


def rate_events(case: Node) -> Iterator[Result | GuideResult]:
    """Return the results of a case: first that of no event, which leaves everybody as he is, then event by event,
    each with the players who take part in it.

    Raises CaseError with the place.
    """
    case.fields(CASE_FIELDS)
    refuse_penalties(case)
    options = case.options("method", "half_k", "dual_regular", "match", "online")
    method = options["method"].choice(METHODS) if options.has("method") else METHODS[0]
    half_k = options["half_k"].flag()
    kind = {name: options[name].flag() for name in ("dual_regular", "match", "online")}
    nodes = read_player_ids(case)
    standings = {name: read_standing(node) for name, node in nodes.items()}
    ranks = {name: rank for rank, name in enumerate(nodes)}
    events = read_events(case, nodes)
    yield rate(Event("none", ()), dict(standings), first_edition(case, events, EDITIONS))
    for node, event in in_order(case, events):
        edition = edition_of_case(case, node, event, EDITIONS)
        if half_k and not edition["half_k_allowed"]:
            raise options["half_k"].fail(f"edition {edition.name} knows no half-K events")
        if method == "guide" and not edition["guide_holds"]:
            raise options["method"].fail(f"the guide is of the system of 2001, not of edition {edition.name}")
        playing = taking_part(event, standings, ranks)
        with placed(node):
            result = rate(event, playing, edition, method=method, half_k=half_k, **kind)
        yield result
        standings |= result.standings


def read_standing(node: Node) -> Standing:
    """Read a player of a case. Raises CaseError with the place."""
    node.fields(_PLAYER_FIELDS)
    rating = node["rating"].number(0.0, _HIGHEST) if node.has("rating") else None
    games = node["games"].number(0.0, MOST_GAMES) if node.has("games") else None
    if rating is None and games:
        raise node["games"].fail("an unrated player has no games; `start` gives a starting rating and its games")
    return Standing(
        rating=rating,
        games=games,
        record=Record(node["record"].choice(list(Record))) if node.has("record") else None,
        peak=node["peak"].number(0.0, _HIGHEST) if node.has("peak") else None,
        start=_read_start(node["start"]) if node.has("start") else None,
        fide=node["fide"].number(0.0, _HIGHEST) if node.has("fide") else None,
        cfc=node["cfc"].number(0.0, _HIGHEST) if node.has("cfc") else None,
        age=node["age"].number(0.0, 150.0) if node.has("age") else None,
        wins=node["wins"].whole(0, MOST_GAMES) if node.has("wins") else 0,
        draws=node["draws"].whole(0, MOST_GAMES) if node.has("draws") else 0,
        events=node["events"].whole(0, MOST_GAMES) if node.has("events") else 0,
    )


def _read_start(node: Node) -> tuple[float, float]:
    items = list(node.items())
    if len(items) != 2:
        raise node.fail("a starting rating and the games that it counts for were expected")
    return items[0].number(0.0, _HIGHEST), items[1].number(0.0, MOST_GAMES)
