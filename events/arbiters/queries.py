"""Reading an arbiter's own page: his membership, his appointments, what counts of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Max

from accounts.models import User
from config.lib import formatting
from events.arbiters.lookup import players_are
from events.models import Appointment, Arbiter, Entry, Kind, Section
from events.rules.activity import ROLES, ActiveYear, Obstacle, Service, activity, obstacle
from events.rules.fees import asks_fee, fee_year, fee_year_days, fee_year_label, is_covered
from events.rules.states import State
from events.wording import STATE_WORDS, Hint, numbers

_LOST = (State.WITHDRAWN, State.REFUSED)


@dataclass(frozen=True, slots=True)
class FeeRow:
    """A fee year of an arbiter: from when to when, and when it was paid, empty when not."""

    label: str
    days: str
    paid_on: str
    current: bool


@dataclass(frozen=True, slots=True)
class AppointmentRow:
    """An appointment. `fact` says whether it counts, or, before the event, what stands in the way; `page` that there is one."""

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
    """What counts of a fee year: by role, and together, as (events, rounds); events that do not, and that may yet."""

    year: int
    label: str
    roles: list[tuple[str, str]]
    total: tuple[str, str]
    lost: str
    waiting: str

    @property
    def told(self) -> list[str]:
        """The events by role, and those that are open, in words: for a screen without room for their columns."""
        found = [f"{events} as {role}" for role, (events, _) in zip(ROLES, self.roles, strict=True) if events]
        return [*found, f"{self.waiting} open"] if self.waiting else found


@dataclass(frozen=True, slots=True)
class ArbiterPage:
    """Everything on the page. `shown` is the fee year whose past appointments are listed; None when there are none."""

    asked: bool
    membership: Hint
    fees: list[FeeRow]
    coming: list[AppointmentRow]
    years: list[YearRow]
    shown: YearRow | None
    past: list[AppointmentRow]


@dataclass(frozen=True, slots=True)
class _Held:
    """An appointment with what is known of its event."""

    appointment: Appointment
    service: Service
    part: str


def arbiters_of(user: User) -> list[Arbiter]:
    """The arbiters whose account this is: one, as a rule."""
    return list(Arbiter.objects.filter(user=user).order_by("pk"))


def arbiter_page(arbiter: Arbiter, *, today: date, begins: int, year: int | None = None) -> ArbiterPage | None:
    """An arbiter's page on a day, with the past appointments of a fee year, the latest unless told. Four queries.

    None when he has no past appointment in the year that is asked for.
    """
    paid = [(fee.year, fee.paid_on) for fee in arbiter.memberships.order_by("-year")]
    held = _held(arbiter, paid, begins=begins)
    coming = [one for one in held if _is_ahead(one, today)]
    past = [one for one in held if not _is_ahead(one, today)]
    years = [_year_row(one, begins=begins) for one in activity([one.service for one in past], begins=begins)]
    shown = next((one for one in years if year in (None, one.year)), None)
    if year is not None and shown is None:
        return None
    of_year = [one for one in past if shown and fee_year(one.service.starts, begins=begins) == shown.year]
    return ArbiterPage(
        asked=asks_fee(arbiter.federation),
        membership=_membership(arbiter, paid, today=today, begins=begins),
        fees=_fees(paid, today=today, begins=begins) if asks_fee(arbiter.federation) else [],
        coming=[_row(one, _ahead(one)) for one in coming],
        years=years,
        shown=shown,
        past=[_row(one, _counts(obstacle(one.service))) for one in reversed(of_year)],
    )


def _is_ahead(one: _Held, today: date) -> bool:
    return one.appointment.event.ends >= today and one.service.state not in _LOST


def _held(arbiter: Arbiter, paid: list[tuple[int, date]], *, begins: int) -> list[_Held]:
    rows = list(
        Appointment.objects.filter(arbiter=arbiter)
        .select_related("event")
        .order_by("event__starts", "event", "position")
    )
    events = [one.event_id for one in rows]
    lengths = _lengths(events)
    played = set(
        Entry.objects.filter(players_are([arbiter], "player__"), section__event__in=events)
        .exclude(section__event__kind=Kind.CLUB)
        .values_list("section__event", flat=True)
    )
    return [
        _Held(
            one,
            Service(
                event=one.event_id,
                starts=one.event.starts,
                state=State(one.event.state),
                role=one.role,
                rounds=_rounds(one, lengths.get(one.event_id, 0)),
                paid=is_covered(arbiter.federation, paid, one.event.starts, begins=begins),
                played=one.event_id in played,
            ),
            "" if one.first_round is None else numbers(list(range(one.first_round, (one.last_round or 0) + 1))),
        )
        for one in rows
    ]


def _lengths(events: Iterable[int]) -> dict[int, int]:
    """Event → the rounds of its longest section, as played, else as planned."""
    found: dict[int, int] = {}
    rows = Section.objects.filter(event__in=list(events)).order_by().annotate(played=Max("rounds__number"))
    for event, planned, played in rows.values_list("event", "planned_rounds", "played"):
        found[event] = max(found.get(event, 0), played or planned or 0)
    return found


def _rounds(one: Appointment, length: int) -> frozenset[int]:
    first, last = one.first_round or 1, one.last_round or length
    return frozenset(range(first, (min(last, length) if length else last) + 1))


def _membership(arbiter: Arbiter, paid: list[tuple[int, date]], *, today: date, begins: int) -> Hint:
    if not asks_fee(arbiter.federation):
        return Hint(f"Of {arbiter.federation}: the AOC’s fee is asked of RSA arbiters only.", "7", "good")
    year = fee_year(today, begins=begins)
    label = fee_year_label(year, begins=begins)
    day = dict(paid).get(year)
    if day is None:
        text = f"The fee of {label} is not on record. An event that starts before it is paid does not count."
        return Hint(text, "7", "bad")
    return Hint(f"The fee of {label} was paid on {formatting.day(day)}.", "7", "good")


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


def _year_row(one: ActiveYear, *, begins: int) -> YearRow:
    return YearRow(
        year=one.year,
        label=fee_year_label(one.year, begins=begins),
        roles=[_figures(one.roles[role].events, one.roles[role].rounds) for role in ROLES],
        total=_figures(one.total.events, one.total.rounds),
        lost=formatting.number(one.lost) if one.lost else "",
        waiting=formatting.number(one.waiting) if one.waiting else "",
    )


def _figures(events: int, rounds: int) -> tuple[str, str]:
    return (formatting.number(events), formatting.number(rounds)) if events else ("", "")


def _ahead(one: _Held) -> Hint | None:
    """What an arbiter can still mend before an event."""
    if one.service.played:
        return Hint("Entered as a player, which an arbiter may not be", "8", "bad")
    if not one.service.paid:
        return Hint(f"The fee of its year is due before {formatting.day(one.service.starts)}", "7", "open")
    return None


def _counts(found: Obstacle | None) -> Hint:
    if found is None:
        return Hint("Counts", mark="good")
    return Hint(formatting.sentence(found.text), found.article, "bad" if found.final else "open")


def _all(rounds: int) -> str:
    return f"all {rounds} rounds" if rounds > 1 else "all rounds"


def _row(one: _Held, fact: Hint | None) -> AppointmentRow:
    event, state = one.appointment.event, one.service.state
    return AppointmentRow(
        event=event.pk,
        name=event.name,
        page=state is not State.DRAFT,
        days=formatting.days(event.starts, event.ends),
        role=one.service.role,
        rounds=one.part or _all(len(one.service.rounds)),
        state=state.value,
        state_word=STATE_WORDS.get(state, "not registered yet"),
        fact=fact,
    )
