"""What names a person, and who else is called so."""

import re
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.retention.queries import names_of_account
from accounts.trail.operations import key_of
from events.models import (
    Arbiter,
    Entry,
    ErrorReport,
    Event,
    Guest,
    SubmissionFinding,
)
from players import identity
from players.former_versions import Spans, name_of_line
from players.identity import fold, is_of_family, may_be_called, may_be_one_name, sorted_words, telling_words, words_of
from players.models import Player
from ratings.models import ListedPlayer
from ratings.personal_data.erasure.earlier_files import names_in_earlier_files
from ratings.personal_data.erasure.names import Names, in_joined_words, spellings, tells, written_plainly
from ratings.personal_data.person import Person


def names_of(person: Person, pseudonym: str, *, typed: Iterable[tuple[str, str]] = ()) -> Names:
    """Return what names a person, of now and of before, with the pseudonym that takes its place. `typed`: first and last names
    of his on the lines of others."""
    called = person.names.union(typed)
    written = {name for first, last in called for name in spellings(first, last)}
    mistaken = {" ".join(held).strip() for held in names_by_mistake(person)}
    accounts = {held for user in person.users for held in names_of_account(user)}
    written |= {name for held in accounts if " ".join(held).strip() not in mistaken for name in spellings(*held)}
    entries = Entry.objects.filter(player__in=person.keys).values_list("name_in_file", flat=True)
    guests = Guest.objects.filter(player__in=person.keys).values_list("name", flat=True)
    held = [*entries, *guests, *(arbiter.name for arbiter in person.arbiters)]
    held += _former_names(person.arbiters) - mistaken
    held += names_in_earlier_files(person)
    held = [name for name in (*held, *_beside_his_ids(person)) if tells(name)]
    written |= {spelled for name in held if len(fold(name).split()) > 1 for spelled in written_plainly(name)}
    single = [row for row in person.lines if len(name_of_line(row).split()) == 1 and tells(name_of_line(row))]
    written |= {f"{name_of_line(row)} ({row.number})" for row in single}  # as the trail has it
    anothers = {words for words in set(map(sorted_words, written)) if is_anothers(words, person)}
    shared = {name for name in written if sorted_words(name) in anothers}
    emails = person.emails | person.emails_of_accounts
    days = {row.birth_date.isoformat() for row in person.lines if row.birth_date}
    fide_ids = {str(fide_id) for fide_id in person.fide_ids}
    alone = {last for _, last in person.names} | {name for name in held if len(name.split()) == 1}
    surnames = {spelled for name in filter(tells, alone) for spelled in written_plainly(name)}
    kept = in_joined_words(written, _others_addresses(person)) - {address.casefold() for address in emails}
    return Names(
        pseudonym,
        sure=(written - shared) | emails,
        shared=shared,
        private=days | fide_ids,
        alone=surnames,
        kept=kept,
        others=person.words_of_others,
        numbers=person.numbers,
        fide_ids=fide_ids,
    )


def names_by_mistake(person: Person) -> set[tuple[str, str]]:
    """Return the first and last names that his accounts and records as arbiter had before, and that are another's: without a
    first name of his. Of records all is the last name."""
    held = {name for user in person.users for name in names_of_account(user)}
    held |= {("", name) for name in _former_names(person.arbiters)}
    held -= {(user.first_name, user.last_name) for user in person.users}
    held -= {("", arbiter.name) for arbiter in person.arbiters}

    def is_anothers_name(name: str) -> bool:
        if person.first_words.isdisjoint(words_of(name)):
            return is_anothers(sorted_words(name), person) or any(
                may_be_one_name(words_of(name), other) for other in person.words_of_others
            )
        return False

    return {(first, last) for first, last in held if is_anothers_name(f"{first} {last}")}


def _former_names(arbiters: Collection[Arbiter]) -> set[str]:
    former = Arbiter.history.filter(id__in=[arbiter.pk for arbiter in arbiters])
    return set(former.values_list("name", flat=True).distinct())


def lines_of_lists(person: Person) -> list[int]:
    """Return the lines of lists that were brought in under a name of his, of now or before, and with his birth as far as they
    give it; without a day of birth none with another's id.

    Hazard: a list is undone since its names were in another code page, in the wrong columns or misspelt. So whoever is born on
    his day need only have a name that agrees with his.
    """
    versions = person.lines
    days = {row.birth_date for row in versions} - {None}
    years = {row.birth_year for row in versions} - {None}
    written = {name for row in versions for name in spellings(row.first_name, row.last_name) | {name_of_line(row)}} - {
        ""
    }
    words = set(map(sorted_words, written))
    known = [identity.Person(row.last_name, row.first_name) for row in versions]
    of_year = Q(birth_date=None) & (Q(birth_year=None) | Q(birth_year__in=years))
    called = Q(pk=None)
    for word in Names("", sure=written).searched:
        called |= Q(last_name__icontains=word) | Q(first_name__icontains=word)
    others = person.other_players
    anothers = Q(national_id__in=others.values("number")) | Q(
        fide_id__in=others.exclude(fide_id=None).values("fide_id"), fide_id__isnull=False
    )
    lines = ListedPlayer.objects.filter(Q(birth_date__in=days) | (of_year & called & ~anothers))
    return [
        key
        for key, last, first, born in lines.values_list("pk", "last_name", "first_name", "birth_date")
        if sorted_words(f"{first} {last}") in words
        or (born and any(identity.names_agree(identity.Person(last, first), one) for one in known))
    ]


def reports_awaited(person: Person) -> frozenset[int]:
    """Return the keys of the reports about others that are to be answered to an address of his line, under none of his names:
    to a parent."""
    emails = {row.email for row in person.lines if row.email}
    waiting = ErrorReport.objects.filter(reporter_email__in=emails, answered_at=None, confirmed_at__isnull=False)
    others = waiting.exclude(player__in=person.keys).exclude(by__in=person.users)
    return frozenset(report.pk for report in others if not may_be_called(report.reporter_name, person.names))


def _others_addresses(person: Person) -> set[str]:
    """Return the addresses of all others with an account or on the register, in small letters."""
    users = person.other_users.values_list("email", flat=True)
    players = person.other_players.exclude(email="").values_list("email", flat=True)
    return {address.casefold() for address in (*users, *players)}


def _beside_his_ids(person: Person) -> Iterator[str]:
    """Yield the names beside his ids in events where no row of his is, and in findings about arbiters, if they have a telling
    word of his and are not known as those of another of his family: else the id may be there by mistake."""
    numbers, names = person.numbers, person.called
    words = {word for first, last in names for word in telling_words(f"{first} {last}")}

    def may_be_his(name: str) -> bool:
        return bool(words & words_of(name)) and not (is_of_family(name, names) and is_anothers(name, person))

    for told in (
        Event.objects.filter(organiser_number__in=numbers).values_list("organiser_name", flat=True),
        Event.history.filter(organiser_number__in=numbers).values_list("organiser_name", flat=True),
        Guest.objects.filter(pk__in=person.guests).values_list("name", flat=True),
    ):
        yield from filter(may_be_his, told.distinct())
    for number in {*numbers, *map(str, person.fide_ids)}:
        found = SubmissionFinding.objects.filter(code="arbiter-id-of-another", message__contains=number)
        for message in found.values_list("message", flat=True):
            # As `events.rules.arbiters` lists them: `…: Jan Botha, 180000001: …, Bo Nel, 180000002: …`
            beside = re.findall(rf"(?<=[:,] )([^,:]+), {number}: ", message)
            yield from filter(may_be_his, beside)


def is_anothers(name: str, person: Person) -> bool:
    """Return whether somebody else on the register, with an account, on record as arbiter, or met abroad under another FIDE id
    is called so, with or without accents, or has further names beside these."""
    return next(_others_called(name, person), None) is not None


def namesakes(person: Person) -> list[Player | User | Arbiter | Guest]:
    """Return who else is called as a person is now: players, accounts, arbiters and opponents abroad that are not known to be
    his."""
    names = {name_of_line(row) for row in person.players}
    found = {key_of(row): row for name in sorted(names) if " " in name for row in _others_called(name, person)}
    return list(found.values())


def _others_called(name: str, person: Person) -> Iterator[Player | User | Arbiter | Guest]:
    """Yield who else is called so, and who was before, as by marriage: not by a slip."""
    words = words_of(name)
    if not words:
        return
    of_name = Q()
    for word in words:
        of_name &= Q(folded_name__contains=f" {word}")
    guests = Guest.objects.filter(player=None).exclude(fide_id=None).exclude(fide_id__in=person.fide_ids)
    present: Iterator[Player | User | Arbiter | Guest] = chain(
        person.other_players.filter(of_name), person.other_users, person.other_arbiters, guests
    )
    yield from (row for row in present if words <= words_of(_name(row)))
    arbiters = {
        key for key, former in Arbiter.history.values_list("id", "name").distinct() if words <= words_of(former)
    }
    yield from (row for row, _ in _called_before(words, person.other_arbiters.filter(pk__in=arbiters)))
    had_name = Player.history.filter(of_name).values("id")
    for row, versions in _called_before(words, person.other_players.filter(pk__in=had_name)):
        # With the person's day of birth it stood there by a slip, as `former_names.slips_of` says.
        days = {line.birth_date for line in person.lines} - {None, row.birth_date}
        if any(version.birth_date not in days for version in versions):
            yield row


def _called_before(words: AbstractSet[str], rows: QuerySet[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield which of some players or arbiters had all words of a name before, and have not now, each with the versions in which
    he had them and not by a slip."""

    def is_sought(name: str) -> bool:
        return words <= words_of(name)

    found = [row for row in rows.order_by("pk") if not is_sought(_name(row))]
    versions = rows.model.history.filter(id__in=[row.pk for row in found]).order_by("history_id")
    names = Spans(versions, found, _name)
    for row in found:
        if borne := list(names.borne(row.pk, is_sought)):
            yield row, borne


def _name(row: Any) -> str:
    """Return what a row, or a former version of it, is called."""
    name: str = row.name if hasattr(row, "name") else name_of_line(row)
    return name
