"""Arbiters of the demonstration, three a province and four for the whole country."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from demo.people import InventedPerson
from demo.regions import HOME

_TITLES = ("NA", "PA", "CPA")
_NATIONAL_TITLES = ("IA", "FA", "FA", "NA")
_OTHER_TITLES = {"GP": ("FA", "NA", "TS"), "WC": ("NA", "PA", "SS")}


@dataclass(frozen=True, slots=True)
class Official:
    """An arbiter. `paid` are the days on which the fees of the years were paid; `person` is his index among the people."""

    index: int
    name: str
    title: str
    province: str
    number: str
    fide_id: int | None
    person: int
    paid: tuple[tuple[int, date], ...]


def make_officials(random: Random, people: tuple[InventedPerson, ...], years: range) -> tuple[Official, ...]:
    """The arbiters: grown-ups among the people, some of them stronger at the clock than at the board."""
    officials: list[Official] = []
    chosen: set[int] = set()
    provinces = sorted({person.place.province for person in people})
    wanted = [(province, title) for province in provinces for title in _OTHER_TITLES.get(province, _TITLES)]
    for province, title in [*(("", title) for title in _NATIONAL_TITLES), *wanted]:
        person = _somebody(random, people, province, chosen)
        if person is None:
            continue
        chosen.add(person.index)
        officials.append(
            Official(
                index=len(officials),
                name=f"{person.first_name} {person.last_name}",
                title=title,
                province=province,
                number=person.number,
                fide_id=person.fide_id if title in ("IA", "FA") else None,
                person=person.index,
                paid=tuple(
                    (year, date(year - 1, 11, 3) if random.random() < 0.5 else date(year, 1, random.randint(3, 9)))
                    for year in years
                    if title != "SS" or year % 2 == 0
                ),
            )
        )
    return tuple(_who_paid_late(one) if one is who_logs_in(officials) else one for one in officials)


def _who_paid_late(official: Official) -> Official:
    """His last fee came in when the year had begun: what he did before does not count (article 7)."""
    (*paid, (year, _)) = official.paid
    return replace(official, paid=(*paid, (year, date(year, 2, 20))))


def who_logs_in(officials: Sequence[Official]) -> Official:
    """The arbiter with a login: the first one at home, who is chief there most often."""
    return next((one for one in officials if one.province == HOME.province), officials[0])


def _somebody(
    random: Random, people: tuple[InventedPerson, ...], province: str, taken: set[int]
) -> InventedPerson | None:
    fitting = [
        person
        for person in people
        if person.index not in taken and person.joined == 0 and person.left is None and person.born.year < 1998
    ]
    near = [person for person in fitting if province in ("", person.place.province)]
    return random.choice(near or fitting) if fitting else None
