"""Clients that send nothing, or a byte at a time, keep nobody else waiting."""

import contextlib
import socket
import time
import urllib.request
from collections.abc import Iterator

import pytest

BEGINNINGS = (
    b"",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    b"POST /account/log-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 5000\r\n\r\nusername=",
)


@contextlib.contextmanager
def slow_clients(port: int, beginnings: tuple[bytes, ...], count: int) -> Iterator[list[socket.socket]]:
    """So many connections, each with the beginning of a request; a byte more of each is sent by `dribble`."""
    with contextlib.ExitStack() as stack:
        clients = []
        for number in range(count):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            client.sendall(beginnings[number % len(beginnings)])
            clients.append(client)
        time.sleep(0.3)  # until the server has taken them
        yield clients


def dribble(clients: list[socket.socket]) -> None:
    for client in clients:
        with contextlib.suppress(OSError):  # a proxy may have given up
            client.send(b"a")


def seconds(url: str) -> float:
    """How long a page takes."""
    begun = time.monotonic()
    with urllib.request.urlopen(url, timeout=30) as answer:
        assert answer.status == 200
    return time.monotonic() - begun


def test_idle_connections_do_not_stop_the_web_server(bureau):
    site = bureau.serve("--workers", "1")
    seconds(f"{site}/account/log-in/")  # the first page loads what all of them need
    with slow_clients(int(site.rsplit(":", 1)[1]), BEGINNINGS, 10):
        assert max(seconds(f"{site}/account/log-in/") for _ in range(3)) < 1


def test_nor_do_more_of_them_than_there_are_threads(bureau):
    site = bureau.serve("--workers", "1")
    seconds(f"{site}/account/log-in/")
    with slow_clients(int(site.rsplit(":", 1)[1]), (b"",), 50):
        assert max(seconds(f"{site}/account/log-in/") for _ in range(3)) < 1


@pytest.mark.servers
def test_fifty_slow_clients_before_the_proxy(proxy):
    for _ in range(4):  # each of the web processes has answered
        seconds(f"{proxy.url}/account/log-in/")
    with slow_clients(proxy.port, BEGINNINGS, 50) as clients:
        for _ in range(8):
            assert seconds(f"{proxy.url}/account/log-in/") < 1
            dribble(clients)
            time.sleep(0.1)
