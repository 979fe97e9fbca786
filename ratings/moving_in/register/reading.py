"""Reads a list of players and compares it with the register, line by line in bounded memory; commits as it goes."""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from config.lib.names import shown
from events.files.register_list import RegisterReader
from events.submission.persons import known_person
from players.models import Player, Region
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.jobs.files import opened
from ratings.moving_in.jobs.findings import kept
from ratings.moving_in.jobs.progress import Tell
from ratings.moving_in.register.answering import answer_doubtful, compare_rows
from ratings.moving_in.register.lines import (
    CHUNK,
    chunks,
    counted,
    keep_lines,
    line_of,
    refuse_second_lines,
    register_version,
    row_chunks,
)
from ratings.moving_in.register.matching import Difference, Kind, differences, matches, person_of, settled
from ratings.moving_in.register.nearness import NearNames, sound_key

_READING, _COMPARING = "Reading the list", "Comparing it with the register"
_NAMES, _BIRTHS = "Looking for names that are near", "Looking for equal birth dates"
_PLAYERS = 5_000  # of the register, looked at together
_FEW = 10  # of a sound or a birth date, who are all compared: many lists have 1 January where they know the year alone
_ASK = (Kind.NEW, Kind.DOUBTFUL)  # who may be somebody else


def read(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Read the list of a job and keep its lines with what becomes of each; return the summary of what was found."""
    tell(_READING, 0)
    register = register_version()
    rows = ListedPlayer.objects.filter(job=job)
    rows._raw_delete(using=rows.db)
    regions = dict(Region.objects.values_list("code", "name"))
    with opened(job) as file:
        reader = RegisterReader(file, regions=regions, columns=job.options.get("columns"))
        share = 0.0
        for lines in chunks(reader):
            keep_lines(job, differences(lines, {}))
            share = max(share, file.tell() / max(1, job.size))
            tell(_READING, 0.7 * min(1.0, share))
    find_near(job, tell)
    refuse_second_lines(job)
    erased = set(rows.filter(last_name="").values_list("line", flat=True))  # of which the id alone is kept
    return {
        "register": register,
        "columns": reader.columns,
        "samples": [[shown(value) for value in values] for values in reader.samples],
        "errors": sum(finding.severity == "error" for finding in reader.findings),
        "faulty": reader.faulty,
        "findings": [kept(finding) for finding in reader.findings if finding.line not in erased],
        **counted(job),
    }


def compare(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Answer the doubtful lines of a job as its option `doubtful` says, else compare all lines with the register again."""
    if how := job.options.get("doubtful"):
        answer_doubtful(job, how, tell)
        register = job.summary["register"]
    else:
        register = register_version()
        _compare_again(job, tell)
    refuse_second_lines(job)
    return {**job.summary, "register": register, **counted(job)}


def _compare_again(job: ImportJob, tell: Tell) -> None:
    rows = ListedPlayer.objects.filter(job=job)
    total, done = max(1, rows.count()), 0
    for chunk in row_chunks(rows):
        for row in chunk:
            row.candidates = row.candidates if row.answer else []
        compare_rows(job, chunk)
        done += len(chunk)
        tell(_COMPARING, 0.7 * min(1.0, done / total))
    find_near(job, tell)


def find_near(job: ImportJob, tell: Tell) -> None:
    """Look for players whom new and doubtful lines may mean though the names or births differ a little."""
    asked = ListedPlayer.objects.filter(job=job, kind__in=_ASK, answer="")
    total = Player.objects.count()
    if not total or not asked.exists():
        return
    players = Player.objects.order_by("folded_name")
    done = 0
    for chunk in _read_chunks(players):
        keys = {player.pk: sound_key(player.last_name, player.first_name) for player in chunk}
        _ask_about(job, chunk, keys, asked, "sound")
        done += len(chunk)
        tell(_NAMES, 0.7 + 0.15 * min(1.0, done / total))
    done = 0
    for chunk in _read_chunks(players.exclude(birth_date=None).order_by("birth_date")):
        dates = {player.pk: player.birth_date for player in chunk}
        _ask_about(job, chunk, dates, asked, "birth_date")
        done += len(chunk)
        tell(_BIRTHS, 0.85 + 0.15 * min(1.0, done / total))


def _read_chunks(players: QuerySet[Player]) -> Iterator[list[Player]]:
    """Yield players in their order. Their keys are read first: no query is open while lines are written."""
    keys = array("q", players.values_list("pk", flat=True).iterator())
    for start in range(0, len(keys), _PLAYERS):
        order = keys[start : start + _PLAYERS]
        yield list(Player.objects.filter(pk__in=order).select_related("region"))


def _ask_about(
    job: ImportJob, players: list[Player], keys: dict[int, Any], asked: QuerySet[ListedPlayer], field: str
) -> None:
    """Add to the lines whose `field` is the key of a player whom they may mean that it may be he."""
    by_key: dict[Any, dict[int, Player]] = defaultdict(dict)
    for player in players:
        by_key[keys[player.pk]][player.pk] = player
    near_names = {
        key: NearNames({pk: known_person(player) for pk, player in group.items()})
        for key, group in by_key.items()
        if len(group) > _FEW
    }
    found: list[Difference] = []
    for chunk in chunks(asked.filter(**{f"{field}__in": by_key}).order_by(field, "line").iterator(CHUNK)):
        for key, rows in groupby(chunk, key=attrgetter(field)):
            lines = [(row, line_of(row)) for row in rows]
            group: Sequence[Collection[int]] = [by_key[key]] * len(lines)
            if key in near_names:
                group = [*near_names[key].near([person_of(line) for _, line in lines])]
            for (row, line), may_be in zip(lines, group, strict=True):
                before = {candidate[0] for candidate in row.candidates}
                if not (more := matches(line, [by_key[key][pk] for pk in may_be if pk not in before])):
                    continue
                known = Player.objects.filter(pk__in=before).select_related("region")
                found.append(settled(line, more + matches(line, known)))
    if found:
        keep_lines(job, found, {})
