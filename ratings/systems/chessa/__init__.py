"""Chess South Africa: a whole rating period at once."""

from ratings.systems.chessa.calculation import CODE, NAME, adjusted_fide, edition_for, rate
from ratings.systems.chessa.constants import EDITIONS
from ratings.systems.chessa.result import PeriodResult

__all__ = ["CODE", "EDITIONS", "NAME", "PeriodResult", "adjusted_fide", "edition_for", "rate"]
