"""The versions of a player's line on the register in which he was taken for another."""

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.db.models import Max, Q

from config.lib.days import middle_of_year
from players.models import PRIVATE, Player
from ratings.models import Merge, RunPerson

_TELLING: Final = (*PRIVATE, "fide_id", "club")
BESIDE_BIRTH: Final = ("last_name", "first_name", "folded_name", "died_on", "email", "fide_id", "club")


def latest_version() -> int:
    """Return the key of the newest version of all players; 0 without one."""
    return Player.history.aggregate(latest=Max("history_id"))["latest"] or 0


def before_merge(merge: Merge) -> Q:
    """Return the condition on versions of players that they were written before a merge that was done. By their order, for a
    clock may have been ahead then; by the moments of merges that an earlier release did, and of those that are undone."""
    if "version" in merge.moved:
        return Q(history_id__lte=merge.moved["version"])
    return Q(history_date__lt=merge.at)


def forget_versions_of_others(player: int, others: Collection[int], *, own: Q) -> None:
    """Delete the versions of a player, by his key, with something that others had (name, days of birth and death, FIDE id,
    club, address) and he neither had in his `own`, before he was taken for one with them, nor has now. Of a version whose birth
    a run took the birth stays, or the year, if the run keeps no more of it: `verify` compares them."""
    versions = Player.history.filter(id=player)
    present = Player.objects.get(pk=player)
    theirs = _said(Player.history.filter(id__in=others)) - _said([*versions.filter(own), present])
    used = {*RunPerson.objects.filter(player=player).values_list("born", flat=True)} - {None}
    for version in versions:
        if not _said([version]) & theirs:
            continue
        born = version.birth_date
        if born in used or (born and middle_of_year(born.year) in used):
            put = {column: getattr(present, column) for column in BESIDE_BIRTH}
            put |= {} if born in used else {"birth_date": None}
            Player.history.filter(history_id=version.history_id).update(**put)
        else:
            Player.history.filter(history_id=version.history_id).delete()


def _said(versions: Iterable[Any]) -> set[tuple[str, Any]]:
    """Return what versions say that names somebody, as column and value."""
    said: set[tuple[str, Any]] = set()
    for version in versions:
        said.add(("name", (version.last_name, version.first_name)))
        said.update((column, value) for column in _TELLING if (value := getattr(version, column)))
    return said
