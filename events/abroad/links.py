"""Mailed links to send in results from abroad. A link's token is signed: it holds no name and no address."""

from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction

from config.lib.tokens import row_of, signed_row
from events.models import AbroadLink
from events.visibility import accepted_players
from players.merged import bears
from players.models import Player

VALID = timedelta(days=7)
PERIOD = timedelta(days=1)  # in which the mails are counted
MOST_TO_ADDRESS = 10  # a team manager asks for each of his players
MOST_FOR_PLAYER = 5  # to one address, so that requests of others do not use up a player's own

_SIGNER = signing.Signer(salt="events.abroad.recording.link")


def ask_link(number: str, address: str, sender: AbroadLink.Sender, *, at: datetime) -> AbroadLink | None:
    """Return a new link to send in a player's results, to be mailed to the address.

    None if no accepted player on the register has the number and this address on record, or if the address has had as many
    links within a day as it may, in all or for this player.
    """
    address = address.strip().lower()
    with transaction.atomic():
        # The player's row is locked, so that requests at the same moment are counted one after the other.
        player = Player.objects.select_for_update().filter(pk__in=accepted_players().filter(bears(number))).first()
        if player is None or not address or player.email != address:
            return None
        # Not those of the future: by a clock that was set right since.
        lately = AbroadLink.objects.filter(at__gt=at - PERIOD, at__lt=at + PERIOD, address=address)
        if lately.count() >= MOST_TO_ADDRESS or lately.filter(player=player).count() >= MOST_FOR_PLAYER:
            return None
        return AbroadLink.objects.create(player=player, sender=sender, address=address, at=at)


def link_beside(link: AbroadLink, player: Player, *, at: datetime) -> AbroadLink:
    """Return the link by which a player's results are sent in with those of the link's own: that one while it has no event,
    else a new one, which is not mailed.

    Raises ValueError if the player has another address on record than the link's.
    """
    if player.pk == link.player_id and link.event_id is None:
        return link
    if player.email != link.address:
        raise ValueError("the link's address is not on record for the player")
    return AbroadLink.objects.create(player=player, sender=link.sender, address=link.address, at=at)


def token_of(link: AbroadLink) -> str:
    """Return the part of the link's address that identifies it."""
    return signed_row(_SIGNER, link)


def link_of(token: str) -> AbroadLink | None:
    """Return the link of a token, expired or not; None if there is none."""
    return row_of(_SIGNER, token, AbroadLink.objects.select_related("player__region", "event"))


def is_expired(link: AbroadLink, *, at: datetime) -> bool:
    """Return whether a link no longer opens the form: after its days, or when its address is no longer the player's."""
    return at >= link.at + VALID or link.address != link.player.email


def link_to_correct(link: AbroadLink, *, at: datetime) -> AbroadLink:
    """Return a new link for results that were returned, which opens them again, for the address that is on record now."""
    return AbroadLink.objects.create(
        player=link.player, sender=link.sender, address=link.player.email, event=link.event, at=at
    )
