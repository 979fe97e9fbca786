"""What the public sees of a player who is hidden at his own wish: that somebody played and is rated, and not who.

His ratings, places and games stay where they are, with `hidden_name` in place of his name; his number leads nowhere. The desk
and the pages of those who have a part in an event show him as any other player.
"""

from datetime import date

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from players.models import Player
from players.pseudonyms import is_pseudonym


def hidden_name() -> str:
    """Return what stands in place of a hidden player's name, in the reader's language."""
    return gettext("Hidden player")


def not_hidden(prefix: str = "") -> Q:
    """Return the condition for players who are not hidden, reached through `prefix`.

    Whatever tells players apart by name, number, sex, title, club or birth needs it: a row without a name tells by its being
    found what it does not show.
    """
    return Q(**{f"{prefix}hidden_since__isnull": True})


def name_in_public(name: str, hidden_since: date | None) -> str:
    """Return a player's name as the public reads it; of one whose data was erased his pseudonym."""
    return name if hidden_since is None or is_pseudonym(name) else hidden_name()


def met_hidden_since(prefix: str) -> Coalesce:
    """Return the expression for the day since which an opponent abroad, reached through `prefix`, is hidden: as the player
    whom the results name, or as who has his FIDE id by now."""
    bearer = Player.objects.filter(fide_id=OuterRef(f"{prefix}fide_id")).values("hidden_since")[:1]
    return Coalesce(f"{prefix}player__hidden_since", Subquery(bearer))


def in_public(player: Player) -> Player:
    """Return a player as the public sees him. Of a hidden one remain key, region and federation, in a copy not for saving; his
    number is ""."""
    if player.hidden_since is None:
        return player
    shown = Player(
        pk=player.pk,
        last_name=name_in_public(player.name, player.hidden_since),
        federation=player.federation,
        region_id=player.region_id,
        hidden_since=player.hidden_since,
    )
    if Player.region.is_cached(player):
        shown.region = player.region
    return shown
