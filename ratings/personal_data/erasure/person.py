"""Who a person is in the database: his rows as player, arbiter and user, his lines on the register and his ids."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q, QuerySet

from accounts.models import Decision, User
from accounts.trail.operations import key_of
from events.models import (
    Appeal,
    Appointment,
    Arbiter,
    Attachment,
    Entry,
    ErrorReport,
    Event,
    Guest,
    PastAppointment,
    RatingPeriod,
    Refusal,
    Section,
    Submission,
    Upload,
)
from players import identity
from players.former_versions import Spans, name_of_line, versions_taken_for_others
from players.identity import FIRST_FIDE_ID, is_of_family, sorted_words, telling_words, words_of
from players.models import FideListed, Player
from ratings.merging.rows import played_in
from ratings.models import Adjustment, Amendment, ListedPlayer, Merge, Rerating
from ratings.personal_data.erasure.names import Names, spellings
from ratings.personal_data.erasure.texts import Ties


@dataclass(frozen=True)
class Person:
    """A player with those who were merged into him, his record as arbiter, and the account of that."""

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
    by now; `known`: all that was his, by key on the trail, if what else is linked to him is not."""
    players = (player, *Player.objects.filter(merged_into=player).order_by("pk"))
    keys = [row.pk for row in players]
    numbers = _numbers(keys) | {row.number for row in players}
    of_nobody = Arbiter.objects.filter(player=None)
    free = Q(pk__in=of_nobody.filter(pk__in=arbiters)) | Q(pk__in=_by_fide_id(of_nobody, players))
    records = tuple(Arbiter.objects.filter(Q(player__in=players) | Q(number__in=numbers) | free).order_by("pk"))
    unused = Q(pk__in=users, arbiters=None)
    accounts = tuple(User.objects.filter(Q(arbiters__in=records) | unused).distinct().order_by("pk"))
    if known:
        records = tuple(row for row in records if key_of(row) in known)
        accounts = tuple(row for row in accounts if key_of(row) in known)
    organised = _keys(Section.objects.filter(event__organiser_number__in=numbers))
    return Person(players, records, accounts, played(keys), organised | officiated([row.pk for row in records]))


def played(players: Iterable[int]) -> frozenset[int]:
    """Return the sections in which some players, by their keys, have a line, a game or a penalty."""
    return frozenset[int]().union(*(_keys(played_in(Player(pk=key))) for key in players))


def officiated(arbiters: Collection[int]) -> frozenset[int]:
    """Return the sections of the events in which some arbiters, by their keys, had an office."""
    appointed = Appointment.objects.filter(arbiter__in=arbiters).values("event")
    was_appointed = PastAppointment.objects.filter(arbiter__in=arbiters).values("event")
    return _keys(Section.objects.filter(Q(event__in=appointed) | Q(event__in=was_appointed)))


def _by_fide_id(records: QuerySet[Arbiter], players: Collection[Player]) -> list[int]:
    """Return the keys of the records without a Chess SA id, as the AOC's list gives them, that have a player's FIDE id and a
    telling word of his name: else the id may be there by mistake."""
    found: list[int] = []
    for row in players:
        versions = (row, *Player.history.filter(id=row.pk))
        words = {word for version in versions for word in telling_words(name_of_line(version))}
        same = records.filter(number="", fide_id=row.fide_id) if row.fide_id else ()
        found += [record.pk for record in same if words_of(record.name) & words]
    return found


def ties_of(person: Person, sections: Collection[int] = (), files: Collection[int] = ()) -> Ties:
    """Return what belongs to a person. `sections`: those whose files name him; `files`: other files that do, by their keys."""
    numbers = numbers_of(person)
    met = Guest.objects.filter(Q(player__in=person.keys) | Q(pk__in=guests_of(person)))
    organised = Event.history.filter(organiser_number__in=numbers).values("id")  # if only for a time
    own = person.named_in | _keys(met, "section") | _keys(Section.objects.filter(event__in=organised))
    own = own.union(_amended_sections(person.keys))
    events = _keys(Section.objects.filter(pk__in=own), "event") | _keys(organised, "id")
    refusals = _keys(Refusal.objects.filter(event__in=events))
    reratings = _reratings_of(person, own.union(sections))
    # Whoever reported another error that is corrected with his has the reason as the answer.
    corrected = Q(amendments__rerating__in=reratings.values("pk"))
    reports = ErrorReport.objects.filter(Q(section__in=own) | Q(player__in=person.keys) | corrected)
    sent = Q(section__in=sections) | Q(file__in=files)
    his: dict[str, tuple[type[Model], frozenset[int]]] = {
        "section_id": (Section, own),
        "event_id": (Event, events),
        "submission_id": (Submission, _keys(Submission.objects.filter(sent))),
        "upload_id": (Upload, _keys(Upload.objects.filter(sent))),
        "refusal_id": (Refusal, refusals),
        "appeal_id": (Appeal, _keys(Appeal.objects.filter(refusal__in=refusals))),
        "report_id": (ErrorReport, _keys(reports)),
        "rerating_id": (Rerating, _keys(reratings)),
        # The trail has the reason of a re-rating with each month of it, too.
        "decision_id": (Decision, _keys(_decided_on_months(reratings))),
    }
    return Ties(
        players=frozenset(person.keys),
        users=frozenset(user.pk for user in person.users),
        arbiters=frozenset(arbiter.pk for arbiter in person.arbiters),
        numbers=numbers,
        subjects=frozenset(map(key_of, person.rows)),
        columns={column: keys for column, (_, keys) in his.items()},
        beside=frozenset(f"{model._meta.label_lower} {key}" for model, keys in his.values() for key in keys),
    )


def _amended_sections(keys: Collection[int]) -> Iterator[int]:
    """Yield the sections that have a player in what was, or is to be, put right: he may have been another by mistake."""
    contents = Amendment.objects.values_list("section", "before", "after")
    for section, *sides in contents.iterator(chunk_size=100):
        rows = (row for side in sides for rows in side.values() if isinstance(rows, list) for row in rows)
        if any(isinstance(row, dict) and row.get("player_id") in keys for row in rows):
            yield section


def _reratings_of(person: Person, sections: Collection[int]) -> QuerySet[Rerating]:
    """Return the re-ratings for what was wrong in one of his sections, or of himself; those that were given up have lost what
    they were for, and are his if a month of theirs has a section of his."""
    keys = person.keys
    months = Section.objects.filter(pk__in=sections).values("period")
    given_up = Q(state__in=(Rerating.State.WITHDRAWN, Rerating.State.UNDONE))
    return Rerating.objects.filter(
        Q(amendments__section__in=sections)
        | (given_up & (Q(first__in=months) | Q(revisions__period__in=months)))
        | Q(pk__in=Adjustment.objects.filter(player__in=keys).values("rerating"))
        | Q(pk__in=Merge.objects.filter(Q(old__in=keys) | Q(new__in=keys)).values("rerating"))
    )


def _decided_on_months(reratings: QuerySet[Rerating]) -> QuerySet[Decision]:
    """Return what was decided on months for the reasons of some re-ratings, or for which they were taken back."""
    reasons = Q(reason__in=reratings.values("reason")) | Q(reason__in=reratings.values("revisions__reason"))
    return Decision.objects.filter(reasons, subject__startswith=f"{RatingPeriod._meta.label_lower} ").exclude(reason="")


def _keys(rows: QuerySet[Any], column: str = "pk") -> frozenset[int]:
    return frozenset(rows.values_list(column, flat=True))


def numbers_of(person: Person) -> frozenset[str]:
    """Return his Chess SA ids, of now and of before, but for those that others have by now."""
    return frozenset(_numbers(person.keys) | {row.number for row in person.players})


def _numbers(keys: Collection[int]) -> set[str]:
    """Return the Chess SA ids that some players had, but for those that are others' and stood there by mistake: that another
    player has by now, or an arbiter or a Chief Organiser of another name, as a father, or that was put right."""
    present = dict(Player.objects.filter(pk__in=keys).values_list("pk", "number"))
    versions = list(Player.history.filter(id__in=keys).order_by("history_id"))
    spans = Spans(((version.history_id, version.id, version.number) for version in versions), present)
    numbers = {
        version.number
        for version in versions
        if not spans.are_around(version.id, version.history_id, {version.number}.__contains__)
    }
    former = numbers - set(present.values())
    names = {(version.first_name, version.last_name) for version in versions}
    others = set(Player.objects.exclude(pk__in=keys).filter(number__in=numbers).values_list("number", flat=True))
    arbiters = Arbiter.objects.filter(Q(player=None) | ~Q(player__in=keys), number__in=former)
    organised = Event.objects.filter(organiser_number__in=former)
    bearers = [*arbiters.values_list("number", "name"), *organised.values_list("organiser_number", "organiser_name")]
    others |= {number for number, name in bearers if not _is_his_name(name, names)}
    return numbers - others


def own_fide_ids(person: Person) -> set[int]:
    """Return his FIDE ids, of now and of before and as an opponent abroad, but for those that others have by now."""
    ids = _fide_ids(person)
    return ids - {row.fide_id for row in _others_with(person, ids)}


def _fide_ids(person: Person) -> set[int]:
    versions = Player.history.filter(id__in=person.keys).exclude(fide_id=None)
    ids = set(versions.values_list("fide_id", flat=True)) | {row.fide_id for row in person.players if row.fide_id}
    ids |= set(Guest.objects.filter(player__in=person.keys).exclude(fide_id=None).values_list("fide_id", flat=True))
    # By a slip: a year stands in every file, and a Chess SA id is another's, or stays his.
    numbers = set(Player.objects.filter(number__in=map(str, ids)).values_list("number", flat=True))
    ids = {fide_id for fide_id in ids if fide_id >= FIRST_FIDE_ID and str(fide_id) not in numbers}
    return ids - _fide_ids_of_strangers(person, ids - {row.fide_id for row in person.players})


def _fide_ids_of_strangers(person: Person, former: Collection[int]) -> set[int]:
    """Return which former FIDE ids of a person stood on his line by a slip: on FIDE's list, abroad, on lines of others or on
    record as an arbiter's they are with other names alone."""
    beside = [
        *FideListed.objects.filter(fide_id__in=former).values_list("fide_id", "name"),
        *Guest.objects.filter(fide_id__in=former).values_list("fide_id", "name"),
        *Entry.objects.filter(fide_id_in_file__in=former).values_list("fide_id_in_file", "name_in_file"),
        *Arbiter.objects.filter(fide_id__in=former).values_list("fide_id", "name"),
    ]
    names = _names_held(person)
    his = {fide_id for fide_id, name in beside if _is_his_name(name, names)}
    return {fide_id for fide_id, _ in beside if fide_id} - his


def _is_his_name(name: str, names: Collection[tuple[str, str]]) -> bool:
    """Return whether a name beside a former id of a person, who is or was called so, may be his: it has a telling word of one
    of his names, and is not that of another of his family."""
    return bool(_telling(names) & words_of(name)) and not is_of_family(name, names)


def _telling(names: Collection[tuple[str, str]]) -> set[str]:
    return {word for first, last in names for word in telling_words(f"{first} {last}")}


def _names_held(person: Person) -> set[tuple[str, str]]:
    return {(row.first_name, row.last_name) for row in versions_of(person)}


def _others_with(person: Person, fide_ids: Collection[int]) -> QuerySet[Player]:
    return Player.objects.exclude(pk__in=person.keys).filter(fide_id__in=fide_ids)


def guests_of(person: Person) -> list[int]:
    """Return the keys of the opponents abroad who are he by a FIDE id, as `_by_fide_ids` says."""
    return [guest.pk for guest in _by_fide_ids(person, Guest.objects.filter(player=None))]


def fide_listed(person: Person) -> list[int]:
    """Return the FIDE ids of the lines of FIDE's list that are his, as `_by_fide_ids` says."""
    return [line.fide_id for line in _by_fide_ids(person, FideListed.objects.all())]


def _by_fide_ids(person: Person, rows: QuerySet[Any]) -> list[Any]:
    """Return the rows with a FIDE id and a name that are his by the id: his present one, or a former one with a name of his,
    since he may have had that by mistake; one that is not in the name of who has the id by now."""
    present = {row.fide_id for row in person.players if row.fide_id}
    ids, names = _fide_ids(person), _names_held(person)
    telling = _telling(names)
    others = {row.fide_id: words_of(name_of_line(row)) for row in _others_with(person, ids)}
    return [
        row
        for row in rows.filter(fide_id__in=ids | present)
        if row.fide_id in present
        or (_is_his_name(row.name, names) and telling & words_of(row.name) - others.get(row.fide_id, set()))
    ]


def versions_of(person: Person) -> list[Any]:
    """Return his lines on the register, of now and of before, but for those with what is another's by mistake."""
    versions = Player.history.filter(id__in=person.keys)
    arbiters = Arbiter.objects.exclude(pk__in=[row.pk for row in person.arbiters]).values_list("name", flat=True)
    users = User.objects.exclude(pk__in=[row.pk for row in person.users])
    accounts = (f"{first} {last}" for first, last in users.values_list("first_name", "last_name"))
    taken = versions_taken_for_others(person.keys, [*arbiters, *accounts])
    return [*person.players, *versions.exclude(history_id__in=taken)]


def lines_of_lists(person: Person) -> list[int]:
    """Return the lines of lists that were brought in under a name of his, of now or before, and with his birth as far as they
    give it; without a day of birth none with another's id.

    Hazard: a list is undone since its names were in another code page, in the wrong columns or misspelt. So whoever is born on
    his day need only have a name that agrees with his.
    """
    versions = versions_of(person)
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
    others = Player.objects.exclude(pk__in=person.keys)
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


def is_shared(email: str, person: Person) -> bool:
    """Return whether an address is another player's or user's, too: that of a parent or of a team manager."""
    return (
        Player.objects.exclude(pk__in=person.keys).filter(email=email).exists()
        or User.objects.exclude(pk__in=[user.pk for user in person.users]).filter(email=email).exists()
    )


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
