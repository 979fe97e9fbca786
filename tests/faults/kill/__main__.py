"""The long form: `script/kill`."""

import argparse
import atexit
import os
import signal
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.faults.kill.servers import Servers


def main() -> int:
    """Kill at each moment and say how it ended. Return 1 if any bureau did not end as an undisturbed one."""
    parser = argparse.ArgumentParser(prog="script/kill", description="Kill the bureau's processes at seeded moments.")
    parser.add_argument("--on", choices=["embedded", "servers"], default="embedded")
    parser.add_argument(
        "--what", choices=["all", "run", "publication", "rerating", "upload", "submission"], default="all"
    )
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=1, help="begin with this moment")
    parser.add_argument("--only", type=int, help="the number of one moment, to repeat it")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # what was started is ended all the same
    servers = Servers() if given.on == "servers" else None
    if servers is not None:
        atexit.register(servers.close)  # after what the tests have prepared is dropped from it
        os.environ |= {"DATABASE_URL": servers.database, "REDIS_URL": servers.queue}
    from tests.faults.kill.plans import plan_of, what_of
    from tests.faults.kill.trial import Trial, Undisturbed

    right: dict[str, Undisturbed] = {}
    different = []
    numbers = [given.only] if given.only else range(given.first, given.moments + 1)
    with tempfile.TemporaryDirectory(prefix="bureau-kill-") as folder:
        for number in numbers:
            what = what_of(given.seed, number, given.what)
            if what not in right:
                with closing(Trial(given.on, what, Path(folder, what), servers)) as trial:
                    right[what] = trial.undisturbed()
                print(f"{what}, undisturbed: {right[what].seconds:.1f} s; {right[what].places}", flush=True)
            plan = plan_of(given.seed, number, right[what], given.on)
            began = time.monotonic()
            with closing(Trial(given.on, what, Path(folder, str(number)), servers)) as trial:
                lines, seconds = trial.disturbed(plan, right[what])
            took = f"{seconds:.1f} s of {time.monotonic() - began:.0f}"
            print(f"{number}. {what}: {plan}: {'DIFFERS' if lines else f'as undisturbed, {took}'}", flush=True)
            for line in lines:
                print(f"    {line}", flush=True)
            if lines:
                again = f"script/kill --on {given.on} --what {given.what} --seed {given.seed} --only {number}"
                print(f"    again: {again}", flush=True)
                different.append(number)
    print(f"{len(numbers) - len(different)} of {len(numbers)} as undisturbed")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
