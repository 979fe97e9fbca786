"""Game by game and tournament by tournament: expected scores, changes and performances of a Chess SA period. Pure.

Articles 19–34 and 41. Shapes as in `ratings.systems.chessa.columns`; f performances.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from config.lib.editions import Edition
from events.rules.time_controls import TYPES_OF_GAME
from ratings.systems.chessa.columns import Floats, Ints, PeriodColumns
from ratings.systems.chessa.result import EventColumns, GameColumns


@dataclass(frozen=True, slots=True)
class SingleGames:
    """Played games for themselves, apart from a period's standings. Shapes and indices as in `PeriodColumns`."""

    event: Ints  # (g,)
    white: Ints  # (g,)
    black: Ints  # (g,)
    white_score: Floats  # (g,)
    guest: Floats  # (g,)


def k_factors(highest: Floats, edition: Edition) -> Floats:
    """K of article 31 by highest rating; nan: unrated."""
    # Counting the thresholds reached takes a third of the time of np.searchsorted.
    reached = np.zeros(highest.shape, dtype=np.int8)
    for threshold in edition["k_thresholds"]:
        reached += highest >= threshold
    factors: Floats = np.array(edition["k_factors"])
    return np.where(np.isnan(highest), edition["unrated_k"], factors.take(reached))


def expected_scores(difference: Floats, edition: Edition) -> Floats:
    """White's We of articles 33 and 34 by rating difference, White's less Black's. Black's is 1 − We."""
    lowest, highest = edition["difference_bounds"]
    result = np.clip(difference, lowest, highest)
    result *= edition["expected_slope"]
    result += edition["expected_level"]
    return result


def rate_games(
    columns: PeriodColumns | SingleGames, kind: Ints, tw: Floats, start: Floats, k: Floats, edition: Edition
) -> GameColumns:
    """We and change of every game, on Main and on the list of its type.

    `kind`, `tw` (e,) of the events; `start`, `k` (4, n) everybody's rating and K at the start of the period.
    """
    players = start.shape[1]
    sides = np.stack((columns.white, columns.black))
    scores = np.stack((columns.white_score, 1.0 - columns.white_score))
    kind_of_game = kind.take(columns.event)
    # Flat places in the (4, n) arrays; a guest's -1 is some other place, and is put right below.
    places = np.stack((sides, sides + (kind_of_game + 1) * players))
    rating = start.take(places, mode="wrap")
    side, game = np.nonzero(sides < 0)
    rating[:, side, game] = columns.guest[game]

    expected = np.empty_like(rating)
    white = expected_scores(rating[:, 0] - rating[:, 1], edition)
    expected[:, 0] = white
    np.subtract(1.0, white, out=expected[:, 1])

    change = scores - expected
    change[0] *= tw.take(columns.event)
    change *= k.take(places, mode="wrap")
    change[:, side, game] = np.nan

    opponent = rating[:, ::-1].copy()
    not_rated = np.flatnonzero(kind_of_game < 0)
    for values in (opponent, expected, change):
        values[..., not_rated] = np.nan
    return GameColumns(opponent=opponent, expected=expected, change=change)


def sum_events(columns: PeriodColumns, kind: Ints, tw: Floats, by_game: GameColumns, edition: Edition) -> EventColumns:
    """Return the totals and performances of every player in every event, on Main and on the list of its type.

    Sums run in the order of the games: their rows. Players × events × games must stay under 2^59; a South African
    month is under 2^37.
    """
    events, games = max(1, len(kind)), len(columns.event)
    # Rank 0 is the newest: by end date, on one day the later listed.
    newest = np.argsort(columns.event_ended, kind="stable")[::-1]
    rank = np.empty_like(newest)
    rank[newest] = np.arange(len(newest))

    # One integer a side of a game sorts by player, type, newest event and game; much faster than an argsort.
    sides = np.stack((columns.white, columns.black))
    kind_of_game = kind.take(columns.event)
    span = len(TYPES_OF_GAME) * events
    within = kind_of_game * events + rank.take(columns.event)
    # Negative keys are dropped: a guest's is so by itself.
    within[kind_of_game < 0] = -span * columns.standings.raw.shape[1]
    keys = sides * span + within
    bits = (2 * games).bit_length()
    packed = (keys << bits) + (np.arange(2)[:, np.newaxis] + 2 * np.arange(games))
    packed = np.sort(packed, axis=None)
    packed = packed[np.searchsorted(packed, 0) :]
    keys = packed >> bits
    side = packed & ((1 << bits) - 1)
    side = (side & 1) * games + (side >> 1)  # flat place in (2, g)

    starts = run_starts(keys)
    keys = keys.take(starts)
    counts = np.diff(starts, append=len(side))
    group = np.repeat(np.arange(len(starts)), counts)

    def totals(values: Floats) -> Any:
        return np.bincount(group, weights=values.ravel().take(side), minlength=len(starts))

    player, kind_and_rank = np.divmod(keys, span)
    kind_of_group, rank_of_group = np.divmod(kind_and_rank, events)
    event = newest.take(rank_of_group)
    score = totals(np.stack((columns.white_score, 1.0 - columns.white_score)))
    on_main = np.argsort(player * events + rank_of_group)

    def both(main: Ints | Floats, own: Ints | Floats) -> Any:
        return np.concatenate((main.take(on_main), own))

    return EventColumns(
        list_index=both(np.zeros_like(event), kind_of_group + 1),
        event=both(event, event),
        player=both(player, player),
        games=(played := both(counts, counts)),
        score=(scores := both(score, score)),
        expected=both(totals(by_game.expected[0]), totals(by_game.expected[1])),
        average_opponent=(average := both(totals(by_game.opponent[0]), totals(by_game.opponent[1])) / played),
        performance=average + edition["performance_span"] * (scores / played - 0.5),
        tw=both(tw.take(event), np.ones(len(event))),
        change=both(totals(by_game.change[0]), totals(by_game.change[1])),
    )


def run_starts(keys: Ints) -> Ints:
    """Where each run of equal neighbours begins."""
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return np.flatnonzero(first)
