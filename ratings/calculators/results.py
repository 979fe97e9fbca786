"""From a calculator's valid entry to its answer: its case, rated by the system itself, and laid out for readers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from config.lib import formatting
from ratings.calculators.base_form import CalculatorForm
from ratings.calculators.chessa_form import LIST_NAMES, ChessaForm
from ratings.calculators.list_form import ListedForm
from ratings.calculators.players import published_changes, published_ratings
from ratings.calculators.replay_form import AgainForm
from ratings.cases import cfc as cfc_cases
from ratings.cases import chessa as chessa_cases
from ratings.cases import icu as icu_cases
from ratings.cases import uscf as uscf_cases
from ratings.cases.fields import Node
from ratings.explanations.layout import Row, ShownStep, shown_steps
from ratings.explanations.queries import told_apart, with_names
from ratings.systems import chessa
from ratings.systems.base import Cell, Explanation
from ratings.systems.chessa.columns import LISTS
from ratings.systems.chessa.explanation import Names, explain

_NOBODY = frozenset({"Opponent"})


@dataclass(frozen=True, slots=True)
class Part:
    """The answer on one list: the new rating and its change in full, key figures, remarks, and the explanation."""

    name: str
    code: str
    rating: float | None
    change: float | None
    rating_text: str
    change_text: str
    direction: str
    keys: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    steps: list[ShownStep]


def calculate(form: CalculatorForm, *, full: bool = False) -> list[Part]:
    """What a valid entry comes to. CaseError or RatingError for what the system refuses."""
    return _ANSWERS[form.SYSTEM](form, full)


def _part(
    rating: float | None,
    before: float | None,
    keys: dict[str, str],
    steps: list[ShownStep],
    *,
    name: str = "",
    code: str = "",
    remarks: tuple[str, ...] = (),
    change: float | None = None,
    decimals: int = 1,
) -> Part:
    moved = change if change is not None or rating is None or before is None else rating - before
    return Part(
        name=name,
        code=code,
        rating=rating,
        change=moved,
        rating_text=formatting.rating(rating, decimals),
        change_text="" if moved is None else formatting.change(moved, decimals),
        direction=formatting.direction(moved, decimals),
        keys=tuple(keys.items()),
        remarks=remarks,
        steps=steps,
    )


def _icu(form: CalculatorForm, full: bool) -> list[Part]:
    result = _result(form, icu_cases.rate_events)
    steps = _steps(form, result, full)
    if result.error:
        remark = "The estimates of the ratings do not settle: this system gives no rating."
        return [_part(None, None, {}, steps, remarks=(remark,))]
    outcome, standing = result.outcomes[form.player_id], form.standing()
    keys = {
        "Score": f"{formatting.score(outcome.score)} of {outcome.games}",
        "Expected": formatting.decimal(outcome.expected, 2),
        "Performance": formatting.whole(outcome.performance),
    }
    if outcome.change is not None:
        keys |= {
            "K": f"{standing['k']:g}",
            "Change by games": formatting.change(outcome.change),
            "Bonus": formatting.decimal(outcome.bonus or 0, 0),
        }
    return [_part(outcome.rating, standing.get("rating"), keys | _around(form), steps)]


def _uscf(form: CalculatorForm, full: bool) -> list[Part]:
    result = _result(form, uscf_cases.rate_events)
    outcome = result.outcomes[form.player_id]
    keys = {"Published": "" if outcome.published is None else formatting.number(outcome.published)}
    keys["Score"] = f"{formatting.score(outcome.score)} of {len(form.games)}"
    keys["Formula"] = outcome.formula or ""
    for label, value, decimals in (
        ("Expected", outcome.expected, 2),
        ("K", outcome.k, 2),
        ("Bonus", outcome.bonus, 2),
        ("Floor", outcome.floor, 0),
    ):
        if value is not None:
            keys[label] = formatting.decimal(value, decimals)
    before = form.standing().get("rating")
    return [_part(outcome.rating, before, keys | _around(form), _steps(form, result, full))]


def _cfc(form: CalculatorForm, full: bool) -> list[Part]:
    result = _result(form, cfc_cases.rate_events)
    outcome = result.outcomes[form.player_id]
    keys = {"Rated as": outcome.status.value, "Score": f"{formatting.score(float(outcome.score))} of {len(form.games)}"}
    for label, value, decimals in (
        ("Performance", outcome.performance, 0),
        ("Expected", outcome.expected, 2),
        ("K", outcome.k, 0),
        ("Natural rating", outcome.natural, 2),
        ("Bonus for a lifetime high", outcome.bonus_high, 2),
        ("Bonus for a jump", outcome.bonus_jump, 2),
        ("Before rounding", outcome.exact, 2),
    ):
        if value is not None:
            keys[label] = formatting.decimal(float(value), decimals)
    rating, before = outcome.rating, form.standing().get("rating")
    steps = _steps(form, result, full)
    return [_part(None if rating is None else float(rating), before, keys | _around(form), steps, decimals=0)]


def _chessa(form: CalculatorForm, full: bool) -> list[Part]:
    assert isinstance(form, ChessaForm)  # noqa: S101
    case = form.case()
    period = chessa_cases.read_case(Node(case, ""))
    result = chessa.rate(period.columns, period.edition)
    names = told_apart({game.number: (form.opponent_name(game), f"game {game.number}") for game in form.games})
    numbers = {names[game.number]: game.opponent for game in form.games if game.opponent}
    event = str(form.replayed) if form.replayed else "The event"
    shown = Names(
        players=[form.own.name if form.own else "The player", *(names[game.number] for game in form.games)],
        events=[event],
        rounds={place: place + 1 for place in range(len(form.games))},
    )

    def link(label: str, row: Row) -> str:
        number = numbers.get(str(row.get(label, Cell("", None)).value)) if label == "Opponent" else None
        return f"/players/{number}/" if number else ""

    played: dict[str, float] = {}
    published: dict[str, float] = {}
    if form.own and form.replayed:
        played = published_changes(form.own.number, form.replayed)
        published = published_ratings(form.own.number, form.replayed)
    parts = []
    for index in (0, int(result.event_kind[0]) + 1):
        code, standing = LISTS[index], case["players"][0]["lists"].get(LISTS[index], {})
        history = standing.get("raw_history", [])
        explanation = explain(period.columns, result, period.edition, 0, index, shown, history)
        before = float(standing.get("raw", period.edition["unrated_rating"]))
        keys = _change_lines(result, index, before)
        keys |= {
            "The higher of raw and weighted": formatting.rating(float(result.published[index, 0])),
            "K": f"{result.k[index, 0]:g}",
            "Performance": formatting.whole(float(result.by_event.performance[_own_row(result, index)])),
            "Greatest change": formatting.rating(float(result.limit[index, 0])),
        }
        if form.replayed and code in played:
            keys["Change by games in this event, as published"] = formatting.change(played[code])
        if form.replayed and form.replayed.period and code in published:
            day = formatting.day(form.replayed.period.calculated_on)
            keys[f"Published on {day}, after all events of the month"] = formatting.rating(published[code])
        parts.append(
            _part(
                float(result.raw[index, 0]),
                before,
                keys,
                shown_steps(explanation, full=full, link=link),
                name=LIST_NAMES[code],
                code=code,
                remarks=_assumptions(form, standing, code),
            )
        )
    return parts


def _change_lines(result: chessa.PeriodResult, index: int, before: float) -> dict[str, str]:
    """What leads from the raw rating at the start to the new one, line by line; what did not act has no line."""
    change, limit, temporary, raw, penalty = (
        float(getattr(result, name)[index, 0]) for name in ("change", "limit", "temporary", "raw", "penalty")
    )
    wp = float(result.weighted_performance[index, 0])
    risen = max(temporary, min(wp, before + limit)) if result.raised[index, 0] else temporary
    lines = {"Raw rating at the start": formatting.rating(before), "Change by games": formatting.change(change)}
    if result.limited[index, 0]:
        lines["Beyond the greatest change (article 47)"] = formatting.change(temporary - before - change)
    if result.raised[index, 0]:
        lines["Rise by weighted performance (article 40)"] = formatting.change(risen - temporary)
    if penalty:
        lines["Penalty points (articles 51 to 54)"] = formatting.change(-penalty)
    if result.floored[index, 0]:
        lines["Held at the floor (article 42)"] = formatting.change(raw - (risen - penalty))
    return lines


def _own_row(result: chessa.PeriodResult, list_index: int) -> int:
    by_event = result.by_event
    return int(np.flatnonzero((by_event.player == 0) & (by_event.list_index == list_index))[0])


def _assumptions(form: ChessaForm, standing: dict[str, Any], code: str) -> tuple[str, ...]:
    """What was taken for granted of a player of whom not everything is known."""
    remarks = []
    if "raw" not in standing:
        remarks.append(f"Unrated on {LIST_NAMES[code]}: the rating starts at {form.edition['unrated_rating']:g}.")
    elif form.own is None or form.own.raw(code) is None:
        remarks.append("The last 24 raw ratings are taken to have been equal, and no earlier tournament is known.")
    if form.own is not None and form.cleaned_data.get("section"):
        remarks.append("As if this event were the only one of the month.")
    return tuple(remarks)


def _result(form: CalculatorForm, rate_events: Callable[[Node], Iterator[Any]]) -> Any:
    """The system's result: of the whole section that is played again, or else of the entry's case."""
    if isinstance(form, AgainForm):
        return form.rated.result
    *_, result = rate_events(Node(form.case(), ""))
    return result


def _around(form: CalculatorForm) -> dict[str, str]:
    """What was published around a section that is played again."""
    return form.keys() if isinstance(form, AgainForm) else {}


def _steps(form: CalculatorForm, result: Any, full: bool) -> list[ShownStep]:
    """The steps, with the names of the opponents who are known, and links to them."""
    explanation: Explanation = result.explain(form.player_id)
    if isinstance(form, AgainForm):
        names, numbers = (
            form.again.name,
            {form.again.names[name]: one.number for name, one in form.again.people.items()},
        )
    elif isinstance(form, ListedForm) and any(game.opponent for game in form.games):
        called = told_apart({game.number: (form.opponent_name(game), f"game {game.number}") for game in form.games})
        by_round = {place: called[game.number] for place, game in enumerate(form.games, start=1)}
        numbers = {called[game.number]: game.opponent for game in form.games if game.opponent}

        def names(met: str, round_: object) -> str:
            return by_round.get(int(round_), met) if isinstance(round_, int | float) else met
    else:
        return shown_steps(explanation, full=full, without=_NOBODY)

    def link(label: str, row: Row) -> str:
        number = numbers.get(str(row[label].value)) if label == "Opponent" else None
        return f"/players/{number}/" if number else ""

    return shown_steps(with_names(explanation, names), full=full, link=link)


_ANSWERS: dict[str, Callable[[Any, bool], list[Part]]] = {
    "chessa": _chessa,
    "icu": _icu,
    "uscf": _uscf,
    "cfc": _cfc,
}
