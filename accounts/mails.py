"""Mail to users. Its links bear the address under which the site was asked."""

from typing import Any

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import User
from config.lib.mail import send


def send_invitation(request: HttpRequest, user: User, region: object = None, *, arbiter: object = None) -> None:
    """Tell somebody of his account: a link to set the first password, or to the log-in if he has one.

    Raises OSError if the mail cannot be sent.
    """
    words: dict[str, Any] = {"user": user, "region": region, "arbiter": arbiter}
    words["site"] = request.build_absolute_uri("/")
    words["own_page"] = request.build_absolute_uri(reverse("arbiters:me"))
    if user.has_usable_password():
        words["log_in"] = request.build_absolute_uri(reverse("accounts:log-in"))
    else:
        words["link"] = request.build_absolute_uri(_link("accounts:invitation", user))
        words["days"] = settings.PASSWORD_RESET_TIMEOUT // 86_400
        words["again"] = request.build_absolute_uri(reverse("accounts:reset"))
    send("accounts/mail/invitation", words, [user.email])


def send_reset(user: User, site: str) -> None:
    """Send a link by which to set a password. `site` is its address with a slash at the end. OSError if it cannot be sent."""
    link = site.rstrip("/") + _link("accounts:set-password", user)
    send("accounts/mail/reset", {"user": user, "site": site, "link": link}, [user.email])


def _link(page: str, user: User) -> str:
    key, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
    return reverse(page, args=[key, token])
