"""A queue that answers nothing, as a frozen Redis or a cut network, costs a request one time-out and not one for each row."""

import socket
import time

import pytest
from celery import Celery

from config.lib import waking


def look(row):
    """What a worker would do."""


@pytest.fixture
def task():
    """A task of a queue that takes connections and answers nothing for 1.2 seconds."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as silent:
        app = Celery("silent", broker=f"redis://127.0.0.1:{silent.getsockname()[1]}/0", set_as_current=False)
        app.conf.broker_transport_options = {"socket_timeout": 1.2, "socket_connect_timeout": 1.2}
        yield app.task(name="look")(look)


@pytest.fixture(autouse=True)
def forgotten():
    yield
    waking._silent_at = float("-inf")


def test_a_silent_queue_is_waited_for_once_and_each_is_told(task):
    unheard = []
    begun = time.monotonic()
    for row in range(20):
        waking.wake_now(task, row, unheard=lambda row=row: unheard.append(row))
    assert time.monotonic() - begun < 8  # twenty times would be 24
    assert unheard == list(range(20))


def test_a_silent_queue_is_asked_again_after_a_while(task, monkeypatch):
    monkeypatch.setattr(waking, "_PAUSE", 0)
    begun = time.monotonic()
    for _ in range(2):
        waking.wake_now(task, 1)
    assert time.monotonic() - begun > 2.4
