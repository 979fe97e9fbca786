"""The queue in a folder: a message is seen whole or not at all, and what is not whole ends no worker."""

import os
from concurrent.futures import ThreadPoolExecutor
from queue import Empty

import pytest
from django.conf import settings
from kombu import Connection
from kombu.exceptions import OperationalError

import config.celery  # noqa: F401 - makes the transport known


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "queue"


def connection(folder):
    folder.mkdir(exist_ok=True)
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder)}
    return Connection("folder://localhost", transport_options=options)


def send(folder, *bodies):
    with connection(folder) as queue_connection:
        queue = queue_connection.SimpleQueue("celery")
        for body in bodies:
            queue.put({"body": body})


def received(folder):
    """The bodies of the messages that wait, in their order; they are taken out."""
    bodies = []
    with connection(folder) as queue_connection:
        queue = queue_connection.SimpleQueue("celery")
        while True:
            try:
                message = queue.get_nowait()
            except Empty:
                return bodies
            bodies.append(message.payload["body"])
            message.ack()


def test_messages_come_in_their_order_and_leave_nothing_behind(folder):
    send(folder, *range(20))
    assert received(folder) == list(range(20))
    assert list(folder.iterdir()) == []


DAMAGES = {
    "empty": b"",
    "cut off": b'{"body": "W10',
    "not text": b"\xff",
    "nothing": b"null",
    "no object": b"[]",
    "no properties": b"{}",
    "no delivery": b'{"body": "", "properties": {}}',
    "deep": b"[" * 200_000,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_what_is_left_of_a_message_is_passed_over(folder, damage):
    send(folder, "first", "second")
    min(folder.iterdir()).write_bytes(damage)
    assert received(folder) == ["second"]
    assert received(folder) == []


def test_a_folder_that_was_deleted_is_made_anew_by_who_had_not_sent_anything_yet(folder):
    with connection(folder) as queue_connection:
        folder.rmdir()
        queue_connection.SimpleQueue("celery").put({"body": "first"})
    assert received(folder) == ["first"]


def test_what_is_no_file_is_left_alone(folder):
    send(folder, "first")
    (folder / "0_folder.celery.msg").mkdir()
    (folder / "0_link.celery.msg").symlink_to(folder / "gone")
    os.mkfifo(folder / "0_pipe.celery.msg")
    assert received(folder) == ["first"]


def test_many_write_and_read_at_once_and_each_message_comes_once(folder):
    with ThreadPoolExecutor(8) as pool:
        writers = [pool.submit(send, folder, *range(start, start + 50)) for start in range(0, 200, 50)]
        readers = [pool.submit(received, folder) for _ in range(4)]
        for writer in writers:
            writer.result()
        bodies = [body for reader in readers for body in reader.result()]
    assert sorted(bodies + received(folder)) == list(range(200))


def test_a_folder_that_was_deleted_is_made_again(folder):
    with connection(folder) as queue_connection:
        queue = queue_connection.SimpleQueue("celery")
        folder.rmdir()
        queue.put({"body": 1})
    assert folder.stat().st_mode & 0o077 == 0
    assert received(folder) == [1]


def test_a_folder_that_cannot_be_written_is_said_and_keeps_no_rest(folder):
    with connection(folder) as queue_connection:
        queue = queue_connection.SimpleQueue("celery")
        folder.rmdir()
        folder.write_text("no folder")
        with pytest.raises(OperationalError, match="a message cannot be kept"):
            queue.put("body")


OFTEN = [entry for entry in settings.CELERY_BEAT_SCHEDULE.values() if isinstance(entry["schedule"], float)]


@pytest.mark.parametrize("entry", OFTEN, ids=lambda entry: entry["task"])
def test_of_what_the_clock_asks_for_often_twenty_messages_count_at_most(entry):
    """While a worker is held, a thousand an hour would stand before what comes next."""
    assert entry["options"]["expires"] / entry["schedule"] <= 20
