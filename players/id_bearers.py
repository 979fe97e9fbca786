"""Whose an id is that stands beside a name: a mistyped one may be another person's (articles 13.5, 15.2)."""

from collections.abc import Iterable

from django.db.models import Q

from players.identity import is_another_name
from players.models import Player

_MOST_DIGITS = 18  # that the column for FIDE ids can hold


class IdBearers:
    """The players who have one of some ids, as Chess SA id or FIDE id: files do not say which. One query, or none."""

    def __init__(self, ids: Iterable[str]) -> None:
        """Read the bearers of the ids, digits as text."""
        wanted = {number for number in ids if number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS}
        condition = Q(number__in=wanted) | Q(fide_id__in={int(number) for number in wanted})
        self.players = list(Player.objects.filter(condition)) if wanted else []

    def other_than(self, name: str, *ids: str, besides: int | None = None) -> Player | None:
        """Return the player who has one of the ids, if he bears another name.

        None if nobody has one, if a player of the name does, or the one with the key `besides`.
        """
        bearers = [player for player in self.players if player.number in ids or str(player.fide_id or "") in ids]
        if any(player.pk == besides or not is_another_name(name, player.name) for player in bearers):
            return None
        return bearers[0] if bearers else None
