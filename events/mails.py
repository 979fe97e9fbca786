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
from events.models import Event, KeptBackReport, Party, PermissionRequest, Refusal, WithdrawalRequest
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


def send_decision(request: HttpRequest, event: Event, reason: str, *, brought_back: bool = False) -> list[str]:
    """Tell that an event was returned, registered although late, or brought back, with the reason. Return the addresses."""
    returned = event.state == State.RETURNED
    context = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "returned": returned,
        "brought_back": brought_back,
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
    """Send the answer to a request for permission to the user who asked, and to the region too. Return the addresses."""
    event = permission.section.event
    context = {"asked": permission, "link": link_to(request, "permission", event)}
    to = asker(permission.by, event)
    if permission.party != Party.ADMINISTRATOR:
        to = sorted({*to, *administrator_emails(event.region)})
    return send_from_site(request, "permission", context, to)


def send_withdrawal(request: HttpRequest, asked: WithdrawalRequest) -> list[str]:
    """Send the answer to a request to withdraw an event to the user who asked. Return the addresses."""
    context = {"asked": asked, "link": link_to(request, "event", asked.event)}
    return send_from_site(request, "withdrawal", context, asker(asked.by, asked.event))


def send_kept_back(request: HttpRequest, report: KeptBackReport) -> list[str]:
    """Send the answer to a report that an event is kept back to the user who made it. Return the addresses.

    It does not go to the region, whose administrator it is about.
    """
    context = {"report": report, "link": link_to(request, "kept-back", report.event)}
    to = [report.by.email] if report.by and report.by.is_active else []
    return send_from_site(request, "kept_back", context, to)


def mail_officers(request: HttpRequest, event: Event, subject: str, reason: str, page: str) -> None:
    """Tell the officers that something was asked or reported. `page`: path of the admin's list on which it is answered.

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
