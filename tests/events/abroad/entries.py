"""Results from abroad: as the rules take them, and as a browser sends them."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

from events.rules.abroad import GameAbroad, ResultsAbroad
from events.rules.game_result import Result

PAGE = "/events/abroad/"
AT = datetime(2024, 3, 12, 8, tzinfo=UTC)
WIN = GameAbroad(1, True, Result.WHITE_WINS, "Varga, Tomas", "HUN", 995000001, 2104)
DRAW = GameAbroad(2, False, Result.DRAW, "Duarte, Ilse", "POR", 995000002, None, 1850)
LOSS = GameAbroad(3, False, Result.WHITE_WINS, "Olsen, Per", "NOR", 995000003, 1990)
BYE = GameAbroad(4, True, Result.PAIRING_BYE)
FORFEIT = GameAbroad(5, True, Result.FORFEIT_WHITE_WINS, "Ito, Ken", "JPN", 995000005, 2000)
WHOLE = ResultsAbroad(
    name="Swakopmund Open",
    federation="NAM",
    place="Swakopmund",
    starts=date(2024, 3, 2),
    ends=date(2024, 3, 6),
    results_url="https://example.org/swakopmund",
    fide_rated=True,
    base=90,
    increment=30,
    rank=12,
    games=(WIN, DRAW, LOSS, BYE, FORFEIT),
)


def results(**fields) -> ResultsAbroad:
    """Results in which nothing is missing."""
    return replace(WHOLE, **fields)


def this_month(**fields) -> dict[str, object]:
    """Results of an event that ended today."""
    today = timezone.localdate()
    return sent(**{"starts": (today - timedelta(days=4)).isoformat(), "ends": today.isoformat(), **fields})


def sent(rounds: int = 5, **fields) -> dict[str, object]:
    """The same as a browser sends them; `game_0_result` is the result of round 1."""
    rows = (
        ("1", "w", "Varga, Tomas", "HUN", 995000001, 2104, ""),
        ("h", "b", "Duarte, Ilse", "POR", 995000002, "", 1850),
        ("0", "b", "Olsen, Per", "NOR", 995000003, 1990, ""),
        ("bye", "", "", "", "", "", ""),
        ("+", "w", "Ito, Ken", "JPN", 995000005, 2000, ""),
    )
    names = ("result", "colour", "opponent", "federation", "fide_id", "fide_rating", "performance")
    found: dict[str, object] = {
        "version": 0,
        "name": "Swakopmund Open",
        "federation": "NAM",
        "place": "Swakopmund",
        "starts": "2024-03-02",
        "ends": "2024-03-06",
        "base": 90,
        "increment": 30,
        "format": "swiss",
        "rank": 12,
        "results_url": "https://example.org/swakopmund",
        "fide_rated": "on",
        "game-TOTAL_FORMS": rounds,
        "game-INITIAL_FORMS": 0,
        "do": "send",
    }
    for place, row in enumerate(rows[:rounds]):
        found |= {f"game-{place}-{name}": value for name, value in zip(names, row, strict=True)}
    return found | {re.sub(r"^game_(\d+)_", r"game-\1-", name): value for name, value in fields.items()}


def text_of(response) -> str:
    """A page with its blanks run together."""
    return re.sub(r"[ \n]+", " ", response.content.decode())
