"""What the history keeps of rows that are gone and of addresses that are no longer used: whose it is, and how it goes; and what
names who had an account that was closed."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, Subquery

from accounts.models import Decision, Token, User
from accounts.retention.operations import close_for_good
from accounts.retention.queries import addresses_of
from accounts.trail.operations import key_of, name_on_trail
from accounts.trail.triggers import rewriting
from events.models import Arbiter, ErrorReport, Event
from players.models import Player
from ratings.merging.operations import lock_both
from ratings.models import Merge
from ratings.personal_data.erasure.names import Names
from ratings.personal_data.erasure.names_of_person import names_of
from ratings.personal_data.erasure.texts import rewrite_decisions, rewrite_documents, rewrite_trail
from ratings.personal_data.erasure.ties import ties_of
from ratings.personal_data.person import Person
from ratings.personal_data.stored_files import CLEARED

_NAMES: Final = ("first name", "last name")  # as the trail calls, in small letters, what was changed of an account
_NO_PLAYER: Final[dict[str, Any]] = {
    "last_name": CLEARED, "first_name": "", "folded_name": "", "birth_date": None, "birth_year": None, "died_on": None,
    "fide_id": None, "title": None, "sex": "", "club": "", "email": "",
}  # fmt: skip


def removed_players() -> QuerySet[Any]:
    """Return the last version of each player who was taken off the register, which nobody can be who played or was rated.

    Of one who is missing without such a version the history stays: he was removed by hand, as `verify` says.
    """
    there = Player.objects.filter(pk=OuterRef("id"))
    removed: QuerySet[Any] = Player.history.filter(~Exists(there), history_type="-").exclude(last_name=CLEARED)
    return removed


def forget_removed_players(versions: list[Any]) -> None:
    """Take name, birth and address of removed players out of their history, the trail and the desk's log. The id stays: it is
    not given again."""
    for version in versions:
        person = Person((version.instance,), (), (), frozenset(), frozenset())
        rewrite_decisions(names_of(person, CLEARED), ties_of(person))
    _forget_log(Player, versions)
    Player.history.filter(id__in=[version.id for version in versions]).update(**_NO_PLAYER)


def removed_arbiters() -> QuerySet[Any]:
    """Return the last version of each arbiter who was deleted: he had no appointment."""
    there = Arbiter.objects.filter(pk=OuterRef("id"))
    versions: QuerySet[Any] = Arbiter.history.filter(~Exists(there), history_type="-").exclude(name=CLEARED)
    return versions


def forget_removed_arbiters(versions: list[Any]) -> None:
    """Take name and FIDE id of deleted arbiters out of their history, and their name out of the trail and the desk's log."""
    for version in versions:
        person = Person((), (version.instance,), (), frozenset(), frozenset())
        rewrite_decisions(names_of(person, CLEARED), ties_of(person))
    _forget_log(Arbiter, versions)
    Arbiter.history.filter(id__in=[version.id for version in versions]).update(name=CLEARED, fide_id=None)


def discarded_events() -> QuerySet[Any]:
    """Return the last version of each draft of an event that was discarded."""
    there = Event.objects.filter(pk=OuterRef("id"))
    versions: QuerySet[Any] = Event.history.filter(~Exists(there), history_type="-")
    return versions


def forget_discarded_events(versions: list[Any]) -> None:
    """Delete the history of discarded drafts, and take their organisers out of the trail."""
    for version in versions:
        rows = Event.history.filter(id=version.id)
        called = set(rows.values_list("organiser_name", flat=True))
        rewrite_documents(Decision.objects.filter(subject=key_of(version.instance)), Names(CLEARED, sure=called))
        rows.delete()


def _forget_log(model: type[Model], rows: Iterable[Any]) -> None:
    """Take out of the desk's log how rows of a model were called, and what else it says of them."""
    lines = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
    lines.filter(object_id__in=[str(row.id) for row in rows]).update(object_repr=CLEARED, change_message="")


def forget_account(user: User, *, at: datetime) -> None:
    """Take name and address from a closed account, and the addresses that it had and has from the trail and the desk's log;
    what its user decided, and what his name was then, stays."""
    rewrite_trail(Names(CLEARED, sure=addresses_of(user)))
    _forget_log(User, [user])
    about = Decision.objects.filter(subject=key_of(user))
    with rewriting():
        for decision in about:
            for side in (decision.before, decision.after):
                side.update({label: CLEARED for label in side if label.lower() in _NAMES})
            about.filter(pk=decision.pk).update(before=decision.before, after=decision.after)
    close_for_good(user, at=at)
    Token.objects.filter(user=user).update(name=CLEARED)  # withdrawn by now


def former_addresses() -> QuerySet[Any]:
    """Return the versions of players with a mail address that is theirs no more; undoing a list restores none. The newest
    version is not among them, so that a row that was changed by hand still differs from it."""
    later = Player.history.filter(id=OuterRef("id"), history_id__gt=OuterRef("history_id"))
    address = Player.objects.filter(pk=OuterRef("id")).values("email")
    versions: QuerySet[Any] = Player.history.annotate(address=Subquery(address)).filter(Exists(later))
    return versions.exclude(email="").exclude(email=F("address"))


def forget_addresses(versions: list[Any]) -> None:
    """Take the mail address out of versions of players."""
    Player.history.filter(pk__in=[version.pk for version in versions]).update(email="")


def merged_before(moment: datetime) -> QuerySet[Merge]:
    """Return the merges done before a moment that keep the two players' mail addresses, to be undone with."""
    kept = Q(moved__old__has_key="email") | Q(moved__new__has_key="email")
    return Merge.objects.filter(kept, applied_at__lte=moment)


def forget_merged_addresses(merge: Merge) -> None:
    """Take the mail addresses out of a merge, and that of the player who went, whom nobody can change any more, out of his
    line on the register. Undoing it leaves the other's as it is by then."""
    old, _ = lock_both(merge)
    for side in ("old", "new"):
        merge.moved[side].pop("email", None)
    merge.save(update_fields=["moved"])
    Player.objects.filter(pk=old.pk).update(email="")
    Player.history.filter(id=old.pk).exclude(email="").update(email="")


def rename_on_trail(row: Any) -> None:
    """Have the trail call a row as it is called now: without the name that was taken from it. In the caller's transaction."""
    with rewriting():
        Decision.objects.filter(subject=key_of(row)).update(subject_name=name_on_trail(row))


def removed_reports() -> QuerySet[Any]:
    """Return the versions of reports of errors that are no longer there: their senders never confirmed them."""
    there = ErrorReport.objects.filter(pk=OuterRef("id"))
    versions: QuerySet[Any] = ErrorReport.history.filter(~Exists(there))
    return versions
