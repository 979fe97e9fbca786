"""Mail to users. Its links start with the address at which the request reached the site."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import User
from config.lib.mail import send


def send_invitation(request: HttpRequest, user: User, region: object = None, *, arbiter: object = None) -> None:
    """Invite a user: a link to set the first password, or to the log-in where a password is set.

    `region` and `arbiter` say in the mail what the account is for. Raises OSError if the mail cannot be sent.
    """
    context: dict[str, Any] = {"user": user, "region": region, "arbiter": arbiter}
    context["site"] = request.build_absolute_uri("/")
    context["own_page"] = request.build_absolute_uri(reverse("arbiters:me"))
    if user.has_usable_password():
        context["log_in"] = request.build_absolute_uri(reverse("accounts:log-in"))
    else:
        context["link"] = request.build_absolute_uri(_link("accounts:invitation", user))
        context["days"] = settings.PASSWORD_RESET_TIMEOUT // 86_400
        context["again"] = request.build_absolute_uri(reverse("accounts:reset"))
    send("accounts/mail/invitation", context, [user.email])


def invite(request: HttpRequest, user: User, region: object = None, *, arbiter: object = None) -> None:
    """Invite a user from a page of the admin, which then shows whether the mail is on its way."""
    try:
        send_invitation(request, user, region, arbiter=arbiter)
        messages.success(request, f"A mail is on its way to {user.email}.")
    except OSError as error:
        messages.error(
            request, f"The mail to {user.email} could not be sent ({error}): send the invitation again later."
        )


def send_reset(user: User, site: str) -> None:
    """Mail a link by which to set a password. `site` is the site's address. Raises OSError if the mail cannot be sent."""
    link = site.rstrip("/") + _link("accounts:set-password", user)
    send("accounts/mail/reset", {"user": user, "site": site, "link": link}, [user.email])


def _link(page: str, user: User) -> str:
    key, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
    return reverse(page, args=[key, token])
