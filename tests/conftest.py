from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """The middleware that serves static files would look through them all for every new test client, 50 ms each time."""
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture
def worker_at_once() -> Iterator[None]:
    """What the queue is given is done in the same breath, by the worker's own code."""
    from config.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False
