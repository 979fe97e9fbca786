"""What counts towards an arbiter's activity (articles 7 and 8), by fee year and role. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from events.rules.fees import fee_year
from events.rules.findings import Finding, Severity
from events.rules.states import State

ROLES = ("Chief Arbiter", "Deputy Chief Arbiter", "Arbiter")

_WAITING = {
    State.REGISTERED: "Its results are not submitted yet",
    State.SUBMITTED: "Its results are being checked",
    State.RETURNED: "Its file went back to the region to be mended",
    State.ACCEPTED: "It is not rated yet",
    State.CALCULATED: "Its ratings are not published yet",
}


@dataclass(frozen=True, slots=True)
class Service:
    """An arbiter's appointment to an event: the rounds that he served.

    `paid` says that article 7 has nothing against it, `played` that he was entered as a player where article 8 forbids it.
    """

    event: int
    starts: date
    state: State
    role: str
    rounds: frozenset[int] = frozenset()
    paid: bool = True
    played: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Events and rounds that count; an event with several sections has the rounds of its longest."""

    events: int = 0
    rounds: int = 0


@dataclass(slots=True)
class ActiveYear:
    """What counts of a fee year, by role and together; how many events do not, and of how many it is not known yet."""

    year: int
    roles: dict[str, Tally] = field(default_factory=dict)
    total: Tally = Tally()
    lost: int = 0
    waiting: int = 0


def obstacle(service: Service) -> Finding | None:
    """Why an appointment does not count: an error when it never will, a hold while it still may.

    None when it counts: the event is rated and published, and articles 7 and 8 are kept.
    """
    if service.state is State.WITHDRAWN:
        return Finding(Severity.ERROR, "event-withdrawn", "The event was withdrawn")
    if service.state is State.REFUSED:
        return Finding(Severity.ERROR, "event-refused", "The event was refused and is not rated", article="11")
    if service.state in (State.DRAFT, State.LATE):
        return Finding(Severity.HOLD, "event-not-registered", "The event is not registered", article="60")
    if not service.paid:
        message = "The membership fee was not paid before the event started"
        return Finding(Severity.ERROR, "membership-unpaid", message, article="7")
    if service.played:
        return Finding(Severity.ERROR, "arbiter-plays", "Entered as a player", article="8")
    if service.state is not State.PUBLISHED:
        return Finding(Severity.HOLD, "event-not-published", _WAITING[service.state])
    return None


def activity(services: Iterable[Service], *, begins: int) -> list[ActiveYear]:
    """What counts, by the fee year of the events' first days, the latest first. Two appointments to an event are one event."""
    years: dict[int, list[Service]] = {}
    for one in services:
        years.setdefault(fee_year(one.starts, begins=begins), []).append(one)
    return [_active_year(year, years[year]) for year in sorted(years, reverse=True)]


def _active_year(year: int, services: list[Service]) -> ActiveYear:
    findings = [(service, obstacle(service)) for service in services]
    good = [service for service, finding in findings if finding is None]
    waiting = {service.event for service, finding in findings if finding and finding.severity is Severity.HOLD}
    served: dict[str, dict[int, frozenset[int]]] = {}
    together: dict[int, frozenset[int]] = {}
    for one in good:
        of_role = served.setdefault(one.role, {})
        of_role[one.event] = of_role.get(one.event, frozenset()) | one.rounds
        together[one.event] = together.get(one.event, frozenset()) | one.rounds
    roles = {role: _tally(served.get(role, {})) for role in ROLES}
    waiting -= together.keys()
    lost = {one.event for one in services} - together.keys() - waiting
    return ActiveYear(year, roles, _tally(together), len(lost), len(waiting))


def _tally(rounds: dict[int, frozenset[int]]) -> Tally:
    return Tally(len(rounds), sum(map(len, rounds.values())))
