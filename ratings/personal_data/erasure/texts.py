"""Rewrites every text of the database that names a person: all text and JSON of the table of personal data."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, models, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual

from accounts.models import Decision
from accounts.trail.triggers import rewriting
from config.lib.texts import shortened
from events.models import Arbiter, Correction, Entry, ErrorReport, Event, Guest, Section, Team
from events.rules.corrections import BIRTH_DATE
from players.former_versions import name_of_line
from players.identity import CHESS_SA_ID, may_be_one_name, words_of
from players.models import Player
from players.pseudonyms import PSEUDONYM_BEGINS, count_pseudonyms
from ratings.models import Amendment
from ratings.personal_data.erasure.names import GONE, Names
from ratings.personal_data.erasure.ties import KEYS, Ties, key_on_trail
from ratings.personal_data.table import possible_fields, purpose_of

# What is no text, or is seen to by itself.
_LEFT_ALONE: Final = frozenset(
    {"password", "digest", "sha256", "session_data", "session_key", "session_hash", "folded_name"}
)
_OWN: Final = frozenset({Player, Arbiter})
_OF_OTHERS: Final = frozenset({"players.Player.club"})  # what is theirs and may be called after him
# By which another is known, who may be called as he is: the address of an account or a mail, a line of FIDE's list, what his
# merge keeps (`former_names.forget_in_merges`).
_OTHERS: Final = frozenset(
    {"accounts.User.email", "accounts.Mail.to", "players.FideListed.name", "ratings.Merge.moved"}
)
# No personal data (`ratings.personal_data.table`), and yet a match may be called after the two who played it.
_CALLED_AFTER: Final = frozenset(
    {"events.Event.name", "events.Event.place", "events.Event.organising_body", "events.Section.name"}
)
# Why a line of a file was taken for a player: by an id that he had by mistake, too.
_WHY_IT_IS_HIS: Final = frozenset({"events.Entry.match_reason", "events.SubmissionFinding.message"})
_ABOUT_HIM: Final = frozenset({"reason", "subject_name", "object_repr"})  # where his surname stands for him alone
_JSON_AS_TEXT: Final = frozenset({(LogEntry, "change_message")})  # or plain text
_NUMBERS: Final = re.compile(rf"(?<!\w){CHESS_SA_ID}(?!\w)")
_LONGEST_ERASED: Final = 46  # characters that a name was longer than the pseudonym in its place
_LONGEST_GONE: Final = 246  # that a mail address was longer than GONE
_CONDITIONS: Final = 300  # in one query: SQLite takes no more than 1,000


def text_fields() -> dict[type[models.Model], list["models.Field[Any, Any]"]]:
    """Return the fields of text and JSON that may name a person, by model; of players and arbiters themselves the club."""
    found: dict[type[models.Model], list[models.Field[Any, Any]]] = {}
    for name, field in possible_fields():
        kind = isinstance(field, (models.CharField, models.TextField, models.JSONField))
        model = field.model
        if (
            not kind
            or field.name in _LEFT_ALONE
            or name in _OTHERS
            or (purpose_of(name) is None and name not in _CALLED_AFTER)
        ):
            continue
        if (model in _OWN or getattr(model, "instance_type", None) in _OWN) and name not in _OF_OTHERS:
            continue
        found.setdefault(model, []).append(field)
    return found


class Renamed(NamedTuple):
    """What has, or may have had, another name in the files that the site makes: keys of sections, for the event, the section, a
    team or a player in it; of players, for their club; and of arbiters."""

    sections: frozenset[int]
    players: frozenset[int]
    arbiters: frozenset[int]


def rewrite_texts(names: Names, ties: Ties) -> Renamed:
    """Take a person out of all texts, the trail among them, in the caller's transaction. Return what is renamed by it."""
    with rewriting():
        renamed = {
            _called_by(row)
            for model, fields in text_fields().items()
            for row in rows_naming(model, fields, names, ties)
            if _rewrite(row, fields, names, ties)
        }
    keys: dict[str, set[int]] = {}
    for key in renamed:
        label, _, number = key.rpartition(" ")
        if number.isdecimal():
            keys.setdefault(label, set()).add(int(number))
    events, sections, players, arbiters = (
        keys.get(model._meta.label_lower, set()) for model in (Event, Section, Player, Arbiter)
    )
    sections.update(Section.objects.filter(event__in=events).values_list("pk", flat=True))
    return Renamed(frozenset(sections), frozenset(players), frozenset(arbiters))


def _called_by(row: models.Model) -> str:
    """Return the key on the trail of what is, or was, called as a row says: a version, a line of a section, a decision."""
    if isinstance(row, Team | Entry | Guest | Amendment):
        return f"{Section._meta.label_lower} {row.section_id}"
    return row.subject if isinstance(row, Decision) else key_on_trail(row)


def sections_called_after(names: Names) -> frozenset[int]:
    """Return the keys of the sections of which a team, a player or an opponent abroad may have a name of a person."""
    fields = text_fields()
    models_of_sections = (Team, Entry, Guest)
    return frozenset(
        row.section_id for model in models_of_sections for row in rows_naming(model, fields[model], names, Ties())
    )


def rewrite_decisions(names: Names, ties: Ties) -> int:
    """Take a person out of the decisions about his rows alone, as `rewrite_texts` does. Return how many were changed."""
    fields = text_fields()[Decision]
    with rewriting():
        return sum(_rewrite(row, fields, names, ties) for row in Decision.objects.filter(subject__in=ties.subjects))


def rewrite_documents(decisions: QuerySet[Decision], names: Names) -> None:
    """Take what names a person out of what some decisions changed, as `rewrite_texts` does."""
    with rewriting():
        for row in decisions:
            sides = {side: names.replaced(getattr(row, side), tied=False) for side in ("before", "after")}
            Decision.objects.filter(pk=row.pk).update(**sides)


def rewrite_trail(names: Names) -> int:
    """Take what names a person, wherever it stands, out of the trail and the desk's log, as `rewrite_texts` does."""
    fields = text_fields()
    with rewriting():
        return sum(
            _rewrite(row, fields[model], names, Ties())
            for model in (Decision, LogEntry)
            for row in rows_naming(model, fields[model], names, Ties())
        )


def _rewrite(row: models.Model, fields: list["models.Field[Any, Any]"], names: Names, ties: Ties) -> int:
    """Take a person out of the texts of a row. Return 1 if anything was changed, else 0."""
    own = ties.owns(row)
    tied = own or ties.ties(row)
    values = {field.attname: getattr(row, field.attname) for field in fields}
    changed: dict[str, Any] = {}
    for field in fields:
        name, value = field.attname, values[field.attname]
        if isinstance(row, Correction) and name == "value" and row.kind == BIRTH_DATE.code:
            continue  # of another born on his day: his own are deleted (`traces.forget_answers`)
        if name == "actor_name" and isinstance(row, Decision) and row.actor_id is not None:
            changed[name] = _decider(value, names, is_his=row.actor_id in ties.users)
            continue
        if name == "organiser_name" and _is_anothers_organiser(row, ties):
            changed[name] = names.without_addresses(value)
            continue
        # Who decided about him, or reported an error in one of his sections, may be called as he is.
        is_his = {"actor_name": False, "reporter_name": own}.get(name, tied)
        is_his = is_his and not _is_anothers_line(row, name, ties)
        if isinstance(field, models.EmailField):  # his or another's, and no text with a name in it
            changed[name] = GONE if value in names.sure and not _is_awaited(row, ties) else value
        else:
            # A surname alone is also a word of keys, and the name of others: of who decided, of whom a mail is to.
            about_him = own and name in _ABOUT_HIM
            replaced = partial(names.replaced, tied=is_his, own=about_him, is_cut=_is_cut(field, value))
            changed[name] = _as_document(type(row), name, value, replaced)
            if changed[name] != value and not own and _tells_of_another(row, value, names, ties):
                changed[name] = _as_document(type(row), name, value, partial(replaced, others_days=True))
            if f"{type(row)._meta.label}.{name}" in _WHY_IT_IS_HIS:
                changed[name] = names.without_fide_ids(changed[name])
    if isinstance(row, Decision) and (row.subject in ties.subjects or (tied and row.action == "merged")):
        # What the register said of him, or of whom he was taken for.
        for side in ("before", "after"):
            changed[side] = dict.fromkeys(changed[side], GONE)
    model = type(row)
    changed = {name: _fitting(model, name, new) for name, new in changed.items() if new != values[name]}
    if not changed:
        return 0
    if isinstance(row, Event):
        changed["version"] = F("version") + 1  # a page of it that is open has what stood there
    same = model._base_manager.filter(pk=row.pk)
    try:
        with transaction.atomic():
            return same.update(**changed)
    except IntegrityError:  # two rows that named him in different ways would be one, as wrong log-ins from one network
        told_apart = f"{GONE} {row.pk}"
        return same.update(**{name: told_apart if isinstance(new, str) else new for name, new in changed.items()})


def _decider(value: str, names: Names, *, is_his: bool) -> str:
    """Return what stands for who decided: of another what his name was then, though he has married or his account is cleared;
    of him the pseudonym, though his account knows his name no more."""
    if not is_his:
        return names.without_addresses(value)
    if " " not in value:
        return GONE
    return value if value.startswith(names.pseudonym) else f"{names.pseudonym} {GONE}"


def _is_awaited(row: Any, ties: Ties) -> bool:
    """Return whether a row is a report of another, or a former version of it, to whose address an answer is due."""
    return getattr(row, "instance_type", type(row)) is ErrorReport and row.id in ties.awaited


def _is_anothers_line(row: models.Model, name: str, ties: Ties) -> bool:
    """Return whether a name is that of somebody else, as the id beside it says: who plays, or organises, with a namesake."""
    if name == "organiser_name":
        number: str = getattr(row, "organiser_number", "")
        return bool(number) and number not in ties.numbers
    player = row.player_id if isinstance(row, Entry | Guest) and name in ("name", "name_in_file") else None
    return player is not None and player not in ties.players


def _is_anothers_organiser(row: Any, ties: Ties) -> bool:
    """Return whether the id beside an organiser's name is that of another who is, or was, called so."""
    number, words = row.organiser_number, words_of(row.organiser_name)
    if not number or number in ties.numbers:
        return False
    players, arbiters = Player.objects.filter(number=number), Arbiter.objects.filter(number=number)
    lines = (*players, *Player.history.filter(id__in=players.values("pk")))
    records = (*arbiters, *Arbiter.history.filter(id__in=arbiters.values("pk")))
    return any(
        may_be_one_name(words, words_of(name))
        for name in (*map(name_of_line, lines), *(record.name for record in records))
    )


def _as_document(model: type[models.Model], name: str, value: Any, replaced: Callable[[Any], Any]) -> Any:
    """Return a value `replaced`; of JSON that is kept as text, what stands in it: other letters than plain ones are escaped."""
    if (model, name) in _JSON_AS_TEXT and value.startswith("["):
        with suppress(json.JSONDecodeError):
            document = json.loads(value)
            left = replaced(document)
            return value if left == document else json.dumps(left)
    return replaced(value)


def rows_naming(model: Any, fields: list["models.Field[Any, Any]"], names: Names, ties: Ties) -> Iterator[Any]:
    """Yield the rows of a model that may name a person in some fields, or that he is tied to by a key."""
    wanted: list[Q] = []
    texts, in_cut = names.searched | ties.numbers | {*names.fide_ids}, names.searched_in_cut
    escaped = texts | {json.dumps(text)[1:-1] for text in texts}  # as SQLite keeps other letters than plain ones, too
    for field in fields:
        is_json = isinstance(field, models.JSONField) or (model, field.attname) in _JSON_AS_TEXT
        wanted += [Q(**{f"{field.attname}__icontains": text}) for text in (escaped if is_json else texts)]
        if longest := getattr(field, "max_length", None):
            is_cut = Q(GreaterThanOrEqual(Length(field.attname), longest))
            for shorter in (PSEUDONYM_BEGINS, GONE):
                is_cut |= Q(**{f"{field.attname}__contains": shorter})
            wanted += [is_cut & Q(**{f"{field.attname}__icontains": text}) for text in in_cut]
        if field.attname in KEYS:
            wanted.append(Q(**{f"{field.attname}__in": ties.subjects | ties.beside}))
    for column in model._meta.concrete_fields:
        if column.is_relation and column.related_model is Player:
            wanted.append(Q(**{f"{column.attname}__in": ties.players}))
        elif keys := ties.columns.get(column.attname):
            wanted.append(Q(**{f"{column.attname}__in": keys}))
    found: set[Any] = set()
    of_rows = getattr(
        model, "instance_type", model
    )._meta.label_lower  # those whose former versions the model has, or its own
    if his := _by_model(ties.beside).get(of_rows):
        wanted.append(Q(id__in=his))
    if model is LogEntry:
        wanted += _logged(ties.subjects | ties.beside)
    for first in range(0, len(wanted), _CONDITIONS):
        any_of = Q(*wanted[first : first + _CONDITIONS], _connector=Q.OR)
        found.update(model._base_manager.filter(any_of).values_list("pk", flat=True))
    ordered = sorted(found)
    for first in range(0, len(ordered), 500):
        yield from model._base_manager.filter(pk__in=ordered[first : first + 500])


def _logged(subjects: Iterable[str]) -> list[Q]:
    """Return the conditions, one for each model, for lines of the desk's log about rows, by their keys on the trail."""
    conditions = []
    for label, keys in _by_model(subjects).items():
        app, model = label.split(".")
        conditions.append(Q(content_type__app_label=app, content_type__model=model, object_id__in=keys))
    return conditions


def _by_model(subjects: Iterable[str]) -> dict[str, list[str]]:
    """Return label of a model → keys of its rows, of keys on the trail."""
    keys: dict[str, list[str]] = {}
    for subject in subjects:
        label, key = subject.rsplit(" ", 1)
        keys.setdefault(label, []).append(key)
    return keys


def _tells_of_another(row: models.Model, value: Any, names: Names, ties: Ties) -> bool:
    """Return whether a text has somebody else's Chess SA id, or all of his name, and no id of the person; and whether a
    document is what was decided about another player."""
    if not isinstance(value, str):
        return isinstance(row, Decision) and row.subject.startswith(f"{Player._meta.label_lower} ")
    figures = set(_NUMBERS.findall(value))
    return not figures & {*ties.numbers, *names.private} and (_are_ids(figures) or names.name_another(value))


def _are_ids(figures: set[str]) -> bool:
    """Return whether a figure is on the register, of now or of before: any other may be a telephone's or a receipt's."""
    return any(rows.filter(number__in=figures).exists() for rows in (Player.objects, Player.history) if figures)


def _is_cut(field: "models.Field[Any, Any]", value: Any) -> bool:
    """Return whether a text may have been as long as its field takes, and so longer, before others were erased from it."""
    longest: int | None = getattr(field, "max_length", None)
    if longest is None or not isinstance(value, str):
        return False
    taken = _LONGEST_ERASED * count_pseudonyms(value) + _LONGEST_GONE * value.count(GONE)
    return len(value) + taken >= longest


def _fitting(model: type[models.Model], name: str, value: Any) -> Any:
    longest = getattr(model._meta.get_field(name), "max_length", None)
    return shortened(value, longest) if isinstance(value, str) and longest else value
