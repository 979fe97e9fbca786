"""How the time of a committed, published run grows from 15,000 players and 25,000 games to ten times as many.

    python -m benchmarks.growth

On SQLite, each size in a separate process and database, one after the other.
"""

import json
import os
import subprocess
import sys
import tempfile


def seconds(scale: int) -> float:
    """Return the bureau's seconds for a month of `scale` times South Africa's size."""
    sizes = {"players": 15_000, "games": 25_000, "sections": 250}
    options = [word for name, size in sizes.items() for word in (f"--{name}", str(size * scale))]
    with tempfile.TemporaryDirectory() as folder:
        env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        line = [sys.executable, "-m", "benchmarks.period", "sqlite", "--alone", *options]
        done = subprocess.run(line, env={**env, "VAR_DIR": folder}, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["seconds"])


def main() -> None:
    """Measure both sizes and print their ratio."""
    small, large = seconds(1), seconds(10)
    line = {
        "name": "period_growth_10x", "value": round(large / small, 2), "target": 12, "unit": "ratio",
        "seconds": round(small, 3), "large_seconds": round(large, 3),
    }  # fmt: skip
    print(json.dumps(line))


if __name__ == "__main__":
    main()
