"""The timeline of an event: what has happened, with whom it is now, what comes next and by when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from config.lib import formatting
from events.rules.deadlines import last_day_abroad, last_day_to_submit
from events.rules.states import DECIDED, HOLDERS, State
from events.wording import since_text, state_words


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A recorded move. `role`: of the actor, whose name is not shown; `label`: shown instead of the state's word, if set.

    Without a target it is a step that does not change the event's state, such as an appeal.
    """

    target: State | None
    at: datetime
    role: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """A step on the timeline. `state`: done, now or next; `machine_day`: the ISO date, or ""."""

    label: str
    day: str
    who: str
    state: str
    machine_day: str = ""


_WAY = (State.LATE, State.REGISTERED, State.SUBMITTED, State.ACCEPTED, State.CALCULATED, State.PUBLISHED)
_BEFORE_PLAY = (State.LATE, State.REGISTERED, State.WITHDRAWN)
# An event with results has been played, even if they came on its last day.
_PLAYED = (State.SUBMITTED, State.RETURNED, State.ACCEPTED, State.CALCULATED, State.PUBLISHED)
# The earlier steps that a step supersedes.
_REPEATED = {State.ACCEPTED: (State.ACCEPTED, State.CALCULATED), State.CALCULATED: (State.CALCULATED,)}
# What is said of HOLDERS, marked for translation.
_WITH = (
    gettext_noop("With the organiser"), gettext_noop("With the ratings officer"),
    gettext_noop("With the Regional Administrator"), gettext_noop("With the ratings bureau"),
)  # fmt: skip


def event_timeline(
    state: State,
    starts: date,
    ends: date,
    moves: Iterable[MoveFacts],
    *,
    today: date,
    ahead: Iterable[TimelineStep] = (),
    abroad: bool = False,
) -> list[TimelineStep]:
    """Return the steps of an event in order: those done, the present one, then `ahead` and the other steps to come.

    The deadline of an event `abroad` is that of article 10 instead of 61.
    """
    over = ends < today or state in _PLAYED
    played = TimelineStep(gettext("Played"), formatting.days(starts, ends), "", "done", ends.isoformat())
    steps: list[TimelineStep] = []
    since: date | None = None
    for move in sorted(moves, key=lambda move: move.at):
        day = timezone.localdate(move.at)
        if move.target not in _BEFORE_PLAY and over and played not in steps:
            steps.append(played)
        if move.target and move.target in _REPEATED:
            # A month that is calculated again moves its events back and forth; only the last time is shown.
            again = {state_words(state).step for state in _REPEATED[move.target]}
            steps = [step for step in steps if step.label not in again]
        label = move.label or (state_words(move.target).step if move.target else "")
        steps.append(TimelineStep(label, formatting.day(day), move.role, "done", day.isoformat()))
        since = day if move.target else since
    if state is State.WITHDRAWN:
        return steps
    if state is State.LATE:
        steps.append(_now(state, since, today))
    if over and played not in steps:
        steps.append(played)
        since = ends
    if state not in (*DECIDED, State.LATE) and over:
        steps.append(_now(state, since, today))
    elif starts <= today <= ends and not over and state is not State.REFUSED:
        steps.append(
            TimelineStep(gettext("Being played"), formatting.days(starts, ends), "", "now", starts.isoformat())
        )
    elif today < starts and state is not State.REFUSED:
        steps.append(
            TimelineStep(gettext("To be played"), formatting.days(starts, ends), "", "next", starts.isoformat())
        )
    return [*steps, *ahead, *_ahead(state, ends, abroad)]


def _ahead(state: State, ends: date, abroad: bool) -> list[TimelineStep]:
    if state is State.RETURNED:
        again = TimelineStep(gettext("Submitted again"), "" if abroad else _due(ends, abroad), "", "next")
        return [again, *_ahead(State.SUBMITTED, ends, abroad)]
    following = _WAY[_WAY.index(state) + 1 :] if state in _WAY else ()
    return [
        TimelineStep(state_words(step).step, _due(ends, abroad) if step is State.SUBMITTED else "", "", "next")
        for step in following
    ]


def _now(state: State, since: date | None, today: date) -> TimelineStep:
    day = since_text(since, today) if since else ""
    return TimelineStep(
        gettext(f"With {HOLDERS[state].partition(',')[0]}"), day, "", "now", since.isoformat() if since else ""
    )


def _due(ends: date, abroad: bool) -> str:
    """Return in words until when results must be there. A returned event from abroad has no second deadline."""
    last, article = (last_day_abroad(ends), "10") if abroad else (last_day_to_submit(ends), "61")
    return gettext("by %(day)s (article %(article)s)") % {"day": formatting.day(last), "article": article}
