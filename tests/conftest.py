from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """The middleware that serves static files would look through them all for every new test client, 50 ms each time."""
    settings.WHITENOISE_AUTOREFRESH = True
    # Pages name their style sheets without the fingerprints that `collectstatic` gives them.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture
def worker_at_once() -> Iterator[None]:
    """What the queue is given is done in the same breath, by the worker's own code."""
    from config.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.fixture
def queries(django_assert_num_queries, client):
    """Ask for a page and hold the number of its queries."""

    def ask(address: str, expected: int):
        with django_assert_num_queries(expected):
            response = client.get(address)
        assert response.status_code == 200
        return response

    return ask
