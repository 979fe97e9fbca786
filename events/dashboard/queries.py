"""Reading a user's own events by state: what is next with each, and by when."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db.models import BooleanField, Case, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Value, When
from django.utils.translation import gettext

from accounts.models import User
from accounts.permissions import Role, roles_of
from config.lib import formatting
from config.lib.pages import keyset_page
from events.access import led_events, visible_events, writable_regions
from events.appeals.queries import Recourse, recourse
from events.dashboard.penalties import penalties_words, unanswered_penalties
from events.models import Appointment, Declaration, Event, Kind, WithdrawalRequest
from events.registration.operations import is_editable
from events.rules.deadlines import (
    abroad_closes,
    first_late_moment,
    is_late_abroad,
    is_late_to_submit,
    last_day_abroad,
    last_day_to_register,
    last_day_to_submit,
    midnight_after,
)
from events.rules.registration import RegistrationData, is_late_to_register
from events.rules.states import AWAITING_RESULTS, DECIDED, WITHDRAWABLE, State
from events.visibility import unseen_from_abroad
from events.withholding.operations import why_not_reported, withdraws_himself
from events.wording import state_words, time_left

MOST = 25  # rows of a state; the list of events has them all
MOST_PAST = 100  # of all years before

_BEING_SENT, _NOT_SENT = "being sent", "not sent"

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

    `waits`: that is for the user to do now; `clock`: the days and hours left until `closes`, the first moment too late, or "";
    `main`: the action that its button is for: results, abroad, edit, appeal or "". `urgent`: the last day has passed;
    `results`, `withdrawal`: the texts of these links, or ""; `kept_back`: whether it can be reported that its results are kept
    back; `from_abroad`: they are sent in as those of an event abroad.
    """

    event: Event
    days: str
    state_word: str
    next: str
    due: str
    urgent: bool
    waits: bool
    clock: str
    closes: datetime | None
    main: str
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
    """A user's events that wait for him, of one state, or `folded` of a year, and how many `more` are not shown."""

    heading: str
    rows: list[OwnEvent]
    more: int
    folded: bool = False

    @property
    def total(self) -> int:
        """The number of events."""
        return len(self.rows) + self.more


def own_groups(user: User, *, at: datetime, today: date) -> list[OwnGroup]:
    """Return a user's events: what waits for him, by its deadline; the others by state; what is over from years before, by
    year. Two to four queries a state, and seven to nine."""
    parts = _parts(user)
    events = _events_of(user, parts)
    past = Q(state__in=[state.value for state in DECIDED], ends__year__lt=today.year)
    totals: Counter[str] = Counter()
    years: Counter[int] = Counter()
    for name, year, number in events.order_by().values_list("state", "ends__year").annotate(Count("pk")):
        if name in DECIDED and year < today.year:
            years[year] += number
        else:
            totals[name] += number
    groups = []
    for state in _ORDER:
        total = totals[state.value]
        if not total:
            continue
        ahead = state in (State.DRAFT, State.LATE, State.REGISTERED)
        rows = events.exclude(past).filter(state=state.value).order_by("starts" if ahead else "-ends", "pk")
        shown = _owned(rows, MOST, parts, at=at, today=today)
        groups.append(OwnGroup(state_words(state).heading, shown, max(total - MOST, 0)))
    groups += _years(events.filter(past), years, parts, at=at, today=today)
    waiting = [row for group in groups for row in group.rows if row.waits]
    waiting.sort(key=lambda row: (not row.urgent, row.closes is not None, row.closes or at, row.event.pk))
    others = [replace(group, rows=[row for row in group.rows if not row.waits]) for group in groups]
    first = [OwnGroup(gettext("Waits for you"), waiting, 0)] if waiting else []
    return first + [group for group in others if group.total]


def _owned(rows: QuerySet[Event], most: int, parts: "_Parts", *, at: datetime, today: date) -> list[OwnEvent]:
    """Return the first `most` events of a query as their user sees them."""
    chosen = list(_with_marks(rows.select_related("region"))[:most])
    recourses = recourse([row for row in chosen if parts.asks_about(row)], at=at)
    penalties = parts.penalties(chosen)
    return [
        _own(row, recourses.get(row.pk), parts, at=at, today=today, penalties=penalties.get(row.pk, 0))
        for row in chosen
    ]


def _years(
    past: QuerySet[Event], totals: Mapping[int, int], parts: "_Parts", *, at: datetime, today: date
) -> list[OwnGroup]:
    """Return the events that are over by year, the latest first. `totals`: their number by year."""
    if not totals:
        return []
    rows: dict[int, list[OwnEvent]] = {year: [] for year in sorted(totals, reverse=True)}
    for row in _owned(past.order_by("-ends", "pk"), MOST_PAST, parts, at=at, today=today):
        rows[row.event.ends.year].append(row)
    return [OwnGroup(str(year), shown, totals[year] - len(shown), folded=True) for year, shown in rows.items()]


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
    penalties = parts.penalties(page.rows)
    rows = [
        _own(row, recourses.get(row.pk), parts, at=at, today=today, penalties=penalties.get(row.pk, 0))
        for row in page.rows
    ]
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
    options = recourse([row], at=at).get(row.pk) if parts.asks_about(row) else None
    return _own(row, options, parts, at=at, today=today, penalties=parts.penalties([row]).get(row.pk, 0))


def _events_of(user: User, parts: "_Parts") -> QuerySet[Event]:
    return Event.objects.filter(Q(pk__in=visible_events(user).values("pk")) | Q(pk__in=parts.led))


def _with_marks(events: QuerySet[Event]) -> Any:
    """Return events with `unseen`, whether the public does not see them yet, `withdrawal_asked`, whether that waits, and
    `declared`, whether they are being sent in or could not be."""
    asked = WithdrawalRequest.objects.filter(event=OuterRef("pk"), state=WithdrawalRequest.State.ASKED)
    unseen = ExpressionWrapper(unseen_from_abroad(), BooleanField())
    declared = Declaration.objects.filter(event=OuterRef("pk"))
    being_sent = When(Exists(declared.filter(error="")), then=Value(_BEING_SENT))
    sent_in = Case(being_sent, When(Exists(declared), then=Value(_NOT_SENT)))
    return events.annotate(unseen=unseen, withdrawal_asked=Exists(asked), declared=sent_in)


@dataclass(frozen=True, slots=True)
class _Parts:
    """A user's part in events: the regions whose events he writes, the events that he leads, those of them that he may see."""

    user: User
    regions: frozenset[int]
    led: frozenset[int]
    seen: frozenset[int]
    arbiter: bool

    def asks_about(self, event: Event) -> bool:
        """Return whether the user may ask something of the bureau about an event."""
        return event.region_id in self.regions or event.pk in self.led

    def penalties(self, events: Sequence[Event]) -> dict[int, int]:
        """Return the number of penalties without an answer of the events at which the user is an arbiter alone."""
        if not self.arbiter:
            return {}
        others = [event for event in events if event.region_id not in self.regions]
        serving = Appointment.objects.filter(arbiter__user=self.user, event__in=others).values_list("event", flat=True)
        keys = set(serving)
        return unanswered_penalties([event for event in others if event.pk in keys])


def _parts(user: User) -> _Parts:
    led = frozenset(led_events(user).values_list("pk", flat=True))
    return _Parts(
        user,
        regions=frozenset(writable_regions(user).values_list("pk", flat=True)),
        led=led,
        seen=frozenset(visible_events(user).filter(pk__in=led).values_list("pk", flat=True) if led else ()),
        arbiter=Role.ARBITER in roles_of(user),
    )


def _own(
    event: Event, options: Recourse | None, parts: _Parts, *, at: datetime, today: date, penalties: int = 0
) -> OwnEvent:
    state, own, leads = State(event.state), event.region_id in parts.regions, event.pk in parts.led
    if options and not own:  # a region's alone: what its leaders ask for is permission (article 18)
        options = Recourse(permission=options.permission)
    task, due, urgent = _next(event, state, at=at, today=today)
    if not own and state in AWAITING_RESULTS:
        task = gettext("The region sends in its results")
    closes = _closes(event, state)
    waits = own and (state in (State.RETURNED, State.DRAFT) or (state is State.REGISTERED and event.ends < today))
    declared = getattr(event, "declared", None) if own and state in AWAITING_RESULTS else None
    if declared == _BEING_SENT:
        task, due, urgent, waits = gettext("It is being sent in"), "", False, False
    elif declared == _NOT_SENT:
        task, waits = gettext("It could not be sent in: see why, and submit it again"), True
    appeals = options is not None and options.open
    if options and options.task and state is not State.RETURNED:
        task, due, closes, waits = options.task, options.due, options.closes, options.open
    if penalties:
        task, due, closes, urgent, waits = penalties_words(penalties), "", None, False, True
    results = "" if leads and event.pk not in parts.seen else _results(event, state, own=own, today=today)
    editable = own and is_editable(event)
    from_abroad = own and event.kind == Kind.ABROAD and state in AWAITING_RESULTS
    return OwnEvent(
        event=event,
        days=formatting.days(event.starts, event.ends),
        state_word=state_words(state).word,
        next=task,
        due=due,
        urgent=urgent,
        waits=waits,
        clock=time_left(closes, at=at) if waits and closes else "",
        closes=closes,
        main=_main(state, waits=waits, appeals=appeals, results=results, from_abroad=from_abroad, editable=editable),
        editable=editable,
        withdrawal=_withdrawal(event, state, parts.user, at=at) if own else "",
        kept_back=leads and not why_not_reported(event, today=today),
        copyable=own and state not in (State.DRAFT, State.LATE),
        results=results,
        public=state is not State.DRAFT and not getattr(event, "unseen", False),
        recourse=options or Recourse(),
        from_abroad=from_abroad,
    )


def _closes(event: Event, state: State) -> datetime | None:
    """Return the first moment that is too late for what is next with an event in a state; None where none is set."""
    if event.kind == Kind.ABROAD:
        return abroad_closes(event.ends) if state is State.REGISTERED else None
    if state is State.DRAFT:
        return first_late_moment(event.starts, fide_rated=event.fide_rated, norm_event=event.norm_event)
    return midnight_after(last_day_to_submit(event.ends)) if state is State.REGISTERED else None


def _main(state: State, *, waits: bool, appeals: bool, results: str, from_abroad: bool, editable: bool) -> str:
    """Return the action that stands first with an event."""
    if appeals and waits and state is not State.RETURNED:
        return "appeal"
    if results:
        return "results"
    return "abroad" if from_abroad else "edit" if editable else ""


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
