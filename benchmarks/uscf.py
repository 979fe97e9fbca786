"""Speed of the USCF calculation: against a plain Elo on numpy columns, and its growth from 100 to 1,000 players.

Prints one JSON line for each figure. `uscf_vs_numpy_elo`: processor time for each game of `rate` (from events and standings to
outcomes) over that of the plain Elo, both measured in turn in this run. `uscf_growth_10x`: time of 1,000 players over
that of 100. Run: python -m benchmarks.uscf
"""

import gc
import json
import random
import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from config.lib.editions import edition_named
from ratings.systems.base import Event, Game, GameResult
from ratings.systems.uscf import EDITIONS, Standing, rate

ROUNDS = 9
REPEATS = 15
RESULTS = (GameResult.WHITE_WINS, GameResult.DRAW, GameResult.BLACK_WINS)


def section(players: int, seed: int = 1) -> tuple[Event, dict[str, Standing]]:
    """Return an event of nine rounds: 70 % established, 20 % provisional (half of them up to eight games), 10 % unrated."""
    chance = random.Random(seed)
    names = [f"p{number}" for number in range(players)]
    standings = {}
    for name in names:
        kind, rating = chance.random(), chance.gauss(1500, 350)
        if kind < 0.7:
            standings[name] = Standing(
                rating=rating, games=chance.randint(26, 500), peak=rating + 50, wins=20, draws=10, events=10
            )
        elif kind < 0.9:
            standings[name] = Standing(rating=rating, games=chance.randint(1, 16), wins=1)
        else:
            standings[name] = Standing(age=chance.uniform(6, 40))
    games = []
    for number in range(1, ROUNDS + 1):
        chance.shuffle(names)
        for white, black in zip(names[::2], names[1::2], strict=True):
            games.append(Game(white, black, chance.choice(RESULTS), number))
    return Event("section", tuple(games)), standings


def numpy_elo(players: int, games: int) -> Callable[[], NDArray[np.float64]]:
    """Return a task that rates one list by a plain Elo, all games from the ratings before."""
    chance = np.random.default_rng(1)
    rating = chance.normal(1500, 350, players)
    white, black = chance.integers(0, players, games), chance.integers(0, players, games)
    score = chance.choice([0.0, 0.5, 1.0], games)

    def run() -> NDArray[np.float64]:
        change = 20.0 * (score - 1.0 / (1.0 + 10.0 ** ((rating[black] - rating[white]) / 400.0)))
        return rating + np.bincount(white, change, players) - np.bincount(black, change, players)

    return run


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the mean processor seconds of one call over `times` calls in a row."""
    begin = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begin) / times


def main() -> None:
    edition = edition_named(EDITIONS, "2025")
    large, small = section(1000), section(100)
    elo = numpy_elo(1000, len(large[0].games))
    works: dict[str, tuple[Callable[[], object], int]] = {
        "large": (lambda: rate(large[0], large[1], edition).outcomes, 3),
        "small": (lambda: rate(small[0], small[1], edition).outcomes, 30),
        "elo": (elo, 300),
    }
    figures: dict[str, list[float]] = {name: [] for name in works}
    for work, _ in works.values():
        work()
    gc.disable()
    for _ in range(REPEATS):
        for name, (work, times) in works.items():
            figures[name].append(seconds(work, times))
        gc.collect()
    middle = {name: statistics.median(values) for name, values in figures.items()}
    games = len(large[0].games)
    for line in (
        {
            "name": "uscf_vs_numpy_elo",
            "value": round(middle["large"] / middle["elo"], 1),
            "target": 270,
            "unit": "ratio",
            "games_per_second": round(games / middle["large"]),
            "elo_games_per_second": round(games / middle["elo"]),
        },
        {
            "name": "uscf_growth_10x",
            "value": round(middle["large"] / middle["small"], 2),
            "target": 10,
            "unit": "ratio",
        },
    ):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
