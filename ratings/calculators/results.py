"""The answers of the calculators for the systems that rate one event after the other."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_noop

from config.lib import formatting
from ratings.calculators.fields import PLAYER
from ratings.calculators.parts import Part, make_part
from ratings.cases import cfc as cfc_cases
from ratings.cases import icu as icu_cases
from ratings.cases import uscf as uscf_cases
from ratings.cases.fields import Node
from ratings.explanations.layout import ShownStep, shown_steps
from ratings.explanations.queries import with_names
from ratings.explanations.words import said
from ratings.systems.base import Cell, CellKind

_RATE: dict[str, Callable[[Node], Iterator[Any]]] = {
    "icu": icu_cases.rate_events,
    "uscf": uscf_cases.rate_events,
    "cfc": cfc_cases.rate_events,
}


@dataclass(frozen=True, slots=True)
class Opponents:
    """The opponents' names, of players by id, of others by the index of the game.

    `numbers`: the Chess SA ids of opponents on the register, by kind and ref of their cells.
    """

    players: Mapping[str, str] = field(default_factory=dict)
    outside: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[tuple[CellKind, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """A player's rated event: the system's result, his id there, and his standing before it as in a case.

    Without `opponents` they have no names. `keys`: further key figures as text by label.
    """

    result: Any
    standing: Mapping[str, Any]
    games: int
    player: str = PLAYER
    opponents: Opponents | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


def rate_case(case: Mapping[str, Any]) -> Any:
    """Return the system's result of the last event of a case. Raises CaseError or RatingError."""
    *_, result = _RATE[case["system"]](Node(case, ""))
    return result


def icu_part(event: RatedEvent, *, full: bool = False) -> Part:
    """Return the answer by the system of the Irish Chess Union; `full`: figures unrounded."""
    steps = _steps(event, full)
    if event.result.error:
        remark = gettext("The estimates of the ratings do not settle: this system gives no rating.")
        return make_part(None, None, {}, steps, remarks=(remark,))
    outcome = event.result.outcomes[event.player]
    keys = {
        gettext("Score"): _score(outcome.score, outcome.games),
        gettext("Expected"): formatting.decimal(outcome.expected, 2),
        gettext("Performance"): formatting.whole(outcome.performance),
    }
    if outcome.change is not None:
        keys |= {
            "K": f"{event.standing['k']:g}",
            gettext("Change by games"): formatting.change(outcome.change),
            gettext("Bonus"): formatting.decimal(outcome.bonus or 0, 0),
        }
    return make_part(outcome.rating, event.standing.get("rating"), {**keys, **event.keys}, steps)


def uscf_part(event: RatedEvent, *, full: bool = False) -> Part:
    """Return the answer by the system of US Chess; `full`: figures unrounded."""
    outcome = event.result.outcomes[event.player]
    keys = {gettext("Published"): "" if outcome.published is None else formatting.number(outcome.published)}
    keys[gettext("Score")] = _score(outcome.score, event.games)
    keys[gettext("Formula")] = outcome.formula or ""
    keys |= _figures(
        (gettext("Expected"), outcome.expected, 2),
        ("K", outcome.k, 2),
        (gettext("Bonus"), outcome.bonus, 2),
        (gettext("Floor"), outcome.floor, 0),
    )
    return make_part(outcome.rating, event.standing.get("rating"), {**keys, **event.keys}, _steps(event, full))


def cfc_part(event: RatedEvent, *, full: bool = False) -> Part:
    """Return the answer by the system of the Chess Federation of Canada; `full`: figures unrounded."""
    outcome = event.result.outcomes[event.player]
    keys = {
        gettext("Rated as"): gettext(outcome.status.value),
        gettext("Score"): _score(float(outcome.score), event.games),
    }
    keys |= _figures(
        (gettext("Performance"), outcome.performance, 0),
        (gettext("Expected"), outcome.expected, 2),
        ("K", outcome.k, 0),
        (gettext("Natural rating"), outcome.natural, 2),
        (gettext("Bonus for a lifetime high"), outcome.bonus_high, 2),
        (gettext("Bonus for a jump"), outcome.bonus_jump, 2),
        (gettext("Before rounding"), outcome.exact, 2),
    )
    rating = None if outcome.rating is None else float(outcome.rating)
    before, steps = event.standing.get("rating"), _steps(event, full)
    return make_part(rating, before, {**keys, **event.keys}, steps, decimals=0)


_STATUSES = (gettext_noop("established"), gettext_noop("provisional"), gettext_noop("unrated"))  # of `cfc.Status`


def _score(points: float, games: int) -> str:
    return gettext("%(points)s of %(games)s") % {"points": formatting.score(points), "games": games}


def _figures(*rows: tuple[str, Any, int]) -> dict[str, str]:
    return {label: formatting.decimal(float(value), decimals) for label, value, decimals in rows if value is not None}


def _steps(event: RatedEvent, full: bool) -> list[ShownStep]:
    explanation, opponents = event.result.explain(event.player), event.opponents
    if opponents is None:
        return shown_steps(explanation, full=full, without=(CellKind.PLAYER, CellKind.OUTSIDE), say=said)

    def link(cell: Cell) -> str:
        number = opponents.numbers.get((cell.kind, cell.ref))
        return f"/players/{number}/" if number else ""

    return shown_steps(with_names(explanation, opponents.players, opponents.outside), full=full, link=link, say=said)


PARTS: dict[str, Callable[..., Part]] = {"icu": icu_part, "uscf": uscf_part, "cfc": cfc_part}
