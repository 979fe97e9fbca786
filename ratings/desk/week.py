"""The week at a glance: what waits for an officer at the desk, the deadlines of the week, and how far the month is."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings

from accounts.models import User
from config.lib import formatting
from events import waiting
from events.models import Event, Kind
from events.rules.deadlines import last_day_to_submit
from events.rules.states import State
from ratings.desk.addresses import begin_pattern
from ratings.desk.figures import FilledTray, read_trays
from ratings.desk.month import desk_month

SHOWN = 15  # events of each kind; the desk has them all


@dataclass(frozen=True, slots=True)
class TrayLine:
    """A tray that is not empty, and the full address of what is to be decided first."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Events with a deadline of one kind in the week, the earliest first, and how many `more` are not named."""

    heading: str
    events: list[str]
    more: int


@dataclass(frozen=True, slots=True)
class Month:
    """How far the month is that is rated next, and what is to be done next, with the full address of where."""

    name: str
    sentence: str
    step: str
    address: str


@dataclass(frozen=True, slots=True)
class Week:
    """What an officer's mail says, with the days of the week in words."""

    days: str
    trays: list[TrayLine]
    deadlines: list[Deadlines]
    month: Month


def read_week(user: User, *, today: date) -> Week:
    """Return what the week of a day, Monday to Sunday, has for an officer: the trays on which he may act, the
    deadlines from the day on, and the month. Seven queries, and those of his roles."""
    monday = today - timedelta(days=today.weekday())
    sunday = monday + timedelta(days=6)
    trays = read_trays(user, today=today)
    begin = begin_pattern()
    lines = [TrayLine(_line(row), settings.SITE_URL + begin.format(row.tray.code)) for row in trays if row.count]
    return Week(formatting.days(monday, sunday), lines, _deadlines(today, sunday), _month(trays, today, begin))


def _line(row: FilledTray) -> str:
    facts = (row.count_text, row.age_text, row.due_text)
    return f"{row.tray.title}: {'; '.join(fact for fact in facts if fact)}"


def _month(trays: list[FilledTray], today: date, begin: str) -> Month:
    month = desk_month(trays, today=today, begin=begin)
    address = f"{settings.SITE_URL}{month.step.address}"
    return Month(formatting.month(month.month), month.sentence, month.step.text, address)


def _deadlines(today: date, sunday: date) -> list[Deadlines]:
    """Return the deadlines from today to Sunday."""
    coming = Event.objects.filter(starts__gte=today, starts__lte=sunday).exclude(kind=Kind.ABROAD)
    late = coming.filter(state=State.LATE)
    begin = coming.filter(state=State.REGISTERED)
    closing = [
        (last_day, event)
        for event in waiting.played_not_sent_in(today).select_related("region")
        if today <= (last_day := last_day_to_submit(event.ends)) <= sunday
    ]
    found = (
        _named("Late registrations whose play begins", _by_start(late)),
        _named("Last day to send in results (article 61)", closing),
        _named("Events that begin", _by_start(begin)),
    )
    return [deadlines for deadlines in found if deadlines.events]


def _by_start(events: Iterable[Event]) -> list[tuple[date, Event]]:
    return [(event.starts, event) for event in events.select_related("region")]  # type: ignore[attr-defined]


def _named(heading: str, rows: list[tuple[date, Event]]) -> Deadlines:
    rows = sorted(rows, key=lambda row: (row[0], row[1].name, row[1].pk))
    names = [
        f"{day:%A}, {formatting.day(day)}: {formatting.one_line(event.name)}, {event.region.code}"
        for day, event in rows[:SHOWN]
    ]
    return Deadlines(heading, names, max(0, len(rows) - SHOWN))
