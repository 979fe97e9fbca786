"""Events of two sections on their way, in Johannesburg's time. Names are invented."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from events.models import Event, Section
from events.operations import accept_event, add_section, move_event, register_event
from events.rules.states import State
from tests.builders import CLOCK, add_games, details, people

JOHANNESBURG = ZoneInfo("Africa/Johannesburg")
SECOND = timedelta(seconds=1)


def local(*moment: int) -> datetime:
    """A moment in Johannesburg."""
    return datetime(*moment, tzinfo=JOHANNESBURG)


def two_sections(ends: date | None = None, *, state: State = State.SUBMITTED, at: datetime | None = None) -> Event:
    """An event of an A and a B section, a game each, that ended yesterday unless told."""
    at = at or (CLOCK if ends else timezone.now())
    ends = ends or timezone.localdate() - timedelta(days=1)
    event = register_event(details(ends, ends), at=at)
    made = people(4)
    for name, pair, result in (("A", made[:2], "1-0"), ("B", made[2:], "0-1")):
        section = add_section(event, Section(base_minutes=90, increment_seconds=30, starts=ends, ends=ends, name=name))
        add_games(section, [(*pair, result)])
    if state is not State.REGISTERED:
        move_event(event, State.SUBMITTED, at=at)
    if state is State.ACCEPTED:
        accept_event(event, at=at)
    return event


def section(event: Event, name: str = "B") -> Section:
    """One of its sections, read anew."""
    return event.sections.get(name=name)


def act(officer_client, page: str, action: str, rows, reason: str = "", **fields: str) -> list[str]:
    """Choose rows and an action of the officers' pages; what the page says then."""
    chosen = {"action": action, "_selected_action": [row.pk for row in rows], "reason": reason, **fields}
    answer = officer_client.post(f"/admin/events/{page}/", chosen, follow=True)
    return [str(message) for message in answer.context["messages"]]
