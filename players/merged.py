"""Whom an id leads to: its bearer; the player into whom he was merged; or who bore it before his number was changed.

Players who were merged are on the register no more. A changed number is found in the players' histories, and leads on while
nobody else bears it.
"""

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from config.lib.moved import MovedError
from players.identity import is_chess_sa_id
from players.models import Player

_MOST_DIGITS = 18  # that the column for FIDE ids can hold


def on_register() -> QuerySet[Player]:
    """Return the players on the register: all but those who were merged into others."""
    return Player.objects.filter(merged_into=None)


def bears(number: str) -> Q:
    """Return the condition for the player whom a Chess SA id leads to."""
    return _or_merged_into(_bore(number))


def bears_id(digits: str) -> Q:
    """Return the condition for the players whom a Chess SA id or FIDE id leads to."""
    return _or_merged_into(_bore(digits) | Q(fide_id=digits))


def _bore(number: str) -> Q:
    borne = Q(Exists(Player.objects.filter(number=number)))
    return Q(number=number) | (Q(pk__in=Player.history.filter(number=number).values("id")) & ~borne)


def _or_merged_into(bearer: Q) -> Q:
    return bearer | Q(pk__in=Player.objects.filter(bearer, merged_into__isnull=False).values("merged_into"))


def by_fide_id(ids: Collection[int]) -> dict[int, Player]:
    """Return the players on the register whom FIDE ids lead to, by id. One query."""
    players = Player.objects.filter(fide_id__in=ids).select_related("merged_into")
    return {player.fide_id: player.merged_into or player for player in players if player.fide_id}


def player_of(number: str) -> Player | None:
    """Return the player on the register whom a Chess SA id leads to; None if it is no one's. One query."""
    return on_register().filter(bears(number)).first()


def lock_bearers(numbers: Iterable[str]) -> None:
    """Lock the players who have some Chess SA ids, as far as they have them, within the caller's transaction: whoever erases or
    merges one is waited for, and the next one waits. What is written with an id and a name is checked after it."""
    players = Player.objects.select_for_update(of=("self",), no_key=True).filter(number__in={*filter(None, numbers)})
    list(players.order_by("pk").values_list("pk"))


def players_of(players: QuerySet[Player], numbers: Collection[str]) -> dict[str, Player]:
    """Return those of some players to whom Chess SA ids lead, by the id asked for. One query, or none without an id; up to four
    more for ids that none of them bears, as of the hidden."""
    if not numbers:
        return {}
    found = {player.number: player for player in players.filter(number__in=numbers)}
    led = leading_on({*numbers} - found.keys())
    if led:
        bearers = {player.number: player for player in players.filter(number__in=led.values())}
        found |= {old: bearers[new] for old, new in led.items() if new in bearers}
    return found


def leading_on(numbers: Collection[str]) -> dict[str, str]:
    """Return for those of the Chess SA ids that lead on to another player his own. Two queries, or none without an id; one more
    for ids that were a player's.

    The histories are asked about ids that players bear, too: a page's ETag tells what was read, and not who is hidden.
    """
    numbers = [number for number in numbers if is_chess_sa_id(number)]
    if not numbers:
        return {}
    borne = dict(Player.objects.filter(number__in=numbers).values_list("number", "merged_into__number"))
    led = {number: new for number, new in borne.items() if new is not None}
    return led | {number: new for number, new in changed_numbers(numbers).items() if number not in borne}


def changed_numbers(numbers: Collection[str]) -> dict[str, str]:
    """Return for Chess SA ids that are no player's any more the id to which each leads. One query, or none without an id; one
    more if they were a player's."""
    if not numbers:
        return {}
    versions = Player.history.filter(number__in=numbers).order_by("history_id")
    bearers = dict(versions.values_list("number", "id"))  # who had it last
    if not bearers:
        return {}
    rows = Player.objects.filter(pk__in=bearers.values()).values_list("pk", "number", "merged_into__number")
    present = {key: new or number for key, number, new in rows}
    return {number: present[key] for number, key in bearers.items() if key in present}


def present_number(number: str) -> str:
    """Return the Chess SA id of the player to whom one leads; what is not a player's as it is. One query; up to two more."""
    return leading_on([number]).get(number, number)


def leading_ids(ids: Collection[str]) -> dict[str, str]:
    """Return for those of the ids, Chess SA's or FIDE's, that lead on to another player his own of that kind. Two queries; one
    more for ids that were a player's."""
    figures = {number for number in ids if number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS}
    if not figures:
        return {}
    bearers = Player.objects.filter(Q(number__in=figures) | Q(fide_id__in={int(number) for number in figures}))
    led: dict[str, str] = {}
    borne = set[str]()
    for number, fide_id, own_number, own_fide_id in bearers.values_list(
        "number", "fide_id", "merged_into__number", "merged_into__fide_id"
    ):
        borne |= {number, str(fide_id)}
        if own_number:
            led[number] = own_number
        if fide_id and own_fide_id:
            led[str(fide_id)] = str(own_fide_id)
    changed = changed_numbers(set(filter(is_chess_sa_id, figures)))
    return led | {number: new for number, new in changed.items() if number not in borne}


def numbers_that_lead_to(players: QuerySet[Player]) -> QuerySet[Player, str]:
    """Return the Chess SA ids that lead to some players, their own among them, as a subquery."""
    people = Player.objects.filter(Q(pk__in=players.values("pk")) | Q(merged_into__in=players.values("pk")))
    taken = Player.objects.filter(number=OuterRef("number")).exclude(pk=OuterRef("id"))
    numbers: QuerySet[Player, str] = (
        Player.history.filter(~Exists(taken), id__in=people.values("pk")).order_by().values_list("number", flat=True)
    )
    return numbers


def require_here(number: str) -> None:
    """Raise MovedError if a Chess SA id leads on to another player who is not hidden. Two queries, or up to four if
    it does, or did."""
    new = leading_on([number]).get(number)
    if new is not None and Player.objects.filter(number=new, hidden_since=None).exists():
        raise MovedError(number, new)
