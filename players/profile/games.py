"""The events and games behind a player's ratings, by rating period."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from config.kept_reads import kept
from config.lib import formatting
from config.lib.database import as_float
from config.lib.days import months_back, next_month
from events.models import Game, Guest, Penalty
from events.rules.game_result import PLAYED
from events.visibility import results_shown
from players.hidden import met_hidden_since, name_in_public
from players.profile.history import ListStanding
from players.profile.lines import (
    EventLine,
    GameLine,
    MonthChange,
    PlayedRow,
    PlayerMonth,
    event_line,
    game_line,
    games_text,
    with_cells,
)
from players.profile.sentences import MonthFigures, month_sentence
from ratings.explanations.game_figures import GameFigures, RatedGame, StartOfMonth, figures_of_games
from ratings.lists.definitions import ListDefinition, by_kind
from ratings.lists.queries import Publication, raw_ratings, run_before
from ratings.models import Performance

__all__ = ["EventLine", "GameLine", "PlayedRow", "PlayerMonth", "played_rows", "player_months", "years_played"]


_SECTION = (
    "section_id",
    "section__name",
    "section__starts",
    "section__ends",
    "section__base_minutes",
    "section__increment_seconds",
    "section__event_id",
    "section__event__name",
    "section__event__state",
    "section__period__month",
)
_OPPONENT = ("pk", "number", "first_name", "last_name", "hidden_since")
_GUEST = ("name", "fide_rating", "performance")


def played_rows(player: int) -> list[PlayedRow]:
    """Return a player's games and rounds without one, as far as they are public, in the order of time. One query."""
    rows = (
        Game.objects.filter(Q(white_id=player) | Q(black_id=player))
        .filter(results_shown("section"))
        .order_by("section__ends", "section_id", "round")
        .values_list(
            "pk",
            "round",
            "result",
            "colour_known",
            *[f"white__{name}" for name in _OPPONENT],
            *[f"black__{name}" for name in _OPPONENT],
            *[f"guest__{name}" for name in _GUEST],
            "guest__player__number",
            met_hidden_since("guest__"),
            *_SECTION,
        )
    )
    return [_played_row(player, row) for row in rows]


def _played_row(player: int, row: Sequence[Any]) -> PlayedRow:
    sides, (guest_name, fide_rating, performance, guest_number, guest_hidden) = (row[4:9], row[9:14]), row[14:19]
    is_white = sides[0][0] == player
    opponent, number, first, last, hidden_since = sides[1] if is_white else sides[0]
    guest = None
    if guest_name is not None:
        hidden_since, guest_name = guest_hidden, name_in_public(guest_name, guest_hidden)
        guest = Guest(name=guest_name, fide_rating=fide_rating, performance=performance)
        number, first, last = guest_number, "", guest_name
    name = name_in_public(f"{first or ''} {last or ''}".strip(), hidden_since)
    shown_number = "" if hidden_since else number or ""
    return PlayedRow._make((*row[:4], is_white, opponent, shown_number, name, guest, *row[19:]))


def years_played(
    rows: Iterable[PlayedRow],
    player_standings: Iterable[ListStanding],
    published: Iterable[Publication],
    lists: Iterable[ListDefinition],
) -> list[int]:
    """Return the years of the published months in which `player_months` has something, newest first."""
    known = {publication.month for publication in published}
    national = {listing.id for listing in by_kind(lists)[0]}
    played = {row.month for row in rows if row.month in known}
    moved = {row.publication.month for row in player_standings if row.listing in national and (row.games or row.moved)}
    return sorted({month.year for month in played | moved if month}, reverse=True)


def player_months(
    player: int,
    player_standings: Sequence[ListStanding],
    published: Sequence[Publication],
    lists: Sequence[ListDefinition],
    *,
    rows: Sequence[PlayedRow] | None = None,
    year: int | None = None,
    waiting: bool = True,
    adjusted: Mapping[tuple[date, int], float] | None = None,
) -> list[PlayerMonth]:
    """Return the months in which the player has events or a rating of his moved, newest first, after those not yet rated.

    `rows` of `played_rows`, if they are known already; `year`: only its months; `waiting`: with what is not yet rated;
    `adjusted`: (month, list) → points by which it adjusts the player (article 64), which the sentences tell.
    Three queries, four without `rows`.
    """
    by_month = {publication.month: publication for publication in published}
    rows = played_rows(player) if rows is None else rows
    month_of = {row.section: row.month if row.month in by_month else None for row in rows}
    shown = [
        row
        for row in rows
        if ((month := month_of[row.section]) is None and waiting) or (month and year in (None, month.year))
    ]
    events: dict[int, EventLine] = {}
    for row in shown:
        if row.section not in events:
            events[row.section] = event_line(row)
    facts = _add_performances(player, player_standings, by_month, events, month_of, lists)
    _add_penalties(player, events)
    _add_games(shown, events, player_standings, published, month_of, lists)

    grouped: dict[date | None, list[EventLine]] = {}
    for key, event in events.items():
        event.score = f"{formatting.score(event.points)}/{len(event.games)}"
        event.games_text = games_text(event.games)
        grouped.setdefault(month_of[key], []).append(event)
    by_period: dict[date, list[ListStanding]] = {}
    for standing in player_standings:
        if year in (None, standing.publication.month.year):
            by_period.setdefault(standing.publication.month, []).append(standing)
    earlier = {(standing.publication.month, standing.listing): standing for standing in player_standings}
    national, others = by_kind(lists)
    result = [PlayerMonth(None, grouped[None][::-1], [])] if None in grouped else []
    for month in sorted({month for month in grouped if month} | by_period.keys(), reverse=True):
        standings = by_period.get(month, [])
        changes = [
            replace(
                change,
                sentence=_sentence(
                    standing,
                    earlier.get((months_back(month, 1), standing.listing)),
                    facts,
                    (adjusted or {}).get((month, standing.listing), 0.0),
                ),
            )
            for change, standing in _month_changes(standings, national)
        ]
        of_month = grouped.get(month, [])[::-1]
        if of_month or changes:
            others_changed = [change for change, _ in _month_changes(standings, others)]
            result.append(PlayerMonth(by_month[month], of_month, changes, others_changed))
    return result


def _add_games(
    rows: Sequence[PlayedRow],
    events: Mapping[int, EventLine],
    player_standings: Sequence[ListStanding],
    published: Sequence[Publication],
    month_of: Mapping[int, date | None],
    lists: Sequence[ListDefinition],
) -> None:
    """Add the games to their events, with the opponents' ratings and what each game earned. One query.

    What the games earned is left out where it does not add up to what the run wrote of the section.
    """
    national, _ = by_kind(lists)
    main = national[0].id if national else 0
    before = run_before(published)

    def run_at_start(row: PlayedRow) -> int | None:
        return before.get(row.month) if row.month else None

    met = {(run, row.opponent) for row in rows if row.opponent and (run := run_at_start(row))}
    start = raw_ratings(met, [listing.id for listing in national])
    earned = earned_by_games(rows, start, player_standings, published, national)
    for row in rows:
        run, event = run_at_start(row), events[row.section]
        rating = start.get((run, row.opponent, main)) if run and row.opponent else None
        text = formatting.rating(rating)
        if rating is None and (run or month_of[row.section]):
            text = gettext("unrated")
        event.games.append(game_line(row, rating, text, tuple(earned.get(row.id, ()))))
        event.points += row.points
    for event in events.values():
        event.lists = [
            listing
            for listing, change in event.earned
            if listing.is_national and _adds_up(event.games, listing, change)
        ]
        event.games = [with_cells(game, event.lists) for game in event.games]


def earned_by_games(
    rows: Iterable[PlayedRow],
    start: Mapping[tuple[int, int, int], float],
    player_standings: Iterable[ListStanding],
    published: Iterable[Publication],
    lists: Sequence[ListDefinition],
) -> dict[int, list[GameFigures]]:
    """Return what each played game of a published month earned on the regulations' own lists, by id of the game.

    `start`: the opponents' raw ratings by (run, player, list), from `ratings.lists.queries.raw_ratings`.
    """
    known = {publication.month for publication in published}
    months = {run: month for month, run in run_before(published).items()}
    games = [
        RatedGame(
            id=row.id,
            month=row.month,
            base_minutes=row.base_minutes,
            increment_seconds=row.increment_seconds,
            is_white=row.is_white,
            score=row.points,
            opponent=row.opponent,
            guest=row.guest_rating,
        )
        for row in rows
        if row.month in known and row.outcome in PLAYED
    ]
    opponents = {(months[run], opponent, listing): raw for (run, opponent, listing), raw in start.items()}
    return figures_of_games(games, _own_start(player_standings), opponents, lists)


def _own_start(player_standings: Iterable[ListStanding]) -> dict[tuple[date, int], StartOfMonth]:
    """Return a player's raw rating at the start and K by (month, list), for the months of his standings."""
    raw = {(next_month(row.publication.month), row.listing): row.raw for row in player_standings}
    return {
        key: StartOfMonth(raw.get(key), row.k)
        for row in player_standings
        if row.k is not None and (key := (row.publication.month, row.listing))
    }


def _adds_up(games: Iterable[GameLine], listing: ListDefinition, change: float | None) -> bool:
    earned = [figures.change for game in games if (figures := game.on(listing.id))]
    return change is not None and abs(sum(earned) - change) < 1e-6


@dataclass(slots=True)
class _Rated:
    """The rated games of a month on a list: their number, points and the opponents' ratings in all."""

    games: int = 0
    points: float = 0.0
    opponents: float = 0.0


_Facts = dict[tuple[int, int], _Rated]  # by run and list


def _add_performances(
    player: int,
    player_standings: Sequence[ListStanding],
    by_month: dict[date, Publication],
    sections: dict[int, EventLine],
    month_of: Mapping[int, date | None],
    lists: Sequence[ListDefinition],
) -> _Facts:
    """Add what each section earned, and return the sums of the months. One query."""
    by_id = {listing.id: listing for listing in lists}
    first = {(standing.publication.run, standing.listing) for standing in player_standings if standing.previous is None}
    order = {listing.id: place for place, listing in enumerate(lists)}
    runs = {publication.run for publication in by_month.values()}
    facts: _Facts = {}
    rows = (
        Performance.objects.filter(player_id=player)
        .order_by()
        .values_list(
            "run_id",
            "list_id",
            "section_id",
            "games",
            "score",
            "average_opponent",
            as_float("performance"),
            as_float("change"),
        )
    )
    for run, list_id, section, games, score, average, performance, change in sorted(
        (row for row in rows if row[0] in runs and row[1] in by_id), key=lambda row: order[row[1]]
    ):
        sums = facts.setdefault((run, list_id), _Rated())
        sums.games += games
        sums.points += score
        sums.opponents += (average or 0.0) * games
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
            event.others.append((listing.name, listing.code, gettext("new"), ""))
        else:
            event.others.append((listing.name, listing.code, listing.change(change), listing.direction(change)))
    return facts


def _penalties() -> dict[int, list[tuple[int, int, str, Decimal]]]:
    """Return all confirmed penalties by player, as (section, round, kind, points): few of thousands have one. One query."""
    by_player: dict[int, list[tuple[int, int, str, Decimal]]] = {}
    confirmed = Penalty.objects.filter(status=Penalty.Status.CONFIRMED).order_by("round")
    rows = confirmed.values_list("player_id", "section_id", "round", "kind", "points")
    for player, section, round_, kind, points in rows:
        by_player.setdefault(player, []).append((section, round_, kind, points))
    return by_player


def _add_penalties(player: int, sections: dict[int, EventLine]) -> None:
    for section, round_, kind, points in kept(_penalties).get(player, ()):
        event = sections.get(section)
        if event is not None:
            label = gettext(Penalty.Kind(kind).label)
            values = {"round": round_, "change": formatting.change(-float(points)), "reason": label}
            event.penalties.append(gettext("Round %(round)s: %(change)s for %(reason)s.") % values)


def _month_changes(
    player_standings: Sequence[ListStanding], lists: Sequence[ListDefinition]
) -> list[tuple[MonthChange, ListStanding]]:
    by_list = {standing.listing: standing for standing in player_standings if standing.published is not None}
    changes = []
    for listing in lists:
        standing = by_list.get(listing.id)
        if standing is None or not (standing.games or standing.moved):
            continue
        moved = standing.moved
        rating = listing.rating(standing.published)
        text = gettext("new, %(rating)s") % {"rating": rating} if moved is None else listing.change(moved)
        changes.append((MonthChange(listing, text, listing.direction(moved)), standing))
    return changes


def _sentence(standing: ListStanding, before: ListStanding | None, facts: _Facts, adjusted: float) -> str:
    publication, raw, published = standing.publication, standing.raw, standing.published
    if raw is None or published is None or standing.change is None:
        return ""
    sums = facts.get((publication.run, standing.listing), _Rated())
    return month_sentence(
        MonthFigures(
            calculated_on=publication.day,
            games=standing.games,
            points=sums.points,
            average_opponent=sums.opponents / sums.games if sums.games else None,
            earned=standing.change,
            weighted_performance=standing.weighted_performance,
            raw_before=before.raw if before else None,
            raw=raw,
            published_before=standing.previous,
            published=published,
            adjusted=adjusted,
        )
    )
