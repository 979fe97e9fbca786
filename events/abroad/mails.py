"""Mail to players and team managers who send in results from abroad."""

from datetime import datetime
from typing import Any

from accounts.models import Mail
from accounts.outbox.content import Content, render
from accounts.outbox.lookups import look_up
from accounts.outbox.queue import send, send_if_found
from config.lib import formatting
from config.lib.site import site_address
from config.lib.texts import plain_text
from events.abroad.links import VALID, ask_link, link_to_correct, token_of
from events.appeals.links import appeal_link, sender_of
from events.models import AbroadLink, Event
from events.rules.deadlines import appeal_closes, last_day_before
from events.rules.states import State


def queue_link(number: str, address: str, sender: AbroadLink.Sender) -> None:
    """Have a link mailed by which to send in a player's results, if the address is on record for him."""
    send_if_found("abroad link", address, {"number": number, "sender": sender.value})


@look_up("abroad link")
def link_content(mail: Mail) -> Content | None:
    """Return the mail with a new link, counted from when it was asked for, so that one look-up later does not prolong it."""
    link = ask_link(mail.facts["number"], mail.to, AbroadLink.Sender(mail.facts["sender"]), at=mail.created_at)
    if link is None:
        return None
    return render("events/mail/abroad_link", _context(link), links={"link": _form(link)}, valid=VALID)


def tell_sender(event: Event, *, at: datetime, reason: str) -> None:
    """Mail the officer's decision on an event to the sender: with a new link if it is returned, to appeal if it is refused.

    It goes to the address that the register has now. Does nothing if that is none, nor for an event that its region sent in.
    """
    link = sender_of(event)
    if link is None or not link.player.email:
        return
    state = State(event.state)
    context: dict[str, Any] = {"event": event, "state": state.value, "reason": plain_text(reason)}
    links = {}
    valid = VALID
    if state is State.RETURNED:
        link = link_to_correct(link, at=at)
        links["link"] = _form(link)
    if state is State.REFUSED:
        refusal = event.refusals.filter(section=None).latest("pk")
        links["appeal"] = appeal_link(refusal)
        if closes := appeal_closes(refusal.notified_at):
            valid = closes - refusal.at
            context["last_day"] = formatting.long_day(last_day_before(closes))
    send(
        "events/mail/abroad_answer",
        _context(link) | context,
        [link.player.email],
        about=event,
        links=links,
        valid=valid,
    )


def _form(link: AbroadLink) -> str:
    return site_address("events:abroad-link", token_of(link))


def _context(link: AbroadLink) -> dict[str, Any]:
    return {
        "player": link.player,
        "manager": link.sender == AbroadLink.Sender.MANAGER,
        "again": site_address("events:abroad"),
        "days": VALID.days,
    }
