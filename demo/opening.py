"""The standings with which the demonstration begins: drawn from true strengths, written as an opening balance. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from config.lib.days import next_month
from demo.people import STRONGEST, WEAKEST, InventedPerson

_WINDOW = 24  # raw ratings (article 49)
_RECENT = 5  # performances (articles 35–42)
_FULL_HISTORY_BELOW = 1250  # where missing ratings, which count 1200, would lift a child's weighted rating
_FULL_HISTORY = 0.45
_YOUTH, _VETERAN = 20, 40  # years
_LISTS = {  # list → share of the players on it, weight of quickness, type of game
    "main": (1.0, 0.25, "standard"),
    "standard": (0.85, 0.18, "standard"),
    "rapid": (0.75, 0.4, "rapid"),
    "blitz": (0.55, 0.72, "blitz"),
}


def opening_document(people: Sequence[InventedPerson], month: date) -> bytes:
    """Return the standings after a month of those who play from the start, as a rating case (JSON) with their Chess SA ids.

    Some have all 24 former raw ratings and their last performances; what the others lack is left to the readings.
    """
    calculated_on = next_month(month)
    case = {
        "id": f"opening-{month:%Y-%m}",
        "system": "chessa",
        "calculated_on": calculated_on.isoformat(),
        "players": [
            {"id": person.number, "lists": dict(_standings(person, calculated_on))}
            for person in people
            if person.joined == 0
        ],
        "events": [],
    }
    return json.dumps(case).encode()


def _standings(person: InventedPerson, day: date) -> Iterator[tuple[str, Mapping[str, Any]]]:
    random = Random(f"{person.number}/opening")  # noqa: S311
    is_whole = person.strengths[0] < _FULL_HISTORY_BELOW or random.random() < _FULL_HISTORY
    months = _WINDOW if is_whole else random.randint(1, 12)
    for code, (share, quickness, kind) in _LISTS.items():
        rating = _reflected(person.strengths[0] + quickness * person.quickness + random.gauss(0, 45))
        history = _history(random, rating, person.age_in(day.year), _WINDOW if rating < _FULL_HISTORY_BELOW else months)
        former_peak = abs(random.gauss(0, 50)) if person.age_in(day.year) >= _VETERAN else 0.0
        recent = _recent(random, rating, kind, day) if is_whole else []
        if random.random() < share:
            yield (
                code,
                {
                    "raw": history[0],
                    "highest": max(*history, round(min(STRONGEST, rating + former_peak), 1)),
                    "raw_history": history,
                    "last_performances": recent,
                },
            )


def _history(random: Random, rating: float, age: int, months: int) -> list[float]:
    """Return raw ratings newest first; the young have risen, and some months were played without."""
    history = [round(rating, 1)]
    for _ in range(months - 1):
        step = random.gauss(6.0 if age < _YOUTH else 0.0, 14.0) if random.random() < 0.7 else 0.0
        rating = _reflected(rating - step)
        history.append(round(rating, 1))
    return history


def _recent(random: Random, rating: float, kind: str, day: date) -> list[dict[str, Any]]:
    """Return the last performances, newest first."""
    ended = [day - timedelta(days=random.randint(6, 25) + 28 * place) for place in range(random.randint(1, _RECENT))]
    return [
        {"performance": round(rating + random.gauss(0, 90), 1), "type": kind, "ended": on.isoformat()} for on in ended
    ]


def _reflected(rating: float) -> float:
    """Return a rating between the limits; beyond one of them it is as far inside as it was outside."""
    return min(WEAKEST + abs(rating - WEAKEST), 2 * STRONGEST - rating)
