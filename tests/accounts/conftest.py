import pytest

from config.celery import app
from tests.ratings.conftest import queue

__all__ = ["queue"]


@pytest.fixture
def worker_at_once():
    """What the queue is given is done in the same breath, by the worker's own code."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False
