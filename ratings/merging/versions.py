"""The versions of a player's line on the register in which he was taken for another."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final

from players.models import PRIVATE, Player

_TELLING: Final = (*PRIVATE, "fide_id", "club")


def forget_versions_of_others(player: int, others: Collection[int], *, since: datetime) -> None:
    """Delete the versions of a player, by his key, with something that others had (name, days of birth and death, FIDE id,
    club, address) and he had neither before `since`, when he was taken for one with them, nor has now."""
    versions = list(Player.history.filter(id=player))
    own = [version for version in versions if version.history_date < since]
    theirs = _said(Player.history.filter(id__in=others)) - _said([*own, *Player.objects.filter(pk=player)])
    taken = [version.history_id for version in versions if _said([version]) & theirs]
    Player.history.filter(history_id__in=taken).delete()


def _said(versions: Iterable[Any]) -> set[tuple[str, Any]]:
    """Return what versions say that names somebody, as column and value."""
    said: set[tuple[str, Any]] = set()
    for version in versions:
        said.add(("name", (version.last_name, version.first_name)))
        said.update((column, value) for column in _TELLING if (value := getattr(version, column)))
    return said
