"""The runs of repeated pieces name what is slow, large or broken, and nothing else."""

import pytest

from tests.fuzz.repeated import breaches, inputs

SEED = b"1,A\n"
SIZE = 1_000_000


def slow(content: bytes) -> None:
    """Its time grows with the square."""
    for _ in range(0, len(content), 50):
        content.count(b"A1,")


def large(content: bytes) -> None:
    """Keeps a hundred bytes for each."""
    _ = b"x" * (100 * len(content))


def broken(content: bytes) -> None:
    """Reads no more than one line."""
    assert content.count(b"\n") < 2


def test_a_reader_that_keeps_its_promises_is_not_named():
    assert list(breaches(bytes.splitlines, [SEED], SIZE)) == []


@pytest.mark.parametrize(
    ("run", "status"), [(slow, "line 1: status 0"), (large, "line 1: status 0"), (broken, "line 1: status 1")]
)
def test_what_breaks_a_promise_is_named(run, status):
    assert next(breaches(run, [SEED], SIZE)).startswith(f"sample 1, {status}, ")


def test_every_input_is_as_large_as_it_may_be():
    assert all(0.9 * SIZE < len(content) < 1.1 * SIZE for _, content in inputs(SEED, SIZE))
