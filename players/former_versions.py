"""Former versions of a player's line on the register with what is another's, which was typed into it by mistake, or was there
while he was taken for another."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from players.identity import telling_words, words_of
from players.models import Player


def versions_of_others(keys: Collection[int]) -> set[int]:
    """Return the history keys of those former versions of some players that have what is another's on the register and not
    theirs: his address, his day of birth with a telling word of his name, or the day of birth of one who was merged with them
    and is no more. Four queries."""
    return {version.history_id for version in _of_others(keys)}


def births_of_others(keys: Collection[int]) -> set[date]:
    """Return the days of birth in `versions_of_others` that are not theirs. Five queries."""
    own = Player.objects.filter(pk__in=keys).values_list("birth_date", flat=True)
    return {version.birth_date for version in _of_others(keys)} - {None, *own}


def _of_others(keys: Collection[int]) -> list[Any]:
    own = list(Player.objects.filter(pk__in=keys))
    versions = list(Player.history.filter(id__in=keys))
    days = {version.birth_date for version in versions} - {row.birth_date for row in own} - {None}
    emails = {version.email for version in versions} - {row.email for row in own} - {""}
    others = Player.objects.exclude(pk__in=keys).filter(Q(birth_date__in=days) | Q(email__in=emails))
    theirs = {(row.birth_date, word) for row in others for word in telling_words(name_of_line(row))}
    addresses = {row.email for row in others} & emails
    merged = days & set(_once_merged(keys).values_list("birth_date", flat=True))
    return [
        version
        for version in versions
        if version.email in addresses
        or version.birth_date in merged
        or theirs & {(version.birth_date, word) for word in words_of(name_of_line(version))}
    ]


def _once_merged(keys: Collection[int]) -> QuerySet[Player]:
    """Return who was merged with some players, also by those between who are now merged into these, and is no more."""
    own = Player.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys)).values("pk")
    merged = Player.objects.filter(Q(merges_away__new__in=own) | Q(merges_in__old__in=own))
    return merged.exclude(pk__in=own)


def name_of_line(row: Any) -> str:
    """Return what a player is called on a line of the register, of now or of before."""
    return f"{row.first_name} {row.last_name}".strip()
