"""Everything that is kept about a person, as one zip: JSON for programs, a page for people."""

import io
import json
import zipfile
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from django.apps import apps
from django.db.models import Model, Q
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone

from accounts.models import Decision, User
from accounts.trail.operations import record
from config.languages import in_english
from config.lib import formatting
from events.models import AbroadLink, Arbiter, Entry, Guest, UnsavedRegistration
from players.hidden import in_public, met_hidden_since, name_in_public
from players.models import Player, RegionalAdministrator
from ratings.models import ListedPlayer, RunPerson
from ratings.personal_data.kept_of_others import Others
from ratings.personal_data.person import Person
from ratings.personal_data.purposes import ACCOUNT, LETTERS, RESULTS, TRAIL, WHOSE, Purpose
from ratings.personal_data.table import possible_fields, purpose_of
from ratings.personal_data.whose import Whose

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
_PLAYERS: Final = f"{Player._meta.label_lower} "  # how the keys of players begin on the trail
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
    return _kept(Whose.of_player(player))


def of_user(user: User) -> list[Kept]:
    """Return what is kept about a user, with his record as arbiter, and as a player if that is known."""
    return _kept(Whose.of_user(user))


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


@in_english()
def _kept(whose: Whose) -> list[Kept]:
    names = _Names(whose.keys[Player])
    of_others = {field.name for _, field in possible_fields() if not field.is_relation} - _OWN_WORDS
    found = []
    for model in apps.get_models(include_auto_created=True):
        of = getattr(model, "instance_type", model)
        if of._meta.label in _SEARCHES:
            continue
        wanted, acted = _conditions(model, of, whose)
        rows = model._base_manager.order_by("pk")
        if of is Player and of is not model:
            rows = rows.exclude(pk__in=whose.former.of_others)
        about = (whose.lines(rows, wanted) if of is ListedPlayer else list(rows.filter(wanted))) if wanted else []
        done = rows.filter(acted).exclude(pk__in=[row.pk for row in about]) if acted else ()
        left_out = of_others - {"fields"} if of is UnsavedRegistration else of_others  # which he typed himself
        title = formatting.sentence(str(of._meta.verbose_name)) + (", former versions" if of is not model else "")
        for called, values in (
            (title, [dict(_values(row, names, whose, leave_out=_of_another(row, of, whose))) for row in about]),
            (
                f"{title}: what the user did",
                [dict(_values(row, names, whose, leave_out=left_out)) for row in done],
            ),
        ):
            if values:
                found.append(Kept(called, _purpose(of), values))
    if lines := [line for person in whose.persons for line in _on_lines_of_others(person, names, whose)]:
        found.append(Kept("Entry: with his id, on the line of another", RESULTS, lines))
    others = Others(whose, [row for part in found for row in part.rows])
    return [Kept(part.title, part.purpose, list(map(others.taken_out, part.rows))) for part in found]


def _conditions(model: type[Model], of: type[Model], whose: Whose) -> tuple[Q, Q]:
    """Return which rows of a model, or of former versions `of` one, are about him, and on which he acted as a user."""
    wanted, acted = whose.beside(of), Q()
    if whose.keys.get(of):
        wanted |= Q(id__in=whose.keys[of])
    for column in model._meta.concrete_fields:
        people = whose.keys.get(column.related_model) if column.is_relation else None  # type: ignore[arg-type]
        if not people or of is Player or (of is Arbiter and column.related_model is Player):
            continue  # a former version that names him may be another's, by mistake
        named = Q(**{f"{column.attname}__in": people})
        if column.related_model is User and not _is_of_user(of, column.name):
            acted |= named
        else:
            wanted |= named
    return wanted, acted


def _of_another(row: Any, of: type[Model], whose: Whose) -> set[str]:
    """Return the columns in which a row about him, of a model or its former versions, has what is another's."""
    if isinstance(row, RunPerson) and row.born in whose.of_others["birth_date"]:
        return {"born"}
    if isinstance(row, Decision) and row.subject.startswith(_PLAYERS) and row.subject not in whose.subjects:
        return {"before", "after"}  # what the register said of the other, with whom he was merged
    left_out = {"user"} if of is Arbiter and row.user_id not in whose.keys[User] else set[str]()
    if of in (Arbiter, Player):
        left_out |= {name for name, values in whose.of_others.items() if getattr(row, name, None) in values}
        left_out |= {"birth_year"} if "birth_date" in left_out else set()
    return left_out


def _on_lines_of_others(person: Person, names: "_Names", whose: Whose) -> Iterator[dict[str, Any]]:
    """Yield where an id of his stands on the line of another, of which the rest is the other's."""
    his = {"chess_sa_id_in_file": person.numbers, "fide_id_in_file": person.fide_ids}
    for column, ids in his.items():
        others = {field.name for field in Entry._meta.concrete_fields} - {"section", column}
        lines = Entry.objects.filter(**{f"{column}__in": ids}).exclude(player__in=person.keys).order_by("pk")
        yield from (dict(_values(line, names, whose, leave_out=others)) for line in lines)


def _purpose(model: type[Model]) -> Purpose:
    """Return what the rows of a model are kept for: what most of its fields are."""
    purposes = [purpose_of(f"{model._meta.label}.{column.name}") for column in model._meta.concrete_fields]
    known = [purpose for purpose in purposes if purpose is not None]
    return max(known, key=known.count, default=TRAIL)


def _is_of_user(model: type[Model], column: str) -> bool:
    """Return whether a row is about the user whom a column names, or written by him, and not about what he acted on."""
    purpose = _purpose(model)
    if column == "history_user":
        return False
    return model in _OF_USERS or purpose is ACCOUNT or (purpose is LETTERS and column == "by")


def _values(row: Model, names: "_Names", whose: Whose, *, leave_out: Container[str] = ()) -> Iterator[tuple[str, Any]]:
    """Yield what stands in a row, each with its column; who reported an error, who asked for a link, and the address of
    who decided, only if it is one of these addresses."""
    others_report = hasattr(row, "reporter_email") and row.reporter_email not in whose.addresses
    is_others_link = isinstance(row, AbroadLink) and row.address not in whose.addresses
    others_deed = isinstance(row, Decision) and row.actor is not None and row.actor.email not in whose.addresses
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
    """What rows are called, each asked for once; players as the public sees them, but for those whose keys are `own`."""

    def __init__(self, own: Collection[int]) -> None:
        self._own = own
        self._known: dict[tuple[type[Model], Any], str] = {}

    def of(self, model: type[Model], key: Any) -> str:
        """Return what a row is called."""
        if (model, key) not in self._known:
            rows = model._base_manager.filter(pk=key)
            row = (rows.annotate(hidden_since=met_hidden_since("")) if model is Guest else rows).first()
            if isinstance(row, Player) and row.pk not in self._own:
                row = in_public(row)
            if isinstance(row, Guest) and row.player_id not in self._own:
                row.name = name_in_public(row.name, row.hidden_since)  # type: ignore[attr-defined]
            if isinstance(row, User):
                self._known[model, key] = row.get_full_name() or f"user {row.pk}"
            else:
                self._known[model, key] = row.name if isinstance(row, Player) else str(row or key)
        return self._known[model, key]
