"""Reads an arbiter's page: fees, appointments, and which appointments count as activity."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Max
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from config.languages import counted
from config.lib import formatting
from config.lib.pure_texts import PureTexts
from events.arbiters.lookup import entries_are_of
from events.models import Appointment, Arbiter, Entry, Fee, Kind, PastAppointment, Section
from events.rules.activity import ROLES, UNPUBLISHED, ActiveYear, Service, activity, obstacle
from events.rules.fees import LICENCE_YEAR_BEGINS, asks_fee, fee_year, fee_year_days, fee_year_label, is_covered
from events.rules.findings import Severity
from events.rules.states import State
from events.wording import Hint, rounds_text, state_words

_LOST = (State.WITHDRAWN, State.REFUSED)
# Why an appointment does not count, as `events.rules.activity` has it.
OBSTACLES = PureTexts(
    gettext_noop("The event was withdrawn"),
    gettext_noop("The event was refused and is not rated"),
    gettext_noop("The event is not registered"),
    gettext_noop("Replaced after the event had begun: %(reason)s"),
    gettext_noop("The membership fee was not paid before the event started"),
    gettext_noop("Entered as a player"),
    gettext_noop("The event is not published"),
)


Served = Appointment | PastAppointment


@dataclass(frozen=True, slots=True)
class FeeRow:
    """A fee year of an arbiter: its days, and the day of payment or ""."""

    label: str
    days: str
    paid_on: str
    current: bool


@dataclass(frozen=True, slots=True)
class AppointmentRow:
    """An appointment. `fact`: whether it counts, or, before the event, why it would not; `page`: the event is public."""

    event: int
    name: str
    page: bool
    days: str
    role: str
    rounds: str
    state: str
    state_word: str
    fact: Hint | None


@dataclass(frozen=True, slots=True)
class YearRow:
    """Activity in a fee year as (events, rounds), by role and in total.

    `lost`: events that do not count; `waiting`: open; `lengths`: the rounds by role in words.
    """

    year: int
    label: str
    roles: list[tuple[str, str]]
    total: tuple[str, str]
    lost: str
    waiting: str
    lengths: list[str]

    @property
    def by_role(self) -> list[tuple[str, str]]:
        """The events and the rounds in words, by role."""
        return [(events, length) for (events, _), length in zip(self.roles, self.lengths, strict=True)]

    @property
    def summary(self) -> list[str]:
        """The counts by role and of open events in words, for narrow screens without the columns."""
        parts = [
            gettext("%(count)s as %(role)s") % {"count": events, "role": gettext(role)}
            for role, (events, _) in zip(ROLES, self.roles, strict=True)
            if events
        ]
        return [*parts, gettext("%(count)s open") % {"count": self.waiting}] if self.waiting else parts


@dataclass(frozen=True, slots=True)
class ArbiterPage:
    """The content of the page. `fees`: of the AOC; `licences`: FIDE's.

    `shown` is the fee year whose past appointments are listed, None if there are none.
    """

    asked: bool
    membership: Hint
    fees: list[FeeRow]
    licences: list[FeeRow]
    coming: list[AppointmentRow]
    years: list[YearRow]
    shown: YearRow | None
    past: list[AppointmentRow]


def arbiters_of(user: User) -> list[Arbiter]:
    """Return the arbiters linked to an account, usually one."""
    return list(Arbiter.objects.filter(user=user).order_by("pk"))


def arbiter_page(arbiter: Arbiter, *, today: date, begins: int, year: int | None = None) -> ArbiterPage | None:
    """Return an arbiter's page on the day `today`, with the past appointments of fee year `year`, by default the latest.

    `begins` is the month in which the fee year begins. None if the arbiter has no past appointment in `year`. Five queries.
    """
    fees = list(arbiter.memberships.order_by("-year"))
    paid = [(fee.year, fee.paid_on) for fee in fees if fee.fee == Fee.AOC]
    licences = [(fee.year, fee.paid_on) for fee in fees if fee.fee == Fee.FIDE]
    services = _services(arbiter, paid, begins=begins)
    coming = [(appointment, service) for appointment, service in services if _is_ahead(appointment, service, today)]
    past = [(appointment, service) for appointment, service in services if not _is_ahead(appointment, service, today)]
    active_years = activity([service for _, service in past], begins=begins)
    years = [_year_row(active_year, begins=begins) for active_year in active_years]
    shown = next((row for row in years if year in (None, row.year)), None)
    if year is not None and shown is None:
        return None
    of_year = [row for row in past if shown and fee_year(row[1].starts, begins=begins) == shown.year]
    return ArbiterPage(
        asked=asks_fee(arbiter.federation),
        membership=_membership(arbiter, paid, today=today, begins=begins),
        fees=_fees(paid, today=today, begins=begins) if asks_fee(arbiter.federation) else [],
        licences=_fees(licences, today=today, begins=LICENCE_YEAR_BEGINS) if asks_fee(arbiter.federation) else [],
        coming=[_row(appointment, service, _problem_ahead(service)) for appointment, service in coming],
        years=years,
        shown=shown,
        past=[_row(appointment, service, _counts(service)) for appointment, service in reversed(of_year)],
    )


def _is_ahead(appointment: Served, service: Service, today: date) -> bool:
    return appointment.event.ends >= today and service.state not in _LOST


def _services(arbiter: Arbiter, paid: list[tuple[int, date]], *, begins: int) -> list[tuple[Served, Service]]:
    """Return the appointments, and those that were ended after play without another, each with its service."""
    appointments: list[Served] = list(Appointment.objects.filter(arbiter=arbiter).select_related("event"))
    standing = {appointment.event_id for appointment in appointments}
    ended = PastAppointment.objects.filter(arbiter=arbiter, during=True).exclude(event__in=standing)
    appointments += {row.event_id: row for row in ended.select_related("event").order_by("until")}.values()
    appointments.sort(key=lambda row: (row.event.starts, row.event_id, row.position))
    events = [appointment.event_id for appointment in appointments]
    lengths = _lengths(events)
    played = set(
        Entry.objects.filter(entries_are_of([arbiter]), section__event__in=events)
        .exclude(section__event__kind=Kind.CLUB)
        .values_list("section__event", flat=True)
    )
    return [
        (
            appointment,
            Service(
                event=appointment.event_id,
                starts=appointment.event.starts,
                state=State(appointment.event.state),
                role=appointment.role,
                rounds=_rounds(appointment, lengths.get(appointment.event_id, 0)),
                paid=is_covered(arbiter.federation, paid, appointment.event.starts, begins=begins),
                played=appointment.event_id in played,
                replaced=appointment.reason if isinstance(appointment, PastAppointment) else "",
            ),
        )
        for appointment in appointments
    ]


def _lengths(events: Iterable[int]) -> dict[int, int]:
    """Return event → number of rounds of its longest section, played or else planned."""
    lengths: dict[int, int] = {}
    rows = Section.objects.filter(event__in=list(events)).order_by().annotate(played=Max("rounds__number"))
    for event, planned, played in rows.values_list("event", "planned_rounds", "played"):
        lengths[event] = max(lengths.get(event, 0), played or planned or 0)
    return lengths


def _rounds(appointment: Served, length: int) -> frozenset[int]:
    first, last = appointment.first_round or 1, appointment.last_round or length
    return frozenset(range(first, (min(last, length) if length else last) + 1))


def _membership(arbiter: Arbiter, paid: list[tuple[int, date]], *, today: date, begins: int) -> Hint:
    if not asks_fee(arbiter.federation):
        return Hint(
            gettext("Of %(federation)s: the AOC’s fee is asked of RSA arbiters only.")
            % {"federation": arbiter.federation},
            "7",
            "good",
        )
    year = fee_year(today, begins=begins)
    label = fee_year_label(year, begins=begins)
    day = dict(paid).get(year)
    if day is None:
        text = gettext(
            "The fee of %(year)s is not on record. An event that starts before it is paid does not count."
        ) % {"year": label}
        return Hint(text, "7", "bad")
    return Hint(
        gettext("The fee of %(year)s was paid on %(day)s.") % {"year": label, "day": formatting.day(day)}, "7", "good"
    )


def _fees(paid: list[tuple[int, date]], *, today: date, begins: int) -> list[FeeRow]:
    now = fee_year(today, begins=begins)
    days = dict(paid)
    return [
        FeeRow(
            label=fee_year_label(year, begins=begins),
            days=formatting.days(*fee_year_days(year, begins=begins)),
            paid_on=formatting.day(days[year]) if year in days else "",
            current=year == now,
        )
        for year in sorted({*days, now}, reverse=True)
    ]


def _year_row(active_year: ActiveYear, *, begins: int) -> YearRow:
    return YearRow(
        year=active_year.year,
        label=fee_year_label(active_year.year, begins=begins),
        roles=[_figures(active_year.roles[role].events, active_year.roles[role].rounds) for role in ROLES],
        total=_figures(active_year.total.events, active_year.total.rounds),
        lost=formatting.number(active_year.lost) if active_year.lost else "",
        waiting=formatting.number(active_year.waiting) if active_year.waiting else "",
        lengths=[counted(active_year.roles[role].rounds, "%(count)s round", "%(count)s rounds") for role in ROLES],
    )


def _figures(events: int, rounds: int) -> tuple[str, str]:
    return (formatting.number(events), formatting.number(rounds)) if events else ("", "")


def _problem_ahead(service: Service) -> Hint | None:
    if service.played:
        return Hint(gettext("Entered as a player, which an arbiter may not be"), "8", "bad")
    if not service.paid:
        return Hint(
            gettext("The fee of its year is due before %(day)s") % {"day": formatting.day(service.starts)}, "7", "open"
        )
    return None


def _counts(service: Service) -> Hint:
    finding = obstacle(service)
    if finding is None:
        return Hint(gettext("Counts"), mark="good")
    text = state_words(service.state).uncounted if finding.code == UNPUBLISHED else OBSTACLES.said(finding.message)
    return Hint(text, finding.article, "bad" if finding.severity is Severity.ERROR else "open")


def _row(appointment: Served, service: Service, fact: Hint | None) -> AppointmentRow:
    event, first, number = appointment.event, appointment.first_round, len(service.rounds)
    if first is not None:
        rounds = rounds_text(list(range(first, (appointment.last_round or 0) + 1)))
    else:
        rounds = gettext("all %(count)s rounds") % {"count": number} if number > 1 else gettext("all rounds")
    return AppointmentRow(
        event=event.pk,
        name=event.name,
        page=service.state is not State.DRAFT,
        days=formatting.days(event.starts, event.ends),
        role=gettext(service.role),
        rounds=rounds,
        state=service.state.value,
        state_word=gettext("not registered yet") if service.state is State.DRAFT else state_words(service.state).word,
        fact=fact,
    )
