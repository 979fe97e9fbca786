"""What names a person, and who else is called so."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import timedelta
from itertools import chain
from sys import intern
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.retention.queries import addresses_of, names_of_account
from accounts.trail.operations import key_of
from events.models import (
    Arbiter,
    Entry,
    ErrorReport,
    Event,
    Guest,
    SubmissionFinding,
)
from players.former_versions import Spans, name_of_line
from players.identity import fold, may_be_called, sorted_words, telling_words, words_of
from players.models import Player
from ratings.personal_data.erasure.names import Names, in_joined_words, spellings, tells, written_plainly
from ratings.personal_data.erasure.person import (
    Person,
    guests_of,
    is_shared,
    numbers_of,
    own_fide_ids,
    versions_of,
)


def names_of(person: Person, pseudonym: str, *, typed: Iterable[tuple[str, str]] = ()) -> Names:
    """Return what names a person, of now and of before, with the pseudonym that takes its place. `typed`: first and last names
    of his on the lines of others."""
    versions = versions_of(person)
    called = {(row.first_name, row.last_name) for row in versions}.union(typed)
    written = {name for first, last in called for name in spellings(first, last)}
    own_ids = own_fide_ids(person)

    def is_his(name: str) -> bool:
        """Whether a former name of an account or a record as arbiter was his: not another's without a first name of his."""
        return any(words_of(first) & words_of(name) for first, _ in called) or not is_anothers(
            sorted_words(name), person, own_ids
        )

    accounts = {held for user in person.users for held in names_of_account(user)}
    written |= {name for held in accounts if is_his(" ".join(held)) for name in spellings(*held)}
    entries = Entry.objects.filter(player__in=person.keys).values_list("name_in_file", flat=True)
    guests = Guest.objects.filter(player__in=person.keys).values_list("name", flat=True)
    held = [*entries, *guests, *(arbiter.name for arbiter in person.arbiters)]
    former = Arbiter.history.filter(id__in=[arbiter.pk for arbiter in person.arbiters])
    held += filter(is_his, former.values_list("name", flat=True).distinct())
    held = [name for name in (*held, *_beside_his_ids(person, written)) if tells(name)]
    written |= {spelled for name in held if len(fold(name).split()) > 1 for spelled in written_plainly(name)}
    single = [row for row in versions if len(name_of_line(row).split()) == 1 and tells(name_of_line(row))]
    written |= {f"{name_of_line(row)} ({row.number})" for row in single}  # as the trail has it
    anothers = {words for words in set(map(sorted_words, written)) if is_anothers(words, person, own_ids)}
    shared = {name for name in written if sorted_words(name) in anothers}
    emails = {row.email for row in versions if row.email and not is_shared(row.email, person)}
    emails |= {address for user in person.users for address in addresses_of(user)}
    days = {row.birth_date.isoformat() for row in versions if row.birth_date}
    fide_ids = {str(fide_id) for fide_id in own_ids}
    alone = {row.last_name for row in versions} | {name for name in held if len(name.split()) == 1}
    surnames = {spelled for name in filter(tells, alone) for spelled in written_plainly(name)}
    kept = in_joined_words(written, _others_addresses(person)) - {address.casefold() for address in emails}
    return Names(
        pseudonym,
        sure=(written - shared) | emails,
        shared=shared,
        private=days | fide_ids,
        alone=surnames,
        kept=kept,
        others=_names_of_others(person),
        numbers=numbers_of(person),
        fide_ids=fide_ids,
    )


def reports_awaited(person: Person) -> frozenset[int]:
    """Return the keys of the reports about others that are to be answered to an address of his line, under none of his names:
    to a parent."""
    versions = versions_of(person)
    names = {(row.first_name, row.last_name) for row in versions}
    emails = {row.email for row in versions if row.email}
    waiting = ErrorReport.objects.filter(reporter_email__in=emails, answered_at=None, confirmed_at__isnull=False)
    others = waiting.exclude(player__in=person.keys).exclude(by__in=person.users)
    return frozenset(report.pk for report in others if not may_be_called(report.reporter_name, names))


def _names_of_others(person: Person) -> frozenset[frozenset[str]]:
    """Return the folded words of what others are called: players, accounts and arbiters."""
    players = Player.objects.exclude(pk__in=person.keys).values_list("folded_name", flat=True)
    users = User.objects.exclude(pk__in=[user.pk for user in person.users])
    arbiters = Arbiter.objects.exclude(pk__in=[arbiter.pk for arbiter in person.arbiters])
    called = chain(
        players.iterator(),
        (fold(f"{first} {last}") for first, last in users.values_list("first_name", "last_name")),
        map(fold, arbiters.values_list("name", flat=True)),
    )
    return frozenset(frozenset(map(intern, words.split())) for words in called)


def _others_addresses(person: Person) -> set[str]:
    """Return the addresses of all others with an account or on the register, in small letters."""
    users = User.objects.exclude(pk__in=[user.pk for user in person.users]).values_list("email", flat=True)
    players = Player.objects.exclude(pk__in=person.keys).exclude(email="").values_list("email", flat=True)
    return {address.casefold() for address in (*users, *players)}


def _beside_his_ids(person: Person, names: Collection[str]) -> Iterator[str]:
    """Yield the names beside his ids in events where no row of his is, and in findings about arbiters, if they have a
    telling word of his `names`: else the id may be there by mistake."""
    words = {word for name in names for word in telling_words(name)}
    numbers = numbers_of(person)
    for told in (
        Event.objects.filter(organiser_number__in=numbers).values_list("organiser_name", flat=True),
        Event.history.filter(organiser_number__in=numbers).values_list("organiser_name", flat=True),
        Guest.objects.filter(pk__in=guests_of(person)).values_list("name", flat=True),
    ):
        yield from (name for name in told.distinct() if words & words_of(name))
    for number in {*numbers, *map(str, own_fide_ids(person))}:
        found = SubmissionFinding.objects.filter(code="arbiter-id-of-another", message__contains=number)
        for message in found.values_list("message", flat=True):
            # As `events.rules.arbiters` lists them: `…: Jan Botha, 180000001: …, Bo Nel, 180000002: …`
            beside = re.findall(rf"(?<=[:,] )([^,:]+), {number}: ", message)
            yield from (name for name in beside if words & words_of(name))


def is_anothers(name: str, person: Person, own_ids: Collection[int]) -> bool:
    """Return whether somebody else on the register, with an account, on record as arbiter, or met abroad under another FIDE id
    is called so, with or without accents, or has further names beside these. `own_ids`: his `own_fide_ids`."""
    return next(_others_called(name, person, own_ids), None) is not None


def namesakes(person: Person) -> list[Player | User | Arbiter | Guest]:
    """Return who else is called as a person is now: players, accounts, arbiters and opponents abroad that are not known to be
    his."""
    names = {name_of_line(row) for row in person.players}
    own_ids = own_fide_ids(person)
    found = {key_of(row): row for name in sorted(names) if " " in name for row in _others_called(name, person, own_ids)}
    return list(found.values())


def _others_called(name: str, person: Person, own_ids: Collection[int]) -> Iterator[Player | User | Arbiter | Guest]:
    words = words_of(name)
    if not words:
        return
    players = Player.objects.exclude(pk__in=person.keys)
    of_name = Q()
    for word in words:
        of_name &= Q(folded_name__contains=f" {word}")
    users = User.objects.exclude(pk__in=[user.pk for user in person.users])
    arbiters = Arbiter.objects.exclude(pk__in=[arbiter.pk for arbiter in person.arbiters])
    guests = Guest.objects.filter(player=None).exclude(fide_id=None).exclude(fide_id__in=own_ids)
    rows: Iterator[Player | User | Arbiter | Guest] = chain(players.filter(of_name), users, arbiters, guests)
    for row in rows:
        called = row.name if isinstance(row, Arbiter | Guest) else name_of_line(row)
        if words <= words_of(called):
            yield row
    yield from _called_before(words, players, Player.history.exclude(id__in=person.keys).filter(of_name), person)
    yield from _arbiters_called_before(words, arbiters)


def _was_put_right_at_once(version: Any, is_his: Callable[[str], bool]) -> bool:
    """Return whether a player was called otherwise within a day of a version: it was a slip when he was registered."""
    day = Q(history_date__gte=version.history_date, history_date__lt=version.history_date + timedelta(days=1))
    later = Player.history.filter(day, id=version.id, history_id__gt=version.history_id)
    return any(not is_his(name) for name in later.values_list("folded_name", flat=True))


def _arbiters_called_before(words: AbstractSet[str], arbiters: QuerySet[Arbiter]) -> Iterator[Arbiter]:
    """Yield which of some arbiters had all words of a name before, by the rule of `_called_before`."""

    def is_his(name: str) -> bool:
        return words <= words_of(name)

    found = {key for key, name in Arbiter.history.values_list("id", "name").distinct() if is_his(name)}
    for row in arbiters.filter(pk__in=found).order_by("pk"):
        versions = list(
            Arbiter.history.filter(id=row.pk).order_by("history_id").values_list("history_id", "id", "name")
        )
        spans = Spans(versions, {row.pk: row.name})
        if not is_his(row.name) and any(
            is_his(name) and not spans.are_around(row.pk, number, is_his) for number, _, name in versions
        ):
            yield row


def _called_before(
    words: AbstractSet[str], players: QuerySet[Player], versions: QuerySet[Any], person: Person
) -> Iterator[Player]:
    """Yield who of some players had all words of a name before, as by marriage: not by a slip, between two times that he was
    called otherwise, or with the person's day of birth, as `former_names.slips_of` says, or that was put right within a day."""

    def is_his(folded: str) -> bool:
        return words <= set(folded.split())

    found = [version for version in versions if is_his(version.folded_name)]
    days = {row.birth_date for row in versions_of(person)} - {None} if found else set()
    for row in players.filter(pk__in={version.id for version in found}).order_by("pk"):
        former = Player.history.filter(id=row.pk).order_by("history_id").values_list("history_id", "id", "folded_name")
        spans = Spans(former, {row.pk: row.folded_name})
        own = [version for version in found if version.id == row.pk]
        if not is_his(row.folded_name) and any(
            not spans.are_around(row.pk, version.history_id, is_his)
            and not _was_put_right_at_once(version, is_his)
            and (version.birth_date not in days or version.birth_date == row.birth_date)
            for version in own
        ):
            yield row
