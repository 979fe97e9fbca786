"""Reads what the first page shows of the events: how far the month is, what was just rated, what comes next."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, Q, Value, When
from django.utils.translation import gettext, gettext_noop

from config.languages import counted
from config.lib import formatting
from config.lib.days import next_month
from events.models import Event, Kind
from events.public.queries import EventRow, event_rows
from events.rules.constants import events_edition
from events.rules.deadlines import last_day_to_submit
from events.rules.states import ACCEPTED_OR_LATER, State
from events.visibility import public_events

SHOWN = 5  # events of each kind

_STAGES = (
    ("accepted", gettext_noop("accepted"), gettext_noop("counted in the next lists")),
    ("submitted", gettext_noop("being checked"), gettext_noop("results with the ratings officer")),
    ("awaited", gettext_noop("played"), gettext_noop("results not sent in yet")),
    ("coming", gettext_noop("to be played"), gettext_noop("registered")),
)


@dataclass(frozen=True, slots=True)
class Stage:
    """The events of a month at one stage. `start` and `share`: of its stretch on the bar, in per cent of all."""

    code: str
    word: str
    about: str
    count: int
    start: float
    share: float


@dataclass(frozen=True, slots=True)
class MonthSoFar:
    """How far the events are that end in the month that is rated next. `day`: that of its lists; `closes`: article 61."""

    month_text: str
    day_text: str
    closes_text: str
    total: int
    stages: list[Stage]

    @property
    def total_text(self) -> str:
        """The number of events, in words."""
        return counted(self.total, "%(count)s event", "%(count)s events")


def month_so_far(month: date, *, today: date) -> MonthSoFar:
    """Return how far the events at home are that end in a month, its first day. One query."""
    following = next_month(month)
    stage = Case(
        When(state__in=ACCEPTED_OR_LATER, then=Value("accepted")),
        When(state=State.SUBMITTED, then=Value("submitted")),
        When(state__in=(State.REGISTERED, State.RETURNED), ends__lt=today, then=Value("awaited")),
        When(state__in=(State.REGISTERED, State.RETURNED, State.LATE), then=Value("coming")),
    )
    events = Event.objects.filter(public_events(), ends__gte=month, ends__lt=following).exclude(kind=Kind.ABROAD)
    rows = events.annotate(stage=stage).exclude(stage=None).order_by().values_list("stage").annotate(count=Count("pk"))
    counts = dict(rows)
    total, start, stages = sum(counts.values()), 0.0, []
    for code, word, about in _STAGES:
        share = 100 * counts.get(code, 0) / total if total else 0.0
        words = gettext(word), gettext(about)
        stages.append(Stage(code, *words, counts.get(code, 0), round(start, 2), round(share, 2)))
        start += share
    return MonthSoFar(
        formatting.month(month),
        formatting.day(following),
        formatting.day(last_day_to_submit(following - timedelta(days=1))),
        total,
        stages,
    )


def just_rated(run: int) -> list[EventRow]:
    """Return the latest events that a published run rated. Two queries."""
    rated = Event.objects.filter(public_events(), sections__period__publication__run=run).distinct()
    return event_rows(list(rated.select_related("region").order_by("-ends", "-pk")[:SHOWN]))


def coming_events(*, today: date) -> list[tuple[EventRow, str]]:
    """Return the registered events that begin next, each with when: `today`, `in 3 days`. Two queries."""
    coming = Event.objects.filter(Q(starts__gte=today), public_events(), state=State.REGISTERED)
    rows = event_rows(list(coming.select_related("region").order_by("starts", "pk")[:SHOWN]))
    return [(row, _when((row.event.starts - today).days)) for row in rows]


def first_day_in_time(*, today: date) -> date:
    """Return the first day on which an event may begin that is registered today and is not FIDE rated (article 60.1)."""
    days: int = events_edition(today)["registration_days"]["rated"]
    return today + timedelta(days=days)


def _when(days: int) -> str:
    if days == 0:
        return gettext("today")
    return counted(days, "tomorrow", "in %(count)s days")
