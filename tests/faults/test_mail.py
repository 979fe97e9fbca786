"""Mails with real workers: two of them, one that is killed while it sends, and a queue that lost its message."""

import contextlib
import time

import pytest

from tests.faults.bureau import Bureau
from tests.mail_server import MailServer

CONTEXT = {"event": "Mopane Open", "days": "3 March", "returned": False, "reason": "Because.", "link": "https://x/"}
QUEUE = "from accounts.outbox.queue import send\nsend('events/mail/decision', {context}, {to})"
# What `send` does, but for waking a worker.
WRITE = """
from django.utils import timezone
from accounts.outbox.content import render
from accounts.outbox.operations import add_mail
for address in {to}:
    add_mail(render('events/mail/decision', {context}), address, at=timezone.now())
"""
WAITING = "SELECT count(*) FROM accounts_mail WHERE state = 'waiting'"
# As if the lease had run out.
DUE = "UPDATE accounts_mail SET next_at = '2024-01-01 00:00:00+00:00' WHERE state = 'waiting'"


@pytest.fixture
def bureau(kind, tmp_path):
    """A bureau without data, which mails to the server."""
    made = Bureau(kind, tmp_path / "bureau")
    yield made
    made.close()


@pytest.fixture
def server(bureau):
    with MailServer() as running:
        bureau.env["EMAIL_URL"] = f"smtp://127.0.0.1:{running.port}"
        bureau.env["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        yield running


def queue(bureau, count, *, wake=True, times=1):
    """Mails to so many addresses, so many times; without waking a worker, as if the message was lost."""
    to = [f"{number}@example.org" for number in range(count)]
    bureau.python("\n".join([(QUEUE if wake else WRITE).format(context=CONTEXT, to=to)] * times))


def received(server):
    return sorted(message["To"] for message in server.mails)


def wait_for(server, count, seconds=60):
    deadline = time.monotonic() + seconds
    while len(server.mails) < count:
        assert time.monotonic() < deadline, f"{len(server.mails)} of {count} mails came"
        time.sleep(0.02)


def test_two_workers_send_each_mail_once(bureau, server):
    server.slowly = 0.02
    for _ in range(2):
        bureau.worker(clock=True)
    queue(bureau, 20, times=3)
    bureau.wait_until("SELECT count(*) FROM accounts_mail WHERE state = 'sent'", {60}, 120)
    assert len(server.mails) == 60
    assert len({message["Message-ID"] for message in server.mails}) == 60


def test_a_message_that_was_lost_is_made_up_for_by_the_clock(bureau, server):
    queue(bureau, 3, wake=False)
    bureau.worker(clock=True)
    bureau.wait_until(WAITING, {0}, 60)
    assert len(server.mails) == 3


def test_a_worker_killed_while_it_sends_leaves_the_mail_to_another(bureau, server):
    server.answers["RCPT"] = ""  # the server hangs, and the worker with it
    queue(bureau, 2)
    worker = bureau.worker(clock=True)
    deadline = time.monotonic() + 60
    while server.conversations == 0:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    bureau.kill(worker)
    assert bureau.rows("SELECT state, attempts FROM accounts_mail ORDER BY id") == [("waiting", 1), ("waiting", 0)]
    server.answers.clear()
    bureau.worker(clock=True)
    wait_for(server, 1)
    assert received(server) == ["1@example.org"]  # the other is the killed worker's until its lease runs out
    with contextlib.closing(bureau.connect()) as connection:
        connection.execute(DUE)
    wait_for(server, 2)
    bureau.wait_until(WAITING, {0}, 60)
    assert received(server) == ["0@example.org", "1@example.org"]
    assert bureau.rows("SELECT state, attempts FROM accounts_mail ORDER BY id") == [("sent", 2), ("sent", 1)]
