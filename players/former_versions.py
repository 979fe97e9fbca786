"""Former versions of a player's line on the register with what is another's, which was typed into it by mistake."""

from collections.abc import Collection

from django.db.models import Q

from players.identity import long_words
from players.models import Player


def versions_of_others(keys: Collection[int]) -> set[int]:
    """Return the history keys of those former versions of some players that have what is another's on the register and not
    theirs: his address, or his day of birth with a long word of his name. Three queries."""
    own = list(Player.objects.filter(pk__in=keys))
    versions = list(Player.history.filter(id__in=keys))
    days = {version.birth_date for version in versions} - {row.birth_date for row in own}
    emails = {version.email for version in versions} - {row.email for row in own} - {""}
    others = Player.objects.exclude(pk__in=keys).filter(Q(birth_date__in=days - {None}) | Q(email__in=emails))
    theirs = {(row.birth_date, word) for row in others for word in _words(row.first_name, row.last_name)}
    addresses = {row.email for row in others} & emails
    return {
        version.history_id
        for version in versions
        if version.email in addresses
        or theirs & {(version.birth_date, word) for word in _words(version.first_name, version.last_name)}
    }


def _words(first_name: str, last_name: str) -> set[str]:
    return long_words(f"{first_name} {last_name}")
