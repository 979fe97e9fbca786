"""Reads registered events month by month, and as entries of an iCalendar feed."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.days import next_month
from events.models import Event, Kind, Section
from events.public.icalendar import CalendarEntry
from events.public.queries import section_totals
from events.rules.states import State
from events.rules.time_controls import type_of_game
from events.visibility import unseen_from_abroad
from events.wording import state_words
from players.search import NO_REGION, RegionChoice

_NOT_SHOWN = (State.DRAFT, State.LATE, State.WITHDRAWN, State.REFUSED)
FEED_DAYS = 366  # how long an event stays in the feed after its end


@dataclass(frozen=True, slots=True)
class CalendarChoice:
    """To what the calendar is narrowed: the host region or province, and a type of game, `rapid`; "" for all."""

    place: RegionChoice = NO_REGION
    type: str = ""

    def with_type(self, events: list[Any]) -> list[Any]:
        """Return the events with a section of the type of game. One query, none without a type."""
        if not self.type:
            return events
        types: defaultdict[int, set[str]] = defaultdict(set)
        sections = Section.objects.filter(event__in=events).order_by()
        for event, *control in sections.values_list("event", "base_minutes", "increment_seconds", "ends"):
            types[event].add(type_of_game(*control))
        return [event for event in events if self.type in types[event.pk]]


EVERYTHING = CalendarChoice()


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


def on_calendar(place: RegionChoice = NO_REGION) -> QuerySet[Event]:
    """Return the public events of a place that are registered, or in a later state, but not withdrawn or refused."""
    shown = Event.objects.exclude(state__in=[state.value for state in _NOT_SHOWN]).exclude(unseen_from_abroad())
    return shown.filter(place.condition())


def month_days(month: date, *, today: date, choice: CalendarChoice = EVERYTHING) -> list[CalendarDay]:
    """Return the chosen events with a day in a month, under their first days. Two queries, three with a type of game."""
    found = list(
        on_calendar(choice.place)
        .filter(starts__lt=next_month(month), ends__gte=month)
        .select_related("region")
        .order_by("starts", "ends", "name")
    )
    events = choice.with_type(found)
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


def months_around(month: date, place: RegionChoice = NO_REGION) -> tuple[date | None, date | None]:
    """Return the nearest months before and after in which an event of a place starts. Two queries."""
    starts = on_calendar(place).values_list("starts", flat=True)
    before = starts.filter(starts__lt=month).order_by("-starts").first()
    after = starts.filter(starts__gte=next_month(month)).order_by("starts").first()
    return before and before.replace(day=1), after and after.replace(day=1)


def feed_entries(*, today: date, site: str, choice: CalendarChoice = EVERYTHING) -> list[CalendarEntry]:
    """Return the chosen events to come and of the last year as entries of a calendar. Two queries, three with a type of game.

    Withdrawn and refused events that were registered are included as cancelled. `site`: the site's address without a slash at
    its end.
    """
    was_registered = Q(moves__target=State.REGISTERED.value)
    found = list(
        Event.objects.filter(choice.place.condition())
        .filter(was_registered | Q(state__in=[State.SUBMITTED, State.ACCEPTED]), ends__gte=today - timedelta(FEED_DAYS))
        .exclude(state__in=[State.DRAFT.value, State.LATE.value])
        .exclude(unseen_from_abroad())
        .select_related("region")
        .annotate(moved=Max("moves__at"))
        .order_by("starts", "pk")
    )
    events = choice.with_type(found)
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
