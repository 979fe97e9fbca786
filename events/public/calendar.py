"""Reads registered events month by month, and as entries of an iCalendar feed."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby

from django.db.models import Max, Q, QuerySet
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.days import next_month
from events.models import Event, Kind
from events.public.icalendar import CalendarEntry
from events.public.queries import section_totals
from events.rules.states import State
from events.visibility import unseen_from_abroad
from events.wording import state_words

_NOT_SHOWN = (State.DRAFT, State.LATE, State.WITHDRAWN, State.REFUSED)
FEED_DAYS = 366  # how long an event stays in the feed after its end


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """An event in the calendar. `region`: the federation if it is abroad; `when`: today, past, or "" if it is to come."""

    event: Event
    days: str
    region: str
    types: str
    marks: str
    state_word: str
    when: str


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day with the events that begin on it."""

    day: str
    weekday: str
    rows: list[CalendarRow]


def on_calendar() -> QuerySet[Event]:
    """Return the public events that are registered, or in a later state, but not withdrawn or refused."""
    return Event.objects.exclude(state__in=[state.value for state in _NOT_SHOWN]).exclude(unseen_from_abroad())


def month_days(month: date, *, today: date) -> list[CalendarDay]:
    """Return the events with a day in a month, under their first days. Two queries."""
    events = list(
        on_calendar()
        .filter(starts__lt=next_month(month), ends__gte=month)
        .select_related("region")
        .order_by("starts", "ends", "name")
    )
    totals = section_totals(events)
    return [
        CalendarDay(
            formatting.day(day),
            str(WEEKDAYS[day.weekday()]),
            [_row(event, totals[event.pk][0] if event.pk in totals else "", today) for event in of_day],
        )
        for day, of_day in groupby(events, key=lambda event: event.starts)
    ]


def _row(event: Event, types: str, today: date) -> CalendarRow:
    marks = [gettext("FIDE rated")] if event.fide_rated else []
    marks += [gettext("norm event")] if event.norm_event else []
    return CalendarRow(
        event=event,
        days=formatting.days(event.starts, event.ends),
        region=event.federation if event.kind == Kind.ABROAD else event.region.name,
        types=types,
        marks=", ".join(marks),
        state_word=state_words(State(event.state)).word,
        when="past" if event.ends < today else "" if event.starts > today else "today",
    )


def months_around(month: date) -> tuple[date | None, date | None]:
    """Return the nearest months before and after in which an event on the calendar starts. Two queries."""
    before = on_calendar().filter(starts__lt=month).order_by("-starts").values_list("starts", flat=True).first()
    after = (
        on_calendar().filter(starts__gte=next_month(month)).order_by("starts").values_list("starts", flat=True).first()
    )
    return before and before.replace(day=1), after and after.replace(day=1)


def feed_entries(*, today: date, site: str) -> list[CalendarEntry]:
    """Return the events to come and of the last year as entries of a calendar. Two queries.

    Withdrawn and refused events that were registered are included as cancelled. `site`: the site's address without a slash at
    its end.
    """
    was_registered = Q(moves__target=State.REGISTERED.value)
    events = list(
        Event.objects.filter(
            was_registered | Q(state__in=[State.SUBMITTED, State.ACCEPTED]), ends__gte=today - timedelta(FEED_DAYS)
        )
        .exclude(state__in=[State.DRAFT.value, State.LATE.value])
        .exclude(unseen_from_abroad())
        .select_related("region")
        .annotate(moved=Max("moves__at"))
        .order_by("starts", "pk")
    )
    saved = dict(
        Event.history.filter(id__in=[event.pk for event in events])
        .order_by()
        .values_list("id")
        .annotate(Max("history_date"))
    )
    host = site.partition("//")[2]
    return [
        CalendarEntry(
            uid=f"event-{event.pk}@{host}",
            changed=max(filter(None, (event.moved, saved.get(event.pk))), default=datetime.combine(today, time(), UTC)),
            starts=event.starts,
            ends=event.ends,
            name=event.name,
            place=", ".join(part for part in (event.place, event.region.name) if part),
            address=f"{site}/events/{event.pk}/",
            description=f"State: {state_words(State(event.state)).word}",
            cancelled=event.state in (State.WITHDRAWN, State.REFUSED),
        )
        for event in events
    ]
