"""Mail to users. Its links bear the site's address from the request."""

from typing import Any

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import User
from events.models import Arbiter
from players.models import Region


def send_invitation(
    request: HttpRequest, user: User, region: Region | None = None, *, arbiter: Arbiter | None = None
) -> None:
    """Tell somebody of his account: a link to set the first password, or to the log-in if he has one.

    Raises OSError if the mail cannot be sent.
    """
    words: dict[str, Any] = {"user": user, "region": region, "arbiter": arbiter}
    words["site"] = request.build_absolute_uri("/")
    words["own_page"] = request.build_absolute_uri(reverse("arbiters:me"))
    if user.has_usable_password():
        words["log_in"] = request.build_absolute_uri(reverse("accounts:log-in"))
    else:
        key, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
        words["link"] = request.build_absolute_uri(reverse("accounts:invitation", args=[key, token]))
        words["days"] = settings.PASSWORD_RESET_TIMEOUT // 86_400
        words["again"] = request.build_absolute_uri(reverse("accounts:reset"))
    subject = render_to_string("accounts/mail/invitation_subject.txt", words).strip()
    send_mail(subject, render_to_string("accounts/mail/invitation.txt", words), None, [user.email])
