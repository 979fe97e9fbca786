"""The long form: `script/soak`."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from tests.soak.run import soak
from tests.soak.world import MONTHS


def main() -> int:
    """Use a bureau for some minutes and print how it went. Return 1 after an error or a growth."""
    parser = argparse.ArgumentParser(prog="script/soak", description="Have a bureau used by all for some minutes.")
    parser.add_argument("minutes", nargs="?", type=float, default=60)
    parser.add_argument("--embedded", action="store_true", help="on SQLite and the queue in files")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # what was started is ended all the same
    with tempfile.TemporaryDirectory(prefix="bureau-soak-") as folder:
        # There are so many months to publish: of more minutes than that each has a little longer.
        every = max(60, given.minutes * 60 / (MONTHS - 2))
        kind = "embedded" if given.embedded else "servers"
        found = soak(kind, Path(folder, "bureau"), seconds=given.minutes * 60, every=every)
    print(f"{given.minutes:g} minutes, {kind}", *found.figures, sep="\n")
    for line in found.wrong:
        print(f"WRONG: {line}")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
