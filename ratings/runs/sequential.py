"""The bureau's lists of systems that rate one event after the other, filled from the same events as the four of Chess SA.

Each list keeps the order of the events' end dates. A list that is new begins with the month in which it is first calculated.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

import numpy as np
from django.db.models import QuerySet

from config.lib.database import as_float
from config.lib.editions import EditionError
from events.rules.time_controls import TYPES_OF_GAME, types_of_game
from players.models import Player
from ratings.models import Rating, RatingList
from ratings.runs.bulk_insert import insert_columns
from ratings.runs.inputs import AmendedRegister, PeriodInput, is_listed, read_people
from ratings.runs.snapshot import write_performances
from ratings.systems.adapters import ADAPTERS, Adapter, PlayerFacts, Rated, RatedLine, edition_of
from ratings.systems.base import Event, Game, GameResult, Opponent, RatingError

_Value = TypeVar("_Value")
Dated = tuple[int, str, Event]  # section, type of game, event

_RESULTS = {1.0: GameResult.WHITE_WINS, 0.5: GameResult.DRAW, 0.0: GameResult.BLACK_WINS}


@dataclass(slots=True)
class ListPlace:
    """A player on a list: where he stands, and what the period did to him so far. `rating`, `published`: None unrated."""

    standing: Any
    rating: float | None = None
    published: float | None = None
    previous: float | None = None
    highest: float | None = None
    k: float | None = None
    games: int = 0

    @property
    def shown(self) -> float | None:
        """The published rating, or else the one that is kept."""
        return self.rating if self.published is None else self.published


@dataclass(slots=True)
class ListResult:
    """A list at the end of a period: every player's place, the lines by section and player, and what was not rated."""

    list_id: int
    adapter: Adapter
    places: dict[int, ListPlace]
    register: AmendedRegister = field(default_factory=AmendedRegister)
    calculated_on: date = date.min  # who died before it has no place on the list; date.min: everybody has
    lines: list[tuple[int, int, RatedLine, float | None]] = field(default_factory=list)  # section, player, line, change
    refused: dict[int, str] = field(default_factory=dict)  # section: why it could not be rated


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn on a list: a section that was rated, and his rating as readers know it, before and after."""

    section: int
    before: float | None
    after: float | None
    rated: Rated


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A player's month on a list: his rated sections in order, his place afterwards, and his sections that are not rated,
    each with the reason; `brought` is the rating with which he comes from another list, None when he does not."""

    turns: list[Turn]
    place: ListPlace | None
    refused: dict[int, str]
    brought: float | None


def rate_lists(period_input: PeriodInput) -> list[ListResult]:
    """Return all lists of other systems at the end of a period. Nothing is written."""
    if not period_input.lists:
        return []
    events = _events(period_input)
    people = _people(period_input)
    results = []
    for definition in period_input.lists:
        result = _start(period_input, definition)
        for _ in _rate(result, definition, events, people, _brought(period_input, definition)):
            pass
        results.append(result)
    return results


def rate_player(period_input: PeriodInput, list_id: int, player: int) -> PlayerList:
    """One player's month on a list of another system, bit for bit what the run gave him. StopIteration: no such list.

    Only the sections on which his rating can depend are rated: his own, and the earlier ones of those whom he met there.
    """
    definition = _definition(period_input, list_id)
    events = _events(period_input)
    behind, players = _behind(_counted(definition, events), [str(player)])
    result = _start(period_input, definition, players)
    brought = _brought(period_input, definition, players)

    place = result.places.get(player)
    came_with = brought.get(player) if place is None else None
    turns = []
    shown = place.shown if place else came_with
    for section, rated in _rate(result, definition, behind, _people(period_input, players), brought):
        if str(player) in rated.lines:
            place = result.places.get(player)
            before, shown = shown, place.shown if place else came_with
            turns.append(Turn(section, before, shown, rated))
    refused = {}
    for section, kind, event in events:
        if str(player) in _names(event):
            if section in result.refused:
                refused[section] = result.refused[section]
            elif not getattr(definition, f"counts_{kind}"):
                refused[section] = f"this list does not count {kind} games"
    return PlayerList(turns, place, refused, came_with)


def rate_section(period_input: PeriodInput, list_id: int, section: int) -> tuple[Rated, dict[str, float | None]] | None:
    """Return a section of a period on a list of another system, bit for bit what the run made of it, and its players' ratings
    before it as readers know them; None where the list does not rate it. StopIteration: no such list."""
    definition = _definition(period_input, list_id)
    counted = _counted(definition, _events(period_input))
    place = next((place for place, dated in enumerate(counted) if dated[0] == section), None)
    if place is None:
        return None
    names = _names(counted[place][2])
    behind, players = _behind(counted[: place + 1], names)
    result = _start(period_input, definition, players)
    brought = _brought(period_input, definition, players)

    def shown() -> dict[str, float | None]:
        places = {name: result.places.get(int(name)) for name in names}
        return {name: brought.get(int(name)) if place is None else place.shown for name, place in places.items()}

    before = shown()
    for rated_section, rated in _rate(result, definition, behind, _people(period_input, players), brought):
        if rated_section == section:
            return rated, before
        before = shown()
    return None


def standings_after(
    run_id: int | None, rating_list: RatingList, players: Sequence[int], on: date
) -> dict[int, tuple[Any, PlayerFacts]]:
    """Where some players stand on a list of another system after a run, as an event that ends on the day sees them; those
    who are not on it stand as newcomers. Raises EditionError if no edition was in force."""
    adapter = ADAPTERS[rating_list.system]
    edition = edition_of(adapter, rating_list.edition, on)
    places = _places(run_id, rating_list.pk, adapter, players)
    starts_from = rating_list.starts_from_id
    brought = _published(run_id, starts_from, players) if starts_from else {}
    people = {player: PlayerFacts(*facts) for player, facts in read_people(players).items()}
    standings = {}
    for player, person in people.items():
        place = places.get(player)
        standing = place.standing if place else adapter.newcomer(brought.get(player), edition)
        standings[player] = adapter.standing_on(standing, person, on, edition), person
    return standings


def write_lists(run_id: int, results: list[ListResult]) -> None:
    """Write the places and lines of a run."""
    for result in results:
        columns = place_columns(result)
        insert_columns(Rating, {"run_id": [run_id] * len(columns["list_id"]), **columns})
        write_performances(run_id, line_columns(result))


def line_columns(result: ListResult) -> dict[str, list[Any]]:
    """Return the performance of every player and section on a list as columns of the table, without that of the run."""
    return {
        "list_id": [result.list_id] * len(result.lines),
        "section_id": [section for section, _, _, _ in result.lines],
        "player_id": [player for _, player, _, _ in result.lines],
        "games": [line.games for _, _, line, _ in result.lines],
        "score": [line.score for _, _, line, _ in result.lines],
        "expected": [line.expected for _, _, line, _ in result.lines],
        "performance": [line.performance for _, _, line, _ in result.lines],
        "change": [change or 0.0 for _, _, _, change in result.lines],
        "average_opponent": [None] * len(result.lines),  # Chess SA's lists alone have one
    }


def _definition(period_input: PeriodInput, list_id: int) -> Any:
    definitions: list[Any] = list(period_input.lists)
    return next(definition for definition in definitions if definition.pk == list_id)


def _start(period_input: PeriodInput, definition: Any, players: Sequence[int] | None = None) -> ListResult:
    adapter = ADAPTERS[definition.system]
    places = _places(period_input.previous_run, definition.pk, adapter, players)
    return ListResult(
        definition.pk,
        adapter,
        _without(places, period_input.register.merged),
        period_input.register,
        period_input.calculated_on,
    )


def _brought(period_input: PeriodInput, definition: Any, players: Sequence[int] | None = None) -> dict[int, float]:
    brought = _published(period_input.previous_run, definition.starts_from, players) if definition.starts_from else {}
    return _without(brought, period_input.register.merged)


def _without(values: dict[int, _Value], left_out: Collection[int]) -> dict[int, _Value]:
    return {player: value for player, value in values.items() if player not in left_out} if left_out else values


def _rate(
    result: ListResult,
    definition: Any,
    events: Sequence[Dated],
    people: dict[int, PlayerFacts],
    brought: dict[int, float],
) -> Iterator[tuple[int, Rated]]:
    """Rate the sections that the list counts, one after the other, into the result; each is handed out once it is in."""
    adapter = result.adapter
    for section, _, event in _counted(definition, events):
        try:
            edition = edition_of(adapter, definition.edition, event.ended or date.min)
            before = {}
            for name in sorted(_names(event), key=lambda name: _number(name, people)):
                player = int(name)
                place = result.places.get(player)
                standing = place.standing if place else adapter.newcomer(brought.get(player), edition)
                before[name] = adapter.standing_on(standing, people[player], event.ended or date.min, edition)
            rated = adapter.rate(event, before, edition)
        except (RatingError, EditionError) as error:
            result.refused[section] = str(error)
            continue
        for name, line in rated.lines.items():
            _take(result, section, int(name), line, rated.standings[name], brought.get(int(name)))
        yield section, rated


def _number(name: str, people: dict[int, PlayerFacts]) -> int:
    """Return what a player's turn goes by: his number, or in a month that kept no numbers his id."""
    return int(people[int(name)].number or name)


def _counted(definition: Any, events: Sequence[Dated]) -> list[Dated]:
    counted = {kind for kind in TYPES_OF_GAME if getattr(definition, f"counts_{kind}")}
    return [dated for dated in events if dated[1] in counted]


def _names(event: Event) -> list[str]:
    return sorted({side for game in event.games for side in (game.white, game.black) if isinstance(side, str)})


def _behind(events: Sequence[Dated], players: Sequence[str]) -> tuple[list[Dated], list[int]]:
    """Return the events on which the players' ratings depend, in order, and all who play in them, themselves included."""
    needed, kept = set(players), []
    for dated in reversed(events):
        names = _names(dated[2])
        if not needed.isdisjoint(names):
            needed.update(names)
            kept.append(dated)
    return kept[::-1], sorted(map(int, needed))


def _take(result: ListResult, section: int, player: int, line: RatedLine, standing: Any, brought: float | None) -> None:
    place = result.places.get(player)
    if place is None:
        place = ListPlace(standing, rating=brought, previous=brought)
        if line.rating is not None:  # who stays unrated begins anew with the next event
            result.places[player] = place
    before = place.shown
    place.standing = standing
    place.games += line.games
    if line.rating is not None:
        place.rating = line.rating
        place.k = line.k
    if line.published is not None:
        place.published = line.published
        place.highest = max(place.highest or line.published, line.published)
    if line.rating is not None:  # an event that leaves him unrated is no performance of his
        change = None if before is None or place.shown is None else place.shown - before
        result.lines.append((section, player, line, change))


def _events(period_input: PeriodInput) -> list[Dated]:
    """Return the sections in the order of rating; those of no type (too fast) are left out."""
    kinds = types_of_game(period_input.section_minutes, period_input.edition)
    games = period_input.games
    bounds = np.searchsorted(games.event, np.arange(len(period_input.sections) + 1))
    rows = list(zip(games.white.tolist(), games.black.tolist(), games.white_score.tolist(), games.guest.tolist(),
                    games.round.tolist(), strict=True))  # fmt: skip
    events = []
    for index, section in enumerate(period_input.sections.tolist()):
        played = rows[bounds[index] : bounds[index + 1]]
        if kinds[index] < 0 or not played:
            continue
        event = Event(
            id=str(section),
            ended=date.fromordinal(int(period_input.section_ended[index])),
            games=tuple(
                Game(_side(white, guest), _side(black, guest), _RESULTS[score], round_)
                for white, black, score, guest, round_ in played
            ),
        )
        events.append((section, TYPES_OF_GAME[kinds[index]], event))
    return events


def _side(player: int, guest: float) -> str | Opponent:
    return str(player) if player else Opponent(rating=guest)


def _people(period_input: PeriodInput, players: Sequence[int] | None = None) -> dict[int, PlayerFacts]:
    chosen = period_input.people if players is None else period_input.people.keys() & set(players)
    return {player: PlayerFacts(*period_input.people[player]) for player in chosen}


def _places(
    run_id: int | None, list_id: int, adapter: Adapter, players: Sequence[int] | None = None
) -> dict[int, ListPlace]:
    rows = _standing(run_id, list_id, players).values_list(
        "player_id", "standing", as_float("raw"), as_float("published"), as_float("highest"), "k"
    )
    return {
        player: ListPlace(adapter.from_json(standing or {}), raw, published, previous=published, highest=highest, k=k)
        for player, standing, raw, published, highest, k in rows
    }


def _published(run_id: int | None, list_id: int, players: Sequence[int] | None = None) -> dict[int, float]:
    rows = _standing(run_id, list_id, players).filter(published__isnull=False)
    return dict(rows.values_list("player_id", as_float("published")))


def _standing(run_id: int | None, list_id: int, players: Sequence[int] | None) -> QuerySet[Rating]:
    merged = Player.objects.filter(merged_into__isnull=False).order_by().values("pk")
    rows = Rating.objects.filter(run=run_id, list=list_id).exclude(player_id__in=merged)
    return rows if players is None else rows.filter(player_id__in=players)


def place_columns(result: ListResult) -> dict[str, list[Any]]:
    """Return the places on a list by column of the database."""
    kept = [(player, place) for player, place in sorted(result.places.items())]
    rows = Player.objects.filter(pk__in=result.places).values_list("pk", "region_id", "folded_name", "died_on")
    known: dict[int, tuple[int | None, str]] = {}
    unlisted: set[int] = set()
    for pk, region, name, died_on in rows:
        known[pk] = region, name
        if not is_listed(died_on, result.calculated_on):
            unlisted.add(pk)
    known |= {player: amended for player, amended in result.register.players.items() if player in known}
    ranked = sorted(
        (player for player, place in kept if place.published is not None and player not in unlisted),
        key=lambda player: (-(result.places[player].published or 0.0), known[player][1], player),
    )
    position = {player: index for index, player in enumerate(ranked, start=1)}
    rank: dict[int, int] = {}
    for before, player in zip([0, *ranked], ranked, strict=False):
        tie = before and result.places[before].published == result.places[player].published
        rank[player] = rank[before] if tie else position[player]
    return {
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
        "standing": [json.dumps(result.adapter.to_json(place.standing)) for _, place in kept],
    }
