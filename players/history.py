"""A player's ratings month by month, and the events and games behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q

from events.models import Game, Penalty
from events.queries import STATE_WORDS
from events.results import BYES, FORFEITS, PLAYED, POINTS, UNPLAYED, Result
from events.states import State
from events.times import time_control_text, type_of_game
from players.charts import Point, Series
from ratings import figures
from ratings.models import Performance, Rating
from ratings.queries import Listing, Publication, as_float, raw_ratings, run_before

RATED = frozenset({State.ACCEPTED.value, State.CALCULATED.value, State.PUBLISHED.value})


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's row on one list in one published period, as numbers."""

    publication: Publication
    listing: int
    position: int | None
    rank: int | None
    games: int
    k: float | None
    published: float | None
    previous: float | None
    raw: float | None
    weighted: float | None
    weighted_performance: float | None
    highest: float | None

    @property
    def moved(self) -> float | None:
        """The change against the list before; None on the first list."""
        return None if self.published is None or self.previous is None else self.published - self.previous


def standings(player: int, published: Sequence[Publication]) -> list[Standing]:
    """A player's rows of all published periods, oldest first. One query."""
    by_run = {publication.run: publication for publication in published}
    rows = (
        Rating.objects.filter(player_id=player)
        .order_by()
        .values_list(
            "run_id",
            "list_id",
            "position",
            "rank",
            "games",
            "k",
            as_float("published"),
            as_float("previous"),
            as_float("raw"),
            as_float("weighted"),
            as_float("weighted_performance"),
            as_float("highest"),
        )
    )
    found = [Standing(by_run[run], *rest) for run, *rest in rows if run in by_run]
    found.sort(key=lambda standing: standing.publication.month)
    return found


@dataclass(frozen=True, slots=True)
class Card:
    """A player's latest standing on a list."""

    listing: Listing
    day: str
    rating: str
    change: str
    direction: str
    rank: str
    position: int | None
    raw: str
    weighted: str
    highest: str
    k: str
    games: int
    code: str


def cards(found: Sequence[Standing], lists: Sequence[Listing]) -> list[Card]:
    """The latest standing on each list on which the player is rated."""
    latest = {standing.listing: standing for standing in found if standing.published is not None}
    result = []
    for listing in lists:
        standing = latest.get(listing.id)
        if standing is None:
            continue
        moved = standing.moved
        result.append(
            Card(
                listing=listing,
                day=standing.publication.day_text,
                rating=figures.rating(standing.published),
                change="new" if moved is None else figures.change(moved),
                direction=figures.direction(moved),
                rank=figures.number(standing.rank or 0),
                position=standing.position,
                raw=figures.rating(standing.raw),
                weighted=figures.rating(standing.weighted),
                highest=figures.rating(standing.highest),
                k=figures.NONE if standing.k is None else f"{standing.k:g}",
                games=standing.games,
                code=standing.publication.code,
            )
        )
    return result


def series(found: Sequence[Standing], lists: Sequence[Listing]) -> list[Series]:
    """What the chart draws: a series for each list, by the date of the list."""
    return [
        Series(
            listing.code,
            listing.name,
            [
                Point(standing.publication.day, standing.published, standing.raw, standing.games)
                for standing in found
                if standing.listing == listing.id and standing.published is not None
            ],
        )
        for listing in lists
    ]


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A line of the table behind the chart: a list's date, then published rating, raw rating and games of every list."""

    day_text: str
    place: float | None  # per cent of the chart's width
    texts: list[str]


def history_rows(found: Sequence[Standing], lists: Sequence[Listing], places: Mapping[date, float]) -> list[HistoryRow]:
    """The table behind the chart, the newest month first."""
    by_day: dict[date, dict[int, Standing]] = {}
    for standing in found:
        by_day.setdefault(standing.publication.day, {})[standing.listing] = standing
    rows = []
    for day in sorted(by_day, reverse=True):
        texts: list[str] = []
        for listing in lists:
            one = by_day[day].get(listing.id)
            if one is None or one.published is None:
                texts += (figures.NONE, figures.NONE, "")
            else:
                texts += (figures.rating(one.published), figures.rating(one.raw), str(one.games) if one.games else "")
        rows.append(HistoryRow(figures.day(day), places.get(day), texts))
    return rows


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game, or a round without one, from the player's side. `opponent` is empty for a bye.

    `figures` are the opponent's rating and the points.
    """

    round: str
    colour: str
    opponent: str
    opponent_number: str
    figures: tuple[str, str]
    remark: str


@dataclass(slots=True)
class EventLine:
    """A player's part in a section: `changes` are (list name, code, change, direction), one for each list it counts on."""

    event: int
    name: str
    section: str
    days: str
    time_control: str
    type: str
    state: str
    score: str = ""
    performance: str = ""
    changes: list[tuple[str, str, str, str]] = field(default_factory=list)
    games: list[GameLine] = field(default_factory=list)
    games_text: str = ""
    penalties: list[str] = field(default_factory=list)
    points: float = 0.0


@dataclass(slots=True)
class Month:
    """The events of a period, with the change of the player's rating on each list. Without a publication: not yet rated,
    or `refused`."""

    publication: Publication | None
    events: list[EventLine]
    changes: list[tuple[str, str, str, str]]
    refused: bool = False

    @property
    def summary(self) -> str:
        """What was played: `3 events, 17 games`."""
        games = sum(1 for event in self.events for game in event.games if game.opponent)
        return f"{figures.count(len(self.events), 'event')}, {figures.count(games, 'game')}"


_GAME_FIELDS = (
    "section_id",
    "round",
    "result",
    "colour_known",
    "white_id",
    "white__first_name",
    "white__last_name",
    "white__number",
    "black_id",
    "black__first_name",
    "black__last_name",
    "black__number",
    "guest__name",
    "guest__fide_rating",
    "guest__performance",
    "section__name",
    "section__base_minutes",
    "section__increment_seconds",
    "section__starts",
    "section__ends",
    "section__period__month",
    "section__event_id",
    "section__event__name",
    "section__event__state",
)


def months(
    player: int, found: Sequence[Standing], published: Sequence[Publication], lists: Sequence[Listing]
) -> list[Month]:
    """The months in which the player has events, the newest first; what is not rated yet comes before. Four queries."""
    by_month = {publication.month: publication for publication in published}
    before = run_before(published)
    main = lists[0].id if lists else 0
    games = list(
        Game.objects.filter(Q(white_id=player) | Q(black_id=player))
        .exclude(section__event__state=State.DRAFT.value)
        .order_by("section__ends", "section_id", "round")
        .values_list(*_GAME_FIELDS)
    )
    opponents = {(before[row[20]], row[8] if row[4] == player else row[4]) for row in games if row[20] in before}
    opponents = {(run, opponent) for run, opponent in opponents if opponent}
    start = raw_ratings(opponents, main)

    sections: dict[int, EventLine] = {}
    month_of: dict[int, date | None] = {}
    for row in games:
        section, month, state = row[0], row[20], row[23]
        event = sections.get(section)
        if event is None:
            event = sections[section] = EventLine(
                event=row[21],
                name=row[22],
                section=row[15],
                days=figures.days(row[18], row[19]),
                time_control=time_control_text(row[16], row[17]),
                type=type_of_game(row[16], row[17], row[19]),
                state=STATE_WORDS[State(state)],
            )
            month_of[section] = month if month in by_month and state in RATED else None
        as_white = row[4] == player
        run = before.get(month) if month else None
        opponent_id = row[8] if as_white else row[4]
        rating = start.get((run, opponent_id)) if run and opponent_id else None
        known = (
            figures.rating(rating) if rating is not None else "unrated" if run or month in by_month else figures.NONE
        )
        event.games.append(_game_line(row, as_white, known))
        event.points += POINTS[Result(row[2])][0 if as_white else 1]

    _add_performances(player, by_month, sections, month_of, lists)
    _add_penalties(player, sections)
    for event in sections.values():
        event.score = f"{figures.score(event.points)}/{len(event.games)}"
        event.games_text = figures.count(sum(1 for game in event.games if game.opponent), "game")

    grouped: dict[date | None, list[EventLine]] = {}
    for section, event in sections.items():
        grouped.setdefault(month_of[section], []).append(event)
    by_period: dict[date, list[Standing]] = {}
    for standing in found:
        by_period.setdefault(standing.publication.month, []).append(standing)
    waiting = [event for event in reversed(grouped.get(None, [])) if event.state != STATE_WORDS[State.REFUSED]]
    refused = [event for event in reversed(grouped.get(None, [])) if event.state == STATE_WORDS[State.REFUSED]]
    ours = [listing for listing in lists if listing.ours]
    result = [Month(None, waiting, [])] if waiting else []
    for month in sorted((month for month in grouped if month), reverse=True):
        result.append(Month(by_month[month], grouped[month][::-1], _month_changes(by_period.get(month, []), ours)))
    if refused:
        result.append(Month(None, refused, [], refused=True))
    return result


def _game_line(row: Sequence[object], as_white: bool, rating: str) -> GameLine:
    _, round_, result, colour_known = row[:4]
    outcome = Result(str(result))
    if outcome in BYES:
        return GameLine(str(round_), "", "", "", ("", _points_text(outcome, True)), _BYE_WORDS[outcome])
    other = row[8:12] if as_white else row[4:8]
    if other[0] is not None:
        name = f"{other[1]} {other[2]}".strip()
        number, text = str(other[3]), rating
    else:
        name, number = str(row[12]), ""
        fide, performance = row[13], row[14]
        text = f"FIDE {fide}" if fide is not None else f"performance {performance}"
    colour = ("White" if as_white else "Black") if colour_known and outcome in PLAYED else ""
    return GameLine(str(round_), colour, name, number, (text, _points_text(outcome, as_white)), _remark(outcome))


def _points_text(outcome: Result, as_white: bool) -> str:
    return figures.score(POINTS[outcome][0 if as_white else 1])


_BYE_WORDS = {
    Result.PAIRING_BYE: "bye",
    Result.FULL_BYE: "full-point bye",
    Result.HALF_BYE: "half-point bye",
    Result.ZERO_BYE: "did not play",
}


def _remark(outcome: Result) -> str:
    if outcome in PLAYED:
        return ""
    if outcome in FORFEITS:
        return "forfeit, not rated"
    return "not played, not rated" if outcome in UNPLAYED else "penalty score, not rated"


def _add_performances(
    player: int,
    by_month: dict[date, Publication],
    sections: dict[int, EventLine],
    month_of: dict[int, date | None],
    lists: Sequence[Listing],
) -> None:
    by_id = {listing.id: listing for listing in lists if listing.ours}
    order = {listing.id: place for place, listing in enumerate(lists)}
    runs = {publication.run for publication in by_month.values()}
    rows = (
        Performance.objects.filter(player_id=player)
        .order_by()
        .values_list("run_id", "list_id", "section_id", as_float("performance"), as_float("change"))
    )
    for _, list_id, section, performance, change in sorted(
        (row for row in rows if row[0] in runs and row[1] in by_id), key=lambda row: order[row[1]]
    ):
        event = sections.get(section)
        if event is None or month_of[section] is None:
            continue
        listing = by_id[list_id]
        event.changes.append((listing.name, listing.code, figures.change(change), figures.direction(change)))
        event.performance = event.performance or figures.whole(performance)


def _add_penalties(player: int, sections: dict[int, EventLine]) -> None:
    rows = Penalty.objects.filter(player_id=player, status=Penalty.Status.CONFIRMED).order_by("round")
    for section, round_, kind, points in rows.values_list("section_id", "round", "kind", "points"):
        event = sections.get(section)
        if event is not None:
            label = Penalty.Kind(kind).label
            event.penalties.append(f"Round {round_}: {figures.change(-float(points))} for {label}.")


def _month_changes(found: Sequence[Standing], lists: Sequence[Listing]) -> list[tuple[str, str, str, str]]:
    by_list = {standing.listing: standing for standing in found if standing.published is not None}
    changes = []
    for listing in lists:
        standing = by_list.get(listing.id)
        if standing is None or not (standing.games or standing.moved):
            continue
        moved = standing.moved
        text = f"new, {figures.rating(standing.published)}" if moved is None else figures.change(moved)
        changes.append((listing.name, listing.code, text, figures.direction(moved)))
    return changes
