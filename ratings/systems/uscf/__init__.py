"""US Chess: one event after the other."""

from ratings.systems.uscf.columns import Record, Sister, Standing, starting_rating
from ratings.systems.uscf.constants import EDITIONS
from ratings.systems.uscf.rating import CODE, METHODS, NAME, Outcome, Result, rate

__all__ = [
    "CODE", "EDITIONS", "METHODS", "NAME", "Outcome", "Record", "Result", "Sister", "Standing", "rate",
    "starting_rating",
]  # fmt: skip
