"""The bureau's lists of systems that rate one event after the other, filled from the same events as the four of Chess SA.

Each list keeps the order of the events' end dates. A list that is new begins with the month in which it is first calculated.
"""

import json
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from players.models import Player
from ratings.bulk import insert_columns
from ratings.gather import PeriodInput
from ratings.models import Performance, Rating
from ratings.queries import as_float
from ratings.shelf import SHELF, Adapter, Line, Person, edition_of
from ratings.systems.base import Event, Game, GameResult, Opponent, RatingError
from ratings.systems.chessa_columns import KINDS
from ratings.systems.chessa_games import kinds_of_game

_RESULTS = {1.0: GameResult.WHITE_WINS, 0.5: GameResult.DRAW, 0.0: GameResult.BLACK_WINS}


@dataclass(slots=True)
class Place:
    """A player on a list: where he stands, and what the period did to him so far. `rating`, `published`: None unrated."""

    standing: Any
    rating: float | None = None
    published: float | None = None
    previous: float | None = None
    highest: float | None = None
    k: float | None = None
    games: int = 0


@dataclass(slots=True)
class ListResult:
    """A list at the end of a period: every player's place, the lines by section and player, and what was not rated."""

    list_id: int
    adapter: Adapter
    places: dict[int, Place]
    lines: list[tuple[int, int, Line, float | None]] = field(default_factory=list)  # section, player, line, change
    remarks: list[str] = field(default_factory=list)


def rate_lists(found: PeriodInput) -> list[ListResult]:
    """All lists of other systems at the end of a period. Nothing is written."""
    if not found.lists:
        return []
    events = _events(found)
    people = _people(found)
    return [_rate_list(found, definition, events, people) for definition in found.lists]


def write_lists(run_id: int, results: list[ListResult]) -> None:
    """Write the places and lines of a run."""
    for result in results:
        _write_places(run_id, result)
        insert_columns(
            Performance,
            {
                "run_id": [run_id] * len(result.lines),
                "list_id": [result.list_id] * len(result.lines),
                "section_id": [section for section, _, _, _ in result.lines],
                "player_id": [player for _, player, _, _ in result.lines],
                "games": [line.games for _, _, line, _ in result.lines],
                "score": [line.score for _, _, line, _ in result.lines],
                "expected": [line.expected for _, _, line, _ in result.lines],
                "performance": [line.performance for _, _, line, _ in result.lines],
                "change": [change or 0.0 for _, _, _, change in result.lines],
            },
        )


def _rate_list(
    found: PeriodInput, definition: Any, events: list[tuple[int, str, Event]], people: dict[int, Person]
) -> ListResult:
    adapter = SHELF[definition.system]
    result = ListResult(definition.pk, adapter, _places(found.previous_run, definition.pk, adapter))
    brought = _published(found.previous_run, definition.starts_from) if definition.starts_from else {}
    counted = {kind for kind in KINDS if getattr(definition, f"counts_{kind}")}
    for section, kind, event in events:
        if kind not in counted:
            continue
        try:
            edition = edition_of(adapter, definition.edition, event.ended or date.min)
            names = sorted({side for game in event.games for side in (game.white, game.black) if isinstance(side, str)})
            before = {}
            for name in names:
                player = int(name)
                place = result.places.get(player)
                before[name] = place.standing if place else adapter.newcomer(brought.get(player), edition)
            rated = adapter.rate(event, before, {name: people[int(name)] for name in names}, edition)
        except RatingError as error:
            result.remarks.append(f"section {section} is not rated on this list: {error.message}")
            continue
        for name, line in rated.lines.items():
            _take(result, section, int(name), line, rated.standings[name], brought.get(int(name)))
    return result


def _take(result: ListResult, section: int, player: int, line: Line, standing: Any, brought: float | None) -> None:
    place = result.places.get(player)
    if place is None:
        place = Place(standing, rating=brought, previous=brought)
        if line.rating is not None:  # who stays unrated begins anew with the next event
            result.places[player] = place
    change = None if line.rating is None or place.rating is None else line.rating - place.rating
    place.standing = standing
    place.games += line.games
    if line.rating is not None:
        place.rating = line.rating
        place.k = line.k
    if line.published is not None:
        place.published = line.published
        place.highest = max(place.highest or line.published, line.published)
    result.lines.append((section, player, line, change))


def _events(found: PeriodInput) -> list[tuple[int, str, Event]]:
    """(section, type of game, event) in the order of rating; sections of no type (too fast) are left out."""
    kinds = kinds_of_game(found.section_minutes, found.edition)
    games = found.games
    bounds = np.searchsorted(games.event, np.arange(len(found.sections) + 1))
    rows = list(zip(games.white.tolist(), games.black.tolist(), games.white_score.tolist(), games.guest.tolist(),
                    games.round.tolist(), strict=True))  # fmt: skip
    events = []
    for index, section in enumerate(found.sections.tolist()):
        played = rows[bounds[index] : bounds[index + 1]]
        if kinds[index] < 0 or not played:
            continue
        event = Event(
            id=str(section),
            ended=date.fromordinal(int(found.section_ended[index])),
            games=tuple(
                Game(_side(white, guest), _side(black, guest), _RESULTS[score], round_)
                for white, black, score, guest, round_ in played
            ),
        )
        events.append((section, KINDS[kinds[index]], event))
    return events


def _side(player: int, guest: float) -> str | Opponent:
    return str(player) if player else Opponent(rating=guest)


def _people(found: PeriodInput) -> dict[int, Person]:
    ids = np.unique(np.concatenate((found.games.white, found.games.black))).tolist()
    rows = Player.objects.filter(pk__in=ids).values_list("pk", "birth_date", "birth_year", "registered_at")
    return {
        pk: Person(born or (date(year, 7, 1) if year else None), registered.date())
        for pk, born, year, registered in rows
    }


def _places(run_id: int | None, list_id: int, adapter: Adapter) -> dict[int, Place]:
    rows = Rating.objects.filter(run=run_id, list=list_id).values_list(
        "player_id", "standing", as_float("raw"), as_float("published"), as_float("highest"), "k"
    )
    return {
        player: Place(adapter.take(standing or {}), raw, published, previous=published, highest=highest, k=k)
        for player, standing, raw, published, highest, k in rows
    }


def _published(run_id: int | None, list_id: int) -> dict[int, float]:
    rows = Rating.objects.filter(run=run_id, list=list_id, published__isnull=False)
    return dict(rows.values_list("player_id", as_float("published")))


def _write_places(run_id: int, result: ListResult) -> None:
    kept = [(player, place) for player, place in sorted(result.places.items())]
    known = {
        pk: (region, name)
        for pk, region, name in Player.objects.filter(pk__in=result.places).values_list(
            "pk", "region_id", "folded_name"
        )
    }
    ranked = sorted(
        (player for player, place in kept if place.published is not None),
        key=lambda player: (-(result.places[player].published or 0.0), known[player][1], player),
    )
    position = {player: index for index, player in enumerate(ranked, start=1)}
    rank: dict[int, int] = {}
    for before, player in zip([0, *ranked], ranked, strict=False):
        tie = before and result.places[before].published == result.places[player].published
        rank[player] = rank[before] if tie else position[player]
    insert_columns(
        Rating,
        {
            "run_id": [run_id] * len(kept),
            "list_id": [result.list_id] * len(kept),
            "player_id": [player for player, _ in kept],
            "region_id": [known[player][0] for player, _ in kept],
            "rank": [rank.get(player) for player, _ in kept],
            "position": [position.get(player) for player, _ in kept],
            "games": [place.games for _, place in kept],
            "k": [place.k for _, place in kept],
            "change": [(place.published or 0.0) - (place.previous or place.published or 0.0) for _, place in kept],
            "raw": [place.rating for _, place in kept],
            "published": [place.published for _, place in kept],
            "previous": [place.previous for _, place in kept],
            "highest": [place.highest for _, place in kept],
            "pending_penalty": [0.0] * len(kept),
            "standing": [json.dumps(result.adapter.keep(place.standing)) for _, place in kept],
        },
    )
