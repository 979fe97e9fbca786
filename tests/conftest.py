import gc
import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core import mail
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection
from django.test import Client

from config import kept_reads
from tests import frames, long_tests, prepared
from tests.markup import compact
from tests.prepared import ROOT as ROOT

# No deadlines: how long an example takes says how busy the machine is. `--hypothesis-profile thorough` tries more examples.
hypothesis.settings.register_profile("tests", deadline=None, max_examples=50)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--note-long`."""
    parser.addoption("--note-long", action="store_true", help="add to tests/long.txt what takes long")


def pytest_configure(config: pytest.Config) -> None:
    """The middleware that serves static files would look through them all for every new test client, 50 ms each time."""
    if config.getoption("note_long") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(long_tests.Noting())
    settings.WHITENOISE_AUTOREFRESH = True
    # Pages name their style sheets without the fingerprints that `collectstatic` gives them.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


@pytest.hookimpl(tryfirst=True)  # before `-m "not long"` is looked at
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest tests begin first, so that none is still running alone at the end; those of servers need servers."""
    noted = long_tests.noted()
    for item in items:
        if long_tests.is_noted(long_tests.name_of(item.nodeid), noted):
            item.add_marker("long")
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("servers")])
    items[:] = [item for item in items if not item.get_closest_marker("servers")]


def pytest_collection_finish() -> None:
    """What is loaded by now stays: it is not looked through again and again for what could go."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix) -> None:
    """Each test process copies the tables that one of them has made."""
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = prepared.postgres()
    else:
        connection.settings_dict["TEST"]["NAME"] = None  # in memory: pytest-django knows Django's own SQLite only
        prepared.fill_memory()


@pytest.fixture(autouse=True)
def _compact_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages come to the tests without the white space that does not show."""
    request = Client.request

    def compacted(client: Client, **given: Any) -> Any:
        response = request(client, **given)
        plain = not response.streaming and "Content-Encoding" not in response
        if response.get("Content-Type", "").startswith("text/html") and plain:
            response.content = compact(response.content.decode()).encode()
        return response

    monkeypatch.setattr(Client, "request", compacted)


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """A page's number of queries depends on no test before: what processes keep of small tables is forgotten."""
    kept_reads.forget()


class Outbox(list[Any]):
    """`django.core.mail.outbox` after a worker has sent what waits, as often as a test looks at it."""

    def _deliver(self) -> None:
        from accounts.outbox.tasks import send_mails

        send_mails()

    def __len__(self) -> int:
        self._deliver()
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        self._deliver()
        return super().__iter__()

    def __getitem__(self, place: Any) -> Any:
        self._deliver()
        return super().__getitem__(place)

    def __eq__(self, other: object) -> bool:
        self._deliver()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def clear(self) -> None:
        """Forget what was sent, and what waits."""
        self._deliver()
        super().clear()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as pytest does, with its frames in one piece of memory."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    frames.run_test(item, nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Mails are sent by the time at which a test looks for them. Django sets a list of its own before each test."""
    mail.outbox = Outbox()
    try:
        yield
    finally:
        mail.outbox = []


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
        _ = connection.features.supports_json_field  # SQLite is asked once in a process, by three queries
        with django_assert_num_queries(expected):
            response = client.get(address)
        assert response.status_code == 200
        return response

    return ask


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Requests of a test that pass by its client share its transaction: like the client's, they leave the connection open."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)
