"""The lines of a list of players as rows of its job, and back."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from itertools import islice
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Count, Min, QuerySet

from config.table_versions import table_versions, without_row_triggers
from events.files.dates import Birth
from events.files.register_list import RegisterLine
from players.models import Player
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.jobs.rows import copy_rows
from ratings.moving_in.register.matching import Candidate, Difference, FieldChange, Kind
from ratings.moving_in.register.nearness import sound_key

CHUNK = 2_000  # lines that are compared, and written, at once
_COLUMNS = (
    "job_id", "line", "kind", "answer", "player_id", "why", "changes", "candidates", "last_name", "first_name", "national_id",
    "fide_id", "birth_date", "birth_year", "sex", "title", "region", "federation", "club", "written", "sound",
)  # fmt: skip
_Item = TypeVar("_Item")


def chunks(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Yield items CHUNK at a time."""
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


def row_chunks(rows: QuerySet[ListedPlayer]) -> Iterator[list[ListedPlayer]]:
    """Yield the rows of a job in the order of their lines, CHUNK at a time, each with a query of its own."""
    last = 0
    while chunk := list(rows.filter(line__gt=last).order_by("line")[:CHUNK]):
        yield chunk
        last = chunk[-1].line


def keep_lines(job: ImportJob, found: Sequence[Difference], answers: dict[int, str] | None = None) -> None:
    """Keep lines of a list with what becomes of them, in place of rows for the same lines."""
    if not found:
        return
    with without_row_triggers(ListedPlayer._meta.db_table), transaction.atomic():
        if answers is not None:
            lines = [difference.line.line for difference in found]
            ListedPlayer.objects.filter(job=job, line__in=lines)._raw_delete(using="default")
        copy_rows(ListedPlayer, _COLUMNS, (_values(job.pk, one, (answers or {})) for one in found))


def _values(job_id: int, difference: Difference, answers: dict[int, str]) -> tuple[object, ...]:
    line, player = difference.line, difference.player
    return (
        job_id,
        line.line,
        difference.kind.value,
        answers.get(line.line, ""),
        player.pk if player else None,
        difference.why,
        json.dumps([(change.field, change.before, change.after) for change in difference.changes]),
        json.dumps([astuple(candidate) for candidate in difference.candidates]),
        line.last_name,
        line.first_name,
        line.national_id,
        line.fide_id,
        line.birth.day.isoformat() if line.birth.day else None,
        line.birth.year,
        line.sex,
        line.title,
        line.region,
        line.federation,
        line.club,
        line.written,
        sound_key(line.last_name, line.first_name),
    )


def line_of(row: ListedPlayer) -> RegisterLine:
    """Return a row as the line of the list that it was."""
    return RegisterLine(
        line=row.line,
        last_name=row.last_name,
        first_name=row.first_name,
        national_id=row.national_id,
        fide_id=row.fide_id,
        birth=Birth(row.birth_year, row.birth_date),
        sex=row.sex,
        title=row.title,
        region=row.region,
        federation=row.federation,
        club=row.club,
        written=row.written,
    )


def changes_of_row(row: ListedPlayer) -> tuple[FieldChange, ...]:
    """Return what a line changes of its player."""
    return tuple(FieldChange(*change) for change in row.changes)


def candidates_of_row(row: ListedPlayer) -> tuple[Candidate, ...]:
    """Return whom a line may mean."""
    return tuple(Candidate(*candidate) for candidate in row.candidates)


def refuse_second_lines(job: ImportJob) -> None:
    """Refuse the lines that mean a player whom an earlier line means."""
    taken = ListedPlayer.objects.filter(job=job, kind__in=(Kind.CHANGED, Kind.UNCHANGED))
    twice = taken.values("player").annotate(first=Min("line"), lines=Count("pk")).filter(lines__gt=1)
    for player_id, first in twice.values_list("player", "first"):
        player = Player.objects.get(pk=player_id)
        why = f"Line {first} is {player}, too: leave one of them out, or answer that it is somebody else."
        taken.filter(player=player_id, line__gt=first).update(kind=Kind.REFUSED, why=why, changes=[])


def counted(job: ImportJob) -> dict[str, Any]:
    """Return how many lines there are of each kind, as part of the job's summary."""
    kinds = ListedPlayer.objects.filter(job=job).order_by().values_list("kind").annotate(Count("pk"))
    return {"counts": dict(kinds)}


def register_version() -> list[str]:
    """Return what changes with every write to the register."""
    return sorted(table_versions()[Player._meta.db_table])
