"""Mail to users."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.tokens import default_token_generator
from django.db.models import Model
from django.http import HttpRequest
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import Mail, User
from accounts.outbox.content import Content, render
from accounts.outbox.lookups import look_up
from accounts.outbox.queue import send, send_if_found
from accounts.trail.operations import name_of
from config.lib.site import site_address


def send_invitation(user: User, region: Model | None = None, *, arbiter: Model | None = None) -> None:
    """Invite a user: a link to set the first password, or to the log-in where a password is set.

    `region` and `arbiter` say in the mail what the account is for.
    """
    context: dict[str, Any] = {"user": user, "region": region, "arbiter": arbiter}
    context["own_page"] = site_address("arbiters:me")
    links = {}
    if user.has_usable_password():
        context["log_in"] = site_address("accounts:log-in")
    else:
        links["link"] = _link("accounts:invitation", user)
        context["days"] = settings.PASSWORD_RESET_TIMEOUT // 86_400
        context["again"] = site_address("accounts:reset")
    about = region or arbiter or user
    send("accounts/mail/invitation", context, [user.email], about=about, links=links, valid=_valid())


def invite(request: HttpRequest, user: User, region: Model | None = None, *, arbiter: Model | None = None) -> None:
    """Invite a user from a page of the admin, which then says that the mail is on its way."""
    send_invitation(user, region, arbiter=arbiter)
    messages.success(request, f"A mail is on its way to {user.email}.")


def send_password_set(user: User, *, at: datetime, by: User) -> None:
    """Tell a user that somebody else changed the password of the account, who and when."""
    context = {"user": user, "by": name_of(by), "at": at, "again": site_address("accounts:reset")}
    send("accounts/mail/password_set", context, [user.email], about=user)


def queue_reset(email: str) -> None:
    """Have a link mailed by which to set a password, if an active account has the address."""
    send_if_found("reset", User.objects.normalize_email(email), {})


@look_up("reset")
def reset_content(mail: Mail) -> Content | None:
    """Return the mail with the link to set a password, also for an account whose invitation was never used."""
    user = User.objects.filter(email=mail.to, is_active=True).first()
    if user is None:
        return None
    links = {"link": _link("accounts:set-password", user)}
    return render("accounts/mail/reset", {"user": user}, links=links, valid=_valid())


def _valid() -> timedelta:
    return timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def _link(page: str, user: User) -> str:
    return site_address(page, urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user))
