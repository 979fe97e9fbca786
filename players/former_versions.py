"""Former versions of a player's line on the register with what is another's, which was typed into it by mistake, or was there
while he was taken for another."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, timedelta
from functools import cached_property
from itertools import chain
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounts.models import User
from players.identity import is_part_of, may_be_one_name, telling_words, words_of
from players.models import Player
from players.strangers import names_of_strangers

_AT_ONCE: Final = timedelta(days=1)
_OF_MERGES: Final = re.compile(r"(undone: )?merge( of |$)")  # reasons of versions, as `ratings.merging` gives them


def name_of_line(row: Any) -> str:
    """Return what a player is called on a line of the register, of now or of before."""
    return f"{row.first_name} {row.last_name}".strip()


class Spans:
    """Between which of its versions, and when, a row had which value. `versions`: of some rows, in the order of their keys;
    `rows`: these rows as they are now, as far as they are there; `value`: what is read of either."""

    def __init__(self, versions: Iterable[Any], rows: Iterable[Any], value: Callable[[Any], Any]) -> None:
        self._versions: dict[int, list[Any]] = {}
        self._value = value
        self._spans: dict[int, dict[Any, tuple[float, float]]] = {}
        for version in versions:
            self._versions.setdefault(version.id, []).append(version)
            self._extend(version.id, value(version), version.history_id)
        for row in rows:
            self._extend(row.pk, value(row), math.inf)

    def _extend(self, key: int, value: Any, number: float) -> None:
        spans = self._spans.setdefault(key, {})
        spans[value] = (spans.get(value, (number, number))[0], number)

    def are_around(self, key: int, number: int, is_sought: Callable[[Any], bool]) -> bool:
        """Return whether a row had a value that is not `sought` before a version, and again after it."""
        return any(
            first < number < last and not is_sought(value) for value, (first, last) in self._spans.get(key, {}).items()
        )

    def was_slip(self, key: int, number: int, is_sought: Callable[[Any], bool]) -> bool:
        """Return whether a row had a value that is `sought`, in a version, by a slip: between two times that it had another,
        or it was put right within a day after it was entered, and not by a merge."""
        return self.are_around(key, number, is_sought) or self._was_put_right_at_once(key, number, is_sought)

    def slips(self) -> Iterator[Any]:
        """Yield the versions with a value that their row had by a slip."""
        for key, versions in self._versions.items():
            for version in versions:
                if self.was_slip(key, version.history_id, {self._value(version)}.__contains__):
                    yield version

    def borne(self, key: int, is_sought: Callable[[Any], bool]) -> Iterator[Any]:
        """Yield the versions of a row with a value that is `sought`, and not by a slip."""
        for version in self._versions.get(key, ()):
            if is_sought(self._value(version)) and not self.was_slip(key, version.history_id, is_sought):
                yield version

    def _was_put_right_at_once(self, key: int, number: int, is_sought: Callable[[Any], bool]) -> bool:
        entered = None
        for version in self._versions.get(key, ()):
            if is_sought(self._value(version)):
                entered = entered or version.history_date
            elif version.history_id < number:
                entered = None
            else:
                is_merged = _OF_MERGES.match(version.history_change_reason or "") is not None
                return entered is not None and version.history_date - entered < _AT_ONCE and not is_merged
        return False


class FormerVersions:
    """The former versions of some players' lines, by the players' keys."""

    def __init__(self, keys: Collection[int]) -> None:
        self._keys = keys

    @cached_property
    def _own(self) -> list[Player]:
        return list(Player.objects.filter(pk__in=self._keys))

    @cached_property
    def _others(self) -> QuerySet[Player]:
        return Player.objects.exclude(pk__in=self._keys)

    @cached_property
    def all(self) -> list[Any]:
        """All versions, in their order."""
        return list(Player.history.filter(id__in=self._keys).order_by("history_id"))

    @cached_property
    def called_as_others(self) -> set[int]:
        """The history keys of those in which they are called as another player is or was, or as a stranger, by a slip."""
        spans = Spans(self.all, self._own, lambda row: row.folded_name)
        own_names = [frozenset(row.folded_name.split()) for row in self._own]
        words = {version.history_id: frozenset(version.folded_name.split()) for version in spans.slips()}
        wanted = {name for name in words.values() if len(name) > 1}.difference(own_names)
        wanted = {name for name in wanted if not any(may_be_one_name(name, own) for own in own_names)}
        known = {name for name in wanted if self._is_anothers_name(name, own_names)}
        return {number for number, name in words.items() if name in known}

    def _is_anothers_name(self, words: frozenset[str], own_names: Collection[frozenset[str]]) -> bool:
        """Return whether a name is another's: it is part of his, or his of it, unless his is part of their own, too, as of a
        father with fewer first names."""
        named = Q(pk=None)
        for word in (word for word in words if len(word) > 1):
            named |= Q(folded_name__contains=f" {word}")
        rows = (self._others.filter(named), Player.history.filter(named, id__in=self._others.values("pk")))
        names = (name for found in rows for name in found.values_list("folded_name", flat=True).distinct())
        others = chain(self._words_of_strangers, (set(name.split()) for name in names))
        return any(
            is_part_of(words, other)
            or (is_part_of(other, words) and not any(is_part_of(other, own) for own in own_names))
            for other in others
        )

    @cached_property
    def _words_of_strangers(self) -> list[set[str]]:
        return list(map(words_of, names_of_strangers(self._own)))

    @cached_property
    def of_others(self) -> set[int]:
        """The history keys of those that have what is another's on the register and not theirs: his name, by a slip; his day
        of birth with a telling word of a name of his, or that of one who was merged with them and is no more; or his address,
        which a family of one region shares unless it stood between two times that the line had another."""
        return {version.history_id for version in self._of_others}

    @cached_property
    def _of_others(self) -> list[Any]:
        days = {version.birth_date for version in self.all} - {row.birth_date for row in self._own} - {None}
        theirs = self._births_and_words(days) | {
            (day, "") for day in days & set(_once_merged(self._keys).values_list("birth_date", flat=True))
        }
        families: dict[str, set[tuple[int | None, str]]] = {}
        for row in self._others.filter(email__in=self._former_emails):
            families.setdefault(row.email, set()).update(
                (row.region_id, word) for word in telling_words(name_of_line(row))
            )
        regions = {row.pk: row.region_id for row in self._own}
        emails = Spans(self.all, self._own, lambda row: row.email)
        # A birth that is another's stays until it is put right, though the name was before.
        births = {
            (version.id, version.birth_date)
            for version in self.all
            if theirs & {(version.birth_date, word) for word in (*words_of(name_of_line(version)), "")}
        }

        def is_anothers(version: Any) -> bool:
            if version.history_id in self.called_as_others or (version.id, version.birth_date) in births:
                return True
            if version.email not in families:
                return False
            words = words_of(name_of_line(version))
            of_family = families[version.email] & {(regions.get(version.id), word) for word in words}
            return not of_family or emails.are_around(version.id, version.history_id, {version.email}.__contains__)

        return list(filter(is_anothers, self.all))

    @cached_property
    def _former_emails(self) -> set[str]:
        return {version.email for version in self.all} - {row.email for row in self._own} - {""}

    @cached_property
    def taken_for_others(self) -> set[int]:
        """The history keys of those `of_others` in which more than an address or a day of birth is another's: it has his name
        by a slip, or no first name of theirs and either no telling word of theirs, or the day of birth of who has the address.
        The others tell of them alone, as of a child with a parent's address, or of a twin."""
        senders = list(
            self._others.filter(email__in={version.email for version in self._of_others} & self._former_emails)
        )
        address = {row.pk: row.email for row in senders}
        called = {
            (address[row.id], word)
            for row in (*senders, *Player.history.filter(id__in=address))
            for word in telling_words(name_of_line(row))
        }
        births = {None, *(row.birth_date for row in self._own)}  # theirs, which a twin has, too
        born = {(row.email, row.birth_date) for row in senders if row.birth_date not in births}
        lines = [*self._own, *(version for version in self.all if version.history_id not in self.of_others)]
        own_words = {word for row in lines for word in telling_words(name_of_line(row))}
        first_words = {word for row in lines for word in words_of(row.first_name)}

        def is_taken(version: Any) -> bool:
            words = words_of(name_of_line(version))
            if version.history_id in self.called_as_others:
                return True
            if words & first_words:
                return False
            if (version.email, version.birth_date) in born:
                return True
            is_sent_to = version.email in self._former_emails
            has_name = not is_sent_to or bool(called & {(version.email, word) for word in words})
            return has_name and not words & own_words

        return {version.history_id for version in self._of_others if is_taken(version)}

    @cached_property
    def births_of_others(self) -> set[date]:
        """The days of birth in those `of_others` that are not theirs."""
        return {version.birth_date for version in self._of_others} - {None, *(row.birth_date for row in self._own)}

    @cached_property
    def addresses_of_others(self) -> set[str]:
        """The addresses in former versions that are another player's now and not theirs, or stood there by a slip and are an
        account's."""
        spans = Spans(self.all, self._own, lambda row: row.email)
        slips = {version.email for version in spans.slips()}
        users = User.objects.filter(email__in=slips & self._former_emails)
        others = self._others.filter(email__in=self._former_emails)
        return {*users.values_list("email", flat=True), *others.values_list("email", flat=True)}

    def lines_of_others(self, lines: Collection[Any]) -> set[int]:
        """Return the keys of those lines of lists, taken for these players, that have a day of birth not theirs but another's
        on the register, with a telling word of a name of his."""
        days = {line.birth_date for line in lines} - {None, *(row.birth_date for row in self._own)}
        theirs = self._births_and_words(days)
        return {
            line.pk for line in lines if theirs & {(line.birth_date, word) for word in words_of(name_of_line(line))}
        }

    def _births_and_words(self, days: Collection[date]) -> set[tuple[date | None, str]]:
        """Return which of some days are births of other players, each with the telling words of their names."""
        born = dict(self._others.filter(birth_date__in=days).values_list("pk", "birth_date"))
        lines = (*Player.objects.filter(pk__in=born), *Player.history.filter(id__in=born))
        return {(born[row.id], word) for row in lines for word in telling_words(name_of_line(row))}


def _once_merged(keys: Collection[int]) -> QuerySet[Player]:
    """Return who was merged with some players, also by those between who are now merged into these, and is no more."""
    own = Player.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys)).values("pk")
    merged = Player.objects.filter(Q(merges_away__new__in=own) | Q(merges_in__old__in=own))
    return merged.exclude(pk__in=own)
