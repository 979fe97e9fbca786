"""Loading the demonstration into an empty database, month by month, all or nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import transaction

from accounts.models import Retention, User
from config.lib import formatting
from config.lib.days import months_back, next_month
from demo.abroad import send_results
from demo.accounts import accounts
from demo.bureau import Bureau, Ratings
from demo.clock import Clock, history_dated_by
from demo.federation import Federation, Scale, make_federation
from demo.opening import opening_document
from demo.plans import EventPlan, Fate
from demo.putting_right import merge_duplicate, put_right
from demo.recourse import DemoRecourse
from demo.register import Register
from demo.season import SeasonMonth
from events.models import Event, RatingPeriod
from events.periods import get_or_create_period
from players.models import Player
from ratings.downloads.operations import make_downloads
from ratings.models import Notice, PublishedRun, Rating, RatingList, RatingRun, System
from ratings.opening.operations import take_opening
from ratings.opening.reading import SentFile, read_standings
from ratings.runs.operations import request_publication, start_run
from ratings.runs.worker import process_run

CONTACT = "personal-data@example.org"
NOTICE = "Demonstration: every person, event and result here is invented."
_MOVED_IN = "The standings of the former bureau, compared with its list."
_OVERDUE_MONTHS = 3
_MONTHS_WITH_FILES = 3
_LATE = {date(2026, 8, 1): 2}  # a month that was published late → days after the first


class NotEmptyError(Exception):
    """The database has players, events, periods, officers or one of the demonstration's users. Nothing changed."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An event that was played and is submitted in a later month."""

    plan: EventPlan
    event: Event
    month: SeasonMonth
    ratings: Ratings
    sent_on: date


def is_empty() -> bool:
    """Return whether the database has no data with which the demonstration would mix, nor an officer to whom it belongs."""
    return not (
        Player.objects.exists()
        or Event.objects.exists()
        or RatingPeriod.objects.exists()
        or User.objects.filter(is_officer=True).exists()
        or has_accounts()
    )


def has_accounts() -> bool:
    """Return whether one of the demonstration's users is in the database."""
    return User.objects.filter(email__in=[account.email for account in accounts()]).exists()


def load(scale: Scale, *, say: Callable[[str], object]) -> None:
    """Write the demonstration in one transaction; `say` gets a line for every month. NotEmptyError if other data exist."""
    with transaction.atomic():
        if not is_empty():
            raise NotEmptyError(
                "there are players, events, periods, ratings officers or the demonstration's users in this database already"
            )
        federation = make_federation(scale)
        clock = Clock(federation.months[0].first - timedelta(days=30))
        with history_dated_by(clock):
            _Loader(federation, clock, say).load()


def _write_lists() -> None:
    """Add lists that rate the games by the Irish and Canadian systems to the four lists of article 24."""
    main = RatingList.objects.get(code="main")
    for position, (code, name, system) in enumerate((("icu", "ICU", System.ICU), ("cfc", "CFC", System.CFC)), start=5):
        RatingList.objects.create(code=code, name=name, position=position, system=system, starts_from=main)


class _Loader:
    def __init__(self, federation: Federation, clock: Clock, say: Callable[[str], object]) -> None:
        self.federation, self.clock, self.say = federation, clock, say
        Notice.objects.create(text=NOTICE)
        Retention.objects.update(contact=CONTACT)
        _write_lists()
        self.register = Register(federation.people, federation.officials, clock)
        self.bureau = Bureau(self.register, federation.officials, clock)
        self.ratings: Ratings = {}
        self.waiting: list[_Waiting] = []
        self.stragglers: list[tuple[EventPlan, Event]] = []

    def load(self) -> None:
        self._open()
        for month, plans in zip(self.federation.months, self.federation.plans, strict=True):
            self._receive(month, plans)
            if month.today is None:
                self._publish(month)
                self.say(f"{month.first:%Y-%m} published, {len(plans)} events")
            else:
                send_results(self.register, month, self.clock)
                self.say(f"{month.first:%Y-%m} open, {len(plans)} events")
        put_right(self.register)
        merge_duplicate(self.register)
        DemoRecourse(self.register).run()
        # Those of earlier months are made by the worker.
        make_downloads(PublishedRun.objects.latest("period__month").run_id, at=self.clock.now)

    def _open(self) -> None:
        """Take the opening balance of the month before the first."""
        first = self.federation.months[0].first
        month = months_back(first, 1)
        file = SentFile(opening_document(self.federation.people, month), f"opening-{month:%Y-%m}.json")
        self.clock.set(first, 9)
        standings = read_standings([file], month)
        run = take_opening(standings, at=self.clock.now, by=self.register.officer, reason=_MOVED_IN)
        self.ratings = _published(run)
        self.say(f"{month:%Y-%m} opening balance, {run.players} players")

    def _receive(self, month: SeasonMonth, plans: tuple[EventPlan, ...]) -> None:
        files = month.index >= len(self.federation.months) - 1 - _MONTHS_WITH_FILES
        due = [late for late in self.waiting if late.sent_on < next_month(month.first)]
        self.waiting = [late for late in self.waiting if late not in due]
        for late in due:
            self.bureau.play(late.plan, late.event, late.month, late.ratings, sent_on=late.sent_on, files=files)
            if late.plan.fate is not Fate.OVERDUE or month.today is None:
                self.bureau.settle(late.plan, late.event)
        for plan in plans:
            event = self.bureau.announce(plan, latest=month.today or plan.ends)
            if plan.fate in (Fate.DRAFT, Fate.REGISTERED):
                continue
            if plan.fate in (Fate.LATE, Fate.OVERDUE):
                sent_on = month.first
                for _ in range(_OVERDUE_MONTHS if plan.fate is Fate.OVERDUE else 1):
                    sent_on = next_month(sent_on)
                self.waiting.append(_Waiting(plan, event, month, self.ratings, sent_on + timedelta(days=3)))
                continue
            sent_on = plan.ends + timedelta(days=1)
            self.bureau.play(plan, event, month, self.ratings, sent_on=sent_on, files=files)
            self.bureau.settle(plan, event)
            if plan.fate is Fate.STRAGGLER:
                self.stragglers.append((plan, event))

    def _publish(self, month: SeasonMonth) -> None:
        first = next_month(month.first)
        self.clock.set(first, 0, 5)
        run = self._calculate(month, "the month has ended (article 65)")
        for plan, event in self.stragglers:
            self.clock.set(first, 8, 20)
            self.bureau.accept(plan, event)
            run = self._calculate(month, f"{event.name} was accepted after the first calculation")
        self.stragglers = []
        self.clock.set(first + timedelta(days=_LATE.get(month.first, 0)), 9)
        request_publication(run, at=self.clock.now, by=self.register.officer)
        self.ratings = _published(process_run(run.pk, clock=self.clock))

    def _calculate(self, month: SeasonMonth, reason: str) -> RatingRun:
        run = start_run(get_or_create_period(month.first), at=self.clock.now, by=self.register.officer, reason=reason)
        run = process_run(run.pk, clock=self.clock)
        if run.state != RatingRun.State.CALCULATED:
            raise RuntimeError(f"{run} is {run.get_state_display()}: {run.error}")
        return run


def _published(run: RatingRun) -> Ratings:
    """Return published ratings rounded half up, as downloads give them: list code → player number → rating."""
    rows: Any = Rating.objects.filter(run=run, published__isnull=False).values_list(
        "list__code", "player__number", "published"
    )
    ratings: dict[str, dict[str, int]] = {}
    for code, number, rating in rows:
        ratings.setdefault(code, {})[number] = formatting.rounded(float(rating))
    return ratings
