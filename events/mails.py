"""Mail to a region of what was decided. Its links bear the site's address from the request. OSError when it cannot be sent."""

import logging
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from config.lib import formatting
from config.lib.mail import send
from events.access import administrators_of
from events.models import Appeal, Event, PermissionRequest, Refusal
from events.rules.deadlines import appeal_closes, last_day_before
from events.rules.states import State

_log = logging.getLogger(__name__)


def send_refusal(request: HttpRequest, refusal: Refusal) -> list[str]:
    """The notice of a refusal with its reason and the last day to appeal (article 11). Returns to whom it went."""
    words = {
        "refusal": refusal,
        "last_day": formatting.long_day(last_day_before(appeal_closes(refusal.at))),
        "link": _link(request, "appeal", refusal.event),
    }
    return _send(request, "refusal", words, administrators_of(refusal.event.region))


def send_decision(request: HttpRequest, event: Event, reason: str) -> list[str]:
    """That an event was returned, or registered although late, with the reason. Returns to whom it went."""
    returned = event.state == State.RETURNED
    words = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "returned": returned,
        "reason": reason,
        "link": _link(request, "results" if returned else "event", event),
    }
    return _send(request, "decision", words, administrators_of(event.region))


def send_acceptance(event: Event) -> list[str]:
    """That an event was accepted for rating. Returns to whom it went."""
    to = administrators_of(event.region)
    if to:
        page = reverse("events:event", args=[event.pk])
        words = {
            "event": event,
            "days": formatting.days(event.starts, event.ends),
            "link": f"{settings.SITE_URL}{page}",
            "site": f"{settings.SITE_URL}/",
        }
        send("events/mail/accepted", words, to)
    return to


def send_permission(request: HttpRequest, asked: PermissionRequest) -> list[str]:
    """The answer to a request for permission, to who asked. Returns to whom it went."""
    event = asked.section.event
    words = {"asked": asked, "link": _link(request, "permission", event)}
    return _send(request, "permission", words, _asker(asked.by, event))


def send_appeal(request: HttpRequest, appeal: Appeal) -> list[str]:
    """The answer to an appeal, to who lodged it. Returns to whom it went."""
    event = appeal.refusal.event
    words = {"appeal": appeal, "link": _link(request, "appeal", event)}
    return _send(request, "appeal", words, _asker(appeal.by, event))


def tell_officers(request: HttpRequest, event: Event, what: str, reason: str, page: str) -> None:
    """Mail to the officers that a region asks for something: `page` is the desk's list on which it is answered.

    What is asked stands on the desk whether the mail goes or not: one that cannot be sent is logged.
    """
    officers = User.objects.filter(is_officer=True, is_active=True).values_list("email", flat=True)
    words = {
        "event": event,
        "days": formatting.days(event.starts, event.ends),
        "what": what,
        "reason": reason,
        "link": request.build_absolute_uri(page),
    }
    try:
        _send(request, "asked", words, sorted(officers))
    except OSError:
        _log.exception("the officers could not be told of event %s: %s", event.pk, what)


def _asker(by: User | None, event: Event) -> list[str]:
    """Who asked; when his account is closed, who administers the region now."""
    return [by.email] if by and by.is_active else administrators_of(event.region)


def _link(request: HttpRequest, page: str, event: Event) -> str:
    return request.build_absolute_uri(reverse(f"events:{page}", args=[event.pk]))


def _send(request: HttpRequest, name: str, words: dict[str, Any], to: list[str]) -> list[str]:
    if to:
        send(f"events/mail/{name}", {**words, "site": request.build_absolute_uri("/")}, to)
    return to
