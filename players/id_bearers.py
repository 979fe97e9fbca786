"""Whose an id is that stands beside a name: a mistyped one may be another person's (articles 13.5, 15.2)."""

from collections.abc import Iterable

from django.db.models import Q

from players.identity import is_another_name, is_chess_sa_id
from players.merged import changed_numbers, on_register
from players.models import Player

_MOST_DIGITS = 18  # that the column for FIDE ids can hold


def known_as(player: Player) -> str:
    """Return who a player on the register is, beside what a file or a form says of him.

    Hazard: of one whose data was erased the pseudonym beside that name would tell who he is on the lists.
    """
    return player.number if player.erased_at else str(player)


class IdBearers:
    """The players who have one of some ids, as Chess SA id or FIDE id: files do not say which. One query, or none; up to three
    more for ids that no player has any more."""

    def __init__(self, ids: Iterable[str]) -> None:
        """Read the bearers of the ids, digits as text."""
        wanted = {number for number in ids if number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS}
        condition = Q(number__in=wanted) | Q(fide_id__in={int(number) for number in wanted})
        self._bearers: dict[str, list[Player]] = {}
        for player in Player.objects.filter(condition).select_related("merged_into") if wanted else ():
            for number in {player.number, str(player.fide_id or "")} & wanted:
                self._bearers.setdefault(number, []).append(player)
        led = changed_numbers(set(filter(is_chess_sa_id, wanted - self._bearers.keys())))
        present = {player.number: player for player in on_register().filter(number__in=led.values())} if led else {}
        self._bearers |= {old: [present[new]] for old, new in led.items() if new in present}

    def other_than(self, name: str, *ids: str, besides: int | None = None) -> Player | None:
        """Return the player to whom one of the ids leads, if he bears another name.

        None if nobody has one, if a player of the name does, or the one with the key `besides`.
        """
        bearers = [player for number in ids for player in self._bearers.get(number, ())]
        for player in bearers:
            for person in filter(None, (player, player.merged_into)):
                if person.pk == besides or not is_another_name(name, person.name):
                    return None
        return (bearers[0].merged_into or bearers[0]) if bearers else None
