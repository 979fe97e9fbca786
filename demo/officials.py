"""Arbiters of the demonstration: three in each province and four for the whole country."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from demo.people import InventedPerson
from demo.regions import HOME_REGION

_TITLES = ("NA", "PA", "CPA")
_NATIONAL_TITLES = ("IA", "FA", "FA", "NA")
_OTHER_TITLES = {"GP": ("FA", "NA", "TS"), "WC": ("NA", "PA", "SS")}


@dataclass(frozen=True, slots=True)
class Official:
    """An arbiter. `paid`: years with the day on which the fee was paid; `person`: the index among the people."""

    index: int
    name: str
    title: str
    province: str
    number: str
    fide_id: int | None
    person: int
    paid: tuple[tuple[int, date], ...]


def make_officials(random: Random, people: tuple[InventedPerson, ...], years: range) -> tuple[Official, ...]:
    """Choose the arbiters among the people, all of them adults, with a fee for each of the years."""
    officials: list[Official] = []
    chosen: set[int] = set()
    provinces = sorted({person.place.province for person in people})
    provincial = [(province, title) for province in provinces for title in _OTHER_TITLES.get(province, _TITLES)]
    for province, title in [*(("", title) for title in _NATIONAL_TITLES), *provincial]:
        person = _choose_person(random, people, province, chosen)
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
                fide_id=person.fide_id,
                person=person.index,
                paid=tuple(
                    (year, date(year - 1, 11, 3) if random.random() < 0.5 else date(year, 1, random.randint(3, 9)))
                    for year in years
                    if title != "SS" or year % 2 == 0
                ),
            )
        )
    login = arbiter_with_login(officials)
    return tuple(_with_late_payment(official) if official is login else official for official in officials)


def _with_late_payment(official: Official) -> Official:
    """Return the arbiter with the last fee paid in February: appointments before that day do not count (article 7)."""
    (*paid, (year, _)) = official.paid
    return replace(official, paid=(*paid, (year, date(year, 2, 20))))


def arbiter_with_login(officials: Sequence[Official]) -> Official:
    """Return the arbiter who gets an account: the first of the home province, who is most often Chief Arbiter there."""
    return next((official for official in officials if official.province == HOME_REGION.province), officials[0])


def _choose_person(
    random: Random, people: tuple[InventedPerson, ...], province: str, chosen: set[int]
) -> InventedPerson | None:
    fitting = [
        person
        for person in people
        if person.index not in chosen and person.joined == 0 and person.left is None and person.born.year < 1998
    ]
    near = [person for person in fitting if province in ("", person.place.province)]
    return random.choice(near or fitting) if fitting else None
