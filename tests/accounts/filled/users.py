"""Accounts: a user's own, tokens, and those of others on the desk; mails, and how long personal data is kept."""

from django.utils import timezone

from accounts.models import Mail
from tests.accounts.filled.form import REASON, Filled, action, changed
from tests.accounts.world import World

PASSWORD = {"password1": "vlakvark-17", "password2": "vlakvark-17"}


def _failed(world: World) -> None:
    Mail.objects.update(state="failed", next_at=None)


def _with_a_password(world: World) -> None:
    """The user without a role logs in by it."""
    world.users["no role"].set_password("rooikat-23")
    world.users["no role"].save()
    del world.logged_in["no role"]


FORMS = [
    Filled(
        "no role",
        "account/tokens/",
        lambda world: {"name": "Swiss", "scopes": "submit", "last_day": f"{timezone.localdate()}"},
    ),
    Filled("no role", "account/tokens/<int:pk>/withdraw/", paged=False),
    Filled(
        "no role",
        "account/password/",
        {"old_password": "rooikat-23", "new_password1": "vlakvark-17", "new_password2": "vlakvark-17"},
        _with_a_password,
    ),
    Filled("officer", "account/week/", {"wanted": "yes"}, paged=False),
    Filled("officer", "account/sent-in/", {"wanted": "yes"}, paged=False),
    Filled("no role", "privacy/my-data/", paged=False),
    Filled("superuser", "admin/accounts/user/<id>/password/", PASSWORD),
    Filled("superuser", "admin/accounts/user/add/", {"email": "new@example.org", **PASSWORD}),
    Filled(
        "superuser",
        "admin/accounts/user/<path:object_id>/change/",
        {"first_name": "Thandi", "reason_for_change": REASON},
    ),
    action("superuser", "accounts", "user", "disable", lambda world: str(world.other_user.pk), also=("officer",)),
    action(
        "officer",
        "accounts",
        "token",
        "withdraw",
        lambda world: str(world.tokens[world.other_user].pk),
        also=("superuser",),
    ),
    action("officer", "accounts", "mail", "send_again", before=_failed),
    Filled("officer", "admin/accounts/mail/<int:mail>/again/", {}, _failed, paged=False),
    *changed("accounts", "retention", mail_days="120"),
]
