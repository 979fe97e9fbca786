"""Rendered pages are kept until a table that they read changes, for those who are not logged in."""

import gzip

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config import page_cache, services
from players.models import Player
from tests.builders import officer
from tests.markup import compact
from tests.pages import builders

pytestmark = pytest.mark.django_db
GZIP = {"accept-encoding": "gzip"}


@pytest.fixture(autouse=True)
def kept_pages(settings, monkeypatch):
    """Pages are kept in the memory of this process, which is empty; the cache works."""
    settings.CACHES = {**settings.CACHES, "pages": services.page_cache("")}
    monkeypatch.setattr(page_cache, "_failed_at", 0.0)
    caches["pages"].clear()


def queries(client, address, **headers):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = client.get(address, headers=headers)
    assert response.status_code == 200
    return len(captured), response


def test_a_kept_page_costs_the_query_of_its_version(client):
    builders.players(3)
    first, page = queries(client, "/players/")
    again, kept = queries(Client(), "/players/")
    assert (first > 1, again) == (True, 1)
    assert (kept.content, kept.headers["ETag"]) == (page.content, page.headers["ETag"])
    assert {name: kept.headers[name] for name in ("Content-Type", "Cache-Control", "Vary")} == {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding, Cookie, Accept-Language",
    }


def test_pages_are_forgotten_all_together(client):
    builders.players(3)
    queries(client, "/players/")
    page_cache.forget_pages()
    assert queries(client, "/players/")[0] > 1


def test_a_page_is_new_as_soon_as_a_table_changes(client):
    player = builders.players(1)[0]
    address = f"/players/{player.number}/"
    client.get(address)
    Player.objects.filter(pk=player.pk).update(last_name="Newname")
    count, page = queries(client, address)
    assert count > 1
    assert "Newname" in page.content.decode()
    assert queries(client, address)[0] == 1


def test_the_page_is_compressed_for_those_who_read_that(client):
    plain = client.get("/players/")
    compressed = client.get("/players/", headers=GZIP)
    assert compact(gzip.decompress(compressed.content).decode()) == plain.content.decode()
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert compressed.headers["ETag"] == f"W/{plain.headers['ETag']}"
    for tag in (plain.headers["ETag"], compressed.headers["ETag"]):
        assert client.get("/players/", headers={"if-none-match": tag}).status_code == 304


def test_each_address_has_its_own_page(client, monkeypatch):
    monkeypatch.setattr(page_cache, "PLACES", 1)
    builders.players(2)
    lists, players = client.get("/lists/").content, client.get("/players/").content
    assert lists != players
    assert client.get("/lists/").content == lists
    assert client.get("/players/?q=zzz").content != players


def test_a_page_of_somebody_logged_in_is_neither_kept_nor_answered_from_the_cache(client):
    reader = Client()
    client.force_login(officer())
    assert b"Log out" in client.get("/players/").content
    assert b"Log out" not in reader.get("/players/").content
    assert queries(client, "/players/")[0] > 1
    assert b"Log out" in client.get("/players/").content


def test_a_page_with_a_form_s_secret_is_not_kept(client):
    """The token of a form that is sent by POST is its visitor's own."""
    first, second = (Client().get("/account/log-in/") for _ in range(2))
    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value


@pytest.mark.parametrize("missing", ["/players/999999999/", "/lists/none/"])
def test_only_pages_that_exist_are_kept(client, missing):
    assert client.get(missing).status_code == client.get(missing).status_code == 404


def test_without_redis_pages_are_rendered_each_time(client, settings, caplog):
    settings.CACHES = {**settings.CACHES, "pages": services.page_cache("redis://127.0.0.1:1/0")}
    counts = [queries(client, "/players/")[0] for _ in range(2)]
    assert min(counts) > 1
    assert [record.message for record in caplog.records if "cache of pages" in record.message][1:] == []
    assert "does not answer" in caplog.text


@pytest.mark.servers
def test_pages_are_kept_in_redis_for_all_processes(client, settings):
    settings.CACHES = {**settings.CACHES, "pages": services.page_cache(settings.REDIS_URL)}
    caches["pages"].clear()
    builders.players(1)
    client.get("/players/")
    assert queries(client, "/players/")[0] == 1
    assert (
        caches["pages"]
        .get(page_cache._place("http://testserver/players/"))
        .startswith(b'["http://testserver/players/"')
    )
