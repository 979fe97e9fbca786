"""The rated content of a section as a document of JSON: read from the tables, and written back to the last row.

A document has the section's `facts` and the rows of its tables by name, each row with its `id`. A row that is new has a
negative id, by which other rows of the document refer to it, until it is written.
"""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from django.db.models import Model

from events.models import Entry, Game, Guest, Penalty, Round, Section, Team

Content = dict[str, Any]
Row = dict[str, Any]

FACTS: Final = (
    "base_minutes",
    "increment_seconds",
    "format",
    "disabled",
    "planned_rounds",
    "starts",
    "ends",
    "period_id",
    "results_hash",
    "tie_breaks",
)
# In the order in which they are written: a row refers to rows of tables before its own.
_TABLES: Final[dict[str, tuple[type[Model], tuple[str, ...]]]] = {
    "rounds": (Round, ("number", "date")),
    "teams": (Team, ("number", "name")),
    "entries": (
        Entry,
        (
            "player_id",
            "number",
            "name_in_file",
            "chess_sa_id_in_file",
            "fide_id_in_file",
            "rating_in_file",
            "points",
            "rank",
            "team_id",
            "board",
            "match_reason",
        ),
    ),
    "guests": (Guest, ("player_id", "name", "federation", "fide_id", "fide_rating", "performance")),
    "games": (Game, ("round", "white_id", "black_id", "guest_id", "result", "colour_known")),
    "penalties": (
        Penalty,
        ("player_id", "round", "kind", "points", "status", "reason", "decided_by_id", "decided_at", "final"),
    ),
}
# By what a row of a section is known again.
_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "rounds": ("number",),
    "teams": ("number",),
    "entries": ("player_id",),
    "guests": ("name", "federation", "fide_id", "fide_rating"),
    "games": ("round", "white_id", "black_id", "guest_id"),
    "penalties": ("player_id", "round", "kind", "status"),
}
_REFERENCES: Final = {"team_id": "teams", "guest_id": "guests"}
_DAYS: Final = frozenset({"starts", "ends", "date"})
_READ: Final[dict[str, Callable[[str], Any]]] = {
    **dict.fromkeys(_DAYS, date.fromisoformat),
    "points": Decimal,
    "decided_at": datetime.fromisoformat,
}


def read_content(section: Section) -> Content:
    """Return a section's content. Seven queries."""
    facts = Section.objects.values(*FACTS).get(pk=section.pk)
    content: Content = {"facts": _as_json(facts)}
    for name, (model, fields) in _TABLES.items():
        rows = model._default_manager.filter(section=section).order_by("pk").values("id", *fields)
        content[name] = [_as_json(row) for row in rows]
    return content


def write_content(section: Section, content: Content) -> Content:
    """Make a section's rows those of a document, and return the document with the ids that its new rows were given.

    Ids of rows that are gone are given to them again, so that what was read is written back exactly. The caller holds the
    locks, and the transaction.
    """
    before = read_content(section)
    Section.objects.filter(pk=section.pk).update(**_from_json(content["facts"]))
    changed = [name for name in _TABLES if _keyed(content[name]) != _keyed(before[name])]
    if {"teams", "guests", "entries", "games"} & set(changed):
        # Rows that refer to one another are written anew together: a row that gives its place to another would be in its way.
        changed = [name for name in _TABLES if name in changed or name in ("teams", "guests", "entries", "games")]
    for name in reversed(changed):
        if name != "penalties":
            _TABLES[name][0]._default_manager.filter(section=section).delete()
    written: Content = {**content}
    ids: dict[tuple[str, int], int] = {}
    for name in changed:
        rows = [_referring(row, ids) for row in content[name]]
        written[name] = _write_penalties(section, rows) if name == "penalties" else _write_rows(section, name, rows)
        ids |= {(name, row["id"]): new["id"] for row, new in zip(content[name], written[name], strict=True)}
    return written


def as_new(content: Content, before: Content) -> Content:
    """Return a document of rows that were written and taken back: a row of `before` that it has again, by its key, has that
    one's id, every other a negative one."""
    after: Content = {"facts": content["facts"]}
    ids: dict[tuple[str, int], int] = {}
    for name, key in _KEYS.items():
        known = {tuple(row[field] for field in key): row["id"] for row in before[name]}
        rows = [_referring(row, ids) for row in content[name]]
        after[name] = [
            row | {"id": known.pop(tuple(row[field] for field in key), -place)}
            for place, row in enumerate(rows, start=1)
        ]
        ids |= {(name, row["id"]): new["id"] for row, new in zip(content[name], after[name], strict=True)}
    return after


def is_same(one: Content, other: Content) -> bool:
    """Return whether two documents say the same of a section, whatever the order of their rows."""
    return one["facts"] == other["facts"] and all(_keyed(one[name]) == _keyed(other[name]) for name in _TABLES)


def new_id(rows: list[Row]) -> int:
    """Return an id for a new row of a document."""
    lowest: int = min([0, *(row["id"] for row in rows)])
    return lowest - 1


def _as_json(row: Row) -> Row:
    return {
        name: value.isoformat() if isinstance(value, date) else str(value) if isinstance(value, Decimal) else value
        for name, value in row.items()
    }


def _from_json(row: Row) -> Row:
    return {
        name: _READ[name](value) if name in _READ and isinstance(value, str) else value for name, value in row.items()
    }


def _keyed(rows: list[Row]) -> dict[int, Row]:
    return {row["id"]: row for row in rows}


def _referring(row: Row, ids: dict[tuple[str, int], int]) -> Row:
    """Return a row that refers to other rows by the ids that they were given."""
    return {
        name: ids.get((_REFERENCES[name], value), value) if name in _REFERENCES else value
        for name, value in row.items()
    }


def _write_rows(section: Section, name: str, rows: list[Row]) -> list[Row]:
    model = _TABLES[name][0]
    objects = [model(section=section, **_from_json(_without_new_id(row))) for row in rows]
    model._default_manager.bulk_create(objects)
    return [row | {"id": saved.pk} for row, saved in zip(rows, objects, strict=True)]


def _write_penalties(section: Section, rows: list[Row]) -> list[Row]:
    """Write penalties one by one, so that their history goes on."""
    present = set(section.penalties.values_list("pk", flat=True))
    kept = {row["id"] for row in rows}
    for penalty in section.penalties.exclude(pk__in=kept):
        penalty.delete()
    penalties = [Penalty(section=section, **_from_json(_without_new_id(row))) for row in rows]
    # Of a player's two in one round only one is in force: the one that was dropped makes room first.
    for penalty in sorted(penalties, key=lambda penalty: penalty.status != Penalty.Status.DROPPED):
        penalty.save(force_insert=penalty.pk not in present)
    return [row | {"id": penalty.pk} for row, penalty in zip(rows, penalties, strict=True)]


def _without_new_id(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "id" or value > 0}
