"""What the account's own page shows."""

from dataclasses import dataclass

from django.db.models import Count

from accounts.models import User
from accounts.permissions import in_office
from config.lib.formatting import count, day, days
from events.models import Appeal, Appointment, Event, PermissionRequest
from events.rules.states import State

LATEST_APPOINTMENTS = 8


@dataclass(frozen=True, slots=True)
class Office:
    """An administration of a region, now or before."""

    code: str
    name: str
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class AppointedTo:
    """An event at which the user is an arbiter; `public` when it has a page that everybody may see."""

    event: int
    name: str
    days: str
    public: bool


def offices(user: User, *, held: bool) -> list[Office]:
    """The regions that a user administers today, or those that he administered before."""
    rows = user.administrations.select_related("region")
    rows = rows.filter(in_office()) if held else rows.exclude(in_office())
    return [
        Office(row.region.code, row.region.name, day(row.since), day(row.until) if row.until else "") for row in rows
    ]


def appointments(user: User) -> list[AppointedTo]:
    """The latest events at which a user is an arbiter, the newest first."""
    rows = (
        Appointment.objects.filter(arbiter__user=user)
        .order_by("-event__starts", "-event")
        .values_list("event", "event__name", "event__starts", "event__ends", "event__state")
        .distinct()[:LATEST_APPOINTMENTS]
    )
    return [AppointedTo(pk, name, days(starts, ends), state != State.DRAFT) for pk, name, starts, ends, state in rows]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits for an officer, in words with its number, and the desk's list of it."""

    text: str
    page: str
    query: str


def waiting() -> list[Waiting]:
    """What waits for the officers, as far as there is any. Three queries."""
    events = Event.objects.filter(state__in=[State.SUBMITTED, State.LATE]).order_by()
    states = dict(events.values_list("state").annotate(Count("pk")))
    asked, lodged = PermissionRequest.State.ASKED, Appeal.State.LODGED
    requests = PermissionRequest.objects.filter(state=asked).exclude(section__event__state=State.WITHDRAWN).count()
    appeals = Appeal.objects.filter(state=lodged).count()
    rows = (
        (states.get(State.SUBMITTED.value, 0), "submitted event", "event", State.SUBMITTED.value),
        (states.get(State.LATE.value, 0), "late registration", "event", State.LATE.value),
        (requests, "permission request", "permissionrequest", asked.value),
        (appeals, "appeal", "appeal", lodged.value),
    )
    return [
        Waiting(count(number, noun), f"admin:events_{model}_changelist", f"state__exact={state}")
        for number, noun, model, state in rows
        if number
    ]
