"""Reads the account page: the user's regions and events, and what waits for officers."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.http import urlencode

from accounts.models import User
from accounts.permissions import in_office
from config.lib.days import next_month
from config.lib.formatting import count, days, since
from events.access import organised_events
from events.appeals.operations import is_impartial, too_late
from events.appeals.queries import appeal_due
from events.error_reports.queries import confirmed_reports
from events.models import (
    Appeal,
    ErrorReport,
    Event,
    KeptBackReport,
    NotRegisteredReport,
    Penalty,
    PermissionRequest,
    Refusal,
    WithdrawalRequest,
)
from events.organising_body import waiting_for_approval
from events.rules.states import State
from events.withholding.operations import WITHDRAWABLE
from players.models import RegionalAdministrator

LATEST_APPOINTMENTS = 8


def offices(user: User, *, held: bool) -> QuerySet[RegionalAdministrator]:
    """Return the regions that a user administers today, or with `held` False those administered before."""
    rows = user.administrations.select_related("region")
    return rows.filter(in_office()) if held else rows.exclude(in_office())


def latest_events(user: User) -> list[tuple[Event, str]]:
    """Return the latest events at which a user is an arbiter, with their days in words, the newest first."""
    events = Event.objects.filter(appointments__arbiter__user=user).order_by("-starts", "-pk").distinct()
    return [(event, days(event.starts, event.ends)) for event in events[:LATEST_APPOINTMENTS]]


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for an officer: the number in words, and the name and query of the admin's list."""

    text: str
    page: str
    query: str


def _counted(number: int, noun: str) -> str:
    first, gap, rest = noun.partition(" being ")
    return f"{count(number, first)}{gap}{rest}"


def waiting() -> list[Waiting]:
    """Return what waits for the officers. Eight queries."""
    events = Event.objects.filter(state__in=[State.SUBMITTED, State.LATE]).order_by()
    states = dict(events.values_list("state").annotate(Count("pk")))
    asked = PermissionRequest.State.ASKED
    requests = PermissionRequest.objects.filter(state=asked).exclude(section__event__state=State.WITHDRAWN).count()
    withdrawals = WithdrawalRequest.objects.filter(
        state=WithdrawalRequest.State.ASKED, event__state__in=WITHDRAWABLE
    ).count()
    kept_back = KeptBackReport.objects.filter(state=KeptBackReport.State.REPORTED).count()
    unregistered = NotRegisteredReport.objects.filter(state=NotRegisteredReport.State.REPORTED).count()
    reports = dict(confirmed_reports().order_by().values_list("state").annotate(Count("pk")))
    received, looked_at = ErrorReport.State.RECEIVED, ErrorReport.State.LOOKED_AT
    rows = (
        (states.get(State.SUBMITTED.value, 0), "submitted event", "event", State.SUBMITTED.value),
        (states.get(State.LATE.value, 0), "late registration", "event", State.LATE.value),
        (requests, "permission request", "permissionrequest", asked.value),
        (withdrawals, "withdrawal request", "withdrawalrequest", WithdrawalRequest.State.ASKED.value),
        (kept_back, "kept-back report", "keptbackreport", KeptBackReport.State.REPORTED.value),
        (unregistered, "not-registered report", "notregisteredreport", "reported"),
        (reports.get(received.value, 0), "reported error", "errorreport", received.value),
        (reports.get(looked_at.value, 0), "reported error being looked at", "errorreport", looked_at.value),
    )
    found = [
        Waiting(_counted(number, noun), f"admin:events_{model}_changelist", urlencode({"state__exact": state}))
        for number, noun, model, state in rows
        if number
    ]
    unanswered = Penalty.objects.filter(status=Penalty.Status.PROPOSED, section__event__state=State.SUBMITTED.value)
    if penalties := unanswered.count():
        noun = "penalty without a decision in submitted events", "penalties without a decision in submitted events"
        query = urlencode(
            {"status__exact": Penalty.Status.PROPOSED, "section__event__state__exact": State.SUBMITTED.value}
        )
        found.append(Waiting(count(penalties, *noun), "admin:events_penalty_changelist", query))
    if bodies := waiting_for_approval().count():
        noun = "organising body of a national event", "organising bodies of national events"
        found.append(Waiting(count(bodies, *noun), "admin:events_event_changelist", "body=waiting"))
    return found


@dataclass(frozen=True, slots=True)
class OpenAppeal:
    """An appeal that waits for the panel. `own`: the member has a part in the matter, and another one answers."""

    key: int
    name: str
    since: str
    left: str
    own: bool


def open_appeals(user: User, *, today: date) -> list[OpenAppeal]:
    """Return the appeals that wait for the appeals panel, the oldest first, with the days until the month's end.

    Article 11 sets no last day for the answer; on the first of the next month a list is published without what is refused.
    """
    left = (next_month(today.replace(day=1)) - today).days
    rows = Appeal.objects.filter(state=Appeal.State.LODGED).order_by("at", "pk")
    return [
        OpenAppeal(
            key=appeal.pk,
            name=str(appeal.refusal),
            since=since(timezone.localdate(appeal.at), today),
            left=f"{count(left, 'day')} left until the next list",
            own=not is_impartial(appeal, user),
        )
        for appeal in rows.select_related("refusal__event__region", "refusal__section__event")
    ]


@dataclass(frozen=True, slots=True)
class OpenRefusal:
    """A refusal of an event that the user organises, with the last day to appeal in words."""

    event: Event
    name: str
    due: str


def refusals_to_appeal(user: User, *, at: datetime) -> list[OpenRefusal]:
    """Return the refusals that a Chief Organiser can still appeal (article 11)."""
    rows = Refusal.objects.filter(event__in=organised_events(user), lifted_at=None, appeal__isnull=True)
    return [
        OpenRefusal(refusal.event, str(refusal), appeal_due(refusal))
        for refusal in rows.select_related("event", "section__event").order_by("at", "pk")
        if not too_late(refusal, at=at)
    ]
