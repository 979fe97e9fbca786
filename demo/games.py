"""How a game of the demonstration ends: drawn from hidden strengths, independently of the rating systems."""

from math import exp
from random import Random

from events.rules.game_result import Result

_WHITE_EDGE = 30.0


def play_game(white: float, black: float, random: Random) -> Result:
    """Draw a result from two strengths in rating points; equal and strong players draw more often."""
    difference = white + _WHITE_EDGE - black
    expected = 1 / (1 + 10 ** (-difference / 400))
    level = min(1.0, max(0.0, (white + black - 1800) / 2800))
    draws = min((0.08 + 0.32 * level) * exp(-((difference / 350) ** 2)), 2 * expected, 2 * (1 - expected))
    drawn = random.random()
    if drawn < expected - draws / 2:
        return Result.WHITE_WINS
    return Result.DRAW if drawn < expected + draws / 2 else Result.BLACK_WINS
