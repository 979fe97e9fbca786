"""The smallest demonstration, built once in a run of the tests."""

from demo.build import load
from demo.federation import Scale
from tests.kept import shared

SMALL = Scale(people=60, months=4)


def shared_demonstration() -> None:
    """Fill untouched tables with it."""
    shared("demonstration", lambda: load(SMALL, say=lambda line: None))
