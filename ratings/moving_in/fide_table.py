"""Keeps what FIDE's lists say of everybody on them, by month: a row for each time something of a person changed."""

from array import array
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from datetime import date
from itertools import islice
from typing import Any, cast

import numpy as np

from config.lib.days import months_back
from events.files.fide_list.listed import KINDS, ListedPlayer
from players.fide import KEPT_MONTHS
from players.models import FideListed
from ratings.runs.bulk_insert import insert_columns

CHUNK = 5_000
_FIELDS = ("name", "federation", "sex", "birth_year", *KINDS)


class ListedTable:
    """Writes a list of a month. The caller's transaction keeps it whole."""

    def __init__(self, month: date, kinds: Sequence[str]) -> None:
        self._month = month
        self._kinds = kinds
        self._waiting: list[ListedPlayer] = []
        self._held = FideListed.objects.exists()

    def go_back(self) -> None:
        """Forget what lists of later months said."""
        FideListed.objects.filter(since__gt=self._month).delete()
        FideListed.objects.filter(until__gt=self._month).update(until=None)

    def add(self, person: ListedPlayer) -> None:
        """Take a person of the list."""
        self._waiting.append(person)
        if len(self._waiting) >= CHUNK:
            self._write()

    def finish(self, ids: "array[int]", tell: Callable[[float], object]) -> None:
        """Write the last ones, and end the rows of who is not on a list of all kinds, whose `ids` these are. `tell` is told the
        share of that."""
        self._write()
        if len(self._kinds) == len(KINDS):
            self._end_missing(np.frombuffer(ids, dtype=np.int64), tell)
        FideListed.objects.filter(until__lte=months_back(self._month, KEPT_MONTHS)).delete()

    def _write(self) -> None:
        people, self._waiting = self._waiting, []
        held = self._present(people) if self._held else {}
        rows = []
        replaced: list[int] = []
        ended: list[int] = []
        for person in people:
            known = held.get(person.fide_id)
            row = self._row(person, known[3:] if known else (None,) * len(_FIELDS))
            if known:
                if row == known[3:]:
                    continue
                (replaced if known[2] == self._month else ended).append(known[1])
            rows.append((person.fide_id, *row))
        self._end(replaced, ended)
        columns = dict(zip(("fide_id", *_FIELDS), zip(*rows, strict=True), strict=True)) if rows else {}
        if columns:
            insert_columns(FideListed, {**columns, "since": [self._month.isoformat()] * len(rows)})

    def _present(self, people: Sequence[ListedPlayer]) -> dict[int, tuple[Any, ...]]:
        rows = FideListed.objects.filter(until=None, fide_id__in=[person.fide_id for person in people])
        return {row[0]: row for row in rows.values_list("fide_id", "pk", "since", *_FIELDS)}

    def _row(self, person: ListedPlayer, known: Sequence[object]) -> tuple[object, ...]:
        """Return the values of _FIELDS; of kinds that the list does not hold those that are known."""
        ratings = (
            (figure.rating if figure else None) if kind in self._kinds else before
            for kind, figure, before in zip(KINDS, person.figures, known[-len(KINDS) :], strict=True)
        )
        return (person.name, person.federation, person.sex, person.birth_year, *ratings)

    def _end_missing(self, ids: "np.ndarray[tuple[int], np.dtype[np.int64]]", tell: Callable[[float], object]) -> None:
        rows = FideListed.objects.filter(until=None).order_by().values_list("pk", "fide_id", "since")
        replaced: list[int] = []
        ended: list[int] = []
        sorted_ids = np.sort(ids)
        total, done = max(1, rows.count()), 0
        # `tell` stops the taking: the cursor is closed before its transaction is rolled back.
        with closing(cast("Generator[tuple[int, int, date]]", rows.iterator(chunk_size=CHUNK))) as present:
            while block := list(islice(present, CHUNK)):
                held = np.array([row[1] for row in block], dtype=np.int64)
                places = np.searchsorted(sorted_ids, held)
                places[places == len(sorted_ids)] = 0
                for place in np.flatnonzero(sorted_ids[places] != held).tolist():
                    pk, _, since = block[place]
                    (replaced if since == self._month else ended).append(pk)
                done += len(block)
                tell(done / total)
        self._end(replaced, ended)

    def _end(self, replaced: Sequence[int], ended: Sequence[int]) -> None:
        for start in range(0, len(replaced), CHUNK):
            FideListed.objects.filter(pk__in=replaced[start : start + CHUNK]).delete()
        for start in range(0, len(ended), CHUNK):
            FideListed.objects.filter(pk__in=ended[start : start + CHUNK]).update(until=self._month)
