"""Time controls in words, and the type of game and weight that they make (articles 19, 20, 23 and 27)."""

from datetime import date
from functools import lru_cache

import numpy as np

from ratings.models import next_month
from ratings.systems.chessa import edition_for, time_control_minutes
from ratings.systems.chessa_games import tournament_weights


def time_control_text(base_minutes: int, increment_seconds: int) -> str:
    """`90 min + 30 s`, or `15 min` without an increment."""
    return f"{base_minutes} min + {increment_seconds} s" if increment_seconds else f"{base_minutes} min"


@lru_cache(maxsize=1024)
def type_of_game(base_minutes: int, increment_seconds: int, ends: date) -> str:
    """`standard`, `rapid` or `blitz` for a section that ends on a day; `not rated` below the least time."""
    edition = edition_for(next_month(ends.replace(day=1)))
    minutes = time_control_minutes(base_minutes, increment_seconds, edition)
    reached = [name for least, name in edition["types_of_game"] if minutes >= least]
    return str(reached[-1]) if reached else "not rated"


def tournament_weight(base_minutes: int, increment_seconds: int, ends: date) -> float:
    """Tw on Main of a section that ends on a day, 0 to 1.2 (article 27)."""
    edition = edition_for(next_month(ends.replace(day=1)))
    minutes = np.array([time_control_minutes(base_minutes, increment_seconds, edition)])
    return float(tournament_weights(minutes, edition)[0])
