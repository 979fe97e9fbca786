"""Parts of a file, as RFC 9110 (section 14.1) has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib.byte_ranges import RangeError, byte_range


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-499", (0, 500)),
        ("bytes=500-999", (500, 1000)),
        ("bytes=-500", (9500, 10000)),
        ("bytes=9500-", (9500, 10000)),
        ("bytes=0-0", (0, 1)),
        ("bytes=9999-20000", (9999, 10000)),
        ("bytes=-20000", (0, 10000)),
        ("", None),
        ("bytes=-", None),
        ("bytes=5-4", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
        ("bytes=a-b", None),
    ],
)
def test_the_part_that_is_asked_for(header, part):
    assert byte_range(header, 10_000) == part


@pytest.mark.parametrize("header", ["bytes=10000-", "bytes=10000-20000", "bytes=-0"])
def test_a_part_outside_the_file(header):
    with pytest.raises(RangeError):
        byte_range(header, 10_000)


@given(st.text(max_size=30), st.integers(1, 10_000))
def test_no_header_gives_more_than_the_file(header, size):
    try:
        part = byte_range(f"bytes={header}", size)
    except RangeError:
        return
    assert part is None or 0 <= part[0] < part[1] <= size
