"""What counts towards an arbiter's activity (articles 7 and 8), by fee year and role. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from events.rules.fees import fee_year
from events.rules.findings import Finding, Severity
from events.rules.states import State

ROLES = ("Chief Arbiter", "Deputy Chief Arbiter", "Arbiter")


@dataclass(frozen=True, slots=True)
class Service:
    """An arbiter's appointment to an event, and the rounds served.

    `paid`: article 7 does not speak against it; `played`: the arbiter was entered as a player although article 8 forbids it;
    `replaced`: why another was put in the place after the event had begun, or "".
    """

    event: int
    starts: date
    state: State
    role: str
    rounds: frozenset[int] = frozenset()
    paid: bool = True
    played: bool = False
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """Events and rounds that count; an event with several sections has the rounds of its longest one."""

    events: int = 0
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class ActiveYear:
    """What counts in a fee year, by role and in total. `lost`: events that do not count; `waiting`: those still open."""

    year: int
    roles: dict[str, Tally]
    total: Tally
    lost: int
    waiting: int


def obstacle(service: Service) -> Finding | None:
    """Return why an appointment does not count: an error if it never will, a hold if it still may.

    None if it counts: the event is rated and published, and articles 7 and 8 are kept.
    """
    if service.state is State.WITHDRAWN:
        return Finding(Severity.ERROR, "event-withdrawn", "The event was withdrawn")
    if service.state is State.REFUSED:
        return Finding(Severity.ERROR, "event-refused", "The event was refused and is not rated", article="11")
    if service.state in (State.DRAFT, State.LATE):
        return Finding(Severity.HOLD, "event-not-registered", "The event is not registered", article="60")
    if service.replaced:
        message = f"Replaced after the event had begun: {service.replaced}"
        return Finding(Severity.ERROR, "arbiter-replaced", message, article="6")
    if not service.paid:
        message = "The membership fee was not paid before the event started"
        return Finding(Severity.ERROR, "membership-unpaid", message, article="7")
    if service.played:
        return Finding(Severity.ERROR, "arbiter-plays", "Entered as a player", article="8")
    if service.state is not State.PUBLISHED:
        return Finding(Severity.HOLD, UNPUBLISHED, "The event is not published")
    return None


UNPUBLISHED = "event-not-published"  # pages say in its place what the state of the event is


def activity(services: Iterable[Service], *, begins: int) -> list[ActiveYear]:
    """Return what counts by the fee year of the events' first days, the latest year first.

    `begins`: the month in which a fee year begins. Two appointments to one event count as one event.
    """
    years: defaultdict[int, list[Service]] = defaultdict(list)
    for service in services:
        years[fee_year(service.starts, begins=begins)].append(service)
    return [_active_year(year, years[year]) for year in sorted(years, reverse=True)]


def _active_year(year: int, services: list[Service]) -> ActiveYear:
    findings = [(service, obstacle(service)) for service in services]
    counted = [service for service, finding in findings if finding is None]
    waiting = {service.event for service, finding in findings if finding and finding.severity is Severity.HOLD}
    events = {service.event for service in counted}
    return ActiveYear(
        year,
        {role: _tally(service for service in counted if service.role == role) for role in ROLES},
        _tally(counted),
        lost=len({service.event for service in services} - events - waiting),
        waiting=len(waiting - events),
    )


def _tally(services: Iterable[Service]) -> Tally:
    rounds: defaultdict[int, frozenset[int]] = defaultdict(frozenset)
    for service in services:
        rounds[service.event] |= service.rounds
    return Tally(len(rounds), sum(map(len, rounds.values())))
