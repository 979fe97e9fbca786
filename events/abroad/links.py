"""Mailed links: asking for one, knowing it again, answering the sender. They carry a number, no address, and one purpose."""

from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction

from events.models import AbroadLink, Event
from events.visibility import public_players
from players.models import Player

VALID = timedelta(days=7)
PERIOD = timedelta(days=1)  # in which the mails are counted
MOST_TO_ADDRESS = 10  # a team manager asks for each of his players
MOST_FOR_PLAYER = 5  # to one address: nobody else can use up a player's own

_SIGNER = signing.Signer(salt="events.abroad.recording.link")


def ask_link(number: str, address: str, sender: AbroadLink.Sender, *, at: datetime) -> AbroadLink | None:
    """A link to send in a player's results, to be mailed to the address.

    None when nobody on the public register has the number, or when the address has had enough mails today, of all or of
    this player.
    """
    address = address.strip().lower()
    with transaction.atomic():
        # The player's row is locked, so that requests at the same moment are counted one after the other.
        player = Player.objects.select_for_update().filter(pk__in=public_players().filter(number=number)).first()
        if player is None:
            return None
        lately = AbroadLink.objects.filter(at__gt=at - PERIOD, address=address)
        if lately.count() >= MOST_TO_ADDRESS or lately.filter(player=player).count() >= MOST_FOR_PLAYER:
            return None
        return AbroadLink.objects.create(player=player, sender=sender, address=address, at=at)


def token_of(link: AbroadLink) -> str:
    """What stands in the link's address."""
    return _SIGNER.sign(str(link.pk))


def link_of(token: str) -> AbroadLink | None:
    """The link of a token, expired or not; None when nobody was sent that."""
    try:
        key = int(_SIGNER.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return AbroadLink.objects.select_related("player__region", "event").filter(pk=key).first()


def is_expired(link: AbroadLink, *, at: datetime) -> bool:
    """Whether a link no longer opens the form."""
    return at >= link.at + VALID


def sender_of(event: Event) -> AbroadLink | None:
    """The latest link by which an event was sent in; None when a region sent it."""
    return event.abroad_links.select_related("player").first()


def link_to_correct(link: AbroadLink, *, at: datetime) -> AbroadLink:
    """A fresh link to the sender of returned results, which opens them again."""
    return AbroadLink.objects.create(
        player=link.player, sender=link.sender, address=link.address, event=link.event, at=at
    )
