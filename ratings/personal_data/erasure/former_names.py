"""Former versions of other players and arbiters with what is a person's: typed into the wrong row, brought in with a wrong id,
or taken over by a merge that was undone."""

import math
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Min, Q

from config.lib.database import LONGEST_CHANGE_REASON
from config.lib.texts import shortened
from events.models import Arbiter
from players.former_versions import words_of
from players.identity import folded_name, sorted_words
from players.models import Player
from ratings.models import RunPerson
from ratings.personal_data.erasure.names import Names
from ratings.personal_data.erasure.person import Person, is_shared, own_fide_ids, versions_of

_OF_MERGES: Final = "merge of "  # as `ratings.merging.operations` has in the reasons of versions


def forget_among_others(person: Person, names: Names) -> set[int]:
    """Put what other players and arbiters are called now in the place of a person's name in their former versions, unless they
    are called so themselves, and their birth in the place of his, unless a run took it; take out his address and FIDE ids, and
    his name in why two players were merged. Of rows that are removed nothing: they go every night.

    A version is taken for his by his name, if the other was called before it as he is called now (else it is a maiden name), or
    by his day of birth with a long word of a name of his, or his address. Return the keys of the players who bore his name.
    """
    bore_his = set[int]()
    own, others = versions_of(person), Player.history.exclude(id__in=person.keys)
    called = {folded for row in own for folded in _folded(row)}
    words = {word for row in own for word in words_of(row)}
    days = {row.birth_date for row in own} - {None}
    emails = {row.email for row in own if row.email and not is_shared(row.email, person)}
    versions = list(others.filter(Q(folded_name__in=called) | Q(birth_date__in=days)))
    present = Player.objects.in_bulk({version.id for version in versions})
    written = Player.history.filter(id__in=present).values_list("id", "folded_name").annotate(first=Min("history_id"))
    first = {(key, name): number for key, name, number in written}
    used = set(RunPerson.objects.filter(player__in=present, born__in=days).values_list("player", "born"))
    for version in versions:
        row, put = present.get(version.id), set[str]()
        if row is None:
            continue
        is_born_so = version.birth_date in days and version.birth_date != row.birth_date
        is_called_so = bool(is_born_so and words & words_of(version))
        by_slip = version.folded_name in called and version.history_id > first.get((row.pk, row.folded_name), math.inf)
        if (by_slip or is_called_so) and row.folded_name not in called:
            put |= {"last_name", "first_name", "folded_name"}
            bore_his.add(row.pk)
        if (is_called_so or (is_born_so and version.email in emails)) and (row.pk, version.birth_date) not in used:
            put |= {"birth_date", "birth_year"}
        if put:
            values = {column: getattr(row, column) for column in put}
            Player.history.filter(history_id=version.history_id).update(**values)
    others.filter(email__in=emails).update(email="")
    others.filter(fide_id__in=own_fide_ids(person)).update(fide_id=None)
    for version in others.filter(history_change_reason__contains=_OF_MERGES):
        reason = shortened(names.replaced(version.history_change_reason, tied=False), LONGEST_CHANGE_REASON)
        if reason != version.history_change_reason:
            Player.history.filter(history_id=version.history_id).update(history_change_reason=reason)
    _forget_among_arbiters(person, {sorted_words(name) for name in called})
    return bore_his


def _folded(row: Any) -> Iterator[str]:
    """Yield a name as it is stored for the search, in either order, also with the first of several first names alone."""
    for first in {row.first_name, *row.first_name.split()[:1]}:
        yield folded_name(row.last_name, first)
        yield folded_name(first, row.last_name)


def _forget_among_arbiters(person: Person, called: set[str]) -> None:
    present = dict(Arbiter.objects.exclude(pk__in=[row.pk for row in person.arbiters]).values_list("pk", "name"))
    versions = Arbiter.history.filter(id__in=present).order_by("history_id").values_list("history_id", "id", "name")
    as_now = set[int]()
    for key, arbiter, name in versions:
        if name == present[arbiter]:
            as_now.add(arbiter)
        elif sorted_words(name) in called and arbiter in as_now and sorted_words(present[arbiter]) not in called:
            Arbiter.history.filter(history_id=key).update(name=present[arbiter])
