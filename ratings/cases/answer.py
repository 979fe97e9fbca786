"""From a document of cases to its answer, as `manage.py rate` prints it. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from config.lib.editions import EditionError
from ratings.cases import cfc, chessa, icu, uscf
from ratings.cases.fields import COUNTS_AS, MOST_CASES, MOST_EVENTS, MOST_PLAYERS, MOST_TAKING_PART, CaseError, Node
from ratings.systems.base import RatingError

ANSWERS: dict[str, Callable[[Node], dict[str, Any]]] = {
    "chessa": chessa.answer,
    "icu": icu.answer,
    "uscf": uscf.answer,
    "cfc": cfc.answer,
}

# The figures of an answer, from what an event made of a player.
FIGURES: dict[str, Callable[[Any], dict[str, Any]]] = {"icu": icu.figures, "uscf": uscf.figures, "cfc": cfc.figures}


def answer_document(document: Any) -> Any:
    """Return the answer to one case, or the list of answers to a list of cases in order.

    Raises CaseError with the place, also for more cases or events than one document may have.
    """
    if not isinstance(document, list):
        case = Node(document, "")
        _check_size([case])
        return answer_case(case)
    if len(document) > MOST_CASES:
        raise CaseError(f"cases[{MOST_CASES}]", f"at most {MOST_CASES} cases are rated at once, found {len(document)}")
    cases = [Node(case, f"cases[{index}]") for index, case in enumerate(document)]
    _check_size(cases)
    return [answer_case(case) for case in cases]


def _check_size(cases: Sequence[Node]) -> None:
    """Raise CaseError for more players, or events that are rated one after the other, than one document may have."""
    players = events = taking_part = 0
    for case in cases:
        players += len(_rows(case.value, "players"))
        if players > MOST_PLAYERS:
            raise case["players"].fail(f"at most {MOST_PLAYERS} players are rated at once")
        if case.has("events") and case["system"].value in list(FIGURES):
            rows, cost = _rows(case.value, "events"), COUNTS_AS.get(case["system"].value, 1)
            events += cost * len(rows)
            if events > MOST_EVENTS:
                most = MOST_EVENTS // cost
                raise case["events"].fail(f"at most {most} events are rated at once, one after the other")
            taking_part += sum(len(_sides(event)) for event in rows)
            if taking_part > MOST_TAKING_PART:
                raise case["events"].fail(
                    f"at most {MOST_TAKING_PART} players are rated one event after the other, each counted in every event in"
                    " which he plays"
                )


def _rows(value: Any, name: str) -> list[Any]:
    """Return a list of an object by its name; an empty one where there is none."""
    rows = value.get(name) if isinstance(value, dict) else None
    return rows if isinstance(rows, list) else []


def _sides(event: Any) -> set[str]:
    """Return the ids of the players of an event's games, as far as they can be read."""
    games = [game for game in _rows(event, "games") if isinstance(game, dict)]
    return {side for game in games for side in (game.get("white"), game.get("black")) if isinstance(side, str)}


def answer_case(case: Node) -> dict[str, Any]:
    """Return the answer to one case. Raises CaseError with the place."""
    case.fields()
    system = case["system"].choice(list(ANSWERS))
    try:
        return ANSWERS[system](case)
    except (RatingError, EditionError) as error:
        raise CaseError(case.place, str(error)) from error
