"""Processor time of one Chess SA rating period, as a multiple of a plain Elo of the same games on one list.

    python benchmarks/kernel.py [--games 25000] [--players 15000] [--events 250] [--repeat 40]

Both calculations alternate in this process, and each is given by the median of its runs.
"""

import argparse
import json
import statistics
import sys
import time
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ratings.systems.chessa import EDITIONS, rate
from ratings.systems.chessa.columns import RECENT, PeriodColumns, StandingColumns

TARGET = 40


def make_period(games: int, players: int, events: int, seed: int = 1) -> PeriodColumns:
    """Return a random month with three types of game, guests, unrated players, stored tournaments and penalties."""
    random = np.random.default_rng(seed)
    calculated_on = date(2024, 4, 1).toordinal()
    shape = (4, players)
    rated = random.random(shape) < np.array([[1.0], [0.8], [0.7], [0.5]])
    raw = np.where(rated, random.normal(1400, 300, shape).clip(500, 2500), np.nan)
    history = np.where(rated[..., np.newaxis], raw[..., np.newaxis] + random.normal(0, 40, (*shape, 24)), 1200.0)
    history[..., 0] = np.where(rated, raw, 1200.0)
    stored = rated[..., np.newaxis] & (np.arange(RECENT) < random.integers(0, 9, (*shape, 1)))
    ages = np.sort(random.integers(31, 3500, (*shape, RECENT)), axis=2)
    kinds = np.broadcast_to(np.array([0, 0, 1, 2])[:, np.newaxis, np.newaxis], ages.shape).copy()
    kinds[0] = random.integers(0, 3, kinds[0].shape)
    standings = StandingColumns(
        raw=raw,
        highest=raw + random.exponential(60, shape),
        window_sum=history.sum(axis=2),
        window_weighted=(history * np.arange(24, 0, -1)).sum(axis=2),
        pending_penalty=np.where(~rated & (random.random(shape) < 0.01), 20.0, 0.0),
        recent_performance=np.where(stored, random.normal(1400, 300, ages.shape), np.nan),
        recent_ended=np.where(stored, calculated_on - ages, 0),
        recent_kind=np.where(stored, kinds, -1),
    )
    # A quarter of the players plays; each event draws its own field, for about six rounds.
    event = np.sort(random.integers(0, events, games))
    half = max(1, games // events // 6)
    field = random.integers(0, players // 4, (events, 2 * half))
    white = field[event, random.integers(0, half, games)]
    black = field[event, random.integers(half, 2 * half, games)]
    guest = np.full(games, np.nan)
    abroad = (random.random(games) < 0.01) | (white == black)
    black[abroad] = -1
    guest[abroad] = random.normal(1900, 200, int(abroad.sum()))
    minutes = random.choice([3.0, 5.0, 10.0, 15.0, 25.0, 60.0, 90.0, 120.0], events, p=[0.02, *[0.14] * 7])
    penalties = games // 100
    return PeriodColumns(
        calculated_on=calculated_on,
        standings=standings,
        oldest=history[..., 23].copy(),
        event_ended=calculated_on - random.integers(1, 32, events),
        event_minutes=minutes,
        event=event,
        white=white,
        black=black,
        white_score=random.choice([0.0, 0.5, 1.0], games, p=[0.43, 0.12, 0.45]),
        guest=guest,
        penalty_player=random.integers(0, players // 4, penalties),
        penalty_event=random.integers(0, events, penalties),
        penalty_points=np.full(penalties, 20.0),
    )


def plain_elo(raw: np.ndarray, white: np.ndarray, black: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Return new ratings of one list: the yardstick."""
    players = len(raw)
    difference = raw[black] - raw[white]
    white_change = 20 * (score - 1 / (1 + 10 ** (difference / 400)))
    black_change = 20 * ((1 - score) - 1 / (1 + 10 ** (-difference / 400)))
    return (
        raw
        + np.bincount(white, weights=white_change, minlength=players)
        + np.bincount(black, weights=black_change, minlength=players)
    )


def main() -> None:
    """Measure, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=25_000)
    parser.add_argument("--players", type=int, default=15_000)
    parser.add_argument("--events", type=int, default=250)
    parser.add_argument("--repeat", type=int, default=40)
    options = parser.parse_args()
    columns = make_period(options.games, options.players, options.events)
    edition = EDITIONS[-1]
    raw = np.nan_to_num(columns.standings.raw[0], nan=1200.0)
    black = np.where(columns.black < 0, 0, columns.black)
    times: dict[str, list[float]] = {"kernel": [], "elo": []}
    for _ in range(options.repeat):
        began = time.process_time()
        rate(columns, edition)
        middle = time.process_time()
        # Ten passes: one is shorter than the clock's resolution.
        for _ in range(10):
            plain_elo(raw, columns.white, black, columns.white_score)
        times["kernel"].append(middle - began)
        times["elo"].append((time.process_time() - middle) / 10)
    kernel, elo = (statistics.median(times[name]) for name in ("kernel", "elo"))
    report = {
        "name": "kernel_vs_numpy_elo",
        "value": round(kernel / elo, 2),
        "target": TARGET,
        "unit": "ratio",
        "kernel_ms": round(kernel * 1000, 3),
        "elo_ms": round(elo * 1000, 3),
        "games": options.games,
        "players": options.players,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
