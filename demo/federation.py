"""The whole demonstration as values: people, arbiters, and the events of every month. Pure, from fixed seeds."""

from dataclasses import dataclass
from datetime import date
from random import Random

from demo.officials import Official, make_officials
from demo.people import InventedPerson, make_people
from demo.plans import EventPlan
from demo.season import SeasonMonth, plan_month

LAST_MONTH = date(2026, 10, 1)
TODAY = date(2026, 11, 20)
_SEED = 64
PEOPLE, MONTHS = (60, 2000), (1, 60)


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of the demonstration: people, and published months up to October 2026. Raises ValueError outside the limits."""

    people: int = 600
    months: int = 24

    def __post_init__(self) -> None:
        if not (PEOPLE[0] <= self.people <= PEOPLE[1] and MONTHS[0] <= self.months <= MONTHS[1]):
            raise ValueError(
                f"the demonstration has {PEOPLE[0]} to {PEOPLE[1]} people and {MONTHS[0]} to {MONTHS[1]} months"
            )


@dataclass(frozen=True, slots=True)
class Federation:
    """People, arbiters, and the events of each month; the last month is still open."""

    people: tuple[InventedPerson, ...]
    officials: tuple[Official, ...]
    months: tuple[SeasonMonth, ...]
    plans: tuple[tuple[EventPlan, ...], ...]


def make_federation(scale: Scale) -> Federation:
    """Return the federation of a size; every call gives an equal one."""
    firsts = [_months_after(LAST_MONTH, number - scale.months + 1) for number in range(scale.months + 1)]
    months = tuple(
        SeasonMonth(index, first, TODAY if first > LAST_MONTH else None) for index, first in enumerate(firsts)
    )
    random = Random(_SEED)  # noqa: S311
    people = make_people(random, scale.people, firsts[0], len(firsts))
    officials = make_officials(random, people, range(firsts[0].year, TODAY.year + 1))
    plans = tuple(plan_month(Random(f"{_SEED} {month.first}"), month, people, officials) for month in months)  # noqa: S311
    return Federation(people, officials, months, plans)


def _months_after(month: date, count: int) -> date:
    months = month.year * 12 + month.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)
