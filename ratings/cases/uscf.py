"""USCF cases: one event after the other, each from the standings that the one before left. Pure."""

from typing import Any

from ratings.cases.events import CASE_FIELDS, read_events, read_player_ids
from ratings.cases.fields import Node
from ratings.systems.base import Edition, Event, edition_named, edition_on
from ratings.systems.uscf import EDITIONS, METHODS, Outcome, Record, Standing, rate

_PLAYER_FIELDS = frozenset(
    ["id", "rating", "games", "peak", "record", "age", "fide", "cfc", "start", "wins", "draws", "events"]
)
_HIGHEST = 4000.0
_MOST_GAMES = 100_000.0


def answer(case: Node) -> dict[str, Any]:
    """The answer to a case: `players` with the last event's figures of everybody. CaseError names the place."""
    case.fields(CASE_FIELDS)
    options = case["options"] if case.has("options") else Node({}, case["options"].place)
    options.fields({"method", "half_k", "dual_regular"})
    method = options["method"].choice(METHODS) if options.has("method") else METHODS[0]
    half_k = options["half_k"].flag()
    dual_regular = options["dual_regular"].flag()
    nodes = read_player_ids(case)
    standings = {name: _read_standing(node) for name, node in nodes.items()}
    events = read_events(case, nodes)
    outcomes: dict[str, Outcome] = {}
    for index, event in enumerate(events):
        edition = _edition(case, event, index)
        if half_k and not edition["half_k_allowed"]:
            raise options["half_k"].fail(f"edition {edition.name} knows no half-K events")
        result = rate(event, standings, edition, method=method, half_k=half_k, dual_regular=dual_regular)
        standings = result.standings
        outcomes = result.outcomes
    return {"players": {name: _shown(outcome) for name, outcome in outcomes.items()}}


def _edition(case: Node, event: Event, index: int) -> Edition:
    if case.has("rules"):
        return edition_named(EDITIONS, case["rules"].choice([edition.name for edition in EDITIONS]))
    if event.ended is None:
        raise Node(None, f"{case['events'].place}[{index}].ended").fail("needed, for the case names no rules")
    return edition_on(EDITIONS, event.ended)


def _read_standing(node: Node) -> Standing:
    node.fields(_PLAYER_FIELDS)
    rating = node["rating"].number(0.0, _HIGHEST) if node.has("rating") else None
    games = node["games"].number(0.0, _MOST_GAMES) if node.has("games") else None
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
        wins=node["wins"].whole(0) if node.has("wins") else 0,
        draws=node["draws"].whole(0) if node.has("draws") else 0,
        events=node["events"].whole(0) if node.has("events") else 0,
    )


def _read_start(node: Node) -> tuple[float, float]:
    items = list(node.items())
    if len(items) != 2:
        raise node.fail("a starting rating and the games that it counts for were expected")
    return items[0].number(0.0, _HIGHEST), items[1].number(0.0, _MOST_GAMES)


def _shown(outcome: Outcome) -> dict[str, Any]:
    return {
        "start": outcome.start,
        "effective_games": outcome.effective_games,
        "formula": outcome.formula,
        "k": outcome.k,
        "score": outcome.score,
        "expected": outcome.expected,
        "bonus": outcome.bonus,
        "rating": outcome.rating,
        "published": outcome.published,
        "games": outcome.games,
        "floor": outcome.floor,
    }
