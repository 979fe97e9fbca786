"""The Irish Chess Union: one event after the other."""

from ratings.systems.icu.columns import PlayerType, Standing
from ratings.systems.icu.constants import EDITIONS, SOFTWARE_3, TEXT
from ratings.systems.icu.rating import (
    CODE,
    NAME,
    NOT_CONVERGED,
    Outcome,
    Result,
    k_factor,
    rate,
    standing_after,
    years_between,
)

__all__ = [
    "CODE", "EDITIONS", "NAME", "NOT_CONVERGED", "SOFTWARE_3", "TEXT", "Outcome", "PlayerType", "Result",
    "Standing", "k_factor", "rate", "standing_after", "years_between",
]  # fmt: skip
