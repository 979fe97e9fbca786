"""Time of the Irish Chess Union's system, through `rate`, against a plain one-list Elo on numpy columns.

Prints one JSON line for the time per game in units of the plain Elo's (the better of two sizes, the slower edition), and
one for how the time grows from 100 to 1,000 players.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from config.lib.editions import Edition
from ratings.systems import icu
from ratings.systems.base import Event, Game, GameResult

PLAYERS = 1_000
ROUNDS = 9
TURNS = 40
TARGET_RATIO = 270
TARGET_GROWTH = 10


def swiss(players: int) -> tuple[Event, dict[str, icu.Standing]]:
    """Return a random event of nine rounds: 70 % of players rated, 10 % each provisional, unrated and foreign."""
    chance = random.Random(players)
    strength = {str(number): chance.gauss(1500, 300) for number in range(1, players + 1)}
    standings: dict[str, icu.Standing] = {}
    for name, level in strength.items():
        rating = round(level + chance.gauss(0, 80))
        kind = chance.choices(list(icu.PlayerType), weights=(7, 1, 1, 1))[0]
        if kind == icu.PlayerType.RATED:
            k = icu.k_factor(rating, chance.choice((15, 40)), chance.choice((3, 20)))
            standings[name] = icu.Standing(kind, rating, k)
        elif kind == icu.PlayerType.PROVISIONAL:
            standings[name] = icu.Standing(kind, rating, games=chance.randint(1, 19))
        else:
            standings[name] = icu.Standing(kind, None if kind == icu.PlayerType.UNRATED else rating)
    games = []
    for number in range(1, ROUNDS + 1):
        order = sorted(strength, key=lambda name: strength[name] + chance.gauss(0, 200))
        for white, black in zip(order[::2], order[1::2], strict=True):
            expected = 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400))
            drawn = chance.random()
            result = GameResult.WHITE_WINS if drawn < expected else GameResult.BLACK_WINS
            games.append(Game(white, black, GameResult.DRAW if abs(drawn - expected) < 0.12 else result, number))
    return Event("swiss", tuple(games)), standings


def plain_elo(players: int, games: int) -> Callable[[], object]:
    """Return a task that rates one list with one K from ready columns: the least that a numpy Elo does."""
    chance = np.random.default_rng(1)
    rating = chance.normal(1500, 300, players)
    white = chance.integers(0, players, games)
    black = (white + chance.integers(1, players, games)) % players
    score = chance.choice([0.0, 0.5, 1.0], games)

    def calculate() -> object:
        change = 20.0 * (score - 1.0 / (1.0 + 10.0 ** ((rating[black] - rating[white]) / 400.0)))
        return rating + np.bincount(white, change, players) - np.bincount(black, change, players)

    return calculate


def seconds(task: Callable[[], object]) -> float:
    """Return the processor seconds of one call."""
    start = time.process_time()
    task()
    return time.process_time() - start


def repeated(task: Callable[[], object], times: int) -> Callable[[], object]:
    """Return a task that calls another `times` times, so that it takes longer than the clock's tick."""
    return lambda: [task() for _ in range(times)]


def rating_of(players: int, edition: Edition) -> Callable[[], object]:
    """Return a task that rates an event; its calculation converges and gives bonuses."""
    event, standings = swiss(players)
    result = icu.rate(event, standings, edition)
    assert result.error is None
    assert result.iterations[1]
    return lambda: icu.rate(event, standings, edition)


def main() -> None:
    """Measure in turns, take each task's best turn, print."""
    games = PLAYERS * ROUNDS // 2
    large = 100 * games
    tasks: dict[str, tuple[Callable[[], object], int]] = {
        "elo": (repeated(plain_elo(PLAYERS, games), 20), 20 * games),
        "elo, large": (plain_elo(PLAYERS, large), large),
    }
    for edition in icu.EDITIONS:
        tasks[f"{edition.name} 1000"] = (rating_of(PLAYERS, edition), games)
        tasks[f"{edition.name} 100"] = (repeated(rating_of(PLAYERS // 10, edition), 10), games)
    times = {name: min(column) for name, column in zip(tasks, turns(tasks), strict=True)}
    per_game = {name: times[name] / tasks[name][1] for name in tasks}
    plain = min(per_game["elo"], per_game["elo, large"])
    ratio = max(per_game[f"{edition.name} 1000"] for edition in icu.EDITIONS) / plain
    growth = max(times[f"{e.name} 1000"] / (times[f"{e.name} 100"] / 10) for e in icu.EDITIONS)
    rates = {name: round(1 / value) for name, value in per_game.items()}
    line = {"name": "icu_vs_numpy_elo", "value": round(ratio, 1), "target": TARGET_RATIO, "unit": "ratio"}
    print(json.dumps(line | {"games_per_second": rates}))
    print(json.dumps({"name": "icu_growth_10x", "value": round(growth, 2), "target": TARGET_GROWTH, "unit": "ratio"}))


def turns(tasks: dict[str, tuple[Callable[[], object], int]]) -> list[list[float]]:
    """Return for each task its seconds in every turn; a turn runs all tasks once."""
    rows = [[seconds(task) for task, _ in tasks.values()] for _ in range(TURNS)]
    return [list(column) for column in zip(*rows, strict=True)]


if __name__ == "__main__":
    main()
