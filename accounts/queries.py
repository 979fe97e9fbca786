"""What the account's own page shows."""

from dataclasses import dataclass

from accounts.models import User
from accounts.rights import in_office
from events.models import Appointment
from events.states import State
from ratings.figures import day, days

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
