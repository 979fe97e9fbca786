"""Calculates published months again from their inputs and holds them against what is published."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, Final

import numpy as np
from django.db import connection
from django.db.models import TextField
from django.db.models.functions import Cast

from config.lib.database import as_float
from events.models import RatingPeriod
from players.models import Player
from ratings.models import Rating, RatingList, RatingRun, RunPerson, System
from ratings.runs.activity import count_activity
from ratings.runs.inputs import (
    PeriodInput,
    Registered,
    RunInput,
    as_registered,
    national_list_ids,
    read_input,
    with_standings,
)
from ratings.runs.sequential import ListResult, line_columns, place_columns, rate_lists
from ratings.runs.snapshot import RECENT_DTYPE, performance_columns, rating_columns
from ratings.runs.writing import counts_of
from ratings.seals.queries import has_sealed_input
from ratings.seals.rows import figure_column
from ratings.systems import chessa
from ratings.systems.adapters import ADAPTERS
from ratings.systems.chessa.columns import LISTS
from ratings.verification.findings import Finding, as_far_as_readable, found_twice, stands

# Another processor or version of numpy may give another last digit.
TOLERANCE: Final = 1e-6
_COUNTS: Final = ("sections", "games", "players")
_CALCULATED = "calculated again from the month's games"
_NATIONAL: Final = (
    "games", "k", "change", "weighted_performance", "raw", "weighted", "published", "previous", "highest",
    "pending_penalty", "window_sum", "window_weighted", "recent",
)  # fmt: skip
_OTHER: Final = ("games", "k", "change", "raw", "published", "previous", "highest")
_PERFORMANCE: Final = ("games", "score", "expected", "performance", "change", "average_opponent")
_ACTIVITY: Final = ("games",)
_OF_PERFORMANCE: Final = ("list_id", "player_id", "section_id")
_BEFORE_EACH_EVENT: Final = frozenset({"k", "age"})  # of a standing: each event puts its own there
Key = tuple[int, ...]
Rows = dict[Key, tuple[Any, ...]]


def months_to_calculate() -> list[tuple[int, str]]:
    """Return key and name, `2024-03`, of the published months that were calculated here, in order. One query."""
    calculated = RatingPeriod.objects.filter(publication__run__kind=RatingRun.Kind.CALCULATED).order_by("month")
    # As text: what is no month is to be read, too.
    return [(key, month[:7]) for key, month in calculated.values_list("pk", Cast("month", TextField()))]


def lists_missing() -> list[str]:
    """Return the codes of the regulations' own lists (article 24) that no list has. One query."""
    there = RatingList.objects.filter(system=System.CHESSA).values_list("code", flat=True)
    return [code for code in LISTS if code not in set(there)]


def verify_month(key: int, name: str) -> list[Finding]:
    """Calculate a published month again and return what differs: its input first, then the first row of each list.

    `key`, `name`: as `months_to_calculate` gives them.
    """
    place = f"month {name}"
    return found_twice(place, lambda: _of_month(place, key))


def _of_month(place: str, key: int) -> Iterator[Finding]:
    period = RatingPeriod.objects.select_related("publication__run").get(pk=key)
    run, period_input = period.publication.run, read_input(period)
    gathered = with_standings(period, period_input)
    figures = chain(_national(period, run, gathered), _others(period, run, period_input))
    differing = list(as_far_as_readable(place, figures))
    # What an earlier release sealed has no hash of its input: it hashed other parts of it.
    if period_input.hash != run.input_hash and (differing or has_sealed_input(run)):
        what = (
            "its games, penalties, adjustments or former lists are not those that it was calculated from: the hash of the input"
            f" is {period_input.hash} and should be {run.input_hash}"
        )
        yield Finding(place, what)
    yield from differing


def _national(period: RatingPeriod, run: RatingRun, gathered: RunInput) -> Iterator[Finding]:
    result = chessa.rate(gathered.columns, gathered.input.edition)
    columns = rating_columns(
        gathered.list_ids,
        gathered.players,
        gathered.regions,
        gathered.name_order,
        gathered.listed,
        gathered.published,
        result,
    )
    said: dict[str, tuple[Any, Any]] = {
        name: (getattr(run, name), count) for name, count in zip(_COUNTS, counts_of(gathered, result), strict=True)
    }
    said["edition"] = (run.edition, gathered.input.edition.name)
    if wrong := [stands(name, str(now), str(was), _CALCULATED) for name, (now, was) in said.items() if now != was]:
        yield Finding(f"month {period}", "; ".join(wrong))
    codes = dict(RatingList.objects.values_list("pk", "code"))
    expected = _rows(columns, _NATIONAL)
    performances = _rows(
        performance_columns(gathered.list_ids, gathered.players, gathered.input.sections, result),
        _PERFORMANCE,
        _OF_PERFORMANCE,
    )
    activity: Rows = {key: (games,) for key, games in count_activity(period, gathered.input).items()}
    for list_id in gathered.list_ids:
        place = f"list {codes[list_id]} of {period}"
        yield from _compared(place, _stored(run.pk, list_id, _NATIONAL), _of_list(expected, list_id), _NATIONAL)
        yield from _out_of_order(place, run.pk, list_id)
        found = _stored(run.pk, list_id, _PERFORMANCE, "ratings_performance", _OF_PERFORMANCE)
        yield from _compared(f"{place}, performances", found, _of_list(performances, list_id), _PERFORMANCE)
        found = _stored(run.pk, list_id, _ACTIVITY, "ratings_activity")
        yield from _compared(f"{place}, activity", found, _of_list(activity, list_id), _ACTIVITY)


def _others(period: RatingPeriod, run: RatingRun, period_input: PeriodInput) -> Iterator[Finding]:
    chosen, filled = [], _lists_with_rows(run)
    codes = dict(RatingList.objects.values_list("pk", "code"))
    known = {*national_list_ids(), *(definition[0] for definition in period_input.lists)}
    changed = period_input.changed_lists(run)
    for list_id in sorted(filled - known):
        yield Finding(f"list {codes.get(list_id, list_id)} of {period}", "it has figures, and no system calculates it")
    if period_input.ages_by_day and _kept_ids(run):
        without = sorted(player for player, (_, _, number) in period_input.people.items() if not number)
        what = "its run kept no Chess SA id of him, as every run does since"
        yield Finding(f"month {period}", what, without[0], len(without) - 1)
    if filled & {definition[0] for definition in period_input.lists}:
        yield from _people_missing(period, run, period_input)
    if not period_input.ages_by_day:
        yield from _people_of_no_register(period, run)
    for definition in period_input.lists:
        key, system = str(definition[0]), definition[1]
        if key not in run.list_hashes and definition[0] not in filled:
            continue  # not filled for this month
        if period_input.ages_by_day and ADAPTERS[system].uses_age:
            continue  # no release calculates with these ages any more
        # It is made of the month's, too: where that differs, the figures tell. The first release kept none.
        if period_input.hash == run.input_hash and definition[0] in changed:
            place = f"list {codes[definition[0]]} of {period}"
            what = "its rules, or what it took from the register, are not those that it was calculated with"
            yield Finding(place, what)
        chosen.append(definition)
    for result in rate_lists(replace(period_input, lists=chosen)):
        place = f"list {codes[result.list_id]} of {period}"
        found = _stored(run.pk, result.list_id, _OTHER)
        yield from _compared(place, found, _rows(place_columns(result), _OTHER), _OTHER)
        yield from _other_standings(place, run.pk, result)
        yield from _out_of_order(place, run.pk, result.list_id)
        found = _stored(run.pk, result.list_id, _PERFORMANCE, "ratings_performance", _OF_PERFORMANCE)
        expected = _rows(line_columns(result), _PERFORMANCE, _OF_PERFORMANCE)
        yield from _compared(f"{place}, performances", found, expected, _PERFORMANCE)
        found = _stored(run.pk, result.list_id, _ACTIVITY, "ratings_activity")
        yield from _compared(f"{place}, activity", found, {}, _ACTIVITY)


def _other_standings(place: str, run_id: int, result: ListResult) -> Iterator[Finding]:
    """Yield the first player whose standing, from which the next month goes on, is another than the events left. One query."""
    found = dict(Rating.objects.filter(run=run_id, list=result.list_id).values_list("player_id", "standing"))
    wrong: list[tuple[int, list[str]]] = []
    for player, of_list in sorted(result.places.items()):
        now, should = found.get(player) or {}, result.adapter.to_json(of_list.standing)
        if words := [
            stands(f"{name} of his standing", str(now.get(name)), str(should.get(name)), _CALCULATED)
            for name in sorted((now.keys() | should.keys()) - _BEFORE_EACH_EVENT)
            if not _alike(now.get(name), should.get(name))
        ]:
            wrong.append((player, words))
    if wrong:
        yield Finding(place, "; ".join(wrong[0][1]), wrong[0][0], len(wrong) - 1)


def _alike(found: Any, expected: Any) -> bool:
    """Return whether two values of a standing are one, as JSON keeps them; what is zero or unknown may be left out."""
    if isinstance(found, float | int) and isinstance(expected, float | int):
        return _close(found, expected)
    if isinstance(found, list) and isinstance(expected, tuple | list):
        return len(found) == len(expected) and all(map(_alike, found, expected))
    return found == expected or (not found and not expected)


def _out_of_order(place: str, run_id: int, list_id: int) -> Iterator[Finding]:
    """Yield the first player whose rank or position on a list is not that of its ratings. One query."""
    rows = Rating.objects.filter(run=run_id, list=list_id, position__isnull=False).order_by("position")
    before, rank = math.inf, 0
    fields = rows.values_list("player_id", "position", "rank", as_float("published"))
    for index, (player, position, found, published) in enumerate(fields, start=1):
        rank = rank if published == before else index
        if position != index or published > before:
            yield Finding(place, "the order of the list is not that of its ratings", player)
            return
        if found != rank:
            yield Finding(place, stands("rank", str(found), str(rank), "by the ratings"), player)
            return
        before = published


def _kept_ids(run: RatingRun) -> bool:
    """Return whether a run, or one before it, kept ids of those who played, as all do since the first release. One query."""
    return RunPerson.objects.filter(run__lte=run.pk).exclude(number="").exists()


def _people_missing(period: RatingPeriod, run: RatingRun, period_input: PeriodInput) -> Iterator[Finding]:
    """Yield the first of those who played of whom a run kept nothing: he was calculated with the register as it is today."""
    missing = sorted(period_input.people.keys() - set(run.people.values_list("player_id", flat=True)))
    if missing:
        what = "what its run took from the register of him is missing"
        yield Finding(f"month {period}", what, missing[0], len(missing) - 1)


def _people_of_no_register(period: RatingPeriod, run: RatingRun) -> Iterator[Finding]:
    """Yield the first of those who played of whom a run keeps what the register never said of him. Of those whose data was
    erased the history is gone, too. Two queries."""
    people = run.people.filter(player__erased_at=None)
    said: dict[int, set[Registered]] = {}
    for key, person in as_registered(Player.history.filter(id__in=people.values("player_id"))):
        said.setdefault(key, set()).add(person)
    kept = people.order_by("player_id").values_list("player_id", "born", "registered", "number")
    wrong = [key for key, *person in kept if tuple(person) not in said.get(key, ())]
    if wrong:
        what = "birth date, registration or Chess SA id that its run keeps of him is none that the register ever said"
        yield Finding(f"month {period}", what, wrong[0], len(wrong) - 1)


def _lists_with_rows(run: RatingRun) -> set[int]:
    """Return the keys of the lists of which a run has figures, performances or activity. Three queries."""
    found: set[int] = set()
    with connection.cursor() as cursor:
        for table in ("ratings_rating", "ratings_performance", "ratings_activity"):
            cursor.execute(f"SELECT DISTINCT list_id FROM {table} WHERE run_id = %s", [run.pk])  # noqa: S608
            found.update(list_id for (list_id,) in cursor.fetchall())
    return found


def _compared(place: str, found: Rows, expected: Rows, columns: tuple[str, ...]) -> Iterator[Finding]:
    differing = sorted(
        key
        for key in found.keys() | expected.keys()
        if key not in found or key not in expected or not _same(found[key], expected[key])
    )
    if not differing:
        return
    key, more = differing[0], len(differing) - 1
    player = key[1]
    if key not in found:
        yield Finding(place, f"his row is missing, {_CALCULATED} it is there", player, more)
    elif key not in expected:
        yield Finding(place, f"his row should not be there, {_CALCULATED}", player, more)
    else:
        cells = zip(columns, found[key], expected[key], strict=True)
        wrong = [stands(name, _text(old), _text(new), _CALCULATED) for name, old, new in cells if not _close(old, new)]
        yield Finding(place, "; ".join(wrong), player, more)


def _rows(
    columns: dict[str, list[Any]], names: tuple[str, ...], keys: tuple[str, ...] = ("list_id", "player_id")
) -> Rows:
    return dict(
        zip(
            zip(*(columns[key] for key in keys), strict=True),
            zip(*(columns[name] for name in names), strict=True),
            strict=True,
        )
    )


def _of_list(rows: Rows, list_id: int) -> Rows:
    return {key: values for key, values in rows.items() if key[0] == list_id}


def _stored(
    run_id: int,
    list_id: int,
    columns: tuple[str, ...],
    table: str = "ratings_rating",
    keys: tuple[str, ...] = ("list_id", "player_id"),
) -> Rows:
    """Return what a run wrote of a list. One query."""
    named = ", ".join(name if name in ("games", "recent") else figure_column(name) for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join(keys)}, {named} FROM {table} WHERE run_id = %s AND list_id = %s",  # noqa: S608
            [run_id, list_id],
        )
        return {row[: len(keys)]: row[len(keys) :] for row in cursor.fetchall()}


def _same(found: tuple[Any, ...], expected: tuple[Any, ...]) -> bool:
    return all(map(_close, found, expected))


def _close(found: Any, expected: Any) -> bool:
    if isinstance(found, (bytes, memoryview)):
        return expected is not None and _recent_close(bytes(found), expected)
    if found is None or expected is None or expected != expected:
        return found is None and (expected is None or expected != expected)
    return math.isclose(found, expected, rel_tol=0, abs_tol=TOLERANCE)


def _recent_close(found: bytes, expected: bytes) -> bool:
    if found == expected:
        return True
    if len(found) != len(expected):
        return False
    old, new = np.frombuffer(found, RECENT_DTYPE), np.frombuffer(expected, RECENT_DTYPE)
    same = (old["ended"] == new["ended"]).all() and (old["kind"] == new["kind"]).all()
    near = np.allclose(old["performance"], new["performance"], rtol=0, atol=TOLERANCE, equal_nan=True)
    return bool(same and near)


def _text(value: Any) -> str:
    return "" if value is None else value.hex() if isinstance(value, bytes) else str(value)
