"""Chess SA rating cases: from JSON to the columns of a period, to its answer, and back. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from config.lib.editions import Edition, edition_named
from events.rules.time_controls import TYPES_OF_GAME, minutes
from ratings.cases.events import CASE_FIELDS, read_events, read_player_ids
from ratings.cases.fields import MOST_ACTIVITY, RATING_RANGE, Node
from ratings.systems import chessa
from ratings.systems.base import Event, Opponent, RatingError, TimeControl
from ratings.systems.chessa.columns import LISTS, RECENT, Floats, Ints, PeriodColumns, StandingColumns, day
from ratings.systems.chessa.result import PeriodResult

_LIST_FIELDS = frozenset([
    "raw", "highest", "raw_history", "last_performances", "pending_penalty", "published", "window", "activity",
])  # fmt: skip
_WINDOW_TOLERANCE = 1e-6  # how far the sums of a window may be from those of its ratings: they are carried on for years
_MOST_POINTS = RATING_RANGE[1]
_SCORES = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


@dataclass(frozen=True, slots=True)
class PeriodCase:
    """A case as the calculation takes it. The rows of the columns are the players and events in the order of the ids."""

    columns: PeriodColumns
    edition: Edition
    player_ids: tuple[str, ...]
    event_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseEvent:
    """What a case says of an event beside its games."""

    id: str
    ended: date
    time_control: TimeControl


@dataclass(slots=True)  # not frozen: a case has four of each player
class ListStanding:
    """Where a player stands on a list, as a case says. `raw` None: unrated; `highest`, `published`, `window` None: not said.

    `history`: raw ratings newest first, from `raw` on; `recent`: (performance, day, index in TYPES_OF_GAME), the newest five,
    newest first; `window`: the sums of article 49 as a bureau has carried them on, which may differ from those of the history
    in their last bits; `activity`: games that count towards it (article 55).
    """

    raw: float | None = None
    highest: float | None = None
    history: tuple[float, ...] = ()
    recent: tuple[tuple[float, int, int], ...] = ()
    pending_penalty: float = 0.0
    published: float | None = None
    window: tuple[float, float] | None = None
    activity: int = 0


def answer(case: Node) -> dict[str, Any]:
    """Return the answer to a case: `players.{id}.{list}`. Raises CaseError or RatingError if the case cannot be read."""
    period = read_case(case)
    return {"players": _answers(chessa.rate(period.columns, period.edition), period.player_ids)}


def read_case(case: Node) -> PeriodCase:
    """Return the columns of a case. Only played games become rows; an event or stored performance that ended after the day of
    calculation is refused. Raises CaseError with the place."""
    case.fields(CASE_FIELDS)
    if case.has("options"):
        case["options"].fields(())
    calculated_on = case["calculated_on"].day()
    edition = (
        edition_named(chessa.EDITIONS, case["rules"].text()) if case.has("rules") else chessa.edition_for(calculated_on)
    )
    player_nodes = read_player_ids(case)
    rows = {name: row for row, name in enumerate(player_nodes)}
    events = read_events(case, rows, ("rating", "fide", "performance"))
    for event, node in zip(events, case["events"].items(), strict=True):
        if event.ended is None:
            raise node["ended"].fail("the day on which the event ended was expected")
        if event.ended > calculated_on:
            raise node["ended"].fail(f"the event ended after the day of calculation, {calculated_on}")
        if event.time_control is None:
            raise node["time_control"].fail("the time control of the event was expected")
    standings, oldest = _read_standings(list(player_nodes.values()), calculated_on, edition)
    columns = PeriodColumns(
        calculated_on=day(calculated_on),
        standings=standings,
        oldest=oldest,
        event_ended=np.array([day(event.ended) for event in events if event.ended], dtype=np.int64),
        event_minutes=np.array(
            [
                minutes(event.time_control.base, event.time_control.increment, edition)
                for event in events
                if event.time_control
            ],
            dtype=np.float64,
        ),
        **_game_columns(events, rows, edition),
        **_penalty_columns(case, rows, {event.id: row for row, event in enumerate(events)}),
        **_adjustment_columns(case, rows),
    )
    return PeriodCase(columns, edition, tuple(rows), tuple(event.id for event in events))


def write_case(
    *,
    id: str,
    calculated_on: date,
    edition: Edition,
    player_ids: Sequence[str],
    events: Sequence[CaseEvent],
    columns: PeriodColumns,
    raw_history: Floats,
    result: PeriodResult,
    rounds: Sequence[int | None] | None = None,
    guests: Sequence[Opponent | None] | None = None,
    source: str = "",
) -> dict[str, Any]:
    """Return a period as a case, with its result as `expected`; `json.dump` writes every double in full.

    `raw_history` (4, n, 24) newest first, nan after the last; `rounds` and `guests` (g,) of the games. An opponent who is not
    on the register is written as the guest says, with his FIDE rating or performance; without `guests` with the adjusted
    rating that was used. Raises RatingError if a history does not begin with the raw rating.
    """
    games: list[list[dict[str, Any]]] = [[] for _ in events]
    rows = zip(
        columns.event.tolist(),
        columns.white.tolist(),
        columns.black.tolist(),
        columns.white_score.tolist(),
        columns.guest.tolist(),
        rounds or [None] * len(columns.event),
        guests or [None] * len(columns.event),
        strict=True,
    )
    for event, white, black, score, used, number, guest in rows:
        game: dict[str, Any] = {} if number is None else {"round": number}
        abroad = _written_guest(guest or Opponent(rating=used))
        game["white"] = player_ids[white] if white >= 0 else abroad
        game["black"] = player_ids[black] if black >= 0 else abroad
        game["result"] = _SCORES[score]
        games[event].append(game)
    document: dict[str, Any] = {
        "id": id,
        "system": chessa.CODE,
        "rules": edition.name,
        "calculated_on": calculated_on.isoformat(),
        "players": _written_players(player_ids, columns.standings, raw_history),
        "events": [
            {
                "id": event.id,
                "ended": event.ended.isoformat(),
                "time_control": {"base": event.time_control.base, "increment": event.time_control.increment},
                "games": played,
            }
            for event, played in zip(events, games, strict=True)
        ],
        "penalties": [
            {"player": player_ids[player], "event": events[event].id, "points": points}
            for player, event, points in zip(
                columns.penalty_player.tolist(),
                columns.penalty_event.tolist(),
                columns.penalty_points.tolist(),
                strict=True,
            )
        ],
        "expected": {"players": _answers(result, player_ids)},
        "tolerance": 1e-6,
        "source": source,
    }
    if len(columns.adjusted_points):
        document["adjustments"] = [
            {"player": player_ids[player], "list": LISTS[index], "points": points}
            for player, index, points in zip(
                columns.adjusted_player.tolist(),
                columns.adjusted_list.tolist(),
                columns.adjusted_points.tolist(),
                strict=True,
            )
        ]
    return document


def _written_guest(guest: Opponent) -> dict[str, float]:
    figures = (("rating", guest.rating), ("fide", guest.fide), ("performance", guest.performance))
    return {name: rating for name, rating in figures if rating is not None}


def _answers(result: PeriodResult, player_ids: Sequence[str]) -> dict[str, dict[str, dict[str, Any]]]:
    names = ("k", "change", "weighted_performance", "raw", "weighted", "published", "highest")
    rated, games, pending = result.rated.tolist(), result.games.tolist(), result.pending_penalty.tolist()
    figures = {name: getattr(result, name).tolist() for name in names}

    def entry(index: int, row: int) -> dict[str, Any]:
        values: dict[str, Any] = {"rated": rated[index][row], "games": games[index][row]}
        if values["rated"]:
            for name in names:
                value = figures[name][index][row]
                values[name] = None if value != value else value
        values["pending_penalty"] = pending[index][row]
        return values

    return {
        name: {list_name: entry(index, row) for index, list_name in enumerate(LISTS)}
        for row, name in enumerate(player_ids)
    }


def _read_standings(players: Sequence[Node], calculated_on: date, edition: Edition) -> tuple[StandingColumns, Floats]:
    """Everybody's standings, and the ratings that leave the window now."""
    shape = (len(LISTS), len(players))
    unrated, size = edition["unrated_rating"], edition["window"]
    raw, highest = np.full(shape, np.nan), np.full(shape, np.nan)
    history = np.full((*shape, size), unrated)
    carried = np.full((*shape, 2), np.nan)
    pending = np.zeros(shape)
    performance = np.full((*shape, RECENT), np.nan)
    ended = np.zeros((*shape, RECENT), dtype=np.int64)
    kind = np.full((*shape, RECENT), -1, dtype=np.int64)
    for row, player in enumerate(players):
        player.fields({"id", "lists"})
        if not player.has("lists"):
            continue
        for name, node in player["lists"].members(LISTS).items():
            if node.value is None:
                continue
            index = LISTS.index(name)
            standing = read_list_standing(node, name, calculated_on, edition)
            pending[index, row] = standing.pending_penalty
            if standing.raw is None:
                continue
            raw[index, row] = standing.raw
            highest[index, row] = standing.raw if standing.highest is None else standing.highest
            history[index, row, : len(standing.history)] = standing.history
            if standing.window:
                carried[index, row] = standing.window
            for place, recent in enumerate(standing.recent):
                performance[index, row, place], ended[index, row, place], kind[index, row, place] = recent
    sums = window_sums(history)
    window_sum, window_weighted = (np.where(np.isnan(carried[..., at]), sums[at], carried[..., at]) for at in (0, 1))
    standings = StandingColumns(
        raw=raw,
        highest=highest,
        window_sum=window_sum,
        window_weighted=window_weighted,
        pending_penalty=pending,
        recent_performance=performance,
        recent_ended=ended,
        recent_kind=kind,
    )
    return standings, history[:, :, -1].copy()


def window_sums(history: Floats) -> tuple[Floats, Floats]:
    """Return the sum and the weighted sum (article 49) of raw ratings (..., 24), newest first, missing ones filled."""
    return history.sum(axis=-1), (history * np.arange(history.shape[-1], 0, -1)).sum(axis=-1)


def read_list_standing(node: Node, name: str, calculated_on: date, edition: Edition) -> ListStanding:
    """Read the member of `lists` of that name. Raises CaseError with the place."""
    node.fields(_LIST_FIELDS)
    pending = node["pending_penalty"].number(0, _MOST_POINTS) if node.has("pending_penalty") else 0.0
    activity = node["activity"].whole(0, MOST_ACTIVITY) if node.has("activity") else 0
    if not node.has("raw"):
        _check_unrated(node)
        return ListStanding(pending_penalty=pending, activity=activity)
    raw = node["raw"].number(*RATING_RANGE)
    history = _read_history(node, raw, edition["window"])
    return ListStanding(
        raw=raw,
        highest=node["highest"].number(*RATING_RANGE) if node.has("highest") else None,
        history=tuple(history),
        recent=tuple(_read_recent(node, name, calculated_on)),
        pending_penalty=pending,
        published=node["published"].number(*RATING_RANGE) if node.has("published") else None,
        window=_read_window(node["window"], history, edition) if node.has("window") else None,
        activity=activity,
    )


def _read_window(node: Node, history: Sequence[float], edition: Edition) -> tuple[float, float]:
    node.fields({"sum", "weighted"})
    filled = [*history, *[edition["unrated_rating"]] * (edition["window"] - len(history))]
    carried = node["sum"].number(), node["weighted"].number()
    for name, given, sum_of_history in zip(("sum", "weighted"), carried, window_sums(np.array(filled)), strict=True):
        if abs(given - float(sum_of_history)) > _WINDOW_TOLERANCE:
            raise node[name].fail(f"{float(sum_of_history)!r} was expected, the sum that raw_history has")
    return carried


def _check_unrated(node: Node) -> None:
    for name in ("highest", "raw_history", "last_performances", "published", "window"):
        if node.has(name) and node[name].value != []:
            raise node["raw"].fail(f"a number was expected beside {name}: an unrated player has none")


def _read_history(node: Node, raw: float, size: int) -> list[float]:
    if not node.has("raw_history"):
        return [raw]
    place = node["raw_history"]
    ratings = [item.number(*RATING_RANGE) for item in place.items()]
    if len(ratings) > size:
        raise place.fail(f"at most {size} ratings were expected, found {len(ratings)}")
    if not ratings or ratings[0] != raw:
        raise place.fail(f"the first rating must be raw, {raw!r}")
    return ratings


def _read_recent(node: Node, name: str, calculated_on: date) -> list[tuple[float, int, int]]:
    """Return the newest five (performance, day, kind), on one day in the order of the case."""
    performances: list[tuple[float, int, int]] = []
    if not node.has("last_performances"):
        return performances
    kinds = TYPES_OF_GAME if name == LISTS[0] else (name,)
    for item in node["last_performances"].items():
        item.fields({"performance", "type", "ended"})
        ended = item["ended"].day()
        if ended > calculated_on:
            raise item["ended"].fail(f"the event ended after the day of calculation, {calculated_on}")
        kind = TYPES_OF_GAME.index(item["type"].choice(kinds))
        performances.append((item["performance"].number(*RATING_RANGE), day(ended), kind))
    return sorted(performances, key=lambda recent: -recent[1])[:RECENT]


def _game_columns(events: Sequence[Event], rows: Mapping[str, int], edition: Edition) -> dict[str, Any]:
    games = [(row, game) for row, event in enumerate(events) for game in event.games if game.result.played]
    guests = [
        next((_guest_rating(side, edition) for side in (game.white, game.black) if isinstance(side, Opponent)), np.nan)
        for _, game in games
    ]
    return {
        "event": np.array([row for row, _ in games], dtype=np.int64),
        "white": np.array([_row(game.white, rows) for _, game in games], dtype=np.int64),
        "black": np.array([_row(game.black, rows) for _, game in games], dtype=np.int64),
        "white_score": np.array([game.result.white_score for _, game in games], dtype=np.float64),
        "guest": np.array(guests, dtype=np.float64),
    }


def _row(side: str | Opponent | None, rows: Mapping[str, int]) -> int:
    return rows[side] if isinstance(side, str) else -1


def _guest_rating(opponent: Opponent, edition: Edition) -> float:
    if opponent.rating is not None:
        return opponent.rating
    abroad = opponent.fide if opponent.fide is not None else opponent.performance
    if abroad is None:
        raise RatingError("an opponent without a rating")
    return chessa.adjusted_fide(abroad, edition)


def _penalty_columns(case: Node, rows: Mapping[str, int], events: Mapping[str, int]) -> dict[str, Any]:
    players: list[int] = []
    places: list[int] = []
    points: list[float] = []
    for item in case["penalties"].items() if case.has("penalties") else ():
        item.fields({"player", "event", "points"})
        player, event = item["player"].text(), item["event"].text()
        if player not in rows:
            raise item["player"].fail(f"player {player!r} is not among the players of the case")
        if event not in events:
            raise item["event"].fail(f"event {event!r} is not among the events of the case")
        players.append(rows[player])
        places.append(events[event])
        points.append(item["points"].number(0, _MOST_POINTS))
    return {
        "penalty_player": np.array(players, dtype=np.int64),
        "penalty_event": np.array(places, dtype=np.int64),
        "penalty_points": np.array(points, dtype=np.float64),
    }


def _adjustment_columns(case: Node, rows: Mapping[str, int]) -> dict[str, Any]:
    players: list[int] = []
    lists: list[int] = []
    points: list[float] = []
    for item in case["adjustments"].items() if case.has("adjustments") else ():
        item.fields({"player", "list", "points"})
        player = item["player"].text()
        if player not in rows:
            raise item["player"].fail(f"player {player!r} is not among the players of the case")
        players.append(rows[player])
        lists.append(LISTS.index(item["list"].choice(LISTS)))
        points.append(item["points"].number(-_MOST_POINTS, _MOST_POINTS))
    return {
        "adjusted_player": np.array(players, dtype=np.int64),
        "adjusted_list": np.array(lists, dtype=np.int64),
        "adjusted_points": np.array(points, dtype=np.float64),
    }


def write_standings(
    *,
    id: str,
    calculated_on: date,
    edition: Edition,
    player_ids: Sequence[str],
    standings: StandingColumns,
    raw_history: Floats,
    published: Floats,
    activity: Ints,
    source: str = "",
) -> dict[str, Any]:
    """Return standings as a case without events: an opening balance. Arguments as those of `write_case`.

    `published` (4, n) is written where it is not the higher of raw and weighted, the sums of the window where they are not
    those of the history to the last bit, `activity` (4, n) where there is any.
    """
    filled = np.where(np.isnan(raw_history), edition["unrated_rating"], raw_history)
    sums = window_sums(filled)
    weighted = standings.window_weighted / edition["window_divisor"]
    follows = np.maximum(standings.raw, weighted) == published
    carried = (standings.window_sum != sums[0]) | (standings.window_weighted != sums[1])
    players = _written_players(player_ids, standings, raw_history)
    for row, player in enumerate(players):
        for name in player["lists"]:
            index, entry = LISTS.index(name), player["lists"][name]
            if "raw" in entry and not follows[index, row]:
                entry["published"] = float(published[index, row])
            if "raw" in entry and carried[index, row]:
                sum_, weighted_sum = standings.window_sum[index, row], standings.window_weighted[index, row]
                entry["window"] = {"sum": float(sum_), "weighted": float(weighted_sum)}
            if activity[index, row]:
                entry["activity"] = int(activity[index, row])
    return {
        "id": id,
        "system": chessa.CODE,
        "rules": edition.name,
        "calculated_on": calculated_on.isoformat(),
        "players": players,
        "events": [],
        "penalties": [],
        "source": source,
    }


def _written_players(
    player_ids: Sequence[str], standings: StandingColumns, raw_history: Floats
) -> list[dict[str, Any]]:
    raw, highest = standings.raw.tolist(), standings.highest.tolist()
    pending, histories = standings.pending_penalty.tolist(), raw_history.tolist()
    performance, ended = standings.recent_performance.tolist(), standings.recent_ended.tolist()
    kind = standings.recent_kind.tolist()
    players: list[dict[str, Any]] = []
    for row, name in enumerate(player_ids):
        lists: dict[str, Any] = {}
        for index, list_name in enumerate(LISTS):
            entry: dict[str, Any] = {}
            rating = raw[index][row]
            if rating == rating:
                history = [value for value in histories[index][row] if value == value]
                if not history or history[0] != rating:
                    raise RatingError(f"the raw ratings of {list_name} do not begin with raw", player=name)
                entry = {"raw": rating, "highest": highest[index][row], "raw_history": history}
                entry["last_performances"] = [
                    {"performance": value, "type": TYPES_OF_GAME[of_kind], "ended": date.fromordinal(on).isoformat()}
                    for value, on, of_kind in zip(
                        performance[index][row], ended[index][row], kind[index][row], strict=True
                    )
                    if on
                ]
            if pending[index][row]:
                entry["pending_penalty"] = pending[index][row]
            if entry:
                lists[list_name] = entry
        players.append({"id": name, "lists": lists})
    return players
