import os

import pytest
import redis

from config.celery import app
from tests.ratings.runs.queue import Queue


@pytest.fixture
def queue(monkeypatch):
    """The messages to the workers, in a numbered store of Redis that no other test process uses."""
    store = 8 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8
    url = f"{os.environ['REDIS_URL'].rsplit('/', 1)[0]}/{store}"
    monkeypatch.setattr(app.conf, "broker_write_url", url)
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    server = redis.Redis.from_url(url)
    server.flushdb()
    yield Queue(server)
    server.flushdb()
