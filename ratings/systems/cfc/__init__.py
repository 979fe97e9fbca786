"""The Chess Federation of Canada: one event after the other."""

from ratings.systems.cfc.constants import EDITIONS
from ratings.systems.cfc.outcome import Outcome
from ratings.systems.cfc.rating import CODE, NAME, Result, rate
from ratings.systems.cfc.steps import Standing, Status

__all__ = ["CODE", "EDITIONS", "NAME", "Outcome", "Result", "Standing", "Status", "rate"]
