"""Who may do what: one table of roles, used by every view and by the admin.

A right is Django's `app.action_model`. Officers: everything except editing users, whom they may only see, invite as
Regional Administrators or arbiters, and disable (`appoint`, `invite`, `disable`). Regional Administrators: events of their
own region. Arbiters: the events of their own appointments. Appeals panel: appeals, with the refusals and events that they
are about; it alone answers them. Superusers: users, and none of the officers' decisions.
"""

from enum import StrEnum

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User


class Role(StrEnum):
    """A role of a user; one user can have several."""

    OFFICER = "officer"
    ADMINISTRATOR = "administrator"
    ARBITER = "arbiter"
    PANEL = "panel"
    SUPERUSER = "superuser"


_EVENT_MODELS = (
    "event", "section", "round", "entry", "game", "appointment", "pastappointment", "penalty", "submission",
    "submissionfinding", "eventmove", "bodyapproval",
)  # fmt: skip

# Requests of a region and their answers; arbiters do not read them, as they may be about an arbiter.
_APPEAL_MODELS = ("refusal", "permissionrequest", "appeal", "withdrawalrequest")

RIGHTS: dict[Role, frozenset[str]] = {
    Role.OFFICER: frozenset(
        f"{app}.{action}_{model}"
        for app, models in {
            "players": ("player", "title", "region", "province"),
            "events": (
                *_EVENT_MODELS,
                "permissionrequest",
                "withdrawalrequest",
                "keptbackreport",
                "notregisteredreport",
                "arbiter",
                "membership",
                "ratingperiod",
            ),
            "ratings": ("ratinglist", "ratingrun", "notice"),
        }.items()
        for model in models
        for action in ("view", "add", "change", "delete")
    )
    | {
        "players.view_regionaladministrator",
        "players.appoint_regionaladministrator",
        "events.invite_arbiter",
        "events.view_readings",
        "events.change_readings",
        "accounts.view_user",
        "accounts.disable_user",
        "accounts.view_token",
        "accounts.withdraw_token",
        "events.view_abroadlink",
        "accounts.view_decision",
        "accounts.view_mail",
        "accounts.view_health",
        "accounts.send_mail_again",
        "accounts.ask_week_mail",
        "accounts.view_retention",
        "accounts.change_retention",
        "events.view_refusal",
        "events.take_back_refusal",
        "events.view_appeal",
        "events.view_errorreport",
        "events.answer_errorreport",
        "ratings.view_adjustment",
        "ratings.add_adjustment",
        "ratings.view_amendment",
        "ratings.view_amendingfile",
        "ratings.view_rerating",
        "ratings.change_rerating",
        "ratings.view_importjob",
        "ratings.change_importjob",
        "ratings.view_merge",
        "ratings.add_merge",
        "ratings.view_erasure",
        "ratings.erase_player",
        "ratings.export_person",
    },
    Role.ADMINISTRATOR: frozenset(
        {f"events.view_{model}" for model in (*_EVENT_MODELS, *_APPEAL_MODELS)}
        | {"players.view_player", "players.keep_address", "events.view_arbiter"}
    ),
    Role.ARBITER: frozenset({f"events.view_{model}" for model in _EVENT_MODELS}),
    Role.PANEL: frozenset(
        {f"events.view_{model}" for model in ("appeal", "refusal", "event", "section", "eventmove")}
        | {"events.answer_appeal"}
    ),
    Role.SUPERUSER: frozenset(
        {f"accounts.{action}_user" for action in ("view", "add", "change", "disable")}
        | {
            "accounts.view_decision",
            "accounts.view_health",
            "accounts.view_token",
            "accounts.withdraw_token",
            "players.view_regionaladministrator",
        }
    ),
}


def in_office(prefix: str = "") -> Q:
    """Return the condition for administrations in force today, reached through `prefix`. `until` itself is out of office."""
    today = timezone.localdate()
    return Q(**{f"{prefix}since__lte": today}) & (
        Q(**{f"{prefix}until__isnull": True}) | Q(**{f"{prefix}until__gt": today})
    )


def roles_of(user: User) -> set[Role]:
    """Return the roles of a user. The caller checks that the account is active."""
    roles: set[Role] = set()
    if user.is_officer:
        roles.add(Role.OFFICER)
    if user.administrations.filter(in_office()).exists():
        roles.add(Role.ADMINISTRATOR)
    if user.arbiters.exists():
        roles.add(Role.ARBITER)
    if user.is_panel:
        roles.add(Role.PANEL)
    if user.is_superuser:
        roles.add(Role.SUPERUSER)
    return roles


def manageable_users(user: User) -> QuerySet[User]:
    """Return the users whom a user sees on the desk: a superuser all, others all but officers, the panel and superusers."""
    rows = User.objects.all()
    return rows if user.is_superuser else rows.filter(is_officer=False, is_panel=False, is_superuser=False)


def acting_user(request: HttpRequest) -> User:
    """Return the user of a request to a page that requires a log-in."""
    assert isinstance(request.user, User)  # noqa: S101 - the page requires a log-in
    return request.user
