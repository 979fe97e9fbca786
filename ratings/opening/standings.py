"""From the entries of files to standings: what they do not say is filled in, and what the next run will change is told. Pure.

Readings (docs/regulations.md): without a raw rating the published one counts; without a highest rating the published one, else
the raw one, or, where K is given and is lower than theirs, the lowest rating of that K (article 31); missing former raw
ratings count 1200 (article 49); without a published rating it is the higher of raw and weighted (article 50).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from config.lib import formatting
from config.lib.editions import Edition
from ratings.cases.chessa import window_sums
from ratings.opening.document import OnList
from ratings.opening.entries import Entry
from ratings.systems import cfc, chessa, icu, uscf
from ratings.systems.chessa.columns import LISTS, RECENT, Floats, Ints, PeriodColumns, StandingColumns
from ratings.systems.chessa.games import k_factors
from ratings.systems.chessa.result import Flags

_PUBLISHED_TOLERANCE = 0.5  # lists are published in whole numbers


@dataclass(frozen=True, slots=True)
class National:
    """The four lists of Chess SA's system. `history` (4, n, 24) as the files give it, nan where they do not; `filled`:
    (list index, row) → the figures that were filled in, `padded` (4, n) how many former ratings were."""

    standings: StandingColumns
    published: Floats  # (4, n)
    weighted: Floats  # (4, n)
    k: Floats  # (4, n)
    history: Floats
    activity: Ints  # (4, n)
    filled: Mapping[tuple[int, int], tuple[str, ...]]
    padded: Ints
    given: Flags  # (4, n) a file says something of the player on the list

    @property
    def rated(self) -> Flags:
        """(4, n) who has a rating."""
        return ~np.isnan(self.standings.raw)


@dataclass(frozen=True, slots=True)
class Remark:
    """What the next run will do to a standing without a game, or what does not agree within it."""

    number: str
    list: str
    text: str


@dataclass(frozen=True, slots=True)
class Total:
    """A list's totals, to hold against those of the old bureau. Ratings as published."""

    list: str
    players: int = 0
    sum: float = 0.0
    sum_raw: float = 0.0
    highest: float | None = None
    lowest: float | None = None
    filled: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The totals in words."""
        if not self.players:
            return "no player"
        return (
            f"{formatting.count(self.players, 'player')}, sum of ratings {self.sum:.1f} (raw {self.sum_raw:.1f}),"
            f" highest {self.highest:.1f}, lowest {self.lowest:.1f}"
        )


FILLED = {
    "raw": "raw rating from the published one",
    "highest": "highest rating from the rating",
    "history": "former ratings that are missing count 1200 (article 49)",
}


def national(entries: Sequence[Entry], rows: Mapping[str, int], edition: Edition) -> National:
    """Return the standings of the four lists, what is missing filled in; `rows`: number → row of the columns, 0 … n − 1."""
    shape = (len(LISTS), len(rows))
    unrated, size = edition["unrated_rating"], edition["window"]
    raw, highest, published = (np.full(shape, np.nan) for _ in range(3))
    history = np.full((*shape, size), np.nan)
    carried = np.full((*shape, 2), np.nan)
    pending, activity = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    performance = np.full((*shape, RECENT), np.nan)
    ended = np.zeros((*shape, RECENT), dtype=np.int64)
    kind = np.full((*shape, RECENT), -1, dtype=np.int64)
    given = np.zeros(shape, dtype=np.bool_)
    filled: dict[tuple[int, int], tuple[str, ...]] = {}
    for entry in entries:
        at = LISTS.index(entry.list), rows[entry.number]
        given[at] = True
        pending[at], activity[at] = entry.pending_penalty, entry.activity
        if not entry.is_rated:
            continue
        raw[at] = entry.published if entry.raw is None else entry.raw
        published[at] = np.nan if entry.published is None else entry.published
        highest[at] = _highest(entry, edition)
        former = entry.history or (raw[at],)
        history[at][: len(former)] = former
        if entry.window:
            carried[at] = entry.window
        for place, recent in enumerate(entry.performances[:RECENT]):
            performance[at][place], ended[at][place], kind[at][place] = recent
        missing = (("raw", entry.raw is None), ("highest", entry.highest is None), ("history", len(former) < size))
        if names := tuple(name for name, is_missing in missing if is_missing):
            filled[at] = names
    sums = window_sums(np.where(np.isnan(history), unrated, history))
    window_sum, window_weighted = (np.where(np.isnan(carried[..., at]), sums[at], carried[..., at]) for at in (0, 1))
    weighted = np.where(np.isnan(raw), np.nan, window_weighted / edition["window_divisor"])
    standings = StandingColumns(raw, highest, window_sum, window_weighted, pending, performance, ended, kind)
    return National(
        standings=standings,
        published=np.where(np.isnan(published), np.maximum(raw, weighted), published),
        weighted=weighted,
        k=k_factors(highest, edition),
        history=history,
        activity=activity,
        filled=filled,
        padded=np.where(np.isnan(raw), 0, np.isnan(history).sum(axis=2)),
        given=given,
    )


def _highest(entry: Entry, edition: Edition) -> float | None:
    if entry.highest is not None:
        return entry.highest
    rating = entry.raw if entry.published is None else entry.published
    if entry.k is None or rating is None:
        return rating
    of_k = [
        threshold
        for threshold, k in zip(edition["k_thresholds"], edition["k_factors"][1:], strict=True)
        if k == entry.k and threshold > rating
    ]
    return of_k[0] if of_k else rating


def remarks(
    columns: National, numbers: Sequence[str], entries: Sequence[Entry], calculated_on: int, edition: Edition
) -> list[Remark]:
    """Return what the next run does to the standings by itself, from a calculation of the next month without a game."""
    at_start = columns.standings
    none, nobody = np.zeros(0, dtype=np.int64), np.zeros(0)
    result = chessa.rate(
        PeriodColumns(
            calculated_on=calculated_on,
            standings=at_start,
            oldest=np.where(np.isnan(columns.history[..., -1]), edition["unrated_rating"], columns.history[..., -1]),
            event_ended=none, event_minutes=nobody, event=none, white=none, black=none, white_score=nobody, guest=nobody,
            penalty_player=none, penalty_event=none, penalty_points=nobody,
        ),
        edition,
    )  # fmt: skip
    told: list[Remark] = []
    rated = columns.rated

    def tell(places: Flags, text: Any) -> None:
        for index, row in zip(*(axis.tolist() for axis in np.nonzero(places & rated)), strict=True):
            told.append(Remark(numbers[row], LISTS[index], text(index, row)))

    raw, floor, published, highest = at_start.raw, result.floor, columns.published, at_start.highest
    tell(
        result.floored & (raw < floor),
        lambda index, row: (
            f"raw {_figure(raw[index, row])} is under the floor: the next run makes it"
            f" {_figure(result.raw[index, row])} (article 42)"
        ),
    )
    tell(
        highest < published,
        lambda index, row: (
            f"highest {_figure(highest[index, row])} is below the published rating"
            f" {_figure(published[index, row])}: the next run makes it {_figure(result.highest[index, row])}"
        ),
    )
    follows = np.maximum(raw, columns.weighted)
    tell(
        np.abs(published - follows) > _PUBLISHED_TOLERANCE,
        lambda index, row: (
            f"published {_figure(published[index, row])} is not the higher of raw"
            f" {_figure(raw[index, row])} and weighted {_figure(columns.weighted[index, row])}: the next run publishes"
            f" {_figure(result.published[index, row])} (article 50)"
        ),
    )
    row_of = {number: row for row, number in enumerate(numbers)}
    tell(
        rated & (at_start.pending_penalty > 0),
        lambda index, row: (
            f"{at_start.pending_penalty[index, row]:g} penalty points wait for somebody who has a rating: the"
            " next run deducts them (article 53)"
        ),
    )
    for entry in entries:
        if entry.k is not None and entry.is_rated and entry.list in LISTS:
            k = columns.k[LISTS.index(entry.list), row_of[entry.number]]
            if k != entry.k:
                text = f"K {entry.k:g} does not follow from the highest rating: the next run uses K {k:g} (article 31)"
                told.append(Remark(entry.number, entry.list, text))
    return told


def _figure(value: Any) -> str:
    return f"{value:.1f}"


def national_totals(columns: National) -> list[Total]:
    """Return the totals of the four lists."""
    totals = []
    for index, code in enumerate(LISTS):
        published = columns.published[index][columns.rated[index]]
        raw = columns.standings.raw[index][columns.rated[index]]
        names = [name for (of, _), names in columns.filled.items() if of == index for name in names]
        totals.append(_total(code, published, raw, {name: names.count(name) for name in FILLED if name in names}))
    return totals


def _total(code: str, published: Floats, raw: Floats, filled: Mapping[str, int]) -> Total:
    if not len(published):
        return Total(code)
    return Total(
        code,
        len(published),
        float(published.sum()),
        float(raw.sum()),
        float(published.max()),
        float(published.min()),
        filled,
    )


def other_total(code: str, places: Sequence[OnList]) -> Total:
    """Return the totals of a list of another system."""
    shown = [place for place in places if place.published is not None]
    published = np.array([place.published for place in shown], dtype=np.float64)
    return _total(code, published, np.array([place.rating for place in shown], dtype=np.float64), {})


def on_list(entry: Entry, system: str) -> OnList | None:
    """Return a standing on a list of another system, what is missing filled in; None for the unrated."""
    if isinstance(entry.standing, OnList):
        given = entry.standing
        if given.rating is None or given.shown:
            return given if given.rating is not None else None
        published = _shown(system, given.standing, given.rating)
        return replace(given, published=published, highest=given.highest or published)
    rating = entry.published if entry.raw is None else entry.raw
    if rating is None:
        return None
    standing = _standing(entry, system, rating)
    published = _shown(system, standing, rating) if entry.published is None else entry.published
    highest = published if entry.highest is None else entry.highest
    return OnList(standing, rating, published, highest, entry.k, shown=False)


def _standing(entry: Entry, system: str, rating: float) -> Any:
    if system == icu.CODE:
        few = entry.games is not None and entry.games < icu.TEXT["full_games"]
        if few:
            return icu.Standing(icu.PlayerType.PROVISIONAL, rating=rating, games=max(entry.games or 1, 1))
        return icu.Standing(
            icu.PlayerType.RATED, rating=rating, k=entry.k or icu.k_factor(rating, None, None, icu.TEXT)
        )
    if system == uscf.CODE:
        return uscf.Standing(
            rating=rating,
            games=None if entry.games is None else float(entry.games),
            record=uscf.Record(entry.record) if entry.record else None,
            peak=entry.highest,
            wins=entry.wins,
            draws=entry.draws,
            events=entry.events,
        )
    established = cfc.EDITIONS[0]["established_games"]
    games = established if entry.games is None else entry.games
    return cfc.Standing(
        cfc.Status.ESTABLISHED if games >= established else cfc.Status.PROVISIONAL,
        rating=formatting.rounded(rating),
        games=games,
        high=None if entry.highest is None else formatting.rounded(entry.highest),
    )


def _shown(system: str, standing: Any, rating: float) -> float | None:
    """What the list shows of a standing, as its adapter shows it after an event."""
    if system == icu.CODE:
        return max(rating, float(icu.TEXT["list_minimum"]))
    if system == cfc.CODE:
        return float(standing.rating) if standing.games >= cfc.EDITIONS[0]["published_games"] else None
    return float(formatting.rounded(rating))
