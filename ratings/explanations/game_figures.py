"""What single games earned a player on the regulations' own lists, by the calculation's own columns of games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

import numpy as np

from config.lib.days import next_month
from events.rules.time_controls import minutes, tournament_weights, types_of_game
from ratings.lists.definitions import ListDefinition
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS
from ratings.systems.chessa.games import SingleGames, rate_games


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A played game of a published month from a player's side.

    `opponent`: his id, None for an opponent abroad, whose FIDE rating or performance is `guest`, not yet adjusted (article 45).
    """

    id: int
    month: date
    base_minutes: int
    increment_seconds: int
    is_white: bool
    score: float
    opponent: int | None
    guest: float | None


@dataclass(frozen=True, slots=True)
class GameFigures:
    """What a game earned on one list, unrounded.

    `rating` is the opponent's at the start of the period, of an unrated one the rating at which the unrated start
    (`is_rated` False); of an opponent abroad the adjusted one.
    """

    listing: ListDefinition
    rating: float
    is_rated: bool
    expected: float
    change: float


@dataclass(frozen=True, slots=True)
class StartOfMonth:
    """A player's raw rating at the start of a month, None for unrated, and the K of his games in it."""

    raw: float | None
    k: float


def figures_of_games(
    games: Sequence[RatedGame],
    own: Mapping[tuple[date, int], StartOfMonth],
    opponents: Mapping[tuple[date, int, int], float],
    lists: Sequence[ListDefinition],
) -> dict[int, list[GameFigures]]:
    """Return what each game earned on Main and on the list of its type, by id of the game; nothing for games too fast to rate.

    `own` by (month, list); `opponents`: their raw ratings at the start by (month, player, list). `lists`: the regulations' own.
    """
    by_code = {listing.code: listing for listing in lists if listing.is_national}
    if not all(code in by_code for code in LISTS):
        return {}
    result: dict[int, list[GameFigures]] = {}
    for month, of_month in groupby(sorted(games, key=lambda game: game.month), key=lambda game: game.month):
        result |= _month(list(of_month), month, own, opponents, [by_code[code] for code in LISTS])
    return result


def _month(
    games: Sequence[RatedGame],
    month: date,
    own: Mapping[tuple[date, int], StartOfMonth],
    opponents: Mapping[tuple[date, int, int], float],
    lists: Sequence[ListDefinition],
) -> dict[int, list[GameFigures]]:
    """Rate the games of one month: each is an event of its own; column 0 is the player, the others are his opponents."""
    edition = chessa.edition_for(next_month(month))
    met = sorted({game.opponent for game in games if game.opponent is not None})
    column = {player: place for place, player in enumerate(met, start=1)}
    raw = np.full((len(lists), len(met) + 1), np.nan)
    k = np.full(raw.shape, np.nan)  # nobody else's change is asked for
    for place, listing in enumerate(lists):
        start = own.get((month, listing.id))
        if start is not None:
            raw[place, 0] = np.nan if start.raw is None else start.raw
            k[place, 0] = start.k
        for player, at in column.items():
            raw[place, at] = opponents.get((month, player, listing.id), np.nan)
    length = np.array([minutes(game.base_minutes, game.increment_seconds, edition) for game in games])
    kinds = types_of_game(length, edition)
    other = [-1 if game.opponent is None else column[game.opponent] for game in games]
    guest = [np.nan if game.guest is None else chessa.adjusted_fide(game.guest, edition) for game in games]
    white = np.array([game.is_white for game in games])
    score = np.array([game.score for game in games])
    by_game = rate_games(
        SingleGames(
            event=np.arange(len(games)),
            white=np.where(white, 0, other),
            black=np.where(white, other, 0),
            white_score=np.where(white, score, 1.0 - score),
            guest=np.array(guest),
        ),
        kinds,
        tournament_weights(length, edition),
        np.where(np.isnan(raw), edition["unrated_rating"], raw),
        k,
        edition,
    )
    result: dict[int, list[GameFigures]] = {}
    for row, game in enumerate(games):
        side, kind = 0 if game.is_white else 1, int(kinds[row])
        for slot, place in enumerate((0, kind + 1) if kind >= 0 else ()):
            figures = GameFigures(
                listing=lists[place],
                rating=float(by_game.opponent[slot, side, row]),
                is_rated=game.opponent is None or not np.isnan(raw[place, other[row]]),
                expected=float(by_game.expected[slot, side, row]),
                change=float(by_game.change[slot, side, row]),
            )
            if figures.change == figures.change:
                result.setdefault(game.id, []).append(figures)
    return result
