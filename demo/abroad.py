"""Two recent results from abroad: one submitted by a mailed link and waiting, one by its region and returned."""

from collections.abc import Iterator
from datetime import timedelta

from accounts.trail.operations import record
from config.lib.database import save_recorded
from demo.clock import Clock
from demo.guests import games_abroad
from demo.people import InventedPerson
from demo.plans import EventPlan, Fate, SectionPlan
from demo.regions import HOME_REGION
from demo.register import Register
from demo.season import SeasonMonth
from events.abroad.links import ask_link
from events.abroad.operations import Channel, submit_abroad
from events.models import AbroadLink
from events.operations import return_event
from events.rules.abroad import Ground, ResultsAbroad

_ROUNDS = 7
_RETURNED = "The official results have another opponent in round 4: compare and send in again."


def send_results(register: Register, month: SeasonMonth, clock: Clock) -> None:
    """Submit results abroad of two players of the home region. Does nothing unless `month` is the open one."""
    if month.today is None:
        return
    chosen = list(_travellers(register, month))
    if len(chosen) < 2:
        return
    clock.set(month.today - timedelta(days=2), 19, 20)
    first, second = register.players(person.index for person in chosen).values()
    by = register.administrator(HOME_REGION.code)
    first.email = "traveller@example.org"
    save_recorded(first, at=clock.now, by=by)
    record(
        "changed",
        first,
        at=clock.now,
        by=by,
        before={"E-mail address": "–"},
        after={"E-mail address": first.email},
        reason="The player gave it.",
    )
    clock.set(month.today - timedelta(days=2), 19, 40)
    link = ask_link(first.number, "traveller@example.org", AbroadLink.Sender.PLAYER, at=clock.now)
    if link:
        submit_abroad(
            first,
            _results("Coral Coast Open", "MRI", "Port Louis", chosen[0], month),
            at=clock.now,
            channel=Channel(link=link),
        )
    results = _results("Livingstone Festival", "ZAM", "Livingstone", chosen[1], month)
    event = submit_abroad(second, results, at=clock.now, channel=Channel(by=by))
    clock.set(month.today - timedelta(days=1), 11, 5)
    return_event(event, at=clock.now, by=register.officer, reason=_RETURNED, ground=Ground.INCOMPLETE)


def _travellers(register: Register, month: SeasonMonth) -> Iterator[InventedPerson]:
    """Yield up to two players of the home region who have a FIDE id."""
    travellers = (
        person
        for person in register.people
        if person.place.code == HOME_REGION.code and person.fide_id and person.plays_in(month.index)
    )
    for _, person in zip(range(2), travellers, strict=False):
        yield person


def _results(name: str, country: str, town: str, person: InventedPerson, month: SeasonMonth) -> ResultsAbroad:
    assert month.today  # noqa: S101 - the open month has one
    ends = month.today - timedelta(days=4)
    days = tuple(ends - timedelta(days=_ROUNDS - 1 - number) for number in range(_ROUNDS))
    section = SectionPlan("", "swiss", 90, 30, days, (person.index,))
    plan = EventPlan(
        name,
        name,
        "abroad",
        HOME_REGION.code,
        town,
        person.index,
        (),
        (section,),
        Fate.SUBMITTED,
        fide_rated=True,
        country=country,
    )
    return ResultsAbroad(
        name=name,
        federation=country,
        place=town,
        starts=plan.starts,
        ends=plan.ends,
        results_url=f"https://example.org/results/{town.lower().replace(' ', '-')}",
        fide_rated=True,
        base=section.base,
        increment=section.increment,
        rank=31,
        games=tuple(games_abroad(plan, person, month.index, _ROUNDS)),
        own_fide_id=person.fide_id,
    )
