"""Players who were merged into others: they are on the register no more, and their numbers lead on."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from config.lib.moved import MovedError
from players.models import Player

_MOST_DIGITS = 18  # that the column for FIDE ids can hold


def on_register() -> QuerySet[Player]:
    """Return the players on the register: all but those who were merged into others."""
    return Player.objects.filter(merged_into=None)


def bears(number: str) -> Q:
    """Return the condition for the player whom a Chess SA id leads to: its bearer, or the one he was merged into."""
    return Q(number=number) | Q(pk__in=Player.objects.filter(number=number).values("merged_into"))


def bears_id(digits: str) -> Q:
    """Return the condition for the players whom a Chess SA id or FIDE id leads to."""
    own = Q(number=digits) | Q(fide_id=digits)
    return own | Q(pk__in=Player.objects.filter(own).values("merged_into"))


def by_fide_id(ids: Collection[int]) -> dict[int, Player]:
    """Return the players on the register whom FIDE ids lead to, by id. One query."""
    players = Player.objects.filter(fide_id__in=ids).select_related("merged_into")
    return {player.fide_id: player.merged_into or player for player in players if player.fide_id}


def player_of(number: str) -> Player | None:
    """Return the player on the register whom a Chess SA id leads to; None if it is no one's. One query."""
    return on_register().filter(bears(number)).first()


def leading_on(numbers: Collection[str]) -> dict[str, str]:
    """Return for those of the Chess SA ids that lead on to another player his own. One query, or none without an id."""
    if not numbers:
        return {}
    merged = Player.objects.filter(number__in=numbers, merged_into__isnull=False)
    return dict(merged.values_list("number", "merged_into__number"))


def leading_ids(ids: Collection[str]) -> dict[str, str]:
    """Return for those of the ids, Chess SA's or FIDE's, that lead on to another player his own of that kind. One query."""
    figures = {number for number in ids if number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS}
    if not figures:
        return {}
    merged = Player.objects.filter(Q(number__in=figures) | Q(fide_id__in={int(number) for number in figures}))
    led: dict[str, str] = {}
    rows = merged.filter(merged_into__isnull=False)
    for number, fide_id, own_number, own_fide_id in rows.values_list(
        "number", "fide_id", "merged_into__number", "merged_into__fide_id"
    ):
        led[number] = own_number
        if fide_id and own_fide_id:
            led[str(fide_id)] = str(own_fide_id)
    return led


def require_here(number: str) -> None:
    """Raise MovedError if a Chess SA id leads on to another player. One query."""
    new = leading_on([number]).get(number)
    if new is not None:
        raise MovedError(number, new)
