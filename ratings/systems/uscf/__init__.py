"""US Chess: one event after the other."""

from ratings.systems.uscf.columns import Record, Sister, Standing, starting_rating
from ratings.systems.uscf.constants import EDITIONS
from ratings.systems.uscf.guide_rating import GuideResult
from ratings.systems.uscf.outcome import Outcome
from ratings.systems.uscf.rating import CODE, METHODS, NAME, Result, rate

__all__ = [
    "CODE", "EDITIONS", "METHODS", "NAME", "GuideResult", "Outcome", "Record", "Result", "Sister", "Standing", "rate",
    "starting_rating",
]  # fmt: skip
