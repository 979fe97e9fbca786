"""From a document of cases to its answer, as `manage.py rate` prints it. Pure."""

from collections.abc import Callable
from typing import Any

from config.lib.editions import EditionError
from ratings.cases import cfc, chessa, icu, uscf
from ratings.cases.fields import CaseError, Node
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
    """Return the answer to one case, or the list of answers to a list of cases in order. Raises CaseError with the place."""
    if isinstance(document, list):
        return [answer_case(Node(case, f"cases[{index}]")) for index, case in enumerate(document)]
    return answer_case(Node(document, ""))


def answer_case(case: Node) -> dict[str, Any]:
    """Return the answer to one case. Raises CaseError with the place."""
    case.fields()
    system = case["system"].choice(list(ANSWERS))
    try:
        return ANSWERS[system](case)
    except (RatingError, EditionError) as error:
        raise CaseError(case.place, str(error)) from error
