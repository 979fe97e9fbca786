"""Which tests take long, as `tests/long.txt` names them: folders, files or tests, below `tests/`, one a line.

`script/test --note-long` adds those that take more than SECONDS. They begin first, and `script/test --quick` leaves them out.
"""

from collections import defaultdict
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILE = HERE / "long.txt"
SECONDS = 0.5


def noted() -> frozenset[str]:
    """Return what the file names."""
    return frozenset(FILE.read_text().split())


def name_of(nodeid: str) -> str:
    """Return the name of a test in the file, from pytest's: that of all its cases."""
    return nodeid.partition("[")[0].removeprefix("tests/")


def is_noted(name: str, noted_names: frozenset[str]) -> bool:
    """Return whether a test, its file or a folder of it is among the names."""
    path = Path(name.partition("::")[0])
    return name in noted_names or any(str(part) in noted_names for part in (path, *path.parents))


class Noting:
    """The plugin of `--note-long`: adds to the file what took more than SECONDS in any of its cases."""

    def __init__(self) -> None:
        self.took: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what one part of a test took."""
        self.took[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        before = noted()
        long = {name_of(nodeid) for nodeid, seconds in self.took.items() if seconds > SECONDS}
        FILE.write_text(
            "".join(f"{name}\n" for name in sorted(before | {one for one in long if not is_noted(one, before)}))
        )
