"""Former versions of other players and arbiters with what is a person's: typed into the wrong row, brought in with a wrong id,
or taken over by a merge that was undone."""

from collections.abc import Collection
from typing import Final

from events.models import Arbiter
from players.identity import folded_name, sorted_words
from players.models import Player
from ratings.personal_data.erasure.names import Names
from ratings.personal_data.erasure.person import Person, is_shared, own_fide_ids, versions_of

_OF_MERGES: Final = "merge of "  # as `ratings.merging.operations` has in the reasons of versions


def forget_among_others(person: Person, names: Names) -> None:
    """Put what other players and arbiters are called now in the place of a person's name in their former versions, unless they
    are called so themselves, and their birth in the place of his; take out his address and FIDE ids, and his name in why two
    players were merged. Of rows that are removed nothing: they go every night."""
    own, others = versions_of(person), Player.history.exclude(id__in=person.keys)
    called = {
        folded_name(*order)
        for row in own
        for order in ((row.last_name, row.first_name), (row.first_name, row.last_name))
    }
    days = {row.birth_date for row in own} - {None}
    under_his = others.filter(folded_name__in=called)
    present = Player.objects.in_bulk(under_his.values_list("id", flat=True))
    for version in under_his:
        row = present.get(version.id)
        if row is not None and row.folded_name not in called:
            birth = ("birth_date", "birth_year") if version.birth_date in days else ()
            put = {column: getattr(row, column) for column in ("last_name", "first_name", "folded_name", *birth)}
            Player.history.filter(history_id=version.history_id).update(**put)
    emails = {row.email for row in own if row.email and not is_shared(row.email, person)}
    others.filter(email__in=emails).update(email="")
    others.filter(fide_id__in=own_fide_ids(person)).update(fide_id=None)
    for version in others.filter(history_change_reason__contains=_OF_MERGES):
        reason = names.replaced(version.history_change_reason, tied=False)
        if reason != version.history_change_reason:
            Player.history.filter(history_id=version.history_id).update(history_change_reason=reason)
    _forget_among_arbiters(person, {sorted_words(name) for name in called})


def versions_of_others(keys: Collection[int]) -> set[int]:
    """Return the history keys of those former versions of some players that are another's on the register: with the name that
    he has, and they have not, and his day of birth or address."""
    own = {*Player.objects.filter(pk__in=keys).values_list("folded_name", flat=True)}
    versions = list(Player.history.filter(id__in=keys).exclude(folded_name__in=own))
    called = {version.folded_name for version in versions}
    others = Player.objects.exclude(pk__in=keys).filter(folded_name__in=called)
    known = {(row.folded_name, told) for row in others for told in (row.birth_date, row.email) if told}
    return {
        version.history_id
        for version in versions
        if known & {(version.folded_name, version.birth_date), (version.folded_name, version.email)}
    }


def _forget_among_arbiters(person: Person, called: set[str]) -> None:
    present = dict(Arbiter.objects.exclude(pk__in=[row.pk for row in person.arbiters]).values_list("pk", "name"))
    versions = Arbiter.history.filter(id__in=present).values_list("history_id", "id", "name")
    for key, arbiter, name in versions:
        if sorted_words(name) in called and sorted_words(present[arbiter]) not in called:
            Arbiter.history.filter(history_id=key).update(name=present[arbiter])
