"""The tables of the guide of 15 May 2001 to the letter, and a player's event by them, in exact fractions. Pure.

Source: M. Aigner, Calculations for Established Players. It is for players of 50 or more games, with three to nine games in
the event; opponents stand at their ratings before it, and there are no floors.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from config.lib.editions import Edition

_HUNDREDTH = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class GuideGame:
    """A played game: its index in the event, the opponent (None: not rated here) and his rating, and the score."""

    game: int
    opponent: str | None
    rating: Fraction
    score: Fraction
    expected: Fraction


@dataclass(frozen=True, slots=True)
class GuideWork:
    """A player's event by the guide: `change` is K (W − We), halved in a half-K event, and `rating` the new one, unrounded."""

    before: Fraction
    games: tuple[GuideGame, ...]
    half_k: bool
    k: int
    cutoff: int
    change: Fraction
    bonus: Fraction

    @property
    def score(self) -> Fraction:
        """W."""
        return sum((game.score for game in self.games), Fraction(0))

    @property
    def expected(self) -> Fraction:
        """We."""
        return sum((game.expected for game in self.games), Fraction(0))

    @property
    def rating(self) -> Fraction:
        """Return the new rating."""
        return self.before + self.change + self.bonus

    @property
    def published(self) -> int:
        """Return the new rating to the nearest whole number, a half upwards."""
        return half_up(self.rating)


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, a half upwards."""
    return floor(value + Fraction(1, 2))


def expected_score(rating: Fraction, opponent: Fraction, edition: Edition) -> Fraction:
    """Return the expected score of a game by table 1 to two places, a half upwards, for either side by itself."""
    higher = _between(edition["guide_expected"], abs(rating - opponent))
    return half_up(higher if rating >= opponent else 100 - higher) * _HUNDREDTH


def k_factor(rating: Fraction, games: int, edition: Edition) -> int:
    """Return K by table 2; `games` is one of its columns."""
    column = edition["guide_games"].index(games)
    return half_up(_between([(level, row[column]) for level, row in edition["guide_k"]], rating))


def cutoff(games: int, edition: Edition) -> int:
    """Return the change above which there is a bonus, by table 3; `games` is one of its columns."""
    return int(edition["guide_cutoff"][edition["guide_games"].index(games)])


def work_of(rating: Fraction, games: Sequence[GuideGame], edition: Edition, *, half_k: bool) -> GuideWork:
    """Return a player's event: K × (W − We), and as bonus what that is above the cut-off."""
    k, least = k_factor(rating, len(games), edition), cutoff(len(games), edition)
    change = k * sum((game.score - game.expected for game in games), Fraction(0))
    if half_k:
        change *= edition["guide_half_k"]
    return GuideWork(rating, tuple(games), half_k, k, least, change, max(Fraction(0), change - least))


def _between(rows: Sequence[tuple[int, int]], place: Fraction) -> Fraction:
    """Return the figure at a place of a table of (place, figure): straight between its rows, flat beyond them."""
    after = bisect_right([row[0] for row in rows], place)
    if after in (0, len(rows)):
        return Fraction(rows[max(after - 1, 0)][1])
    (first, figure), (last, next_figure) = rows[after - 1], rows[after]
    return figure + (next_figure - figure) * (place - first) / (last - first)
