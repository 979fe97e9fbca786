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
from players.models import Player
from players.profile.history import ListStanding
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication, raw_ratings, run_before
from ratings.models import Performance


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game, or a round without one, from the player's side. `opponent` is empty for a bye.

    `figures` are the opponent's rating and the points; `counts_as` a game, a forfeit, an unplayed game, or nothing.
    `number`, `points` and `rating` are the numbers of the round, the points and the opponent's rating.
    """

    number: int
    points: float
    rating: float | None
    result: Result
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
    """A player's part in a section, with the change on each national list (`changes`) and on the other lists (`others`).

    `earned` are the changes on all lists as (list, change), None for who is new to the list; `performance_rating` is unrounded.
    """

    event: int
    section_id: int
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
    starts: date | None = None
    ends: date | None = None
    earned: list[tuple[ListDefinition, float | None]] = field(default_factory=list)
    performance_rating: float | None = None


@dataclass(slots=True)
class PlayerMonth:
    """The events of a period, with the change of the player's rating on each list; `publication` is None before rating.

    Without an event the published rating moved by the weighted average of the last 24 ratings (articles 49, 50).
    """

    publication: Publication | None
    events: list[EventLine]
    changes: list[RatingChange]
    others: list[RatingChange] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """What was played: `3 events, 17 games`."""
        if not self.events:
            return "No games"
        games = [game for event in self.events for game in event.games]
        return f"{formatting.count(len(self.events), 'event')}, {_games_text(games)}"


def _games_text(games: Sequence[GameLine]) -> str:
    """Return the number of games and, after it, of unrated ones: `17 games and 1 forfeit`."""
    counts = Counter(game.counts_as for game in games)
    beside = [formatting.count(counts[word], word) for word in ("forfeit", "unplayed game") if counts[word]]
    return " and ".join([formatting.count(counts["game"], "game"), *beside])


def player_months(
    player: int,
    player_standings: Sequence[ListStanding],
    published: Sequence[Publication],
    lists: Sequence[ListDefinition],
) -> list[PlayerMonth]:
    """Return the months in which the player has events or a rating of his moved, newest first, after those not yet rated.

    Four queries.
    """
    by_month = {publication.month: publication for publication in published}
    before = run_before(published)
    main = lists[0].id if lists else 0
    games = list(
        Game.objects.filter(Q(white_id=player) | Q(black_id=player))
        .filter(results_shown("section"))
        .select_related("white", "black", "guest__player", "section__event", "section__period")
        .order_by("section__ends", "section_id", "round")
    )

    def run_at_start(game: Game) -> int | None:
        return before.get(game.section.period.month) if game.section.period else None

    pairs = {(run_at_start(game), _opponent(game, player)) for game in games}
    start = raw_ratings({(run, opponent.pk) for run, opponent in pairs if run and opponent}, main)

    sections: dict[int, EventLine] = {}
    month_of: dict[int, date | None] = {}
    for game in games:
        section = game.section
        month = section.period.month if section.period else None
        event = sections.get(section.pk)
        if event is None:
            event = sections[section.pk] = EventLine(
                event=section.event_id,
                section_id=section.pk,
                name=section.event.name,
                section=section.name,
                days=formatting.days(section.starts, section.ends),
                time_control=time_control_text(section.base_minutes, section.increment_seconds),
                type=type_of_game(section.base_minutes, section.increment_seconds, section.ends),
                state=STATE_WORDS[State(section.event.state)].word,
                starts=section.starts,
                ends=section.ends,
            )
            month_of[section.pk] = month if month in by_month else None
        run, opponent = run_at_start(game), _opponent(game, player)
        rating = start.get((run, opponent.pk)) if run and opponent else None
        rating_text = (
            formatting.rating(rating)
            if rating is not None
            else "unrated"
            if run or month in by_month
            else formatting.NONE
        )
        as_white = game.white_id == player
        event.games.append(_game_line(game, as_white, opponent, rating, rating_text))
        event.points += POINTS[Result(game.result)][0 if as_white else 1]

    _add_performances(player, player_standings, by_month, sections, month_of, lists)
    _add_penalties(player, sections)
    for event in sections.values():
        event.score = f"{formatting.score(event.points)}/{len(event.games)}"
        event.games_text = _games_text(event.games)

    grouped: dict[date | None, list[EventLine]] = {}
    for key, event in sections.items():
        grouped.setdefault(month_of[key], []).append(event)
    by_period: dict[date, list[ListStanding]] = {}
    for standing in player_standings:
        by_period.setdefault(standing.publication.month, []).append(standing)
    waiting = grouped.get(None, [])[::-1]
    national = [listing for listing in lists if listing.is_national]
    others = [listing for listing in lists if not listing.is_national]
    result = [PlayerMonth(None, waiting, [])] if waiting else []
    for month in sorted({month for month in grouped if month} | by_period.keys(), reverse=True):
        standings = by_period.get(month, [])
        events, changes = grouped.get(month, [])[::-1], _month_changes(standings, national)
        if events or changes:
            result.append(PlayerMonth(by_month[month], events, changes, _month_changes(standings, others)))
    return result


def _opponent(game: Game, player: int) -> Player | None:
    return game.black if game.white_id == player else game.white


def _game_line(game: Game, as_white: bool, opponent: Player | None, value: float | None, rating: str) -> GameLine:
    outcome, name, number = Result(game.result), "", ""
    points = POINTS[outcome][0 if as_white else 1]
    points_text = formatting.score(points)
    if outcome in BYES:
        texts = (str(game.round), "", "", "", ("", points_text), _BYE_WORDS[outcome], "")
        return GameLine(game.round, points, None, outcome, *texts)
    if opponent:
        name, number = opponent.name, opponent.number
    elif guest := game.guest:
        name, number, rating = guest.name, guest.player.number if guest.player else "", guest.rating_text
        value = guest.fide_rating if guest.fide_rating is not None else guest.performance
    colour = ("White" if as_white else "Black") if game.colour_known and outcome in PLAYED else ""
    figures = (rating, points_text)
    texts = (str(game.round), colour, name, number, figures, _remark(outcome), _counts_as(outcome))
    return GameLine(game.round, points, None if value is None else float(value), outcome, *texts)


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
        is_new = not listing.is_national and not change and (run, list_id) in first
        event.earned.append((listing, None if is_new else change))
        if listing.is_national:
            if event.performance_rating is None:
                event.performance_rating = performance
            event.changes.append((listing.name, listing.code, listing.change(change), listing.direction(change)))
            event.performance = formatting.whole(event.performance_rating)
        elif is_new:
            event.others.append((listing.name, listing.code, "new", ""))
        else:
            event.others.append((listing.name, listing.code, listing.change(change), listing.direction(change)))


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
