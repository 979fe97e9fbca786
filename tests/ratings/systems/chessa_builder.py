"""Small Chess SA periods for tests, built as cases, so that a test says only what it is about."""

from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st

from ratings.cases.chessa import PeriodCase, read_case
from ratings.cases.fields import Node
from ratings.systems.chessa import rate
from ratings.systems.chessa.columns import LISTS
from ratings.systems.chessa.result import PeriodResult

CALCULATED_ON = date(2024, 4, 1)
STANDARD = {"base": 60, "increment": 0}
RAPID = {"base": 10, "increment": 0}
BLITZ = {"base": 5, "increment": 0}


def day_before(days: int) -> str:
    """A date by its age on the day of calculation."""
    return (CALCULATED_ON - timedelta(days=days)).isoformat()


def player(name: str, raw: float | None = None, lists: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A player with the same standing on all four lists, or with those given."""
    if lists is None:
        lists = {} if raw is None else {name: {"raw": raw, **fields} for name in LISTS}
    return {"id": name, "lists": lists}


def game(white: Any, black: Any, result: str = "1-0") -> dict[str, Any]:
    """A game of a case."""
    return {"white": white, "black": black, "result": result}


def event(*games: dict[str, Any], id: str = "e", control: dict[str, float] = STANDARD, age: int = 10) -> dict[str, Any]:
    """An event of a case that ended `age` days before the calculation."""
    return {"id": id, "ended": day_before(age), "time_control": control, "games": list(games)}


def performances(*rows: tuple[float, str, int]) -> list[dict[str, Any]]:
    """Stored performances: (performance, type, age in days)."""
    return [{"performance": value, "type": kind, "ended": day_before(age)} for value, kind, age in rows]


def document(players: list[dict[str, Any]], events: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A case."""
    return {
        "id": "test",
        "system": "chessa",
        "calculated_on": CALCULATED_ON.isoformat(),
        "players": players,
        "events": events,
        **fields,
    }


def read(case: dict[str, Any]) -> PeriodCase:
    """The columns of a case."""
    return read_case(Node(case, ""))


def rate_case(case: dict[str, Any]) -> PeriodResult:
    """The whole result of a case."""
    period = read(case)
    return rate(period.columns, period.edition)


def outcome(case: dict[str, Any], name: str, list_name: str = "standard") -> dict[str, float]:
    """One player's figures on a list."""
    period = read(case)
    result = rate(period.columns, period.edition)
    row, index = period.player_ids.index(name), LISTS.index(list_name)
    return {
        field: getattr(result, field)[index, row].item()
        for field in PeriodResult.__dataclass_fields__
        if field not in ("standings", "event_kind", "by_game", "by_event")
    }


# Made once: to make a strategy takes longer than to draw from it.
_rating = st.floats(500, 2600).map(lambda value: round(value, 2))
_above = st.sampled_from([0.0, 12.5, 499.0, 500.0, 620.0])
_history = st.lists(_rating, max_size=23)
_ages = st.lists(st.integers(1, 3000), max_size=6)
_kinds = {name: st.sampled_from(("standard", "rapid", "blitz") if name == "main" else (name,)) for name in LISTS}
_results = st.sampled_from(["1-0", "0-1", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "+--"])
_minutes = st.sampled_from([4.99, 5, 9.99, 10, 25, 60, 90, 120])


@st.composite
def _standing(draw: st.DrawFn, name: str) -> dict[str, Any]:
    if draw(st.integers(0, 3)) == 0:
        return {"pending_penalty": 20} if draw(st.booleans()) else {}
    raw = draw(_rating)
    return {
        "raw": raw,
        "highest": raw + draw(_above),
        "raw_history": [raw, *draw(_history)],
        "last_performances": [
            {"performance": draw(_rating), "type": draw(_kinds[name]), "ended": day_before(age)}
            for age in sorted(draw(_ages))
        ],
    }


_standings = {name: _standing(name) for name in LISTS}


@st.composite
def periods(draw: st.DrawFn) -> dict[str, Any]:
    """Any small period, as a case: guests, forfeits, events too fast to be rated, penalties, also waiting ones, adjustments."""
    names = [f"p{number}" for number in range(draw(st.integers(2, 6)))]
    players = [player(name, lists={on: draw(_standings[on]) for on in LISTS}) for name in names]
    pairs = st.lists(st.sampled_from([*names, {"fide": 2100}]), min_size=2, max_size=2, unique_by=str)
    events = []
    for number in range(draw(st.integers(0, 4))):
        games = []
        for _ in range(draw(st.integers(1, 10))):
            white, black = draw(pairs)
            games.append(game(white, black, draw(_results)))
        control = {"base": draw(_minutes), "increment": 0}
        events.append(event(*games, id=f"e{number}", control=control, age=draw(st.integers(0, 60))))
    penalties = [
        {"player": draw(st.sampled_from(names)), "event": draw(st.sampled_from(events))["id"], "points": 20}
        for _ in range(draw(st.integers(0, 3)) if events else 0)
    ]
    adjustments = [
        {
            "player": draw(st.sampled_from(names)),
            "list": draw(st.sampled_from(LISTS)),
            "points": draw(st.sampled_from([-700.0, -12.34, 0.01, 55.5])),
        }
        for _ in range(draw(st.integers(0, 3)))
    ]
    return document(players, events, penalties=penalties, adjustments=adjustments)
