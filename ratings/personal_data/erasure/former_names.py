"""Former versions of other players and arbiters with what is a person's: typed into the wrong row, brought in with a wrong id,
or taken over by a merge that was undone."""

from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from django.db.models import Q

from accounts.models import Decision
from accounts.retention.queries import former_accounts
from accounts.trail.operations import key_of
from accounts.trail.triggers import rewriting
from config.lib.database import LONGEST_CHANGE_REASON
from config.lib.days import middle_of_year
from config.lib.texts import shortened
from events.models import Arbiter
from players.former_versions import Spans, name_of_line
from players.identity import folded_name, sorted_words, words_of
from players.models import Player
from ratings.merging.versions import BESIDE_BIRTH
from ratings.models import ListedPlayer, Merge, RunPerson
from ratings.personal_data.erasure.names import GONE, Names
from ratings.personal_data.person import Person

_OF_MERGES: Final = "merge of "  # as `ratings.merging.operations` has in the reasons of versions


@dataclass(frozen=True, slots=True)
class Slip:
    """A former version of another player's line, `row` by now, that has a person's name, or his day of birth with a telling
    word of his name or his address."""

    version: Any
    row: Player
    bears_name: bool
    bears_whole_name: bool
    bears_birth: bool

    @property
    def name(self) -> tuple[str, str]:
        """First and last name of the version."""
        return self.version.first_name, self.version.last_name


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells that a line is a person's: `called`, his names as they are stored for the search, in either order; the words
    of each of his `whole_names`; those that are `telling`; his days of birth and addresses."""

    called: Collection[str]
    whole_names: Collection[frozenset[str]]
    telling: frozenset[str]
    days: AbstractSet[date]
    emails: Collection[str]

    @classmethod
    def of(cls, person: Person) -> "Signs":
        """Return the signs of a person, of now and of before, while his own versions are still there."""
        return cls(
            called={folded for first, last in person.names for folded in _folded(first, last)},
            whole_names={words for name in person.names if len(words := frozenset(words_of(" ".join(name)))) > 1},
            telling=person.telling_words,
            days={row.birth_date for row in person.lines} - {None},
            emails=person.emails,
        )

    def are_in(self, folded: str) -> bool:
        """Return whether a name, as it is stored for the search, is his or has all words of his."""
        return folded in self.called or any(words <= set(folded.split()) for words in self.whole_names)


def slips_of(person: Person, signs: Signs) -> list[Slip]:
    """Return the former versions of other players with what is a person's, while his own are still there.

    A version is taken for his by his name, if the other was called something else both before and after it (else it is a maiden
    name): then a birth that is not the other's is his, too. Or by his day of birth, if the other had another both before and
    after it, or with a telling word of a name of his, or his address. Of rows that are removed none: they go every night.
    """
    others = Player.history.exclude(id__in=person.keys)
    named = Q(folded_name__in=signs.called)
    for name in signs.whole_names:
        parts = Q()
        for word in name:
            parts &= Q(folded_name__contains=f" {word}")
        named |= parts
    versions = list(others.filter(named | Q(birth_date__in=signs.days)))
    present = Player.objects.in_bulk({version.id for version in versions})
    former = list(Player.history.filter(id__in=present).order_by("history_id"))
    names = Spans(former, present.values(), lambda line: line.folded_name)
    births = Spans(former, present.values(), lambda line: line.birth_date)
    slips = []
    for version in versions:
        row = present.get(version.id)
        if row is None:
            continue
        is_born_so = version.birth_date in signs.days and version.birth_date != row.birth_date
        is_called_so = is_born_so and bool(signs.telling & words_of(name_of_line(version)))
        by_slip = signs.are_in(version.folded_name) and names.was_slip(row.pk, version.history_id, signs.are_in)
        slip = Slip(
            version,
            row,
            bears_name=(by_slip or is_called_so) and not signs.are_in(row.folded_name),
            bears_whole_name=signs.are_in(version.folded_name),
            bears_birth=is_called_so
            or (is_born_so and version.email in signs.emails)
            or (is_born_so and births.was_slip(row.pk, version.history_id, signs.days.__contains__))
            or (by_slip and version.birth_date not in {None, row.birth_date}),
        )
        slips.append(slip)
    # A birth by a slip stays until it is put right, though something else was changed between.
    born = {(slip.row.pk, slip.version.birth_date) for slip in slips if slip.bears_birth}
    slips = [replace(slip, bears_birth=(slip.row.pk, slip.version.birth_date) in born) for slip in slips]
    return [slip for slip in slips if slip.bears_name or slip.bears_birth]


def forget_among_others(person: Person, names: Names, signs: Signs, slips: Collection[Slip]) -> set[int]:
    """Put what other players are called now, and what else tells who they are, in the place of a person's name in their former
    versions, and their birth in the place of his, of which the year stays if a run took it; take out his address and FIDE ids,
    and his name in why two players were merged. Return the keys of the players who bore his name or FIDE id."""
    used = set(RunPerson.objects.filter(player__in=[slip.row.pk for slip in slips]).values_list("player", "born"))
    for slip in slips:
        version, row, values = slip.version, slip.row, dict[str, Any]()
        if slip.bears_name:
            values |= {column: getattr(row, column) for column in BESIDE_BIRTH}
        if slip.bears_birth and (row.pk, middle_of_year(version.birth_date.year)) in used:
            values["birth_date"] = None
        elif slip.bears_birth:
            values |= {column: getattr(row, column) for column in ("birth_date", "birth_year")}
        Player.history.filter(history_id=version.history_id).update(**values)
    fide_ids = person.fide_ids
    _forget_in_lists(slips, fide_ids)
    others = Player.history.exclude(id__in=person.keys)
    others.filter(email__in=signs.emails).update(email="")
    with_his_id = others.filter(fide_id__in=fide_ids)
    had_his_id = set(with_his_id.values_list("id", flat=True))
    with_his_id.update(fide_id=None)
    for version in others.filter(history_change_reason__contains=_OF_MERGES):
        reason = shortened(names.replaced(version.history_change_reason, tied=False), LONGEST_CHANGE_REASON)
        if reason != version.history_change_reason:
            Player.history.filter(history_id=version.history_id).update(history_change_reason=reason)
    return had_his_id | {slip.row.pk for slip in slips if slip.bears_name}


def _forget_in_lists(slips: Collection[Slip], fide_ids: Collection[int]) -> None:
    """Take what is his out of what lines of lists changed of others: a list may have put a slip right."""
    ids = set(map(str, fide_ids))
    told: dict[int | None, set[str]] = {
        key: set(ids) for key in ListedPlayer.objects.filter(_changed(ids)).values_list("player", flat=True) if key
    }
    for slip in slips:
        parts = told.setdefault(slip.row.pk, set(ids))
        if slip.bears_name:
            parts |= {slip.version.last_name, slip.version.first_name} - {"", slip.row.last_name, slip.row.first_name}
        if slip.bears_birth:
            parts.add(slip.version.birth_date.isoformat())
    for row in ListedPlayer.objects.filter(player__in=told).exclude(changes=[]):
        changes = [[GONE if part in told[row.player_id] else part for part in change] for change in row.changes]
        if changes != row.changes:
            ListedPlayer.objects.filter(pk=row.pk).update(changes=changes)


def _changed(texts: Collection[str]) -> Q:
    wanted = Q(pk=None)
    for text in texts:
        wanted |= Q(changes__icontains=text)
    return wanted


def forget_in_merges(person: Person, names: Names, signs: Signs, merged: Collection[int]) -> None:
    """Take what is his, by the rule of `slips_of`, out of what the merges of others keep to be undone: name, for which the
    present one is put, birth, address, FIDE id, and a club that is called after him. `merged`: the keys of players who were
    taken for him, whose day of birth is his without his name."""
    fide_ids = person.fide_ids
    others = Merge.objects.exclude(Q(old__in=person.keys) | Q(new__in=person.keys)).exclude(moved={})
    for merge in others.select_related("old", "new"):
        former = deepcopy(merge.moved)
        for side, row in (("old", merge.old), ("new", merge.new)):
            columns = merge.moved.get(side, {})
            name, born = columns.get("folded_name", ""), columns.get("birth_date")
            is_born_so = born in {day.isoformat() for day in signs.days - {row.birth_date}}
            is_called_so = is_born_so and bool(signs.telling & words_of(name)) and not _was_born_so(row, born)
            if is_called_so or (is_born_so and (row.pk in merged or columns.get("email") in signs.emails)):
                columns |= {"birth_date": None, "birth_year": None}
            if signs.are_in(name) and (is_called_so or _was_slip(row, merge.moved.get("version", 0), signs)):
                columns |= {column: getattr(row, column) for column in ("last_name", "first_name", "folded_name")}
            columns |= {"email": ""} if columns.get("email") in signs.emails else {}
            columns |= {"fide_id": None} if columns.get("fide_id") in fide_ids else {}
            columns |= {"club": names.replaced(columns["club"], tied=False)} if columns.get("club") else {}
        if merge.moved != former:
            Merge.objects.filter(pk=merge.pk).update(moved=merge.moved)


def _was_born_so(row: Player, day: str | None) -> bool:
    """Return whether a player's line had a day of birth from its first version on: it is his own, as a twin's."""
    first = Player.history.filter(id=row.pk).order_by("history_id").first()
    return first is not None and first.birth_date is not None and first.birth_date.isoformat() == day


def _was_slip(row: Player, number: int, signs: Signs) -> bool:
    """Return whether a player with a name of his by a version was called something else both before and after it."""
    versions = Player.history.filter(id=row.pk).order_by("history_id")
    return Spans(versions, [row], lambda line: line.folded_name).are_around(row.pk, number, signs.are_in)


def forget_among_arbiters(person: Person, signs: Signs) -> set[int]:
    """Put what other arbiters are called now in the place of a person's name in their former versions, by the rule of
    `slips_of`, and take out his FIDE ids. Return the keys of the arbiters who bore his name."""
    called = set(map(sorted_words, signs.called))

    def is_his(name: str) -> bool:
        return name in called or signs.are_in(name)

    present = {row.pk: row for row in person.other_arbiters}
    versions = list(Arbiter.history.filter(id__in=present).order_by("history_id"))
    names = Spans(versions, present.values(), lambda record: sorted_words(record.name))
    bore_his = set[int]()
    for version in versions:
        name = present[version.id].name
        if is_his(sorted_words(name)) or not is_his(sorted_words(version.name)):
            continue
        if names.was_slip(version.id, version.history_id, is_his):
            Arbiter.history.filter(history_id=version.history_id).update(name=name)
            bore_his.add(version.id)
    Arbiter.history.filter(id__in=present, fide_id__in=person.fide_ids).update(fide_id=None)
    return bore_his


def forget_on_trail(person: Person, signs: Signs, slips: Collection[Slip]) -> None:
    """Take the parts of a person's name out of what the trail says that was changed of other players, by `slips`, and of other
    accounts, where it was put right: who has the surname was given his first name alone."""
    parts: dict[str, set[str]] = {}
    for slip in slips:
        if slip.bears_name:
            own = {slip.row.first_name, slip.row.last_name}
            parts.setdefault(key_of(slip.row), set()).update({*slip.name} - own)
    others = {user.pk: user for user in person.other_users}
    versions = [version for version in former_accounts() if version.id in others]
    names = Spans(versions, others.values(), _folded_line)
    for version in versions:
        user = others[version.id]
        if not signs.are_in(_folded_line(version)) or signs.are_in(_folded_line(user)):
            continue
        if names.was_slip(user.pk, version.history_id, signs.are_in):
            own = {user.first_name, user.last_name}
            parts.setdefault(key_of(user), set()).update({version.first_name, version.last_name} - own)
    with rewriting():
        for decision in Decision.objects.filter(subject__in=parts):
            told = parts[decision.subject] - {""}
            sides = {
                side: {label: GONE if text in told else text for label, text in getattr(decision, side).items()}
                for side in ("before", "after")
            }
            Decision.objects.filter(pk=decision.pk).update(**sides)


def _folded_line(row: Any) -> str:
    return folded_name(row.last_name, row.first_name)


def _folded(first_name: str, last_name: str) -> Iterator[str]:
    """Yield a name as it is stored for the search, in either order, also with the first of several first names alone."""
    for first in {first_name, *first_name.split()[:1]}:
        yield folded_name(last_name, first)
        yield folded_name(first, last_name)
