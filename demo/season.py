"""The events of one month: which are held, where, by which players and arbiters, and what the bureau decides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random

from demo.fixtures import FIXTURES, Fixture, FixtureGroup
from demo.officials import Official
from demo.people import InventedPerson
from demo.plans import Defect, EventPlan, Fate, SectionPlan
from demo.regions import HOME_REGION, NATIONAL, PLACES, InventedPlace
from demo.teams import BOARDS

_LEAST_SWISS, _ROUND_ROBIN, _LEAST = 12, 8, 6
_TEAM_PLAYERS = 6 * BOARDS
_LAST_DAY = 25
_FATES = ((Fate.RATED, 88), (Fate.RETURNED_ONCE, 7), (Fate.LATE, 5))
# One event of the month, by year and month.
_SPECIAL = {
    (2025, 3): Fate.REFUSED,
    (2025, 5): Fate.STRAGGLER,
    (2025, 8): Fate.OVERDUE,
    (2025, 12): Fate.REFUSED,
    (2026, 7): Fate.REFUSED,
    (2026, 8): Fate.OVERDUE,
    (2026, 9): Fate.STRAGGLER,
}
_ABROAD = (("NAM", "Swakopmund"), ("BOT", "Gaborone"), ("MRI", "Port Louis"), ("ESP", "Sitges"), ("ZAM", "Livingstone"))


@dataclass(frozen=True, slots=True)
class SeasonMonth:
    """A month of the demonstration. `index` counts from 0; `today` is set for the open month only."""

    index: int
    first: date
    today: date | None = None


@dataclass(frozen=True, slots=True)
class _Pool:
    """The people and arbiters available in a month, and the days on which each, by index, is already busy."""

    people: Sequence[InventedPerson]
    officials: Sequence[Official]
    playing: dict[int, set[date]] = field(default_factory=dict)
    serving: dict[int, set[date]] = field(default_factory=dict)


def plan_month(
    random: Random, month: SeasonMonth, people: Sequence[InventedPerson], officials: Sequence[Official]
) -> tuple[EventPlan, ...]:
    """Return the events of a month by their last day; the open month also has events in the future."""
    pool = _Pool([person for person in people if person.plays_in(month.index)], officials)
    plans: list[EventPlan] = []
    travellers_first = sorted(enumerate(FIXTURES), key=lambda numbered: numbered[1].scope != "abroad")
    for order, fixture in travellers_first:
        if not _is_held(fixture, month):
            continue
        saturday = _saturday(random, fixture, month, order)
        place = _host(random, fixture, month, order)
        plan = _event(random, fixture, place, saturday, month, pool)
        if plan is not None:
            plans.append(plan)
    plans.sort(key=lambda plan: (plan.ends, plan.key))
    return tuple(_with_fates(random, plans, month))


def _is_held(fixture: Fixture, month: SeasonMonth) -> bool:
    if not fixture.months or month.first.month in fixture.months:
        return True
    return month.today is not None and (fixture.scope == "abroad" or month.first.month % 12 + 1 in fixture.months)


def _saturday(random: Random, fixture: Fixture, month: SeasonMonth, order: int) -> date:
    first = month.first + timedelta(days=(5 - month.first.weekday()) % 7)
    saturdays = [first + timedelta(weeks=week) for week in range(4)]
    if month.today is not None:
        coming = fixture.months and month.first.month not in fixture.months and fixture.scope != "abroad"
        return (
            saturdays[-1] + timedelta(weeks=2) if coming else saturdays[order % 4 if fixture.scope != "abroad" else 0]
        )
    fitting = [day for day in saturdays if (day + timedelta(days=max(fixture.days))).day <= _LAST_DAY]
    fitting = [day for day in fitting if (day + timedelta(days=max(fixture.days))).month == month.first.month]
    return random.choice(fitting or saturdays[:1])


def _host(random: Random, fixture: Fixture, month: SeasonMonth, order: int) -> InventedPlace:
    if fixture.scope == "national":
        return NATIONAL
    if month.today is not None and order % 2 == 0:
        return HOME_REGION
    return random.choices(PLACES, [place.share for place in PLACES])[0]


def _event(
    random: Random, fixture: Fixture, place: InventedPlace, saturday: date, month: SeasonMonth, pool: _Pool
) -> EventPlan | None:
    days = [saturday + timedelta(days=offset) for offset in fixture.days]
    officials = _officials(random, fixture, place, days, pool)
    barred: set[int] = set() if fixture.kind == "club" else {pool.officials[index].person for index in officials}
    free = [
        person
        for person in pool.people
        if person.index not in barred and pool.playing.get(person.index, set()).isdisjoint(days)
    ]
    entered = _entered(random, fixture, place, free, month)
    sections = [
        section
        for group, players in _grouped(fixture, entered, month)
        if (section := _section(fixture, group, players, days)) is not None
    ]
    if not sections:
        return None
    for section in sections:
        for index in section.players:
            pool.playing.setdefault(index, set()).update(section.round_dates)
    country, town = random.choice(_ABROAD) if fixture.scope == "abroad" else ("RSA", place.town)
    emblem = town if fixture.scope == "abroad" else place.emblem
    organisers = [
        person for person in pool.people if person.place.code == place.code and person.born.year < 2000
    ] or pool.people
    return EventPlan(
        key=f"{month.first:%Y-%m}/{place.code}/{fixture.title}",
        name=f"{emblem} {fixture.title}, {saturday:%B %Y}",
        kind=fixture.kind,
        region=place.code,
        place=town,
        organiser=random.choice(organisers).index,
        officials=officials,
        sections=tuple(sections),
        fate=Fate.RATED,
        fide_rated=fixture.fide_rated,
        country=country,
    )


def _officials(
    random: Random, fixture: Fixture, place: InventedPlace, days: list[date], pool: _Pool
) -> tuple[int, ...]:
    if fixture.scope == "abroad":
        return ()
    free = [official for official in pool.officials if pool.serving.get(official.index, set()).isdisjoint(days)]
    near = [official for official in free if official.province == place.province] or free
    number_needed = 1 if fixture.size[1] < 30 else 2 if fixture.scope == "region" else 4
    chief = near[0] if random.random() < 0.6 else random.choice(near)
    deputies = [official for official in near if official is not chief]
    chosen = (
        chief.index,
        *(official.index for official in random.sample(deputies, min(number_needed - 1, len(deputies)))),
    )
    for index in chosen:
        pool.serving.setdefault(index, set()).update(days)
    return chosen


def _entered(
    random: Random, fixture: Fixture, place: InventedPlace, free: list[InventedPerson], month: SeasonMonth
) -> list[InventedPerson]:
    year = month.first.year
    ages = [group.oldest for group in fixture.groups if group.oldest is not None]
    if ages:
        free = [person for person in free if person.age_in(year) <= max(ages)]
    if all(group.women for group in fixture.groups):
        free = [person for person in free if person.sex == "F"]
    if fixture.scope == "abroad":
        free = [person for person in free if person.fide_id]
    if fixture.scope == "national" and fixture.format == "round-robin":
        free = sorted(free, key=lambda person: (-person.strengths[month.index], person.index))[: fixture.size[1] + 3]

    def weight(person: InventedPerson) -> float:
        if fixture.scope != "region":
            return person.activity * (1 + max(0.0, person.strengths[month.index] - 1600) / 100)
        near = 6.0 if person.place.code == place.code else 2.5 if person.place.province == place.province else 0.4
        if fixture.kind == "club":
            near **= 3
        return person.activity * near

    drawn = sorted(free, key=lambda person: -(random.random() ** (1 / weight(person))))
    return drawn[: random.randint(*fixture.size)]


def _grouped(
    fixture: Fixture, entered: list[InventedPerson], month: SeasonMonth
) -> Iterable[tuple[FixtureGroup, list[InventedPerson]]]:
    groups = fixture.groups
    if groups[0].oldest is None:
        order = sorted(entered, key=lambda person: (-person.strengths[month.index], person.index))
        groups = groups[: max(1, len(order) // _LEAST_SWISS)]
        for place, group in enumerate(groups):
            yield group, order[place * len(order) // len(groups) : (place + 1) * len(order) // len(groups)]
        return
    unplaced = list(entered)
    for group in sorted(groups, key=lambda group: (group.oldest or 0, not group.women)):
        fitting = [
            person
            for person in unplaced
            if person.age_in(month.first.year) <= (group.oldest or 0) and (person.sex == "F" or not group.women)
        ]
        if len(fitting) >= _LEAST:
            unplaced = [person for person in unplaced if person not in fitting]
            yield group, fitting


def _section(
    fixture: Fixture, group: FixtureGroup, players: list[InventedPerson], days: list[date]
) -> SectionPlan | None:
    style, count = fixture.format, len(players)
    if fixture.scope == "abroad":
        rounds = len(days)
    elif style == "swiss" and count >= _LEAST_SWISS:
        rounds = min(len(days), (count - 2) // 2)
    elif style == "team":
        if count < _TEAM_PLAYERS:
            return None
        players, rounds = players[:_TEAM_PLAYERS], _TEAM_PLAYERS // BOARDS - 1
    elif count >= _LEAST:
        style = "round-robin" if style == "swiss" else style
        players = players if fixture.format != "swiss" else players[:_ROUND_ROBIN]
        rounds = len(players) - 1 + len(players) % 2
        rounds *= 2 if style == "double-round-robin" else 1
    else:
        return None
    return (
        SectionPlan(
            name=group.name,
            format=style,
            base=fixture.base,
            increment=fixture.increment,
            round_dates=tuple(days[number * len(days) // rounds] for number in range(rounds)),
            players=tuple(person.index for person in players),
        )
        if players
        else None
    )


def _with_fates(random: Random, plans: list[EventPlan], month: SeasonMonth) -> Iterable[EventPlan]:
    fates = [fate for fate, _ in _FATES]
    shares = [share for _, share in _FATES]
    special = _SPECIAL.get((month.first.year, month.first.month))
    waiting = iter(((Fate.SUBMITTED, {Defect.BIRTH_DATES}), (Fate.RETURNED, {Defect.ROUND_DATES})))
    for place, plan in enumerate(plans):
        fate, defects = Fate.RATED, set[Defect]()
        if month.today is not None:
            if plan.ends >= month.today:
                fate = Fate.DRAFT if place == len(plans) - 1 else Fate.REGISTERED
            elif plan.ends > month.today - timedelta(days=10):
                fate, defects = Fate.SUBMITTED, {Defect.ORGANISER} if plan.region != HOME_REGION.code else set()
                if plan.region == HOME_REGION.code:
                    fate, defects = next(waiting, (fate, defects))
        elif plan.kind != "abroad":
            fate = random.choices(fates, shares)[0]
            if special is not None and fate is Fate.RATED and plan.kind == "otb":
                fate, special = special, None
        yield replace(plan, fate=fate, defects=frozenset(defects))
