"""Change a JSON document in one place and leave it JSON: bytes changed at random seldom come past the parser."""

import copy
import json
import random
from typing import Any

ODD = (
    None, True, "", "x", "a", 0, -1, 1, 1.5, -0.0, 1e308, 10**30, 100_000, "1500", "2012-02-30", "0001-01-01", "9999-12-31",
    "١٢", "\x00", "\ud800", "rated", "established", "guest", "none", "online", "dual_regular", "1-0", "+/-", [], {}, [[]],
    {"a": None},
)  # fmt: skip
NAMES = (
    "activity", "adjustments", "age", "base", "by_number", "cfc", "draws", "fide", "full_games", "games", "guide_holds",
    "half_k", "half_k_allowed", "high", "highest", "increment", "k", "last_performances", "list", "lists", "main", "match",
    "method", "no_bonuses", "options", "peak", "penalties", "pending_penalty", "performance", "points", "preliminary",
    "published", "rapid", "rated", "rating", "raw", "raw_history", "record", "round", "rounds", "rules", "start", "status",
    "sum", "time_control", "type", "unrated_rating", "weighted", "window", "window_divisor", "wins",
)  # fmt: skip
MOST_PLACES = 2000


def changed(content: bytes, chance: random.Random) -> bytes:
    """Return the document with one value replaced, left out, added, doubled, renamed or moved.

    Bytes that are not JSON are returned as they are.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return content
    places = _places(document)
    if not places:
        return content
    container, key = chance.choice(places)
    other_container, other_key = chance.choice(places)
    kind = chance.choice(["odd", "odd", "number", "other", "drop", "double", "rename", "add", "add"])
    if kind == "drop":
        del container[key]
    elif kind == "double" and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif kind == "rename" and isinstance(container, dict):
        container[other_key if isinstance(other_key, str) else "x"] = container.pop(key)
    elif kind == "add" and isinstance(container, dict):
        container[chance.choice(NAMES)] = chance.choice([*ODD, copy.deepcopy(other_container[other_key])])
    elif kind == "number" and isinstance(container[key], int | float):
        container[key] = container[key] * chance.choice([-1, 0.5, 2, 10]) + chance.choice([-1, 0, 0.5, 1])
    elif kind == "other":
        container[key] = copy.deepcopy(other_container[other_key])
    else:
        container[key] = chance.choice(ODD)
    try:
        return json.dumps(document).encode()
    except (ValueError, RecursionError):
        return content


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Each value below the top, as its list or object and its number or name there; the first MOST_PLACES."""
    places: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting and len(places) < MOST_PLACES:
        container = waiting.pop()
        if isinstance(container, list):
            keys: list[Any] = list(range(len(container)))
        elif isinstance(container, dict):
            keys = list(container)
        else:
            continue
        places.extend((container, key) for key in keys)
        waiting.extend(container[key] for key in keys)
    return places
