"""Mails to a region about decisions, and to officers about requests. They raise OSError if they cannot be sent."""

import logging
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from config.lib import formatting
from config.lib.mail import send
from events.access import administrator_emails, organiser_emails
from events.models import Event, PermissionRequest, Refusal
from events.rules.deadlines import appeal_closes, last_day_before
from events.rules.states import State

_log = logging.getLogger(__name__)


def send_refusal(request: HttpRequest, refusal: Refusal) -> list[str]:
    """Send a refusal with its reason and the last day to appeal (article 11) to the region and the Chief Organiser.

    Return the addresses.
    """
    event = refusal.event
    context = {
        "refusal": refusal,
        "last_day": formatting.long_day(last_day_before(appeal_closes(refusal.at))),
        "link": link_to(request, "appeal", event),
    }
    to = dict.fromkeys([*administrator_emails(event.region), *organiser_emails(event)])
    return send_from_site(request, "refusal", context, list(to))


def send_decision(request: HttpRequest, event: Event, reason: str) -> list[str]:
    """Tell that an event was returned, or registered although late, with the reason. Return the addresses."""
    returned = event.state == State.RETURNED
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "returned": returned,
        "reason": reason,
        "link": link_to(request, "results" if returned else "event", event),
    }
    return send_from_site(request, "decision", context, administrator_emails(event.region))


def send_acceptance(event: Event) -> list[str]:
    """Tell that an event was accepted for rating. Return the addresses."""
    to = administrator_emails(event.region)
    if to:
        page = reverse("events:event", args=[event.pk])
        context = {
            "event": event,
            "days": formatting.days(event.starts, event.ends),
            "link": f"{settings.SITE_URL}{page}",
            "site": f"{settings.SITE_URL}/",
        }
        send("events/mail/accepted", context, to)
    return to


def send_permission(request: HttpRequest, permission: PermissionRequest) -> list[str]:
    """Send the answer to a request for permission to the user who asked. Return the addresses."""
    event = permission.section.event
    context = {"asked": permission, "link": link_to(request, "permission", event)}
    return send_from_site(request, "permission", context, asker(permission.by, event))


def mail_officers(request: HttpRequest, event: Event, subject: str, reason: str, page: str) -> None:
    """Tell the officers that a region made a request. `page`: path of the admin's list on which it is answered.

    A mail that cannot be sent is only logged: the request is in the admin anyway.
    """
    officers = User.objects.filter(is_officer=True, is_active=True).values_list("email", flat=True)
    mail_request(request, event, subject, reason, page, to=sorted(officers))


def mail_request(request: HttpRequest, event: Event, subject: str, reason: str, page: str, *, to: list[str]) -> None:
    """Tell those who answer a request that it was made, as `mail_officers` does."""
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "what": subject,
        "reason": reason,
        "link": request.build_absolute_uri(page),
    }
    try:
        send_from_site(request, "asked", context, to)
    except OSError:
        _log.exception("%s could not be told of event %s: %s", ", ".join(to), event.pk, subject)


def asker(by: User | None, event: Event) -> list[str]:
    """Return the address of the user who asked, or of the region's administrators if that account is disabled."""
    return [by.email] if by and by.is_active else administrator_emails(event.region)


def link_to(request: HttpRequest, page: str, event: Event) -> str:
    """Return the full address of an event's page, by the name of its view."""
    return request.build_absolute_uri(reverse(f"events:{page}", args=[event.pk]))


def send_from_site(request: HttpRequest, name: str, context: dict[str, Any], to: list[str]) -> list[str]:
    """Send a mail of `templates/events/mail`, if there is an address, and return the addresses."""
    if to:
        send(f"events/mail/{name}", {**context, "site": request.build_absolute_uri("/")}, to)
    return to
