"""Plans of events with their sections, players and arbiters, and with what the bureau decides on them."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Fate(StrEnum):
    """What happens to an event at the bureau."""

    RATED = "rated"
    RETURNED_ONCE = "returned once"  # returned, corrected, accepted
    LATE = "late"  # submitted after the publication: rated a period later
    STRAGGLER = "straggler"  # accepted after the month was calculated: it is calculated again
    OVERDUE = "overdue"  # submitted after the deadline of article 61: waived, or still waiting for the officer
    REFUSED = "refused"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    REGISTERED = "registered"
    DRAFT = "draft"


class Defect(StrEnum):
    """Data that are missing from a file."""

    ORGANISER = "organiser"
    BIRTH_DATES = "birth dates"
    ROUND_DATES = "round dates"


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section. `base` in minutes, `increment` in seconds; `players` are indices of people."""

    name: str
    format: str
    base: int
    increment: int
    round_dates: tuple[date, ...]
    players: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """The number of planned rounds."""
        return len(self.round_dates)


@dataclass(frozen=True, slots=True)
class EventPlan:
    """An event. `officials` are indices of arbiters, the Chief Arbiter first; `key` is unique and seeds the games."""

    key: str
    name: str
    kind: str
    region: str
    place: str
    organiser: int
    officials: tuple[int, ...]
    sections: tuple[SectionPlan, ...]
    fate: Fate
    fide_rated: bool = False
    defects: frozenset[Defect] = frozenset()
    country: str = "RSA"

    @property
    def starts(self) -> date:
        """The first day."""
        return min(section.round_dates[0] for section in self.sections)

    @property
    def ends(self) -> date:
        """The last day."""
        return max(section.round_dates[-1] for section in self.sections)
