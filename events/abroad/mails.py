"""Mail to players and team managers who send in results from abroad."""

import logging
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse

from config.lib import formatting
from config.lib.mail import send
from events.abroad.links import VALID, link_to_correct, token_of
from events.appeals.links import appeal_link, sender_of
from events.models import AbroadLink, Event
from events.rules.deadlines import appeal_closes, last_day_before
from events.rules.states import State

_log = logging.getLogger(__name__)


def send_link(request: HttpRequest, link: AbroadLink) -> None:
    """Mail a link. If it cannot be sent, log that and delete the link, so that it does not count as sent."""
    try:
        _send(request, link, "link", {})
    except OSError:
        _log.exception("the link %s to send in results from abroad could not be mailed", link.pk)
        link.delete()


def tell_sender(request: HttpRequest, event: Event, *, at: datetime, reason: str) -> None:
    """Mail the officer's decision on an event to the sender: with a new link if it is returned, to appeal if it is refused.

    Does nothing for an event that its region sent in. Raises OSError if the mail cannot be sent.
    """
    link = sender_of(event)
    if link is None:
        return
    state = State(event.state)
    context: dict[str, object] = {"event": event, "state": state.value, "reason": reason.strip()}
    if state is State.RETURNED:
        link = link_to_correct(link, at=at)
    if state is State.REFUSED:
        refusal = event.refusals.filter(section=None).latest("at", "pk")
        context["appeal"] = appeal_link(request, refusal)
        context["last_day"] = formatting.long_day(last_day_before(appeal_closes(refusal.at)))
    _send(request, link, "answer", context)


def _send(request: HttpRequest, link: AbroadLink, name: str, more: dict[str, object]) -> None:
    context = {
        "player": link.player,
        "manager": link.sender == AbroadLink.Sender.MANAGER,
        "link": request.build_absolute_uri(reverse("events:abroad-link", args=[token_of(link)])),
        "again": request.build_absolute_uri(reverse("events:abroad")),
        "site": request.build_absolute_uri("/"),
        "days": VALID.days,
        **more,
    }
    send(f"events/mail/abroad_{name}", context, [link.address])
