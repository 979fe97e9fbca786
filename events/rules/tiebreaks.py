"""Tie-breaks of individual tournaments: Buchholz, Buchholz cut 1, Sonneborn-Berger, number of wins. Pure.

Source: FIDE Handbook C.07, Tie-Break Regulations; the numbers below are its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from events.rules.game_result import BYES, FORFEITS, POINTS, Result

_DRAW, _WIN = 0.5, 1.0
_REQUESTED = frozenset({Result.HALF_BYE, Result.ZERO_BYE})


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break: its code in tournament files (record 202 of a TRF26), the head of its column, what it counts."""

    code: str
    short: str
    name: str
    about: str


BUCHHOLZ = TieBreak("BH", "BH", "Buchholz", "the sum of the opponents’ points")
CUT_1 = TieBreak("BH/C1", "BH−1", "Buchholz cut 1", "Buchholz without the opponent of the fewest points")
SONNEBORN_BERGER = TieBreak(
    "SB", "SB", "Sonneborn-Berger", "the points of the opponents who were beaten, and half of those who drew"
)
WINS = TieBreak("WIN", "Wins", "number of wins", "rounds with a full point, byes and forfeits included")
TIE_BREAKS = {tie_break.code: tie_break for tie_break in (BUCHHOLZ, CUT_1, SONNEBORN_BERGER, WINS)}

SWISS_ORDER = (BUCHHOLZ, CUT_1, SONNEBORN_BERGER, WINS)
# Who are level in a round-robin have met the same opponents, all but each other: their Buchholz is the same.
ROUND_ROBIN_ORDER = (SONNEBORN_BERGER, WINS)


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A player's round: the opponent, None without one, how it ended, and the player's points.

    `played`: the opponent's points count in Buchholz; `requested`: a bye that was asked for; `voluntary`: not played by the
    player's own doing (16.2).
    """

    opponent: int | None
    points: float
    played: bool
    requested: bool = False
    voluntary: bool = False


def round_score(result: Result, side: int, opponent: int | None, *, round_robin: bool = False) -> RoundScore:
    """Return a round from one side of a result, 0 White and 1 Black. In a round-robin forfeits count as played (16.1)."""
    points = POINTS[result][side]
    if opponent is None or result in BYES:
        requested = result in _REQUESTED
        return RoundScore(None, points, False, requested, requested)
    forfeit = result in FORFEITS and not round_robin
    return RoundScore(opponent, points, not forfeit, False, forfeit and points == 0)


def rounds_of(
    pairings: Iterable[tuple[int, int | None, int | None, Result]], *, round_robin: bool = False
) -> dict[int, dict[int, RoundScore]]:
    """Return the rounds by number by player; pairings are (round, White, Black, result), a side None for no player."""
    rounds: dict[int, dict[int, RoundScore]] = {}
    for number, white, black, result in pairings:
        for side, (own, other) in enumerate(((white, black), (black, white))):
            if own is not None:
                rounds.setdefault(own, {})[number] = round_score(result, side, other, round_robin=round_robin)
    return rounds


def tie_breaks(
    points: Mapping[int, float],
    rounds: Mapping[int, Mapping[int, RoundScore]],
    count: int,
    *,
    round_robin: bool = False,
) -> dict[int, dict[str, float]]:
    """Return each player's tie-breaks by code.

    Takes points, and rounds by number, by player, and the number of rounds. A round that a player lacks is one that he asked
    to sit out; in a round-robin it counts nothing. Raises KeyError for an opponent who has no points.
    """
    absent = RoundScore(None, 0.0, False, True, True)
    complete = {key: [rounds.get(key, {}).get(number, absent) for number in range(1, count + 1)] for key in points}
    adjusted = {key: points[key] + (0 if round_robin else _trailing(complete[key])) for key in points}
    return {key: _of(points[key], complete[key], adjusted, round_robin) for key in points}


def _trailing(rounds: Sequence[RoundScore]) -> float:
    """What a score gains for the opponents' tie-breaks: byes asked for count as draws after the last round that was wanted."""
    gained = 0.0
    for round_ in reversed(rounds):
        if not round_.voluntary:
            break
        gained += _DRAW - round_.points if round_.requested else 0.0
    return gained


def _of(own: float, rounds: Sequence[RoundScore], adjusted: Mapping[int, float], round_robin: bool) -> dict[str, float]:
    counted = [round_ for round_ in rounds if round_.played or not round_robin]
    # an unplayed round is one against an opponent who has as many points as oneself (16.4)
    met = [adjusted[round_.opponent] if round_.played and round_.opponent is not None else own for round_ in counted]
    buchholz = sum(met)
    # of rounds not played by one's own doing, one is cut before any other (16.5)
    cut = [value for value, round_ in zip(met, counted, strict=True) if round_.voluntary] or met
    return {
        BUCHHOLZ.code: buchholz,
        CUT_1.code: buchholz - min(cut, default=0.0),
        SONNEBORN_BERGER.code: sum(round_.points * value for round_, value in zip(counted, met, strict=True)),
        WINS.code: sum(round_.points >= _WIN for round_ in rounds),
    }


@dataclass(frozen=True, slots=True)
class NamedTieBreaks:
    """The tie-breaks that a file names, in order: those that are calculated here, and the codes of the others."""

    known: tuple[TieBreak, ...]
    others: tuple[str, ...]


def named(codes: Iterable[str]) -> NamedTieBreaks:
    """Return the tie-breaks of a file's codes; points, which come first anyway, are none."""
    wanted = list(dict.fromkeys(code.upper() for code in codes if code.upper() != "PTS"))
    known = tuple(TIE_BREAKS[code] for code in wanted if code in TIE_BREAKS)
    return NamedTieBreaks(known, tuple(code for code in wanted if code not in TIE_BREAKS))


def places(keys: Sequence[tuple[float, ...]]) -> list[int]:
    """Return the place of each key, highest first; equal keys share the better place."""
    first: dict[tuple[float, ...], int] = {}
    for place, key in enumerate(sorted(keys, reverse=True), start=1):
        first.setdefault(key, place)
    return [first[key] for key in keys]


def is_ordered(keys: Sequence[tuple[float, ...]]) -> bool:
    """Return whether keys, given in the order of a file's places, never rise: the file's order is theirs."""
    return all(later <= earlier for earlier, later in pairwise(keys))
