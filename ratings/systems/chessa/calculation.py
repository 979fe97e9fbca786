"""Chess SA ratings: a whole rating period, every player and all four lists at once. Pure.

Source: Chess SA Ratings Bureau, Rating Regulations (1 January 2024), articles 19–56; the figures stand in
`ratings.systems.chessa.constants`. Where an article leaves something open, the reading is:

- The opponents' ratings are their raw ratings at the start of the period (48); no event of a period sees another.
- A classical game is a standard game (20.1): it updates Main and Standard.
- Rated or not is a matter of each list. An unrated player starts at 1200 with K 40 and is rated from his first rated game.
- The highest rating (31, 42) is the highest published one on the list; an unrated player has none, so his floor is 500.
- Articles 40 and 47 share one limit, from the raw rating at the start. Wp acts only with a game of the list in the period.
- Article 42 holds for everybody on the list, with or without a game, and again after the penalties. A penalty may pass
  the limit of 47, which speaks of rating change by games.
- A penalty is deducted on Main and on the list of its section's type of game; a section that is not rated (23) deducts
  nothing. It waits on each list until the player is rated there (53).
- An adjustment, by which the bureau corrects a published list from now on (64), is added after the penalties. It is no game:
  the limit of 47 does not hold it, and the floor of 42 does. Who is still unrated has nothing that could be adjusted.
- The rating that is weighted (49) is the final raw rating.
"""

from datetime import date
from typing import Any

import numpy as np

from config.lib.editions import Edition, edition_from
from events.rules.time_controls import tournament_weights, types_of_game
from ratings.systems.chessa.columns import RECENT, Floats, Ints, PeriodColumns, StandingColumns
from ratings.systems.chessa.constants import EDITIONS
from ratings.systems.chessa.games import k_factors, rate_games, run_starts, sum_events
from ratings.systems.chessa.recent import (
    RecentColumns,
    merge_recent,
    newest_of_period,
    weighted_performances,
    weighted_terms,
)
from ratings.systems.chessa.result import Flags, PeriodResult

CODE = "chessa"
NAME = "Chess South Africa"


def edition_for(calculated_on: date) -> Edition:
    """Return the edition of a period by its day of calculation. The first one also rates what came before it: the bureau takes
    in older events (article 12.1), and these regulations replace all that existed earlier (article 3)."""
    return edition_from(EDITIONS, calculated_on)


def greatest_changes(rating: Floats, edition: Edition) -> Floats:
    """Return the greatest change of article 47, up or down, by raw rating at the start."""
    result: Floats = rating * -edition["limit_decay"]
    np.exp(result, out=result)
    result *= edition["limit_scale"]
    return result


def adjusted_fide(rating: float, edition: Edition) -> float:
    """Return a FIDE rating, or an opponent's performance, adjusted for events abroad (article 45)."""
    factor, addend = edition["fide_low"] if rating <= edition["fide_bound"] else edition["fide_high"]
    return float(addend + factor * rating)


def rate(columns: PeriodColumns, edition: Edition) -> PeriodResult:
    """Everybody's new ratings at the end of a period. The same columns give the same bits.

    Taken for granted, not checked: indices within range, no player against himself, at most one guest in a game, no event
    that ended after the day of calculation, stored tournaments newest first.
    """
    at_start = columns.standings
    shape = at_start.raw.shape
    players = shape[1]

    kind = types_of_game(columns.event_minutes, edition)
    tw = tournament_weights(columns.event_minutes, edition)
    start = np.where(np.isnan(at_start.raw), edition["unrated_rating"], at_start.raw)
    k = k_factors(at_start.highest, edition)
    by_game = rate_games(columns, kind, tw, start, k, edition)
    by_event = sum_events(columns, kind, tw, by_game, edition)

    # `active`: places in the flat (4, n) arrays of those who played on a list; the short arrays that follow go with it.
    event_place = by_event.list_index * players + by_event.player
    runs = run_starts(event_place)
    run = np.repeat(np.arange(len(runs)), np.diff(runs, append=len(event_place)))
    active = event_place.take(runs)
    games = np.bincount(run, weights=by_event.games, minlength=len(runs)).astype(np.int64)
    change = np.bincount(run, weights=by_event.change, minlength=len(runs))
    limit = greatest_changes(start, edition)
    most = limit.take(active)
    before = start.take(active)
    temporary = before + np.clip(change, -most, most)

    stored = RecentColumns(
        at_start.recent_performance.reshape(-1, RECENT).take(active, axis=0),
        at_start.recent_ended.reshape(-1, RECENT).take(active, axis=0),
        at_start.recent_kind.reshape(-1, RECENT).take(active, axis=0),
    )
    recent = merge_recent(newest_of_period(columns, kind, by_event, runs), stored)
    main = (active < players)[:, np.newaxis]
    wp = weighted_performances(weighted_terms(recent, main, columns.calculated_on, edition), edition)
    higher = wp > temporary
    new = np.where(higher, np.minimum(wp, before + most), temporary)

    raw = at_start.raw.copy()
    raw.ravel()[active] = new
    floor = np.fmax(at_start.highest - edition["floor_drop"], edition["floor"])
    floored = raw < floor
    np.maximum(raw, floor, out=raw)
    rated = ~np.isnan(raw)
    penalty, pending = _deduct(columns, kind, rated)
    if penalty.any():
        raw -= penalty
        floored |= raw < floor
        np.maximum(raw, floor, out=raw)
    adjustment = _adjustments(columns, rated)
    if adjustment.any():
        raw += adjustment
        floored |= raw < floor
        np.maximum(raw, floor, out=raw)

    window_sum, window_weighted, weighted = _weigh(columns, raw, rated, edition)
    published = np.maximum(raw, weighted)
    highest = np.fmax(at_start.highest, published)

    def spread(values: Any, rest: Any, dtype: Any = np.float64) -> Any:
        """Return the short array in its places of a (4, n) array, `rest` elsewhere."""
        result = np.full(shape, rest, dtype=dtype)
        result.ravel()[active] = values
        return result

    def renewed(values: Any, new: Any) -> Any:
        result = values.copy()
        result.reshape(-1, RECENT)[active] = new
        return result

    temporary_all = at_start.raw.copy()
    temporary_all.ravel()[active] = temporary
    return PeriodResult(
        rated=rated,
        games=spread(games, 0, np.int64),
        k=k,
        change=spread(change, 0),
        limit=limit,
        temporary=temporary_all,
        weighted_performance=spread(wp, np.nan),
        floor=floor,
        penalty=penalty,
        adjustment=adjustment,
        raw=raw,
        weighted=weighted,
        published=published,
        highest=highest,
        pending_penalty=pending,
        limited=spread(np.abs(change) > most, False, bool),
        raised=spread(new > temporary, False, bool),
        capped=spread(higher & (wp > before + most), False, bool),
        floored=floored,
        standings=StandingColumns(
            raw=raw,
            highest=highest,
            window_sum=window_sum,
            window_weighted=window_weighted,
            pending_penalty=pending,
            recent_performance=renewed(at_start.recent_performance, recent.performance),
            recent_ended=renewed(at_start.recent_ended, recent.ended),
            recent_kind=renewed(at_start.recent_kind, recent.kind),
        ),
        event_kind=kind,
        by_game=by_game,
        by_event=by_event,
    )


def _deduct(columns: PeriodColumns, kind: Ints, rated: Flags) -> tuple[Floats, Floats]:
    """Return the points deducted now, and those that wait (articles 51–54), each (4, n)."""
    waiting = columns.standings.pending_penalty
    kinds = kind.take(columns.penalty_event)
    counts = kinds >= 0
    if counts.any():
        player, points = columns.penalty_player[counts], columns.penalty_points[counts]
        places = np.concatenate((player, (kinds[counts] + 1) * rated.shape[1] + player))
        given = np.bincount(places, weights=np.concatenate((points, points)), minlength=rated.size)
        waiting = waiting + given.reshape(rated.shape)
    return np.where(rated, waiting, 0.0), np.where(rated, 0.0, waiting)


def _adjustments(columns: PeriodColumns, rated: Flags) -> Floats:
    """Return the points by which what was published is corrected from now on (article 64), (4, n)."""
    places = columns.adjusted_list * rated.shape[1] + columns.adjusted_player
    points = np.bincount(places, weights=columns.adjusted_points, minlength=rated.size).reshape(rated.shape)
    return np.where(rated, points, 0.0)


def _weigh(columns: PeriodColumns, raw: Floats, rated: Flags, edition: Edition) -> tuple[Floats, Floats, Floats]:
    """Return the window of 24 raw ratings moved on by one, as its two sums, and the weighted rating (49), each (4, n)."""
    window = columns.standings
    newest = np.where(rated, raw, edition["unrated_rating"])
    # Each rating in the window gets one place older, and so loses one of its weight; the oldest had 1.
    window_weighted = window.window_weighted - window.window_sum + edition["window"] * newest
    window_sum = window.window_sum + newest - columns.oldest
    weighted = np.where(rated, window_weighted / edition["window_divisor"], np.nan)
    return window_sum, window_weighted, weighted
