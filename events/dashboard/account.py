"""Reads the account page: the user's regions and events, and what waits for officers."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from accounts.models import User
from accounts.permissions import in_office
from config.lib.formatting import count, days
from events.models import Appeal, Event, KeptBackReport, PermissionRequest, WithdrawalRequest
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


def waiting() -> list[Waiting]:
    """Return what waits for the officers. Six queries."""
    events = Event.objects.filter(state__in=[State.SUBMITTED, State.LATE]).order_by()
    states = dict(events.values_list("state").annotate(Count("pk")))
    asked, lodged = PermissionRequest.State.ASKED, Appeal.State.LODGED
    requests = PermissionRequest.objects.filter(state=asked).exclude(section__event__state=State.WITHDRAWN).count()
    appeals = Appeal.objects.filter(state=lodged).count()
    withdrawals = WithdrawalRequest.objects.filter(
        state=WithdrawalRequest.State.ASKED, event__state__in=WITHDRAWABLE
    ).count()
    reports = KeptBackReport.objects.filter(state=KeptBackReport.State.REPORTED).count()
    rows = (
        (states.get(State.SUBMITTED.value, 0), "submitted event", "event", State.SUBMITTED.value),
        (states.get(State.LATE.value, 0), "late registration", "event", State.LATE.value),
        (requests, "permission request", "permissionrequest", asked.value),
        (appeals, "appeal", "appeal", lodged.value),
        (withdrawals, "withdrawal request", "withdrawalrequest", WithdrawalRequest.State.ASKED.value),
        (reports, "kept-back report", "keptbackreport", KeptBackReport.State.REPORTED.value),
    )
    found = [
        Waiting(count(number, noun), f"admin:events_{model}_changelist", f"state__exact={state}")
        for number, noun, model, state in rows
        if number
    ]
    if bodies := waiting_for_approval().count():
        noun = "organising body of a national event", "organising bodies of national events"
        found.append(Waiting(count(bodies, *noun), "admin:events_event_changelist", "body=waiting"))
    return found
