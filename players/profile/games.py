"""The events and games behind a player's ratings, by rating period."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q

from config.lib import formatting
from config.lib.database import as_float
from events.models import Game, Penalty
from events.rules.game_result import BYES, FORFEITS, PLAYED, POINTS, UNPLAYED, Result
from events.rules.states import State
from events.rules.time_controls import time_control_text, type_of_game
from events.visibility import results_shown
from events.wording import STATE_WORDS
from players.profile.history import ListStanding
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication, raw_ratings, run_before
from ratings.models import Performance


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game, or a round without one, from the player's side. `opponent` is empty for a bye.

    `figures` are the opponent's rating and the points; `counts_as` a game, a forfeit, an unplayed game, or nothing.
    """

    round: str
    colour: str
    opponent: str
    opponent_number: str
    figures: tuple[str, str]
    remark: str
    counts_as: str


RatingChange = tuple[str, str, str, str]  # list name, code, change, direction


@dataclass(slots=True)
class EventLine:
    """A player's part in a section, with the change on each national list (`changes`) and on the other lists (`others`)."""

    event: int
    name: str
    section: str
    days: str
    time_control: str
    type: str
    state: str
    score: str = ""
    performance: str = ""
    changes: list[RatingChange] = field(default_factory=list)
    others: list[RatingChange] = field(default_factory=list)
    games: list[GameLine] = field(default_factory=list)
    games_text: str = ""
    penalties: list[str] = field(default_factory=list)
    points: float = 0.0


@dataclass(slots=True)
class PlayerMonth:
    """The events of a period, with the change of the player's rating on each list; `publication` is None before rating."""

    publication: Publication | None
    events: list[EventLine]
    changes: list[RatingChange]
    others: list[RatingChange] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """What was played: `3 events, 17 games`."""
        games = [game for event in self.events for game in event.games]
        return f"{formatting.count(len(self.events), 'event')}, {_games_text(games)}"


def _games_text(games: Sequence[GameLine]) -> str:
    """Return the number of games and, after it, of unrated ones: `17 games and 1 forfeit`."""
    counts = Counter(game.counts_as for game in games)
    beside = [formatting.count(counts[word], word) for word in ("forfeit", "unplayed game") if counts[word]]
    return " and ".join([formatting.count(counts["game"], "game"), *beside])


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
    "guest__player__number",
)


def player_months(
    player: int,
    player_standings: Sequence[ListStanding],
    published: Sequence[Publication],
    lists: Sequence[ListDefinition],
) -> list[PlayerMonth]:
    """Return the months in which the player has events, newest first, after those accepted and not yet rated.

    Four queries.
    """
    by_month = {publication.month: publication for publication in published}
    before = run_before(published)
    main = lists[0].id if lists else 0
    games = list(
        Game.objects.filter(Q(white_id=player) | Q(black_id=player))
        .filter(results_shown("section"))
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
                days=formatting.days(row[18], row[19]),
                time_control=time_control_text(row[16], row[17]),
                type=type_of_game(row[16], row[17], row[19]),
                state=STATE_WORDS[State(state)].word,
            )
            month_of[section] = month if month in by_month else None
        as_white = row[4] == player
        run = before.get(month) if month else None
        opponent_id = row[8] if as_white else row[4]
        rating = start.get((run, opponent_id)) if run and opponent_id else None
        rating_text = (
            formatting.rating(rating)
            if rating is not None
            else "unrated"
            if run or month in by_month
            else formatting.NONE
        )
        event.games.append(_game_line(row, as_white, rating_text))
        event.points += POINTS[Result(row[2])][0 if as_white else 1]

    _add_performances(player, player_standings, by_month, sections, month_of, lists)
    _add_penalties(player, sections)
    for event in sections.values():
        event.score = f"{formatting.score(event.points)}/{len(event.games)}"
        event.games_text = _games_text(event.games)

    grouped: dict[date | None, list[EventLine]] = {}
    for section, event in sections.items():
        grouped.setdefault(month_of[section], []).append(event)
    by_period: dict[date, list[ListStanding]] = {}
    for standing in player_standings:
        by_period.setdefault(standing.publication.month, []).append(standing)
    waiting = grouped.get(None, [])[::-1]
    national = [listing for listing in lists if listing.is_national]
    others = [listing for listing in lists if not listing.is_national]
    result = [PlayerMonth(None, waiting, [])] if waiting else []
    for month in sorted((month for month in grouped if month), reverse=True):
        standings = by_period.get(month, [])
        result.append(
            PlayerMonth(
                by_month[month],
                grouped[month][::-1],
                _month_changes(standings, national),
                _month_changes(standings, others),
            )
        )
    return result


def _game_line(row: Sequence[object], as_white: bool, rating: str) -> GameLine:
    _, round_, result, colour_known = row[:4]
    outcome = Result(str(result))
    if outcome in BYES:
        return GameLine(str(round_), "", "", "", ("", _points_text(outcome, True)), _BYE_WORDS[outcome], "")
    other = row[8:12] if as_white else row[4:8]
    if other[0] is not None:
        name = f"{other[1]} {other[2]}".strip()
        number, text = str(other[3]), rating
    else:
        name, number = str(row[12]), str(row[24] or "")
        fide, performance = row[13], row[14]
        text = f"FIDE {fide}" if fide is not None else f"performance {performance}"
    colour = ("White" if as_white else "Black") if colour_known and outcome in PLAYED else ""
    points, remark, counts_as = _points_text(outcome, as_white), _remark(outcome), _counts_as(outcome)
    return GameLine(str(round_), colour, name, number, (text, points), remark, counts_as)


def _points_text(outcome: Result, as_white: bool) -> str:
    return formatting.score(POINTS[outcome][0 if as_white else 1])


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


def _counts_as(outcome: Result) -> str:
    return "game" if outcome in PLAYED else "forfeit" if outcome in FORFEITS else "unplayed game"


def _add_performances(
    player: int,
    player_standings: Sequence[ListStanding],
    by_month: dict[date, Publication],
    sections: dict[int, EventLine],
    month_of: dict[int, date | None],
    lists: Sequence[ListDefinition],
) -> None:
    by_id = {listing.id: listing for listing in lists}
    first = {(standing.publication.run, standing.listing) for standing in player_standings if standing.previous is None}
    order = {listing.id: place for place, listing in enumerate(lists)}
    runs = {publication.run for publication in by_month.values()}
    rows = (
        Performance.objects.filter(player_id=player)
        .order_by()
        .values_list("run_id", "list_id", "section_id", as_float("performance"), as_float("change"))
    )
    for run, list_id, section, performance, change in sorted(
        (row for row in rows if row[0] in runs and row[1] in by_id), key=lambda row: order[row[1]]
    ):
        event = sections.get(section)
        if event is None or month_of[section] is None:
            continue
        listing = by_id[list_id]
        if listing.is_national:
            event.changes.append((listing.name, listing.code, listing.change(change), listing.direction(change)))
            event.performance = event.performance or formatting.whole(performance)
        elif change or (run, list_id) not in first:
            event.others.append((listing.name, listing.code, listing.change(change), listing.direction(change)))
        else:
            event.others.append((listing.name, listing.code, "new", ""))


def _add_penalties(player: int, sections: dict[int, EventLine]) -> None:
    rows = Penalty.objects.filter(player_id=player, status=Penalty.Status.CONFIRMED).order_by("round")
    for section, round_, kind, points in rows.values_list("section_id", "round", "kind", "points"):
        event = sections.get(section)
        if event is not None:
            label = Penalty.Kind(kind).label
            event.penalties.append(f"Round {round_}: {formatting.change(-float(points))} for {label}.")


def _month_changes(player_standings: Sequence[ListStanding], lists: Sequence[ListDefinition]) -> list[RatingChange]:
    by_list = {standing.listing: standing for standing in player_standings if standing.published is not None}
    changes = []
    for listing in lists:
        standing = by_list.get(listing.id)
        if standing is None or not (standing.games or standing.moved):
            continue
        moved = standing.moved
        text = f"new, {listing.rating(standing.published)}" if moved is None else listing.change(moved)
        changes.append((listing.name, listing.code, text, listing.direction(moved)))
    return changes
