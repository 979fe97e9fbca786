"""Reading a user's own events by state: what is next with each, and by when."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import BooleanField, Count, ExpressionWrapper

from accounts.models import User
from config.lib import formatting
from events.access import visible_events, writable_regions
from events.appeals.queries import Recourse, recourse
from events.models import Event, Kind
from events.registration.operations import is_editable
from events.rules.deadlines import (
    is_late_abroad,
    is_late_to_submit,
    last_day_abroad,
    last_day_to_register,
    last_day_to_submit,
)
from events.rules.registration import RegistrationData, is_late_to_register
from events.rules.states import AWAITING_RESULTS, State
from events.visibility import unseen_from_abroad
from events.wording import STATE_WORDS

MOST = 25  # rows of a state; the list of events has them all

_ORDER = (  # what asks for work first
    State.RETURNED,
    State.DRAFT,
    State.LATE,
    State.REGISTERED,
    State.SUBMITTED,
    State.ACCEPTED,
    State.CALCULATED,
    State.PUBLISHED,
    State.REFUSED,
    State.WITHDRAWN,
)


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """An event with what its region or arbiter does next: `next`, and `due`, the last day with its article.

    `urgent`: that day has passed; `results`: the text of the link to the results, or ""; `from_abroad`: these are sent in as
    those of an event abroad.
    """

    event: Event
    days: str
    state_word: str
    next: str
    due: str
    urgent: bool
    editable: bool
    withdrawable: bool
    copyable: bool
    results: str
    public: bool
    recourse: Recourse
    from_abroad: bool


@dataclass(frozen=True, slots=True)
class OwnGroup:
    """A user's events of one state, and how many `more` are not shown."""

    heading: str
    rows: list[OwnEvent]
    more: int


def own_groups(user: User, *, at: datetime, today: date) -> list[OwnGroup]:
    """Return a user's events by state, those that ask for work first. Three queries a state, and three."""
    own = set(writable_regions(user).values_list("pk", flat=True))
    events = Event.objects.filter(pk__in=visible_events(user).values("pk"))
    totals = dict(events.order_by().values_list("state").annotate(Count("pk")))
    groups = []
    for state in _ORDER:
        total = totals.get(state.value, 0)
        if not total:
            continue
        ahead = state in (State.DRAFT, State.LATE, State.REGISTERED)
        rows = events.filter(state=state.value).select_related("region").order_by("starts" if ahead else "-ends", "pk")
        chosen = list(rows.annotate(unseen=ExpressionWrapper(unseen_from_abroad(), BooleanField()))[:MOST])
        recourses = recourse([row for row in chosen if row.region_id in own], at=at)
        shown = [_own(row, recourses.get(row.pk), at=at, today=today, own=row.region_id in own) for row in chosen]
        groups.append(OwnGroup(STATE_WORDS[state].heading, shown, max(total - MOST, 0)))
    return groups


def own_event(user: User, event: int, *, at: datetime, today: date) -> OwnEvent | None:
    """Return an event as its region or arbiter sees it; None for officers, and for users who have no part in it."""
    if user.of_bureau:
        return None
    row = visible_events(user).filter(pk=event).select_related("region").first()
    if row is None:
        return None
    own = writable_regions(user).filter(pk=row.region_id).exists()
    return _own(row, recourse([row], at=at).get(row.pk) if own else None, at=at, today=today, own=own)


def _own(event: Event, options: Recourse | None, *, at: datetime, today: date, own: bool) -> OwnEvent:
    state = State(event.state)
    task, due, urgent = _next(event, state, at=at, today=today)
    if not own and state in AWAITING_RESULTS:
        task = "The region sends in its results"
    if options and options.task and state is not State.RETURNED:
        task, due = options.task, options.due
    return OwnEvent(
        event=event,
        days=formatting.days(event.starts, event.ends),
        state_word=STATE_WORDS[state].word,
        next=task,
        due=due,
        urgent=urgent,
        editable=own and is_editable(event),
        withdrawable=own and state in (State.DRAFT, State.LATE, State.REGISTERED),
        copyable=own and state not in (State.DRAFT, State.LATE),
        results=_results(event, state, today=today),
        public=state is not State.DRAFT and not getattr(event, "unseen", False),
        recourse=options or Recourse(),
        from_abroad=own and event.kind == Kind.ABROAD and state in AWAITING_RESULTS,
    )


def _results(event: Event, state: State, *, today: date) -> str:
    if event.kind == Kind.ABROAD or state in (State.DRAFT, State.LATE, State.WITHDRAWN):
        return ""
    if state is State.REGISTERED:
        return "Upload results" if event.starts <= today else ""
    return "Correct results" if state is State.RETURNED else "Results and penalties"


def _next(event: Event, state: State, *, at: datetime, today: date) -> tuple[str, str, bool]:
    if state is State.DRAFT:
        if event.kind == Kind.ABROAD:
            return "Register it", "", False
        last = last_day_to_register(event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event)
        plan = RegistrationData(
            kind=event.kind, starts=event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event
        )
        if is_late_to_register(plan, at=at):
            return "Ask for permission to register late", f"was due by {formatting.day(last)} (article 60)", True
        return "Register it", f"by {formatting.day(last)} (article 60)", False
    if state in AWAITING_RESULTS:
        if event.kind == Kind.ABROAD:
            return _next_abroad(event, state, at=at, today=today)
        if state is State.RETURNED:
            return "Correct its file and submit it again", "", False  # it came when it was first sent in (article 61)
        last = last_day_to_submit(event.ends)
        task = "Play it, then submit its files" if event.ends >= today else "Submit its files"
        return task, f"by {formatting.day(last)} (article 61)", is_late_to_submit(event.ends, today=today)
    return STATE_WORDS[state].next, "", False


def _next_abroad(event: Event, state: State, *, at: datetime, today: date) -> tuple[str, str, bool]:
    if state is State.RETURNED:
        return "Correct its results and send them in again", "", False
    last = last_day_abroad(event.ends)
    task = "Play it, then send in the results" if event.ends >= today else "Send in the results"
    return task, f"by {formatting.day(last)} (article 10)", is_late_abroad(event.ends, at=at)
