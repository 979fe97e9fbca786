"""Reads the account page: the user's regions and events, and what waits for officers."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext

from accounts.models import User
from accounts.permissions import in_office
from config.languages import counted
from config.lib.days import next_month
from config.lib.formatting import day, days
from events import waiting as waiting_rows
from events.access import organised_events
from events.appeals.operations import impartial_appeals, too_late
from events.appeals.queries import appeal_due
from events.models import (
    Appeal,
    ErrorReport,
    Event,
    KeptBackReport,
    Penalty,
    PermissionRequest,
    Refusal,
    WithdrawalRequest,
)
from events.rules.states import State
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


def waiting() -> list[Waiting]:
    """Return what waits for the officers. Eight queries."""
    today = timezone.localdate()
    events = Event.objects.filter(state__in=[State.SUBMITTED, State.LATE]).order_by()
    states = dict(events.values_list("state").annotate(Count("pk")))
    asked = PermissionRequest.State.ASKED
    requests = waiting_rows.permissions_asked(today).count()
    withdrawals = waiting_rows.withdrawals_asked(today).count()
    kept_back = waiting_rows.kept_back(today).count()
    unregistered = waiting_rows.not_registered(today).count()
    reports = dict(waiting_rows.open_reports(today).order_by().values_list("state").annotate(Count("pk")))
    received, looked_at = ErrorReport.State.RECEIVED, ErrorReport.State.LOOKED_AT
    submitted, late = states.get(State.SUBMITTED.value, 0), states.get(State.LATE.value, 0)
    reported, looking = reports.get(received.value, 0), reports.get(looked_at.value, 0)
    rows = (
        (counted(submitted, "%(count)s submitted event", "%(count)s submitted events"),
         submitted, "event", State.SUBMITTED.value),
        (counted(late, "%(count)s late registration", "%(count)s late registrations"),
         late, "event", State.LATE.value),
        (counted(requests, "%(count)s permission request", "%(count)s permission requests"),
         requests, "permissionrequest", asked.value),
        (counted(withdrawals, "%(count)s withdrawal request", "%(count)s withdrawal requests"),
         withdrawals, "withdrawalrequest", WithdrawalRequest.State.ASKED.value),
        (counted(kept_back, "%(count)s report of results kept back", "%(count)s reports of results kept back"),
         kept_back, "keptbackreport", KeptBackReport.State.REPORTED.value),
        (counted(unregistered, "%(count)s not-registered report", "%(count)s not-registered reports"),
         unregistered, "notregisteredreport", "reported"),
        (counted(reported, "%(count)s reported error", "%(count)s reported errors"),
         reported, "errorreport", received.value),
        (counted(looking, "%(count)s reported error being looked at", "%(count)s reported errors being looked at"),
         looking, "errorreport", looked_at.value),
    )  # fmt: skip
    found = [
        Waiting(text, f"admin:events_{model}_changelist", urlencode({"state__exact": state}))
        for text, number, model, state in rows
        if number
    ]
    unanswered = Penalty.objects.filter(status=Penalty.Status.PROPOSED, section__event__state=State.SUBMITTED.value)
    if penalties := unanswered.count():
        text = counted(
            penalties,
            "%(count)s penalty without a decision in submitted events",
            "%(count)s penalties without a decision in submitted events",
        )
        query = urlencode(
            {"status__exact": Penalty.Status.PROPOSED, "section__event__state__exact": State.SUBMITTED.value}
        )
        found.append(Waiting(text, "admin:events_penalty_changelist", query))
    if bodies := waiting_rows.bodies_to_approve(today).count():
        text = counted(
            bodies,
            "%(count)s organising body of a national event",
            "%(count)s organising bodies of national events",
        )
        found.append(Waiting(text, "admin:events_event_changelist", "body=waiting"))
    return found


@dataclass(frozen=True, slots=True)
class OpenAppeal:
    """An appeal that waits for the panel. `waits`: how long, and if the member has a part in it, so that another answers."""

    key: int
    name: str
    waits: str


def open_appeals(user: User, *, today: date) -> list[OpenAppeal]:
    """Return the appeals that wait for the appeals panel, the oldest first, with the days until the month's end.

    Article 11 sets no last day for the answer; on the first of the next month a list is published without what is refused.
    """
    left = (next_month(today.replace(day=1)) - today).days
    rows = Appeal.objects.filter(state=Appeal.State.LODGED).order_by("at", "pk")
    answerable = set(impartial_appeals(rows, user).values_list("pk", flat=True))
    return [
        OpenAppeal(
            key=appeal.pk,
            name=str(appeal.refusal),
            waits=_waits(timezone.localdate(appeal.at), today, left, own=appeal.pk not in answerable),
        )
        for appeal in rows.select_related("refusal__event__region", "refusal__section__event")
    ]


def _waits(lodged: date, today: date, left: int, *, own: bool) -> str:
    waited = (today - lodged).days
    facts = {
        "day": day(lodged),
        "waited": counted(waited, "%(count)s day", "%(count)s days") if waited else gettext("today"),
        "left": counted(left, "%(count)s day left", "%(count)s days left"),
    }
    if own:
        return (
            gettext(
                "waiting since %(day)s, %(waited)s, %(left)s until the next list; you are a party to it: another member answers"
            )
            % facts
        )
    return gettext("waiting since %(day)s, %(waited)s, %(left)s until the next list") % facts


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
