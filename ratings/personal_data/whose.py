"""Whose data is fetched, and which rows of other tables are about him."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db.models import Model, Q, QuerySet

from accounts.models import Decision, Mail, Token, User
from accounts.trail.operations import key_of
from events.models import Appeal, Arbiter, Attachment, ErrorReport, Event, Guest, Membership, Penalty
from players.former_versions import FormerVersions, name_of_line
from players.identity import may_be_called, words_of
from players.models import FideListed, Player, RegionalAdministrator
from ratings.models import Adjustment, ListedPlayer
from ratings.moving_in.register.matching import Kind as LineKind
from ratings.personal_data.erasure.names_of_person import lines_of_lists, names_by_mistake
from ratings.personal_data.person import Person, person_of

# Rows about him that the trail tells of.
_SUBJECTS: Final = (Adjustment, Appeal, Attachment, Membership, Penalty, RegionalAdministrator, Token)
_TWO_PLAYERS: Final = ("told apart", "merge proposed", "merged", "merge undone", "split")  # the other is named


@dataclass(frozen=True)
class Whose:
    """A person as his data is fetched: his rows as player, arbiter and user, and the `persons` whose rows these are."""

    players: tuple[Player, ...]
    arbiters: tuple[Arbiter, ...]
    users: tuple[User, ...]
    persons: tuple[Person, ...]

    @classmethod
    def of_player(cls, player: Player) -> "Whose":
        """Return a player with those who were merged into him, his record as arbiter and the account of that."""
        person = person_of(player)
        return cls(person.players, person.arbiters, person.users, (person,))

    @classmethod
    def of_user(cls, user: User) -> "Whose":
        """Return a user with his record as arbiter, and as a player if that is known."""
        arbiters = tuple(user.arbiters.select_related("player"))
        as_player = tuple(person_of(arbiter.player) for arbiter in arbiters if arbiter.player is not None)
        as_user = Person((), arbiters, (user,), frozenset(), frozenset())
        players = tuple(row for person in as_player for row in person.players)
        return cls(players, arbiters, (user,), as_player or (as_user,))

    @cached_property
    def keys(self) -> dict[type[Model], list[int]]:
        """His own rows, model → keys."""
        return {
            Player: [row.pk for row in self.players],
            Arbiter: [row.pk for row in self.arbiters],
            User: [row.pk for row in self.users],
        }

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The keys of his own rows on the trail."""
        return frozenset(map(key_of, (*self.players, *self.arbiters, *self.users)))

    @property
    def names(self) -> list[tuple[str, str]]:
        """First and last names by which he is known as a user or an arbiter."""
        return [(row.first_name, row.last_name) for row in self.users] + [("", row.name) for row in self.arbiters]

    @cached_property
    def former(self) -> FormerVersions:
        """The former versions of his lines on the register."""
        return FormerVersions(self.keys[Player])

    @cached_property
    def names_by_mistake(self) -> set[tuple[str, str]]:
        """The names that his accounts and records as arbiter had, and that are another's."""
        return set().union(*map(names_by_mistake, self.persons))

    @cached_property
    def of_others(self) -> dict[str, set[Any]]:
        """The values that his lines, records and accounts had and that are another's, by the column of a player's line."""
        former = self.former
        held: list[Any] = [*former.all, *Arbiter.history.filter(id__in=self.keys[Arbiter])]
        present: list[Any] = [*self.players, *self.arbiters]
        fide_ids = {row.fide_id for row in held} - {None, *(row.fide_id for row in present)}
        fide_ids -= set().union(*(person.fide_ids for person in self.persons))
        numbers = {row.number for row in held} - {"", *(row.number for row in self.players), *self.numbers}
        return {
            "birth_date": former.births_of_others,
            "email": (former.addresses_of_others | self._given_up) - self.own_addresses,
            "fide_id": _had_by_others(fide_ids, "fide_id"),
            "number": _had_by_others(numbers, "number"),
        }

    @cached_property
    def own_addresses(self) -> frozenset[str]:
        """The addresses that his accounts have, and had if they are not another's."""
        return frozenset[str]().union(*(person.emails_of_accounts for person in self.persons)) - self._given_up

    @cached_property
    def _given_up(self) -> frozenset[str]:
        """The addresses that his accounts had and that are another's: only what is signed by him, or tells of him, is his."""
        return frozenset[str]().union(*(person.emails_given_up for person in self.persons))

    @cached_property
    def addresses(self) -> set[str]:
        """His addresses, without that of a parent or a team manager of several players."""
        lines = {row.email for one in self.persons for row in one.players if row.email and not one.shares(row.email)}
        return lines | self.own_addresses

    @cached_property
    def numbers(self) -> set[str]:
        """His Chess SA ids, of now and of before."""
        return {row.number for row in self.arbiters if row.number}.union(*(person.numbers for person in self.persons))

    @cached_property
    def reports(self) -> list[ErrorReport]:
        """The reports of errors that he wrote: what came from his address about another, or a whole section, may be of a parent
        or of another child."""
        return [report for report in self._from_address if self._wrote(report)]

    @cached_property
    def _from_address(self) -> list[ErrorReport]:
        addresses = self.addresses | self._given_up
        return list(ErrorReport.objects.filter(Q(reporter_email__in=addresses) | Q(by__in=self.users)))

    def _wrote(self, report: ErrorReport) -> bool:
        if report.by_id in self.keys[User] or report.reporter_email in self.own_addresses:
            return True
        about = report.player if report.player_id not in self.keys[Player] else None
        if about is not None and may_be_called(report.reporter_name, [(about.first_name, about.last_name)]):
            return False  # himself, who is called as this one is
        return report.player_id in self.keys[Player] or may_be_called(report.reporter_name, self._called)

    @cached_property
    def _called(self) -> set[tuple[str, str]]:
        return {(row.first_name, row.last_name) for row in self.users}.union(*(person.names for person in self.persons))

    @cached_property
    def _appeals_by_link(self) -> list[int]:
        by_link = Appeal.objects.filter(by=None, party=Appeal.Party.SENDER)
        of_him = by_link.filter(refusal__event__sections__entries__player__in=self.players).distinct()
        return [appeal.pk for appeal in of_him if may_be_called(appeal.appellant, self._called)]

    def beside(self, model: type[Model]) -> Q:
        """Return the condition for the rows of a model that are about him though no column names a row of his."""
        fide_ids = [row.fide_id for row in self.players if row.fide_id]
        if model is Event:
            return Q(organiser_number__in=self.numbers)
        if model is Guest:
            return Q(pk__in=[key for person in self.persons for key in person.guests])
        if model is Appeal:
            return Q(id__in=self._appeals_by_link)
        if model is Attachment:
            own_appeals = Q(appeal__in=self._appeals_by_link) | Q(appeal__by__in=self.users)
            return Q(report__in=self.reports) | own_appeals
        if model is ErrorReport:
            return Q(id__in=[report.pk for report in self.reports])
        if model is Decision:
            return self._decisions()
        if model is Mail:
            return self._mails()
        if model is FideListed:
            return Q(fide_id__in={fide_id for person in self.persons for fide_id in person.fide_listed})
        if model is ListedPlayer:
            keys = [key for person in self.persons for key in lines_of_lists(person)]
            return Q(national_id__in=self.numbers) | Q(fide_id__in=fide_ids) | Q(pk__in=keys)
        if model in (AccessAttempt, AccessFailureLog, AccessLog):
            return Q(username__in=self.addresses)
        return Q()

    def _decisions(self) -> Q:
        reports = [key_of(row) for row in self.reports]
        rows = [key_of(row) for model in _SUBJECTS for row in self.rows_of(model)]
        told = Q(subject__in=[*self.subjects, *reports, *rows]) | Q(part_of__in=self.subjects)
        for number in self.numbers:
            named = Q(before__icontains=number) | Q(after__icontains=number)
            told |= named & Q(subject__startswith=f"{Player._meta.label_lower} ", action__in=_TWO_PLAYERS)
        return told

    def rows_of(self, model: Any) -> Iterable[Any]:
        """Return the rows of a model that name a row of his as player, arbiter or user, and not as who acted."""
        names = {"player": Player, "arbiter": Arbiter, "user": User}
        wanted = self.beside(model)
        for name in names.keys() & {column.name for column in model._meta.concrete_fields}:
            wanted |= Q(**{f"{name}__in": self.keys[names[name]]})
        if model is Appeal:
            wanted |= Q(by__in=self.users)
        return model.objects.filter(wanted).order_by("pk") if wanted else ()

    def _mails(self) -> Q:
        """Return the condition for his mails: of an address that another player had, too, those that tell of him, and none that
        answers another's report."""
        lines = self.addresses - self.own_addresses
        others = Player.history.exclude(id__in=self.keys[Player]).filter(email__in=lines)
        once_shared = {*others.values_list("email", flat=True), *filter(_was_of_an_account, lines)} | self._given_up
        about_him = Q(about__in=[key_of(row) for row in (*self.players, *self.reports)])
        for number in self.numbers:
            about_him |= Q(subject__contains=number) | Q(text__contains=number) | Q(facts__icontains=number)
        not_his = [key_of(report) for report in self._from_address if report not in self.reports]
        to_him = Q(to__in=self.addresses - once_shared) | (Q(to__in=once_shared) & about_him)
        return to_him & ~Q(about__in=not_his)

    def lines(self, rows: QuerySet[Any], wanted: Q) -> list[Any]:
        """Return the lines of lists that are his: taken for him and not another's, or for nobody and with no other name than
        his, since his id may stand there by mistake; not one that may mean him, or somebody else."""
        rows = rows.exclude(~self.beside(ListedPlayer), kind=LineKind.DOUBTFUL).exclude(
            birth_date__in=self.former.births_of_others
        )
        about = list(rows.filter(wanted))
        anothers = self.former.lines_of_others(about)
        words = frozenset[str]().union(*(person.telling_words for person in self.persons))

        def is_his(line: ListedPlayer) -> bool:
            named = words_of(name_of_line(line))
            if line.player_id:
                return line.player_id in self.keys[Player]
            return not named or bool(words & named)

        return [line for line in about if line.pk not in anothers and is_his(line)]


def _had_by_others(ids: Collection[Any], column: str) -> set[Any]:
    """Return which of some ids, that are not his, others have: players and arbiters, or anybody on FIDE's list."""
    rows: list[QuerySet[Any]] = [Player.objects.all(), Arbiter.objects.all()]
    rows += [FideListed.objects.all()] if column == "fide_id" else []
    return {value for found in rows for value in found.filter(**{f"{column}__in": ids}).values_list(column, flat=True)}


def _was_of_an_account(address: str) -> bool:
    """Return whether an address that no account has was one's before."""
    changed = Decision.objects.filter(subject__startswith=f"{User._meta.label_lower} ")
    told = changed.filter(Q(before__icontains=address) | Q(after__icontains=address)).values_list("before", "after")
    return any(address in side.values() for sides in told for side in sides)
