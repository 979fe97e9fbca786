"""Former versions of a player's line on the register with what is another's, which was typed into it by mistake, or was there
while he was taken for another."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from players.identity import telling_words, words_of
from players.models import Player


def versions_of_others(keys: Collection[int]) -> set[int]:
    """Return the history keys of those former versions of some players that have what is another's on the register and not
    theirs: his name, between two times that the line had another; his day of birth with a telling word of a name of his, or
    that of one who was merged with them and is no more; or his address, which a family of one region shares unless it stood
    so."""
    return {version.history_id for version in _of_others(keys)}


def versions_taken_for_others(keys: Collection[int], strangers: Collection[str] = ()) -> set[int]:
    """Return the history keys of those of `versions_of_others` in which more than an address or a day of birth is another's:
    it has his name, there is no telling word of theirs in the name, or the day of birth is that of who has the address. The
    others tell of them alone, as of a child with a parent's address, or of a twin. `strangers`: what others are called who may
    not be players, as users and arbiters."""
    versions = _of_others(keys)
    own = list(Player.objects.filter(pk__in=keys))
    named = called_as_others(own, strangers)
    emails = {version.email for version in versions} - {row.email for row in own} - {""}
    senders = list(Player.objects.exclude(pk__in=keys).filter(email__in=emails))
    address = {row.pk: row.email for row in senders}
    called = {
        (address[row.id], word)
        for row in (*senders, *Player.history.filter(id__in=address))
        for word in telling_words(name_of_line(row))
    }
    births = {None, *(row.birth_date for row in own)}  # theirs, which a twin has, too
    born = {(row.email, row.birth_date) for row in senders if row.birth_date not in births}
    their_own = Player.history.filter(id__in=keys).exclude(history_id__in=[version.history_id for version in versions])
    own_words = {word for row in (*own, *their_own) for word in telling_words(name_of_line(row))}

    def is_taken(version: Any) -> bool:
        if (version.email, version.birth_date) in born:
            return True
        words = words_of(name_of_line(version))
        has_name = version.email not in emails or bool(called & {(version.email, word) for word in words})
        return has_name and not words & own_words

    return named | {version.history_id for version in versions if is_taken(version)}


def births_of_others(keys: Collection[int], versions: Collection[int]) -> set[date]:
    """Return the days of birth in some players' `versions_of_others` that are not theirs. Two queries."""
    own = Player.objects.filter(pk__in=keys).values_list("birth_date", flat=True)
    return {*Player.history.filter(history_id__in=versions).values_list("birth_date", flat=True)} - {None, *own}


def addresses_of_others(keys: Collection[int]) -> set[str]:
    """Return the addresses in former versions of some players that are another's now and not theirs. Two queries."""
    own = Player.objects.filter(pk__in=keys).values_list("email", flat=True)
    former = set(Player.history.filter(id__in=keys).values_list("email", flat=True)) - {"", *own}
    return set(Player.objects.exclude(pk__in=keys).filter(email__in=former).values_list("email", flat=True))


def lines_of_others(keys: Collection[int], lines: Collection[Any]) -> set[int]:
    """Return the keys of those lines of lists, taken for some players, that have a day of birth not theirs but another's on the
    register, with a telling word of a name of his."""
    own = Player.objects.filter(pk__in=keys).values_list("birth_date", flat=True)
    theirs = _births_and_words(keys, {line.birth_date for line in lines} - {None, *own})
    return {line.pk for line in lines if theirs & {(line.birth_date, word) for word in words_of(name_of_line(line))}}


def _births_and_words(keys: Collection[int], days: Collection[date]) -> set[tuple[date | None, str]]:
    """Return which of some days are births of players but for some, each with the telling words of their names."""
    born = dict(Player.objects.exclude(pk__in=keys).filter(birth_date__in=days).values_list("pk", "birth_date"))
    lines = (*Player.objects.filter(pk__in=born), *Player.history.filter(id__in=born))
    return {(born[row.id], word) for row in lines for word in telling_words(name_of_line(row))}


def _of_others(keys: Collection[int]) -> list[Any]:
    own = list(Player.objects.filter(pk__in=keys))
    versions = list(Player.history.filter(id__in=keys).order_by("history_id"))
    days = {version.birth_date for version in versions} - {row.birth_date for row in own} - {None}
    emails = {version.email for version in versions} - {row.email for row in own} - {""}
    theirs = _births_and_words(keys, days) | {
        (day, "") for day in days & set(_once_merged(keys).values_list("birth_date", flat=True))
    }
    families: dict[str, set[tuple[int | None, str]]] = {}
    for row in Player.objects.exclude(pk__in=keys).filter(email__in=emails):
        families.setdefault(row.email, set()).update((row.region_id, word) for word in telling_words(name_of_line(row)))
    regions = {row.pk: row.region_id for row in own}
    spans = Spans(
        ((version.history_id, version.id, version.email) for version in versions), {row.pk: row.email for row in own}
    )

    named = called_as_others(own)
    # A birth that is another's stays until it is put right, though the name was before.
    births = {
        (version.id, version.birth_date)
        for version in versions
        if theirs & {(version.birth_date, word) for word in (*words_of(name_of_line(version)), "")}
    }

    def is_anothers(version: Any) -> bool:
        if version.history_id in named or (version.id, version.birth_date) in births:
            return True
        if version.email not in families:
            return False
        words = words_of(name_of_line(version))
        of_family = families[version.email] & {(regions.get(version.id), word) for word in words}
        return not of_family or spans.are_around(version.id, version.history_id, {version.email}.__contains__)

    return list(filter(is_anothers, versions))


def called_as_others(own: Collection[Player], strangers: Collection[str] = ()) -> set[int]:
    """Return the history keys of those former versions of some players in which they are called as another player is or was, or
    as one of some `strangers`, between two times that they were called otherwise."""
    keys = [row.pk for row in own]
    former = Player.history.filter(id__in=keys).order_by("history_id")
    versions = list(former.values_list("history_id", "id", "folded_name"))
    spans = Spans(versions, {row.pk: row.folded_name for row in own})
    around = [
        (number, frozenset(name.split()))
        for number, key, name in versions
        if spans.are_around(key, number, {name}.__contains__)
    ]
    own_names = {frozenset(row.folded_name.split()) for row in own}
    wanted = {words for _, words in around if len(words) > 1 and not any(words <= name for name in own_names)}
    if not wanted:
        return set()
    others = Player.objects.exclude(pk__in=keys)
    others_words = list(map(words_of, strangers))

    def is_anothers(words: frozenset[str]) -> bool:
        named = Q()
        for word in words:
            named &= Q(folded_name__contains=f" {word}")
        rows = (others.filter(named), Player.history.filter(named, id__in=others.values("pk")))
        return any(words <= other for other in others_words) or any(
            words <= set(name.split()) for found in rows for name in found.values_list("folded_name", flat=True)
        )

    known = set(filter(is_anothers, wanted))
    return {number for number, words in around if words in known}


def _once_merged(keys: Collection[int]) -> QuerySet[Player]:
    """Return who was merged with some players, also by those between who are now merged into these, and is no more."""
    own = Player.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys)).values("pk")
    merged = Player.objects.filter(Q(merges_away__new__in=own) | Q(merges_in__old__in=own))
    return merged.exclude(pk__in=own)


def name_of_line(row: Any) -> str:
    """Return what a player is called on a line of the register, of now or of before."""
    return f"{row.first_name} {row.last_name}".strip()


class Spans:
    """Between which of its versions a row had which value, by the order of their keys."""

    def __init__(self, versions: Iterable[tuple[int, int, Any]], present: Mapping[int, Any]) -> None:
        self._spans: dict[int, dict[Any, tuple[float, float]]] = {}
        for number, key, value in versions:
            first, _ = self._spans.setdefault(key, {}).get(value, (number, number))
            self._spans[key][value] = (first, number)
        for key, value in present.items():
            first, _ = self._spans.setdefault(key, {}).get(value, (math.inf, math.inf))
            self._spans[key][value] = (first, math.inf)

    def are_around(self, key: int, number: int, is_his: Callable[[Any], bool]) -> bool:
        """Return whether a row had a value that is not `his` before a version, and again after it."""
        return any(
            first < number < last and not is_his(value) for value, (first, last) in self._spans.get(key, {}).items()
        )
