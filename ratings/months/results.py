"""How the ratings of a run moved: their distribution on a list, and what is out of the ordinary."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from config.lib import formatting
from config.lib.database import as_float
from events.models import Section
from players.models import Player
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.queries import rows_of
from ratings.lists.rows import ListRow, ranked
from ratings.models import Performance, RatingRun

_EDGES = (-100.0, -50.0, -25.0, -10.0, 0.0, 10.0, 25.0, 50.0, 100.0)
_DEVIATIONS = 3  # standard deviations from the mean
_FEWEST = 20  # players or tournaments; among fewer nothing is out of the ordinary
_FEWEST_GAMES = 3  # of a tournament: a performance from fewer says little
MOST = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """How many players moved by how much. `share`: of the highest bar, in per cent, for its width."""

    text: str
    count: int
    share: int


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A player of whom something is out of the ordinary: what, as a text with its figures."""

    row: ListRow
    what: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A player's published rating on a list, by the month's run before and by this one, as texts."""

    player: Player
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ListDifferences:
    """How many ratings of a list differ from the run before, and the greatest differences."""

    listing: ListDefinition
    count: int
    greatest: list[Difference]


def differences_of(run: RatingRun) -> list[ListDifferences]:
    """Return how a run differs from the one that was calculated for its month before, list by list. One query at most."""
    kept = run.against.get("lists", {})
    players = Player.objects.in_bulk({row[0] for of_list in kept.values() for row in of_list["greatest"]})
    return [
        ListDifferences(
            listing,
            kept[str(listing.id)]["count"],
            [
                Difference(players[player], _rating(listing, old), _rating(listing, new))
                for player, old, new in kept[str(listing.id)]["greatest"]
                if player in players
            ],
        )
        for listing in list_definitions()
        if str(listing.id) in kept
    ]


def _rating(listing: ListDefinition, rating: float | None) -> str:
    return "not on the list" if rating is None else listing.rating(rating)


@dataclass(frozen=True, slots=True)
class Movement:
    """How a list moved: of players who had games and were rated before, by how much."""

    bars: list[Bar]
    summary: str
    anomalies: list[Anomaly]
    more: int


def movement(run: RatingRun, listing: ListDefinition) -> Movement:
    """Return how the ratings of a list moved by a run, for those with games. Four queries."""
    ratings: Any = ranked(run.pk, list_id=listing.id, games__gt=0, previous__isnull=False)
    rows = list(ratings.values_list("player_id", "now", "then"))
    players = [row[0] for row in rows]
    then = np.array([row[2] for row in rows], dtype=float)
    moved = np.array([row[1] for row in rows], dtype=float) - then
    found = [
        (players[place], _beyond("moved", listing.change(float(moved[place])), moved, listing))
        for place in _outliers(moved)
    ]
    found += _of_tournaments(run, listing, dict(zip(players, then.tolist(), strict=True)))
    lines = rows_of(run.pk, listing, {player for player, _ in found[:MOST]})
    return Movement(
        _bars(moved),
        _summary(moved, listing),
        [Anomaly(lines[player], what) for player, what in found[:MOST] if player in lines],
        max(len(found) - MOST, 0),
    )


def _of_tournaments(run: RatingRun, listing: ListDefinition, then: dict[int, float]) -> Iterator[tuple[int, str]]:
    rows = [
        row
        for row in Performance.objects.filter(
            run=run, list=listing.id, games__gte=_FEWEST_GAMES, performance__isnull=False
        ).values_list("player_id", "section_id", as_float("performance"), "average_opponent")
        if row[0] in then
    ]
    sections = Section.objects.select_related("event").in_bulk({row[1] for row in rows}) if len(rows) >= _FEWEST else {}
    performances = np.array([row[2] - then[row[0]] for row in rows], dtype=float)
    for place in _outliers(performances):
        player, section, performance, _ = rows[place]
        figures = f"{listing.rating(performance)} against a rating of {listing.rating(then[player])}"
        yield player, _beyond(f"performance in {sections[section]}", figures, performances, listing)
    met = [row for row in rows if row[3] is not None]
    distances = np.array([row[3] - then[row[0]] for row in met], dtype=float)
    for place in _outliers(distances):
        player, section, _, opponents = met[place]
        figures = f"{listing.rating(opponents)} on average against a rating of {listing.rating(then[player])}"
        yield player, _beyond(f"opponents in {sections[section]}", figures, distances, listing)


def _outliers(values: NDArray[np.float64]) -> list[int]:
    """Return the places of the values that are far from the mean, the farthest first."""
    if len(values) < _FEWEST:
        return []
    distance = np.abs(values - values.mean())
    places = np.flatnonzero(distance > _DEVIATIONS * values.std())
    return sorted(places.tolist(), key=lambda place: (-distance[place], place))


def _beyond(what: str, figures: str, values: NDArray[np.float64], listing: ListDefinition) -> str:
    mean = listing.change(float(values.mean()))
    return f"{what}: {figures} (usual {mean} ± {formatting.decimal(float(values.std()), 1)})"


def _bars(moved: NDArray[np.float64]) -> list[Bar]:
    if not len(moved):
        return []
    falls = [int(((moved >= low) & (moved < high)).sum()) for low, high in _between(-np.inf, 0.0)]
    rises = [int(((moved > low) & (moved <= high)).sum()) for low, high in _between(0.0, np.inf)]
    counts = [*falls, int((moved == 0).sum()), *rises]
    texts = [
        *(_text(low, high) for low, high in _between(-np.inf, 0.0)),
        "unchanged",
        *(_text(low, high) for low, high in _between(0.0, np.inf)),
    ]
    highest = max(counts)
    return [Bar(text, count, round(100 * count / highest)) for text, count in zip(texts, counts, strict=True)]


def _between(low: float, high: float) -> list[tuple[float, float]]:
    edges = [low, *(edge for edge in _EDGES if low < edge < high), high]
    return list(pairwise(edges))


def _text(low: float, high: float) -> str:
    if low == -np.inf:
        return f"fell by more than {-high:g}"
    if high == np.inf:
        return f"rose by more than {low:g}"
    return f"fell by up to {-low:g}" if high <= 0 else f"rose by up to {high:g}"


def _summary(moved: NDArray[np.float64], listing: ListDefinition) -> str:
    if not len(moved):
        return "None of those with games was rated before."
    players = formatting.count(len(moved), "player")
    deviation = formatting.decimal(float(moved.std()), 1)
    return (
        f"{players} with games, rated before: {listing.change(float(moved.mean()))} on average, standard deviation"
        f" {deviation}."
    )
