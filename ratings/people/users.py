"""What a user's page of the desk shows beside the account: what the user may do, as what, and since when."""

from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils import timezone

from accounts.models import Decision, User
from accounts.permissions import Role, roles_of
from accounts.trail.operations import key_of
from config.lib import formatting
from events.access import organised_events
from events.models import Appointment, Arbiter, Event
from players.models import RegionalAdministrator

MOST = 10  # events
# What each mark of an account lets its user do, and the words by which the trail knows the mark.
_MARKS = {
    Role.OFFICER: (
        "Ratings officer",
        "decides on events, penalties and requests; keeps the register, the arbiters and the regions; calculates and publishes",
    ),
    Role.PANEL: ("Member of the appeals panel", "answers the appeals against refusals (article 11)"),
    Role.SUPERUSER: (
        "Superuser",
        "opens and changes accounts, marks officers and the panel, reads the trail; decides on no event",
    ),
}
_TRAIL_LABELS = {
    Role.OFFICER: "ratings officer",
    Role.PANEL: "member of the appeals panel",
    Role.SUPERUSER: "superuser status",
}


@dataclass(frozen=True, slots=True)
class Right:
    """A role of a user: what it lets him do, since when, until when if it ended. `address`: the page of what it is about."""

    title: str
    may: str
    since: str
    until: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A user's part in an event."""

    event: Event
    days: str
    role: str


@dataclass(frozen=True, slots=True)
class UserOnTheDesk:
    """What is known of a user. `account`: whether and how he can log in; `rights`: present roles, `former`: past terms.

    `coming`: his part in events that are not over, `past`: in how many others he had one; `tokens`: of his programs, in force.
    """

    account: str
    rights: list[Right]
    former: list[Right]
    coming: list[Part]
    more: int
    past: int
    tokens: int


def user_on_the_desk(user: User, *, today: date) -> UserOnTheDesk:
    """Return what the desk shows of a user. About ten short queries."""
    roles = roles_of(user)
    marked = _marked_since(user)
    rights = [
        Right(*words, since=marked.get(role, "not on the trail")) for role, words in _MARKS.items() if role in roles
    ]
    former: list[Right] = []
    for term in user.administrations.select_related("region__province"):
        right = _administration(term)
        (former if term.until is not None and term.until <= today else rights).append(right)
    arbiters = list(user.arbiters.all())
    rights += [_arbiter(arbiter) for arbiter in arbiters]
    parts = _parts(user, arbiters)
    coming = [part for part in parts if part.event.ends >= today]
    return UserOnTheDesk(
        account=_account(user),
        rights=rights,
        former=former,
        coming=coming[:MOST],
        more=max(len(coming) - MOST, 0),
        past=len(parts) - len(coming),
        tokens=user.tokens.filter(withdrawn_at=None, last_day__gte=today).count(),
    )


def _account(user: User) -> str:
    if not user.is_active:
        return "The account is disabled: its user cannot log in, and gets no mail of the bureau."
    if not user.has_usable_password():
        return "The user was invited and has set no password yet."
    if user.last_login is None:
        return "The user has a password and has not logged in yet."
    return f"Last logged in on {formatting.day(timezone.localtime(user.last_login))}."


def _marked_since(user: User) -> dict[Role, str]:
    """Return since when the user is marked as what, as far as the trail tells it."""
    since: dict[Role, str] = {}
    for step in Decision.objects.filter(subject=key_of(user)).order_by("pk"):
        opened = step.after.get("roles", "") if step.action == "account opened" else ""
        after = {label.casefold(): text for label, text in step.after.items()}
        for role, label in _TRAIL_LABELS.items():
            if label in after or (opened and str(role) in opened):
                since[role] = formatting.day(timezone.localtime(step.at))
    return since


def _administration(term: RegionalAdministrator) -> Right:
    region = term.region
    scope = f"every region of {region.province}" if region.provincial else "the region"
    return Right(
        f"Regional Administrator of {region}",
        f"registers the events of {scope}, sends in their results, asks and appeals in its name (articles 57, 58)",
        formatting.day(term.since),
        formatting.day(term.until) if term.until else "",
        reverse("admin:players_region_change", args=[region.pk]),
    )


def _arbiter(arbiter: Arbiter) -> Right:
    number = f", {arbiter.number}" if arbiter.number else ""
    return Right(
        f"{arbiter.get_title_display()} {arbiter.name}{number}",
        "sees the events of the appointments; turns to the bureau as Chief Arbiter or Chief Organiser",
        "",
        address=reverse("admin:events_arbiter_change", args=[arbiter.pk]),
    )


def _parts(user: User, arbiters: list[Arbiter]) -> list[Part]:
    """Return the user's part in events, those that end first in front."""
    rows: list[tuple[Event, str]] = [
        (row.event, row.role) for row in Appointment.objects.filter(arbiter__in=arbiters).select_related("event")
    ]
    if arbiters:
        rows += [(event, "Chief Organiser") for event in organised_events(user)]
    rows.sort(key=lambda row: (row[0].ends, row[0].pk))
    return [Part(event, formatting.days(event.starts, event.ends), role) for event, role in rows]
