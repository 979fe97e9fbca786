"""Mailed links by which the sender of results from abroad appeals a refusal."""

from django.core import signing

from config.lib.site import site_address
from config.lib.tokens import row_of, signed_row
from events.models import AbroadLink, Event, Refusal

_SIGNER = signing.Signer(salt="events.appeals.link")


def appeal_token(refusal: Refusal) -> str:
    """Return the part of the link's address that identifies a refusal, until the sender's address on record changes."""
    return signed_row(_SIGNER, refusal, address=_address(refusal))


def refusal_of(token: str) -> Refusal | None:
    """Return the refusal of a token, with its event; None if there is none, or if the address to which it was mailed is no
    longer the player's."""
    return row_of(_SIGNER, token, Refusal.objects.select_related("event__region", "section"), address=_address)


def _address(refusal: Refusal) -> str:
    sender = sender_of(refusal.event)
    return sender.player.email if sender else ""


def sender_of(event: Event) -> AbroadLink | None:
    """Return the latest mailed link by which an event was sent in; None if a region sent it."""
    return event.abroad_links.select_related("player").first()


def appeal_link(refusal: Refusal) -> str:
    """Return the full address at which the sender of results from abroad appeals a refusal."""
    return site_address("events:appeal-link", appeal_token(refusal))
