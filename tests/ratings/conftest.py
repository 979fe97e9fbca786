import os

import pytest

from config.celery import app
from config.services import broker
from config.settings import env
from tests.ratings.runs.queue import Queue


@pytest.fixture
def queue(monkeypatch, tmp_path):
    """The messages to the workers: in a numbered store of Redis that no other test process uses, or in files."""
    if os.environ.get("REDIS_URL"):
        store = 8 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8
        monkeypatch.setattr(app.conf, "broker_write_url", f"{os.environ['REDIS_URL'].rsplit('/', 1)[0]}/{store}")
    else:
        folders = broker(env, tmp_path)["CELERY_BROKER_TRANSPORT_OPTIONS"]
        monkeypatch.setitem(app.conf, "broker_transport_options", folders)
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    messages = Queue()
    messages.take()
    yield messages
    messages.take()
