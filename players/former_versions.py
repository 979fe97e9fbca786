"""Former versions of a player's line on the register with what is another's, which was typed into it by mistake."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q

from players.identity import telling_words, words_of
from players.models import Player


def versions_of_others(keys: Collection[int]) -> set[int]:
    """Return the history keys of those former versions of some players that have what is another's on the register and not
    theirs: his address, or his day of birth with a telling word of his name. Three queries."""
    own = list(Player.objects.filter(pk__in=keys))
    versions = list(Player.history.filter(id__in=keys))
    days = {version.birth_date for version in versions} - {row.birth_date for row in own}
    emails = {version.email for version in versions} - {row.email for row in own} - {""}
    others = Player.objects.exclude(pk__in=keys).filter(Q(birth_date__in=days - {None}) | Q(email__in=emails))
    theirs = {(row.birth_date, word) for row in others for word in telling_words(name_of_line(row))}
    addresses = {row.email for row in others} & emails
    return {
        version.history_id
        for version in versions
        if version.email in addresses
        or theirs & {(version.birth_date, word) for word in words_of(name_of_line(version))}
    }


def name_of_line(row: Any) -> str:
    """Return what a player is called on a line of the register, of now or of before."""
    return f"{row.first_name} {row.last_name}".strip()
