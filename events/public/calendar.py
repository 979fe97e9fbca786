"""Reading the calendar: registered events month by month, and as entries of an iCalendar feed."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Max, Q, QuerySet

from config.lib import formatting
from config.lib.days import next_month
from events.models import Event, Kind, Section
from events.public.icalendar import CalendarEntry
from events.rules.states import State
from events.rules.time_controls import type_of_game
from events.visibility import unseen_from_abroad
from events.wording import STATE_WORDS

_NOT_SHOWN = (State.DRAFT, State.LATE, State.WITHDRAWN, State.REFUSED)
FEED_DAYS = 366  # how long an event stays in the feed after its end


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """An event in the calendar. `when` is `today`, `past` or empty for one to come."""

    id: int
    name: str
    starts: date
    days: str
    weekday: str
    place: str
    region: str
    types: str
    marks: str
    state: str
    state_word: str
    when: str


def on_calendar() -> QuerySet[Event]:
    """The events that are registered, or further on their way."""
    return Event.objects.exclude(state__in=[state.value for state in _NOT_SHOWN]).exclude(unseen_from_abroad())


def month_rows(month: date, *, today: date) -> list[CalendarRow]:
    """The events of which a day falls into a month, by their first day. Two queries."""
    found = list(
        on_calendar()
        .filter(starts__lt=next_month(month), ends__gte=month)
        .select_related("region")
        .order_by("starts", "ends", "name")
    )
    types: dict[int, list[str]] = {}
    for event, base, increment, ends in (
        Section.objects.filter(event__in=found)
        .order_by("event_id", "position")
        .values_list("event_id", "base_minutes", "increment_seconds", "ends")
    ):
        kind = type_of_game(base, increment, ends)
        if kind not in types.setdefault(event, []):
            types[event].append(kind)
    return [_row(one, types.get(one.pk, []), today) for one in found]


def _row(event: Event, types: list[str], today: date) -> CalendarRow:
    marks = [word for word, holds in (("FIDE rated", event.fide_rated), ("norm event", event.norm_event)) if holds]
    return CalendarRow(
        id=event.pk,
        name=event.name,
        starts=event.starts,
        days=formatting.days(event.starts, event.ends),
        weekday=f"{event.starts:%a}" + ("" if event.ends == event.starts else f" – {event.ends:%a}"),
        place=event.place,
        region=event.federation if event.kind == Kind.ABROAD else event.region.name,
        types=", ".join(types),
        marks=", ".join(marks),
        state=event.state,
        state_word=STATE_WORDS[State(event.state)].word,
        when="past" if event.ends < today else "" if event.starts > today else "today",
    )


def months_around(month: date) -> tuple[date | None, date | None]:
    """The nearest months before and after with an event on the calendar. Two queries."""
    before = on_calendar().filter(starts__lt=month).order_by("-starts").values_list("starts", flat=True).first()
    after = (
        on_calendar().filter(starts__gte=next_month(month)).order_by("starts").values_list("starts", flat=True).first()
    )
    return before and before.replace(day=1), after and after.replace(day=1)


def feed_entries(*, today: date, site: str) -> list[CalendarEntry]:
    """The events to come and those of a year past; a withdrawn or refused one that was registered is cancelled. Two queries.

    `site` is the address of the site, without a slash at its end.
    """
    was_registered = Q(moves__target=State.REGISTERED.value)
    found = list(
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
        Event.history.filter(id__in=[one.pk for one in found])
        .order_by()
        .values_list("id")
        .annotate(Max("history_date"))
    )
    host = site.partition("//")[2]
    return [
        CalendarEntry(
            uid=f"event-{one.pk}@{host}",
            changed=max(filter(None, (one.moved, saved.get(one.pk))), default=datetime.combine(today, time(), UTC)),
            starts=one.starts,
            ends=one.ends,
            name=one.name,
            place=", ".join(part for part in (one.place, one.region.name) if part),
            address=f"{site}/events/{one.pk}/",
            description=f"State: {STATE_WORDS[State(one.state)].word}",
            cancelled=one.state in (State.WITHDRAWN, State.REFUSED),
        )
        for one in found
    ]
