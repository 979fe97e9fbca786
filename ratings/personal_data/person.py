"""Who a person is in the database: his rows as player, arbiter and user, what these had at any time, and which of it was
another's."""

from collections.abc import Collection, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from sys import intern
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.retention.queries import addresses_of, former_accounts
from accounts.trail.operations import key_of
from events.models import Appointment, Arbiter, Attachment, Entry, ErrorReport, Event, Guest, PastAppointment, Section
from players.former_versions import FormerVersions, Spans, name_of_line
from players.identity import FIRST_FIDE_ID, fold, is_of_family, may_be_called, telling_words, words_of
from players.models import FideListed, Player
from ratings.merging.rows import played_in


@dataclass(frozen=True)
class Person:
    """A player with those who were merged into him, his record as arbiter, and the account of that.

    What is derived from his rows and their history is read once, when it is asked for first. Hazard: an erasure asks for it
    before it changes them.
    """

    players: tuple[Player, ...]  # himself first
    arbiters: tuple[Arbiter, ...]
    users: tuple[User, ...]
    sections: frozenset[int]  # in which he played
    officiated: frozenset[int]  # of events whose arbiter or Chief Organiser he was

    @property
    def named_in(self) -> frozenset[int]:
        """The sections in which he played or had an office."""
        return self.sections | self.officiated

    @property
    def rows(self) -> tuple[Player | Arbiter | User, ...]:
        """All his rows."""
        return (*self.players, *self.arbiters, *self.users)

    @property
    def keys(self) -> list[int]:
        """The keys of all his rows as player."""
        return [row.pk for row in self.players]

    @cached_property
    def former(self) -> FormerVersions:
        """The former versions of his lines on the register."""
        return FormerVersions(self.keys)

    def names_of_strangers(self) -> Iterator[str]:
        """Yield what others are called who may not be players: arbiters and users."""
        yield from self.other_arbiters.values_list("name", flat=True)
        yield from (f"{first} {last}" for first, last in self.other_users.values_list("first_name", "last_name"))

    @cached_property
    def words_of_others(self) -> frozenset[frozenset[str]]:
        """The folded words of what others are called: players, accounts and arbiters."""
        players = self.other_players.values_list("folded_name", flat=True)
        called = chain(players.iterator(), map(fold, self.names_of_strangers()))
        return frozenset(frozenset(map(intern, words.split())) for words in called)

    @property
    def other_players(self) -> QuerySet[Player]:
        """All players but him."""
        return Player.objects.exclude(pk__in=self.keys)

    @property
    def other_arbiters(self) -> QuerySet[Arbiter]:
        """All arbiters but him."""
        return Arbiter.objects.exclude(pk__in=[row.pk for row in self.arbiters])

    @property
    def other_users(self) -> QuerySet[User]:
        """All users but him."""
        return User.objects.exclude(pk__in=[row.pk for row in self.users])

    @cached_property
    def lines(self) -> tuple[Any, ...]:
        """His lines on the register, of now and of before, but for those with what is another's by mistake."""
        former = (row for row in self.former.all if row.history_id not in self.former.taken_for_others)
        return (*map(copy, self.players), *former)

    @cached_property
    def names(self) -> frozenset[tuple[str, str]]:
        """First and last names of his lines."""
        return frozenset((row.first_name, row.last_name) for row in self.lines)

    @cached_property
    def called(self) -> frozenset[tuple[str, str]]:
        """First and last names of his lines and accounts; of who has neither, what his records as arbiter have as last name."""
        accounts = {(user.first_name, user.last_name) for user in self.users if user.last_name}
        return self.names | accounts or frozenset(("", arbiter.name) for arbiter in self.arbiters)

    @cached_property
    def telling_words(self) -> frozenset[str]:
        """What tells whose a name is, of his names."""
        return frozenset(word for first, last in self.names for word in telling_words(f"{first} {last}"))

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words of his first names: of his lines, and of what his accounts and records as arbiter are called now."""
        firsts = {first for first, _ in self.names} | {user.first_name for user in self.users}
        return frozenset(word for first in firsts for word in words_of(first)).union(
            *(words_of(arbiter.name.split(" ")[0]) for arbiter in self.arbiters)
        )

    @cached_property
    def emails(self) -> frozenset[str]:
        """The addresses of his lines, but for those that are another player's or user's, too, as a parent's."""
        return frozenset(row.email for row in self.lines if row.email and not self.shares(row.email))

    @cached_property
    def emails_of_accounts(self) -> frozenset[str]:
        """The addresses that his accounts have, and had if they are not another's."""
        return self._emails_of_accounts - self.emails_given_up

    @cached_property
    def emails_given_up(self) -> frozenset[str]:
        """The addresses that his accounts had, and another player has by now, or that stood there by a slip and from which
        somebody reported an error under none of his names."""
        had = self._emails_of_accounts - {user.email for user in self.users}
        keys = {user.pk for user in self.users}
        former = [account for account in former_accounts() if account.id in keys] if had else []
        spans = Spans(former, self.users, lambda account: account.email)
        slips = {account.email for account in spans.slips()}
        reports = ErrorReport.objects.filter(reporter_email__in=had & slips).exclude(by__in=self.users)
        senders = reports.exclude(player__in=self.keys).values_list("reporter_email", "reporter_name")
        names = self.called.union(("", arbiter.name) for arbiter in self.arbiters)
        given_up = {email for email, name in senders if not may_be_called(name, names)}
        return frozenset(given_up.union(self.other_players.filter(email__in=had).values_list("email", flat=True)))

    @cached_property
    def _emails_of_accounts(self) -> frozenset[str]:
        return frozenset[str]().union(*map(addresses_of, self.users))

    def shares(self, email: str) -> bool:
        """Return whether an address is another player's or user's, too."""
        return self.other_players.filter(email=email).exists() or self.other_users.filter(email=email).exists()

    @cached_property
    def numbers(self) -> frozenset[str]:
        """His Chess SA ids, of now and of before, but for those that others have by now."""
        return _numbers(self.players, self.former.all)

    @cached_property
    def fide_ids(self) -> frozenset[int]:
        """His FIDE ids, of now and of before and as an opponent abroad, but for those that others have by now."""
        return self._fide_ids - {row.fide_id for row in self._others_with_his_ids if row.fide_id}

    @cached_property
    def _fide_ids(self) -> frozenset[int]:
        guests = Guest.objects.filter(player__in=self.keys).values_list("fide_id", flat=True)
        present = {row.fide_id for row in self.players}
        held = {*present, *(row.fide_id for row in self.former.all), *guests}
        ids = {fide_id for fide_id in held if fide_id and fide_id >= FIRST_FIDE_ID}
        # By a slip: a year stands in every file, and a Chess SA id is another's, or stays his.
        numbers = set(Player.objects.filter(number__in=map(str, ids)).values_list("number", flat=True))
        ids = {fide_id for fide_id in ids if str(fide_id) not in numbers}
        return frozenset(ids - self._of_strangers(ids - present))

    def _of_strangers(self, former: Collection[int]) -> set[int]:
        """Return which former FIDE ids of his stood on his line by a slip: on FIDE's list, abroad, on lines of others or on
        record as an arbiter's they are with other names alone."""
        beside = [
            *FideListed.objects.filter(fide_id__in=former).values_list("fide_id", "name"),
            *Guest.objects.filter(fide_id__in=former).values_list("fide_id", "name"),
            *Entry.objects.filter(fide_id_in_file__in=former).values_list("fide_id_in_file", "name_in_file"),
            *Arbiter.objects.filter(fide_id__in=former).values_list("fide_id", "name"),
        ]
        his = {fide_id for fide_id, name in beside if is_his_name(name, self.names)}
        return {fide_id for fide_id, _ in beside if fide_id} - his

    @cached_property
    def _others_with_his_ids(self) -> list[Player]:
        return list(self.other_players.filter(fide_id__in=self._fide_ids))

    @cached_property
    def guests(self) -> list[int]:
        """The keys of the opponents abroad who are he by a FIDE id."""
        return [guest.pk for guest in self._with_his_fide_ids(Guest.objects.filter(player=None))]

    @cached_property
    def fide_listed(self) -> list[int]:
        """The FIDE ids of the lines of FIDE's list that are his."""
        return [line.fide_id for line in self._with_his_fide_ids(FideListed.objects.all())]

    def _with_his_fide_ids(self, rows: QuerySet[Any]) -> Iterator[Any]:
        """Yield the rows with a FIDE id and a name that are his by the id: his present one, or a former one with a name of his,
        since he may have had that by mistake; one that is not in the name of who has the id by now."""
        present = {row.fide_id for row in self.players if row.fide_id}
        others = {row.fide_id: words_of(name_of_line(row)) for row in self._others_with_his_ids}
        for row in rows.filter(fide_id__in=self._fide_ids | present):
            telling = self.telling_words & words_of(row.name) - others.get(row.fide_id, set())
            if row.fide_id in present or (telling and is_his_name(row.name, self.names)):
                yield row


def since(row: Player | Arbiter | User) -> str:
    """Return since when a row is there, as its first version or the account says; "" if that is not known. No second row of
    the same key is there since that moment."""
    if isinstance(row, User):
        return row.date_joined.isoformat()
    first = type(row).history.filter(id=row.pk).order_by("history_id").values_list("history_date", flat=True).first()
    return first.isoformat() if first else ""


def person_of(
    player: Player, arbiters: Collection[int] = (), users: Collection[int] = (), known: Collection[str] = ()
) -> Person:
    """Return the person who a player on the register is. `arbiters`, `users`: keys of rows that are his, too, unless another's
    by now; `known`: all that was his, by key on the trail, if what else is linked to him is not, and these are though they
    are linked to another."""
    players = (player, *Player.objects.filter(merged_into=player).order_by("pk"))
    keys = [row.pk for row in players]
    versions = list(Player.history.filter(id__in=keys).order_by("history_id"))
    numbers = _numbers(players, versions)
    of_nobody = Arbiter.objects.filter(player=None)
    free = Q(pk__in=arbiters if known else of_nobody.filter(pk__in=arbiters)) | Q(
        pk__in=_by_fide_id(of_nobody, players, versions)
    )
    records = tuple(Arbiter.objects.filter(Q(player__in=players) | Q(number__in=numbers) | free).order_by("pk"))
    unused = Q(pk__in=users) if known else Q(pk__in=users, arbiters=None)
    accounts = tuple(User.objects.filter(Q(arbiters__in=records) | unused).distinct().order_by("pk"))
    if known:
        records = tuple(row for row in records if key_of(row) in known)
        accounts = tuple(row for row in accounts if key_of(row) in known)
    organised = frozenset(Section.objects.filter(event__organiser_number__in=numbers).values_list("pk", flat=True))
    return Person(players, records, accounts, played(keys), organised | officiated([row.pk for row in records]))


def played(players: Iterable[int]) -> frozenset[int]:
    """Return the sections in which some players, by their keys, have a line, a game or a penalty."""
    return frozenset(pk for key in players for pk in played_in(Player(pk=key)).values_list("pk", flat=True))


def officiated(arbiters: Collection[int]) -> frozenset[int]:
    """Return the sections of the events in which some arbiters, by their keys, had an office."""
    appointed = Appointment.objects.filter(arbiter__in=arbiters).values("event")
    was_appointed = PastAppointment.objects.filter(arbiter__in=arbiters).values("event")
    sections = Section.objects.filter(Q(event__in=appointed) | Q(event__in=was_appointed))
    return frozenset(sections.values_list("pk", flat=True))


def _by_fide_id(records: QuerySet[Arbiter], players: Collection[Player], versions: Collection[Any]) -> list[int]:
    """Return the keys of the records without a Chess SA id, as the AOC's list gives them, that have a player's FIDE id and a
    telling word of his name: else the id may be there by mistake."""
    words: dict[int, set[str]] = {}
    for row in players:
        lines = (row, *(version for version in versions if version.id == row.pk))
        if row.fide_id:
            words[row.fide_id] = {word for line in lines for word in telling_words(name_of_line(line))}
    found = records.filter(number="", fide_id__in=words)
    return [record.pk for record in found if words_of(record.name) & words[record.fide_id or 0]]


def _numbers(players: Collection[Player], versions: Collection[Any]) -> frozenset[str]:
    """Return the Chess SA ids that some players have and had, of all `versions` of their lines, but for those that are others'
    and stood there by mistake: that another player has by now, or an arbiter or a Chief Organiser of another name, as a
    father, or that was put right."""
    keys, present = [row.pk for row in players], {row.number for row in players}
    spans = Spans(versions, players, lambda row: row.number)
    former = {
        version.number
        for version in versions
        if not spans.are_around(version.id, version.history_id, {version.number}.__contains__)
    } - present
    names = {(version.first_name, version.last_name) for version in versions}
    others = set(Player.objects.exclude(pk__in=keys).filter(number__in=former).values_list("number", flat=True))
    arbiters = Arbiter.objects.filter(Q(player=None) | ~Q(player__in=keys), number__in=former)
    organised = Event.objects.filter(organiser_number__in=former)
    for bearers, number, name in ((arbiters, "number", "name"), (organised, "organiser_number", "organiser_name")):
        others.update(held for held, called in bearers.values_list(number, name) if not is_his_name(called, names))
    return frozenset(present | (former - others))


def is_his_name(name: str, names: Collection[tuple[str, str]]) -> bool:
    """Return whether a name beside a former id of a person, who is or was called so, may be his: it has what tells of one of
    his names, and is not that of another of his family."""
    telling = {word for first, last in names for word in telling_words(f"{first} {last}")}
    return bool(telling & words_of(name)) and not is_of_family(name, names)


def evidence_beside(person: Person) -> list[Attachment]:
    """Return the evidence that was sent in by him, or with his events, their appeals and the reports of them, which may be
    about anybody."""
    own = Attachment.objects.filter(report__player__in=person.keys).values("pk")
    events = Section.objects.filter(pk__in=person.named_in).values("event")
    addresses = {row.email for row in person.players} | {user.email for user in person.users}
    beside = (
        Q(event__in=events)
        | Q(appeal__refusal__event__in=events)
        | Q(report__section__in=person.named_in)
        | Q(report__reporter_email__in=addresses - {""})
        | Q(by__in=person.users)
    )
    return list(Attachment.objects.filter(beside).exclude(pk__in=own).order_by("pk"))
