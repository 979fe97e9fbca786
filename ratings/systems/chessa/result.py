"""What the calculation of a Chess SA rating period gives, as numpy columns. Pure.

Shapes as in `ratings.systems.chessa.columns`: n players, g games, 4 lists; f performances.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratings.systems.chessa.columns import Floats, Ints, StandingColumns

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GameColumns:
    """The games of a period. Axis 0: 0 on Main, 1 on the list of the type of game; axis 1: 0 White, 1 Black.

    nan: a game that is not rated (article 23), or in `change` a side that is not rated here.
    """

    opponent: Floats  # (2, 2, g) the opponent's rating
    expected: Floats  # (2, 2, g) We
    change: Floats  # (2, 2, g) (R − We) × Tw × K


@dataclass(frozen=True, slots=True)
class EventColumns:
    """One row for each list, player and event with a played game: Main first; by player (on the other lists, by player
    and list), the newest event first."""

    list_index: Ints  # (f,) index in LISTS
    event: Ints  # (f,)
    player: Ints  # (f,)
    games: Ints  # (f,) played
    score: Floats  # (f,)
    expected: Floats  # (f,) sum of We
    average_opponent: Floats  # (f,) Ao
    performance: Floats  # (f,) P
    tw: Floats  # (f,) tournament weight; 1 except on Main
    change: Floats  # (f,) sum of the games' changes


@dataclass(frozen=True, slots=True)
class PeriodResult:
    """Everybody's new ratings, and every figure on the way to them. Where a player stays unrated, the figures that need
    a rating are nan; `games`, `k`, `change`, `limit` and `pending_penalty` are those of an unrated player."""

    rated: Flags  # (4, n) after the period
    games: Ints  # (4, n) rated games of the period
    k: Floats  # (4, n)
    change: Floats  # (4, n) sum of the games' changes, before article 47
    limit: Floats  # (4, n) greatest change of article 47, from the raw rating at the start
    temporary: Floats  # (4, n) raw at the start + change within ± limit
    weighted_performance: Floats  # (4, n) Wp; nan: not applied
    floor: Floats  # (4, n) article 42, from the highest rating at the start
    penalty: Floats  # (4, n) points deducted, those that had waited included
    adjustment: Floats  # (4, n) points added to correct what was published (article 64)
    raw: Floats  # (4, n) final
    weighted: Floats  # (4, n)
    published: Floats  # (4, n)
    highest: Floats  # (4, n) highest published, this period's included
    pending_penalty: Floats  # (4, n) points that still wait for a first rating
    limited: Flags  # (4, n) article 47 cut the change
    raised: Flags  # (4, n) Wp was higher than the temporary rating and raised it
    capped: Flags  # (4, n) article 47 cut the rise by Wp
    floored: Flags  # (4, n) article 42 held the rating up, before or after penalty and adjustment
    standings: StandingColumns  # at the start of the next period
    event_kind: Ints  # (e,) index in TYPES_OF_GAME; -1: not rated
    by_game: GameColumns
    by_event: EventColumns
