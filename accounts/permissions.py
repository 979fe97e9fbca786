"""Who may do what: one table of roles, used by every view and by the admin.

A right is Django's `app.action_model`. Officers: everything but users, whom they see, invite as Regional Administrators
or arbiters and disable (`appoint`, `invite`, `disable`), and no more. Regional Administrators: events of their own region.
Arbiters: the events of their own appointments. Superusers are not in the table: they may do everything.
"""

from enum import StrEnum

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User


class Role(StrEnum):
    """What a user is to the bureau. One person can be several."""

    OFFICER = "officer"
    ADMINISTRATOR = "administrator"
    ARBITER = "arbiter"


_EVENT_MODELS = (
    "event", "section", "round", "entry", "game", "appointment", "penalty", "submission", "submissionfinding", "eventmove",
)  # fmt: skip

# What a region asks and the officer answers: the arbiters, of whom it may speak, do not read it.
_APPEAL_MODELS = ("refusal", "permissionrequest", "appeal")

RIGHTS: dict[Role, frozenset[str]] = {
    Role.OFFICER: frozenset(
        f"{app}.{action}_{model}"
        for app, models in {
            "players": ("player", "title", "region", "province"),
            "events": (*_EVENT_MODELS, *_APPEAL_MODELS, "arbiter", "membership", "ratingperiod"),
            "ratings": ("ratinglist", "ratingrun", "notice"),
        }.items()
        for model in models
        for action in ("view", "add", "change", "delete")
    )
    | {
        "players.view_regionaladministrator",
        "players.appoint_regionaladministrator",
        "events.invite_arbiter",
        "accounts.view_user",
        "accounts.disable_user",
        "events.view_abroadlink",
    },
    Role.ADMINISTRATOR: frozenset(
        {f"events.view_{model}" for model in (*_EVENT_MODELS, *_APPEAL_MODELS)}
        | {"players.view_player", "events.view_arbiter"}
    ),
    Role.ARBITER: frozenset({f"events.view_{model}" for model in _EVENT_MODELS}),
}


def in_office(prefix: str = "") -> Q:
    """The administrations in force today; `prefix` leads to them. `until` is the first day no longer in office."""
    today = timezone.localdate()
    return Q(**{f"{prefix}since__lte": today}) & (
        Q(**{f"{prefix}until__isnull": True}) | Q(**{f"{prefix}until__gt": today})
    )


def roles_of(user: User) -> set[Role]:
    """The roles of a user who is active."""
    roles: set[Role] = set()
    if user.is_officer:
        roles.add(Role.OFFICER)
    if user.administrations.filter(in_office()).exists():
        roles.add(Role.ADMINISTRATOR)
    if user.arbiters.exists():
        roles.add(Role.ARBITER)
    return roles


def acting_user(request: HttpRequest) -> User:
    """The user of a request to a page that only users get."""
    assert isinstance(request.user, User)  # noqa: S101 - the page lets nobody in who is not logged in
    return request.user
