"""Reading a user's own events by state: what is next with each, and by when."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from config.lib import formatting
from config.lib.pages import keyset_page
from events.access import led_events, visible_events, writable_regions
from events.appeals.queries import Recourse, recourse
from events.models import Event, Kind, WithdrawalRequest
from events.registration.operations import is_editable
from events.rules.deadlines import (
    is_late_abroad,
    is_late_to_submit,
    last_day_abroad,
    last_day_to_register,
    last_day_to_submit,
)
from events.rules.registration import RegistrationData, is_late_to_register
from events.rules.states import AWAITING_RESULTS, WITHDRAWABLE, State
from events.visibility import unseen_from_abroad
from events.withholding.operations import why_not_reported, withdraws_himself
from events.wording import state_words

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
    """An event with what its region, organiser or arbiter does next: `next`, and `due`, the last day with its article.

    `urgent`: that day has passed; `results`, `withdrawal`: the texts of these links, or ""; `kept_back`: whether it can be
    reported that its results are kept back; `from_abroad`: they are sent in as those of an event abroad.
    """

    event: Event
    days: str
    state_word: str
    next: str
    due: str
    urgent: bool
    editable: bool
    withdrawal: str
    kept_back: bool
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
    """Return a user's events by state, those that ask for work first. Three queries a state, and four to six."""
    parts = _parts(user)
    events = _events_of(user, parts)
    totals = dict(events.order_by().values_list("state").annotate(Count("pk")))
    groups = []
    for state in _ORDER:
        total = totals.get(state.value, 0)
        if not total:
            continue
        ahead = state in (State.DRAFT, State.LATE, State.REGISTERED)
        rows = events.filter(state=state.value).select_related("region").order_by("starts" if ahead else "-ends", "pk")
        chosen = list(_with_marks(rows)[:MOST])
        recourses = recourse([row for row in chosen if parts.asks_about(row)], at=at)
        shown = [_own(row, recourses.get(row.pk), parts, at=at, today=today) for row in chosen]
        groups.append(OwnGroup(state_words(state).heading, shown, max(total - MOST, 0)))
    return groups


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A page of a user's events. `regions`: keys of those whose events he writes; `before`, `after`: ids to continue from."""

    rows: list[OwnEvent]
    regions: frozenset[int]
    before: int | None
    after: int | None


def own_page(user: User, *, after: int | None, before: int | None, size: int, at: datetime, today: date) -> OwnPage:
    """Return a page of a user's events, those that were entered last first. Five to seven queries."""
    parts = _parts(user)
    key = after or before
    page = keyset_page(
        _with_marks(_events_of(user, parts)).select_related("region"),
        ("-pk",),
        None if key is None else (key,),
        backwards=not after,
        size=size,
    )
    recourses = recourse([row for row in page.rows if parts.asks_about(row)], at=at)
    rows = [_own(row, recourses.get(row.pk), parts, at=at, today=today) for row in page.rows]
    first, last = (page.rows[0].pk, page.rows[-1].pk) if page.rows else (None, None)
    return OwnPage(rows, parts.regions, first if page.earlier else None, last if page.later else None)


def own_event(user: User, event: int, *, at: datetime, today: date) -> OwnEvent | None:
    """Return an event as its region, organiser or arbiter sees it; None for officers, and for users who have no part in it."""
    if user.is_officer:
        return None
    parts = _parts(user)
    events = _events_of(user, parts)
    row = _with_marks(events.filter(pk=event)).select_related("region").first()
    if row is None:
        return None
    return _own(row, recourse([row], at=at).get(row.pk) if parts.asks_about(row) else None, parts, at=at, today=today)


def _events_of(user: User, parts: "_Parts") -> QuerySet[Event]:
    return Event.objects.filter(Q(pk__in=visible_events(user).values("pk")) | Q(pk__in=parts.led))


def _with_marks(events: QuerySet[Event]) -> Any:
    """Return events with `unseen`, whether the public does not see them yet, and `withdrawal_asked`, whether that waits."""
    asked = WithdrawalRequest.objects.filter(event=OuterRef("pk"), state=WithdrawalRequest.State.ASKED)
    unseen = ExpressionWrapper(unseen_from_abroad(), BooleanField())
    return events.annotate(unseen=unseen, withdrawal_asked=Exists(asked))


@dataclass(frozen=True, slots=True)
class _Parts:
    """A user's part in events: the regions whose events he writes, the events that he leads, those of them that he may see."""

    user: User
    regions: frozenset[int]
    led: frozenset[int]
    seen: frozenset[int]

    def asks_about(self, event: Event) -> bool:
        """Return whether the user may ask something of the bureau about an event."""
        return event.region_id in self.regions or event.pk in self.led


def _parts(user: User) -> _Parts:
    led = frozenset(led_events(user).values_list("pk", flat=True))
    return _Parts(
        user,
        regions=frozenset(writable_regions(user).values_list("pk", flat=True)),
        led=led,
        seen=frozenset(visible_events(user).filter(pk__in=led).values_list("pk", flat=True) if led else ()),
    )


def _own(event: Event, options: Recourse | None, parts: _Parts, *, at: datetime, today: date) -> OwnEvent:
    state, own, leads = State(event.state), event.region_id in parts.regions, event.pk in parts.led
    if options and not own:  # a region's alone: what its leaders ask for is permission (article 18)
        options = Recourse(permission=options.permission)
    task, due, urgent = _next(event, state, at=at, today=today)
    if not own and state in AWAITING_RESULTS:
        task = gettext("The region sends in its results")
    if options and options.task and state is not State.RETURNED:
        task, due = options.task, options.due
    return OwnEvent(
        event=event,
        days=formatting.days(event.starts, event.ends),
        state_word=state_words(state).word,
        next=task,
        due=due,
        urgent=urgent,
        editable=own and is_editable(event),
        withdrawal=_withdrawal(event, state, parts.user, at=at) if own else "",
        kept_back=leads and not why_not_reported(event, today=today),
        copyable=own and state not in (State.DRAFT, State.LATE),
        results="" if leads and event.pk not in parts.seen else _results(event, state, own=own, today=today),
        public=state is not State.DRAFT and not getattr(event, "unseen", False),
        recourse=options or Recourse(),
        from_abroad=own and event.kind == Kind.ABROAD and state in AWAITING_RESULTS,
    )


def _withdrawal(event: Event, state: State, user: User, *, at: datetime) -> str:
    if state is State.DRAFT:
        return gettext("Discard")
    if state not in WITHDRAWABLE:
        return ""
    if getattr(event, "withdrawal_asked", False):
        return gettext("Withdrawal asked")
    return gettext("Withdraw") if withdraws_himself(user, event, at=at) else gettext("Ask to withdraw")


def _results(event: Event, state: State, *, own: bool, today: date) -> str:
    if event.kind == Kind.ABROAD or state in (State.DRAFT, State.LATE, State.WITHDRAWN):
        return ""
    if state is State.REGISTERED:
        label = gettext("Upload results") if own else gettext("Results")
        return label if event.starts <= today else ""
    if own and state is State.RETURNED:
        return gettext("Correct results")
    return gettext("Results and penalties")


def _next(event: Event, state: State, *, at: datetime, today: date) -> tuple[str, str, bool]:
    if state is State.DRAFT:
        if event.kind == Kind.ABROAD:
            return gettext("Register it"), "", False
        last = last_day_to_register(event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event)
        plan = RegistrationData(
            kind=event.kind, starts=event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event
        )
        if is_late_to_register(plan, at=at):
            due = gettext("was due by %(day)s (article %(article)s)") % {"day": formatting.day(last), "article": "60"}
            return gettext("Ask for permission to register late"), due, True
        return gettext("Register it"), _by(last, "60"), False
    if state in AWAITING_RESULTS:
        if event.kind == Kind.ABROAD:
            return _next_abroad(event, state, at=at, today=today)
        if state is State.RETURNED:
            return (
                gettext("Correct its file and submit it again"),
                "",
                False,
            )  # it came when it was first sent in (article 61)
        last = last_day_to_submit(event.ends)
        task = gettext("Play it, then submit its files") if event.ends >= today else gettext("Submit its files")
        return task, _by(last, "61"), is_late_to_submit(event.ends, today=today)
    return state_words(state).next, "", False


def _by(last: date, article: str) -> str:
    return gettext("by %(day)s (article %(article)s)") % {"day": formatting.day(last), "article": article}


def _next_abroad(event: Event, state: State, *, at: datetime, today: date) -> tuple[str, str, bool]:
    if state is State.RETURNED:
        return gettext("Correct its results and send them in again"), "", False
    last = last_day_abroad(event.ends)
    task = gettext("Play it, then send in the results") if event.ends >= today else gettext("Send in the results")
    return task, _by(last, "10"), is_late_abroad(event.ends, at=at)
