"""Everything that is kept about a person, as one zip: JSON for programs, a page for people."""

import io
import json
import zipfile
from collections.abc import Collection, Container, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Model, Q
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.retention.queries import addresses_of
from accounts.trail.operations import key_of, record
from config.languages import in_english
from config.lib import formatting
from events.models import AbroadLink, Appeal, Arbiter, Attachment, Entry, ErrorReport, Event, Guest, UnsavedRegistration
from players.former_versions import (
    addresses_of_others,
    births_of_others,
    lines_of_others,
    name_of_line,
    versions_of_others,
)
from players.hidden import in_public, name_in_public
from players.identity import is_called, telling_words, words_of
from players.models import FideListed, Player, RegionalAdministrator
from ratings.models import ListedPlayer, RunPerson
from ratings.moving_in.register.matching import Kind as LineKind
from ratings.personal_data.erasure.person import (
    Person,
    fide_listed,
    guests_of,
    is_shared,
    lines_of_lists,
    numbers_of,
    own_fide_ids,
    person_of,
    versions_of,
)
from ratings.personal_data.kept_of_others import Others
from ratings.personal_data.purposes import ACCOUNT, LETTERS, RESULTS, TRAIL, WHOSE, Purpose
from ratings.personal_data.table import possible_fields, purpose_of

# Secrets, and what only the software reads.
_LEFT_OUT: Final = frozenset(
    {"password", "digest", "folded_name", "recent", "standing", "content", "links", "facts", "candidates", "sound"}
    # What stood on the register before a merge is in its versions, of which those of others are left out.
    | {"moved"}
)
_SEARCHES: Final = ("ratings.LikelyDuplicate", "sessions.Session")
# Of a row that is another's and on which the user acted: what he did, in his words. The rest is about others.
_OWN_WORDS: Final = frozenset({"action", "actor_name", "actor_role", "reason", "answer", "waived_reason"})
_OF_USERS: Final = (User, RegionalAdministrator)
_REPORTER: Final = frozenset({"reporter_name", "reporter_email", "by", "history_user"})


@dataclass(frozen=True)
class Kept:
    """The rows of one table that are about a person, each column → text, and what they are kept for."""

    title: str
    purpose: Purpose
    rows: list[dict[str, Any]]
    columns: list[str] = field(init=False)

    def __post_init__(self) -> None:
        names = dict.fromkeys(
            name for row in self.rows for name, value in row.items() if value not in (None, "", [], {})
        )
        object.__setattr__(self, "columns", list(names))

    @property
    def lines(self) -> list[list[Any]]:
        """The rows as lines of a table: without columns that are empty throughout."""
        return [[row.get(name) for name in self.columns] for row in self.rows]


def of_player(player: Player) -> list[Kept]:
    """Return what is kept about a player, those who were merged into him, his record as arbiter and the account of that."""
    person = person_of(player)
    return _kept(person.players, person.arbiters, person.users, _addresses(person), [person])


def of_user(user: User) -> list[Kept]:
    """Return what is kept about a user, with his record as arbiter, and as a player if that is known."""
    arbiters = tuple(user.arbiters.select_related("player"))
    players = tuple(arbiter.player for arbiter in arbiters if arbiter.player is not None)
    persons = [person_of(row) for row in players]
    addresses = addresses_of(user).union(*map(_addresses, persons))
    return _kept([row for person in persons for row in person.players], arbiters, (user,), addresses, persons)


@in_english()
def export(kept: Iterable[Kept], whose: str, *, at: datetime) -> bytes:
    """Return what is kept about a person as a zip: `data.json` and `data.html`. `whose`: how he is called there."""
    kept = list(kept)
    document = {
        "about": whose,
        "made": timezone.localtime(at).isoformat(timespec="seconds"),
        "kept": [
            {"table": part.title, "what": part.purpose.what, "why": part.purpose.why, "rows": part.rows}
            for part in kept
        ],
    }
    parts = [
        (purpose, [part for part in kept if part.purpose is purpose])
        for purposes in WHOSE.values()
        for purpose in purposes
    ]
    page = render_to_string(
        "ratings/personal_data/export.html",
        {"whose": whose, "day": formatting.day(timezone.localdate(at)), "parts": [part for part in parts if part[1]]},
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.json", json.dumps(document, ensure_ascii=False, indent=1))
        archive.writestr("data.html", page)
    return packed.getvalue()


def zip_answer(content: bytes, name: str) -> HttpResponse:
    """Return the answer with a person's data: never kept by a cache."""
    answer = HttpResponse(content, content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


def record_export(subject: Model, kept: Iterable[Kept], *, at: datetime, by: User | None) -> None:
    """Put on the trail that somebody fetched what is kept about a person: how much, and nothing of it."""
    rows = sum(len(part.rows) for part in kept)
    record("personal data exported", subject, at=at, by=by, after={"rows": rows})


def _addresses(person: Person) -> set[str]:
    """Return the addresses of a person. What was mailed to a parent or a team manager of several players is of all of them."""
    own = {row.email for row in person.players if row.email and not is_shared(row.email, person)}
    return own.union(*map(addresses_of, person.users))


def _kept(
    players: Iterable[Player],
    arbiters: Iterable[Arbiter],
    users: Iterable[User],
    addresses: set[str],
    persons: Collection[Person],
) -> list[Kept]:
    players, arbiters, users = list(players), list(arbiters), list(users)
    keys = {
        Player: [row.pk for row in players],
        Arbiter: [row.pk for row in arbiters],
        get_user_model(): [row.pk for row in users],
    }
    mistaken = versions_of_others(keys[Player])
    births, emails = births_of_others(keys[Player], mistaken), addresses_of_others(keys[Player])
    words = {word for person in persons for row in versions_of(person) for word in telling_words(name_of_line(row))}
    known = [telling_words(name_of_line(row)) for row in (*players, *users)]
    from_address = list(ErrorReport.objects.filter(Q(reporter_email__in=addresses) | Q(by__in=users)))
    emails_of_users = set().union(*map(addresses_of, users))
    reports = [
        report
        for report in from_address
        if report.player_id in {None, *keys[Player]}
        or report.by_id in keys[get_user_model()]
        or report.reporter_email in emails_of_users
        or is_called(report.reporter_name, known)
    ]
    by_parents = [key_of(report) for report in from_address if report not in reports]
    by_link = Appeal.objects.filter(by=None, party=Appeal.Party.SENDER)
    of_him = by_link.filter(refusal__event__sections__entries__player__in=players).distinct()
    own_appeals = [appeal.pk for appeal in of_him if is_called(appeal.appellant, known)]
    subjects = [key_of(row) for row in (*players, *arbiters, *users, *reports)]
    fide_ids = [row.fide_id for row in players if row.fide_id]
    numbers = {row.number for row in arbiters if row.number}.union(*map(numbers_of, persons))
    besides: dict[type[Model], Q] = {
        Event: Q(organiser_number__in=numbers),
        Guest: Q(pk__in=[key for person in persons for key in guests_of(person)]),
        Appeal: Q(id__in=own_appeals),
        Attachment: Q(report__in=reports) | Q(appeal__in=own_appeals),
        Decision: Q(subject__in=subjects),
        Mail: Q(to__in=addresses) & ~Q(about__in=by_parents),
        ErrorReport: Q(id__in=[report.pk for report in reports]),
        FideListed: Q(fide_id__in={fide_id for person in persons for fide_id in fide_listed(person)}),
        ListedPlayer: Q(national_id__in=numbers)
        | Q(fide_id__in=fide_ids)
        | Q(pk__in=[key for person in persons for key in lines_of_lists(person)]),
        AccessAttempt: Q(username__in=addresses),
        AccessFailureLog: Q(username__in=addresses),
        AccessLog: Q(username__in=addresses),
    }
    names = _Names()
    others = {field.name for _, field in possible_fields() if not field.is_relation} - _OWN_WORDS
    found = []
    for model in apps.get_models(include_auto_created=True):
        of = getattr(model, "instance_type", model)
        if of._meta.label in _SEARCHES:
            continue
        wanted, acted = besides.get(of, Q()), Q()
        if keys.get(of):
            wanted |= Q(**{"id__in": keys[of]})
        for column in model._meta.concrete_fields:
            people = keys.get(column.related_model) if column.is_relation else None
            if of is Player or (of is Arbiter and column.related_model is Player):  # by mistake, in a former version
                people = None
            if people and column.related_model is User and not _is_of_user(of, column.name):
                acted |= Q(**{f"{column.attname}__in": people})
            elif people:
                wanted |= Q(**{f"{column.attname}__in": people})
        title = formatting.sentence(str(of._meta.verbose_name))
        if of is not model:
            title += ", former versions"
        rows = model._base_manager.order_by("pk")
        if of is ListedPlayer:
            rows = rows.exclude(~besides[of], kind=LineKind.DOUBTFUL)  # a line that may mean him, or somebody else
            rows = rows.exclude(birth_date__in=births)  # a line that was taken for him by mistake
        if of is Player and of is not model:
            rows = rows.exclude(pk__in=mistaken)
        about = list(rows.filter(wanted)) if wanted else []
        if of is ListedPlayer:
            anothers = lines_of_others(keys[Player], about)
            about = [line for line in about if line.pk not in anothers and _is_his_line(line, keys[Player], words)]
        left_out = others - {"fields"} if of is UnsavedRegistration else others  # which he typed himself
        done = rows.filter(acted).exclude(pk__in=[row.pk for row in about]) if acted else ()
        for called, values in (
            (
                title,
                [dict(_values(row, names, addresses, leave_out=_of_another(row, of, births, emails))) for row in about],
            ),
            (f"{title}: what the user did", [dict(_values(row, names, addresses, leave_out=left_out)) for row in done]),
        ):
            if values:
                found.append(Kept(called, _purpose(of), values))
    if lines := [line for person in persons for line in _on_lines_of_others(person, names)]:
        found.append(Kept("Entry: with his id, on the line of another", RESULTS, lines))
    met = [report.player_id for report in reports if report.player_id]
    named = Others(keys[Player], [row for part in found for row in part.rows], mistaken, met)
    return [Kept(part.title, part.purpose, list(map(named.taken_out, part.rows))) for part in found]


def _is_his_line(row: Any, keys: Collection[int], words: AbstractSet[str]) -> bool:
    """Return whether a line of a list is his: it was taken for him, or for nobody and has no other name than his, since his id
    may stand there by mistake."""
    named = words_of(name_of_line(row))
    return row.player_id in keys if row.player_id else not named or bool(words & named)


def _of_another(row: Any, of: type[Model], births: Container[date], emails: Container[str]) -> set[str]:
    """Return the columns in which a row about him, of a model or its former versions, has what is another's."""
    if isinstance(row, RunPerson) and row.born in births:
        return {"born"}
    return {"email"} if of is Player and row.email in emails else set()


def _on_lines_of_others(person: Person, names: "_Names") -> Iterator[dict[str, Any]]:
    """Yield where an id of his stands on the line of another, of which the rest is the other's."""
    his = {"chess_sa_id_in_file": numbers_of(person), "fide_id_in_file": own_fide_ids(person)}
    for column, ids in his.items():
        others = {field.name for field in Entry._meta.concrete_fields} - {"section", column}
        lines = Entry.objects.filter(**{f"{column}__in": ids}).exclude(player__in=person.keys).order_by("pk")
        yield from (dict(_values(line, names, (), leave_out=others)) for line in lines)


def _purpose(model: type[Model]) -> Purpose:
    """Return what the rows of a model are kept for: what most of its fields are."""
    purposes = [purpose_of(f"{model._meta.label}.{column.name}") for column in model._meta.concrete_fields]
    known = [purpose for purpose in purposes if purpose is not None]
    return max(known, key=known.count, default=TRAIL)


def _is_of_user(model: type[Model], column: str) -> bool:
    """Return whether a row is about the user whom a column names, or written by him, and not about what he acted on."""
    purpose = _purpose(model)
    return model in _OF_USERS or purpose is ACCOUNT or (purpose is LETTERS and column == "by")


def _values(
    row: Model, names: "_Names", addresses: Container[str], *, leave_out: Container[str] = ()
) -> Iterator[tuple[str, Any]]:
    """Yield what stands in a row, each with its column; who reported an error, who asked for a link, and the address of
    who decided, only if it is one of these addresses."""
    others_report = hasattr(row, "reporter_email") and row.reporter_email not in addresses
    is_others_link = isinstance(row, AbroadLink) and row.address not in addresses
    others_deed = isinstance(row, Decision) and row.actor is not None and row.actor.email not in addresses
    for column in row._meta.concrete_fields:
        if column.name in _LEFT_OUT or column.primary_key or column.name in leave_out:
            continue
        if (column.name in _REPORTER and others_report) or (column.name == "actor_name" and others_deed):
            continue
        if column.name == "address" and is_others_link:
            continue
        value = getattr(row, column.attname)
        if value is not None and column.is_relation:
            value = names.of(column.related_model, value)  # type: ignore[arg-type]
        yield str(column.verbose_name), _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    if value is None or isinstance(value, (str, int, float, bool, list, dict)):
        return value
    return str(value)


class _Names:
    """What rows are called, each asked for once; other players as the public sees them."""

    def __init__(self) -> None:
        self._known: dict[tuple[type[Model], Any], str] = {}

    def of(self, model: type[Model], key: Any) -> str:
        """Return what a row is called."""
        if (model, key) not in self._known:
            row = model._base_manager.filter(pk=key).first()
            if isinstance(row, Player):
                row = in_public(row)
            if isinstance(row, Guest) and row.player is not None:
                row.name = name_in_public(row.name, row.player.hidden_since)
            if isinstance(row, User):
                self._known[model, key] = row.get_full_name() or f"user {row.pk}"
            else:
                self._known[model, key] = row.name if isinstance(row, Player) else str(row or key)
        return self._known[model, key]
