"""A queue in a Redis that hangs for a while, as one whose machine is busy or cut off."""

import os
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from kombu import Connection

from config import celery  # noqa: F401 - the transport of the addresses is ours
from config.redis_queue import Transport
from script.with_services import start_redis
from tests.faults.kill.servers import pid_of_redis

TIMEOUT = 0.3


def test_a_worker_goes_on_after_redis_has_hung_when_messages_were_done():
    with ExitStack() as servers, tempfile.TemporaryDirectory() as folder:
        address = start_redis(servers, Path(folder))
        connection = servers.enter_context(Connection(address, transport_options={"socket_timeout": TIMEOUT}))
        assert isinstance(connection.transport, Transport)
        queue = servers.enter_context(connection.SimpleQueue("work"))
        channel = queue.consumer.channel
        queue.consumer.qos(prefetch_count=1)
        for number in range(3):
            queue.put(number)
        first = queue.get(timeout=5)
        pid = pid_of_redis(address)
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(connection.connection_errors):
                first.ack()
        finally:
            os.kill(pid, signal.SIGCONT)
        assert channel.qos.can_consume()
        second = queue.get(timeout=5)
        second.ack()
        assert second.payload in {0, 1, 2}
