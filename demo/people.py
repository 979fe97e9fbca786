"""The people of the demonstration, with their true strength month by month."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from math import exp
from random import Random

from demo.names import people_names
from demo.regions import PLACES, InventedPlace

FIRST_INVENTED_NUMBER = 999_000_001
FIRST_INVENTED_FIDE_ID = 990_000_001
_WOMEN = 0.3
_FROM_THE_START = 0.7
WEAKEST, STRONGEST = 900.0, 2450.0  # at the start
_EDGE = 100.0  # where strengths beyond the limits are pressed together


@dataclass(frozen=True, slots=True)
class InventedPerson:
    """A player. `strengths`: the true strength in each month, in rating points, from which results are drawn.

    Months are counted from the demonstration's first. `joined` and `left`: first month of play, first month without.
    """

    index: int
    number: str
    last_name: str
    first_name: str
    sex: str
    born: date
    place: InventedPlace
    fide_id: int | None
    title: str
    strengths: tuple[float, ...]
    quickness: float
    activity: float
    joined: int
    left: int | None

    @property
    def file_name(self) -> str:
        """`Last, First`, as tournament files write it."""
        return f"{self.last_name}, {self.first_name}"

    def plays_in(self, month: int) -> bool:
        """Return whether the person plays in a month."""
        return self.joined <= month and (self.left is None or month < self.left)

    def age_in(self, year: int) -> int:
        """Return the age as article 16 counts it: year of the event less year of birth."""
        return year - self.born.year


def make_people(random: Random, count: int, first_month: date, months: int) -> tuple[InventedPerson, ...]:
    """Return people of all ages and regions; most play from the start, the others join later, and some leave."""
    sexes = ["F" if random.random() < _WOMEN else "M" for _ in range(count)]
    places = random.choices(PLACES, [place.share for place in PLACES], k=count)
    people: list[InventedPerson] = []
    fide_ids = iter(range(FIRST_INVENTED_FIDE_ID, FIRST_INVENTED_FIDE_ID + count))
    for index, (last_name, first_name) in enumerate(people_names(random, sexes)):
        born = _birth(random, first_month.year)
        strengths = _strengths(random, first_month.year - born.year, months)
        title = _title(strengths[0], sexes[index], first_month.year - born.year)
        has_fide_id = bool(title) or strengths[0] > 1750 or random.random() < 0.35
        joined = 0 if random.random() < _FROM_THE_START else random.randint(1, max(1, months - 1))
        left = joined + random.randint(3, max(4, months)) if random.random() < 0.2 else None
        people.append(
            InventedPerson(
                index=index,
                number=str(FIRST_INVENTED_NUMBER + index),
                last_name=last_name,
                first_name=first_name,
                sex=sexes[index],
                born=born,
                place=places[index],
                fide_id=next(fide_ids) if has_fide_id else None,
                title=title,
                strengths=strengths,
                quickness=random.gauss(0, 60),
                activity=random.lognormvariate(0, 0.6) * (1 + max(0.0, strengths[0] - 1500) / 400),
                joined=joined,
                left=left,
            )
        )
    return tuple(people)


def _birth(random: Random, year: int) -> date:
    youngest, oldest = random.choices(((6, 19), (20, 49), (50, 64), (65, 84)), (36, 42, 13, 9))[0]
    return date(year - random.randint(youngest, oldest), 1, 1) + timedelta(days=random.randrange(365))


def _strengths(random: Random, age: int, months: int) -> tuple[float, ...]:
    start = random.gauss(950 + 48 * (age - 8), 190) if age < 18 else random.gauss(1500, 320)
    drift = (random.uniform(2, 16) if age < 20 else random.gauss(0, 3)) - (2 if age > 60 else 0)
    steps = accumulate((random.gauss(drift, 9) for _ in range(months)), initial=_within(start))
    return tuple(steps)


def _within(rating: float) -> float:
    """Return a rating that lies between those of the weakest child and the strongest master; the order is kept."""
    if rating < WEAKEST + _EDGE:
        return WEAKEST + _EDGE * exp((rating - WEAKEST - _EDGE) / _EDGE)
    if rating > STRONGEST - _EDGE:
        return STRONGEST - _EDGE * exp((STRONGEST - _EDGE - rating) / _EDGE)
    return rating


def _title(strength: float, sex: str, age: int) -> str:
    if age < 15:
        return ""
    levels = ((2350, "IM"), (2230, "FM"), (2120, "CM"))
    if sex == "F":
        levels = ((2200, "WIM"), (2080, "WFM"), (1990, "WCM"))
    return next((title for least, title in levels if strength >= least), "")
