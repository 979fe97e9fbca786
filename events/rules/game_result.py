"""The result of a game or of a round without one: one vocabulary for files, database and rating cases. Pure."""

from enum import StrEnum


class Result(StrEnum):
    """A result from White's side, or a round without an opponent from the player's.

    Played games are rated. The others count for points and, some of them, for activity (article 55), never for a rating.
    """

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"
    # An arbiter's penalty made the two scores not add up to one point: an officer decides, not rated until then.
    BOTH_LOSE = "0-0"
    WHITE_HALF = "1/2-0"
    BLACK_HALF = "0-1/2"
    FORFEIT_WHITE_WINS = "+--"
    FORFEIT_BLACK_WINS = "--+"
    FORFEIT_BOTH_LOSE = "---"
    # Decided before each side had made a move: points, but no game.
    UNPLAYED_WHITE_WINS = "1-0u"
    UNPLAYED_BLACK_WINS = "0-1u"
    UNPLAYED_DRAW = "1/2u"
    # Without an opponent; the player stands as White.
    PAIRING_BYE = "bye"
    FULL_BYE = "bye-full"
    HALF_BYE = "bye-half"
    ZERO_BYE = "bye-zero"


PLAYED = frozenset({Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW})
PENALISED = frozenset({Result.BOTH_LOSE, Result.WHITE_HALF, Result.BLACK_HALF})
FORFEITS = frozenset({Result.FORFEIT_WHITE_WINS, Result.FORFEIT_BLACK_WINS, Result.FORFEIT_BOTH_LOSE})
UNPLAYED = frozenset({Result.UNPLAYED_WHITE_WINS, Result.UNPLAYED_BLACK_WINS, Result.UNPLAYED_DRAW})
BYES = frozenset({Result.PAIRING_BYE, Result.FULL_BYE, Result.HALF_BYE, Result.ZERO_BYE})

# Towards whose activity, (White's, Black's), a result counts (article 55): of those who played with the pieces, had the bye of
# the pairing program, or won by forfeit.
_BOTH_PLAYED = dict.fromkeys(PLAYED | PENALISED, (True, True))
ACTIVITY: dict[Result, tuple[bool, bool]] = _BOTH_PLAYED | {
    Result.FORFEIT_WHITE_WINS: (True, False),
    Result.FORFEIT_BLACK_WINS: (False, True),
    Result.PAIRING_BYE: (True, False),
}

# Points of (White, Black) by result. A pairing bye is worth what the tournament says, one point unless it says otherwise.
POINTS: dict[Result, tuple[float, float]] = {
    Result.WHITE_WINS: (1.0, 0.0),
    Result.BLACK_WINS: (0.0, 1.0),
    Result.DRAW: (0.5, 0.5),
    Result.BOTH_LOSE: (0.0, 0.0),
    Result.WHITE_HALF: (0.5, 0.0),
    Result.BLACK_HALF: (0.0, 0.5),
    Result.FORFEIT_WHITE_WINS: (1.0, 0.0),
    Result.FORFEIT_BLACK_WINS: (0.0, 1.0),
    Result.FORFEIT_BOTH_LOSE: (0.0, 0.0),
    Result.UNPLAYED_WHITE_WINS: (1.0, 0.0),
    Result.UNPLAYED_BLACK_WINS: (0.0, 1.0),
    Result.UNPLAYED_DRAW: (0.5, 0.5),
    Result.PAIRING_BYE: (1.0, 0.0),
    Result.FULL_BYE: (1.0, 0.0),
    Result.HALF_BYE: (0.5, 0.0),
    Result.ZERO_BYE: (0.0, 0.0),
}

_MIRRORED: dict[Result, Result] = {
    Result.WHITE_WINS: Result.BLACK_WINS,
    Result.WHITE_HALF: Result.BLACK_HALF,
    Result.FORFEIT_WHITE_WINS: Result.FORFEIT_BLACK_WINS,
    Result.UNPLAYED_WHITE_WINS: Result.UNPLAYED_BLACK_WINS,
}
_MIRRORED |= {black: white for white, black in _MIRRORED.items()}


def mirrored(result: Result) -> Result:
    """Return the result with the two sides exchanged."""
    return _MIRRORED.get(result, result)
