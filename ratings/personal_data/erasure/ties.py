"""What belongs to a person: rows that are about him, or of his events and files."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.db.models import Model, Q, QuerySet

from accounts.models import Decision
from accounts.trail.operations import key_of
from events.models import (
    Appeal,
    Arbiter,
    ErrorReport,
    Event,
    Guest,
    RatingPeriod,
    Refusal,
    Section,
    Submission,
    Upload,
)
from players.models import Player
from ratings.models import Adjustment, Amendment, Merge, Rerating
from ratings.personal_data.person import Person

KEYS: Final = frozenset({"subject", "part_of", "about"})  # columns with keys of rows, as the trail has them


@dataclass(frozen=True)
class Ties:
    """What belongs to a person: keys of his rows as player, user and arbiter, Chess SA ids, the keys of his rows on the trail,
    of each column that names an event, a section or what was written or sent in about one, the keys of his, and `beside`, the
    keys of these on the trail. `awaited`: keys of reports of others, to whose address an answer is due."""

    players: frozenset[int] = frozenset()
    users: frozenset[int] = frozenset()
    arbiters: frozenset[int] = frozenset()
    numbers: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    columns: Mapping[str, frozenset[int]] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()
    awaited: frozenset[int] = frozenset()

    def owns(self, row: Model) -> bool:
        """Return whether a row is about him: it names him by key."""
        if isinstance(row, LogEntry):
            return key_on_trail(row) in self.subjects
        for column in row._meta.concrete_fields:
            value = getattr(row, column.attname)
            related = column.related_model if column.is_relation else None
            held = {Player: self.players, Arbiter: self.arbiters}.get(related) if isinstance(related, type) else None
            if held and value in held:
                return True
            if column.attname in KEYS and value in self.subjects:
                return True
        return False

    def ties(self, row: Model) -> bool:
        """Return whether a row that is not about him is his: of one of his events or files, or with his number in a text."""
        if key_on_trail(row) in self.beside:
            return True
        for column in row._meta.concrete_fields:
            value = getattr(row, column.attname)
            if value in self.columns.get(column.attname, ()):
                return True
            if column.attname in KEYS and value in self.beside:
                return True
            if isinstance(value, (str, dict, list)) and any(number in _text(value) for number in self.numbers):
                return True
        return False


def ties_of(person: Person, sections: Collection[int] = (), files: Collection[int] = ()) -> Ties:
    """Return what belongs to a person. `sections`: those whose files name him; `files`: other files that do, by their keys."""
    numbers = person.numbers
    met = Guest.objects.filter(Q(player__in=person.keys) | Q(pk__in=person.guests))
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


def key_on_trail(row: Model) -> str:
    """Return the key on the trail of a row: of a former version the row's, of a line of the desk's log of what it is about."""
    if isinstance(row, LogEntry):
        kind = row.content_type
        return f"{kind.app_label}.{kind.model} {row.object_id}" if kind is not None else ""
    former = getattr(row, "instance_type", None)
    return key_of(row) if former is None else f"{former._meta.label_lower} {getattr(row, 'id', '')}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
