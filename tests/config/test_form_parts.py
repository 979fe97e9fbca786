"""A form has so many parts at most, whatever they are."""

import io
import socket
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import TooManyFilesSent
from hypothesis import given
from hypothesis import strategies as st

from config.form_parts import MOST_PARTS, CountedParts
from tests.faults.bureau import Bureau

NAMELESS = b"--xy\r\ncontent-disposition:;filename=a\r\n\r\n\r\n"


@given(st.lists(st.integers(1, 9000), min_size=1, max_size=8), st.sampled_from([0, 1]))
def test_whatever_is_read_at_once_each_part_counts_once(sizes, more):
    content = NAMELESS * (MOST_PARTS + more)
    body = CountedParts(io.BytesIO(content), "xy")

    def read_all() -> bytes:
        read = b""
        while piece := body.read(sizes[len(read) % len(sizes)]):
            read += piece
        return read

    if more:
        with pytest.raises(TooManyFilesSent):
            read_all()
    else:
        assert read_all() == content


def test_what_is_read_by_lines_counts_too():
    body = CountedParts(io.BytesIO(NAMELESS * (MOST_PARTS + 1)), "xy")
    with pytest.raises(TooManyFilesSent):
        list(iter(lambda: body.readline(1000), b""))


@pytest.mark.parametrize("boundary", ["xy", '"xy"', '"xy\\\\z"'], ids=["plain", "quoted", "escaped"])
def test_files_without_a_name_are_refused_as_too_many(tmp_path, boundary):
    """Anybody could have 100,000 of them read, which took three seconds."""
    bureau = Bureau("embedded", tmp_path / "bureau")
    try:
        site = urlsplit(bureau.serve("--workers", "1"))
        body = NAMELESS * 10_000 + b"--xy--\r\n"
        head = (
            f"POST /account/log-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
        )
        with socket.create_connection((site.hostname, site.port), timeout=20) as client:
            client.sendall(f"{head}Content-Type: multipart/form-data; boundary={boundary}\r\n\r\n".encode() + body)
            assert client.recv(65536).startswith(b"HTTP/1.1 413 ")
    finally:
        bureau.close()
