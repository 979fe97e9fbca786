"""The trail of an event, like a parcel's: what has happened, who holds it now, what comes next and by when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from events.rules import last_day
from events.states import HOLDERS, State
from ratings import figures
from ratings.models import next_month


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """One recorded move; `role` is the actor's, never his name."""

    target: State
    at: datetime
    role: str


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the trail. `state` is done, now or next; `machine_day` is the ISO date, where there is one."""

    label: str
    day: str
    who: str
    state: str
    machine_day: str = ""
    note: str = ""


_LABELS = {
    State.REGISTERED: "Registered",
    State.SUBMITTED: "Submitted",
    State.RETURNED: "Returned",
    State.ACCEPTED: "Accepted",
    State.REFUSED: "Refused",
    State.CALCULATED: "Rated",
    State.PUBLISHED: "Published",
}
# What still lies before an event in each state.
_AHEAD = {
    State.REGISTERED: ("Submitted", "Accepted", "Rated", "Published"),
    State.RETURNED: ("Submitted again", "Accepted", "Rated", "Published"),
    State.SUBMITTED: ("Accepted", "Rated", "Published"),
    State.ACCEPTED: ("Rated", "Published"),
    State.CALCULATED: ("Published",),
    State.PUBLISHED: (),
    State.REFUSED: (),
}


def trail(state: State, starts: date, ends: date, moves: Iterable[MoveFacts], *, today: date) -> list[Step]:
    """The steps of an event in their order: those taken, the one where it is now, those to come."""
    steps: list[tuple[date, Step]] = []
    since: date | None = None
    played = Step("Played", figures.days(starts, ends), "", "done", ends.isoformat())
    for move in moves:
        day = timezone.localdate(move.at)
        if move.target is not State.REGISTERED and all(step.label != "Played" for _, step in steps) and ends < today:
            steps.append((ends, played))
        # A recalculation takes the event back and forth: only the last time counts.
        if move.target in (State.ACCEPTED, State.CALCULATED):
            steps = [one for one in steps if one[1].label not in (_LABELS[State.CALCULATED], _LABELS[move.target])]
        steps.append((day, Step(_LABELS[move.target], figures.day(day), move.role, "done", day.isoformat())))
        since = day
    if ends < today and all(step.label != "Played" for _, step in steps):
        steps.append((ends, played))
        since = ends
    elif ends >= today:
        steps.append((starts, Step("To be played", figures.days(starts, ends), "", "next", starts.isoformat())))
    result = [step for _, step in steps]
    if state not in (State.PUBLISHED, State.REFUSED) and ends < today:
        result.append(_now(state, since, ends, today))
    result += [Step(label, _due(label, ends), "", "next") for label in _AHEAD.get(state, ())]
    return result


def _now(state: State, since: date | None, ends: date, today: date) -> Step:
    day, note = "", ""
    if since is not None:
        waited = (today - since).days
        day = f"since {figures.day(since)}, {figures.count(waited, 'day') if waited else 'today'}"
    if state in (State.REGISTERED, State.RETURNED):
        note = f"The file is due by {figures.day(last_day(ends))} (article 61)."
    return Step(f"With {HOLDERS[state].partition(',')[0]}", day, "", "now", since.isoformat() if since else "", note)


def _due(label: str, ends: date) -> str:
    if label.startswith("Submitted"):
        return f"by {figures.day(last_day(ends))}"
    return ""


def list_day(period: date) -> str:
    """The date of the list on which a period's games count."""
    return figures.day(next_month(period))
