"""What all operations have in common: limits, other sites, problems, versions, compression, and no cookies."""

import gzip
import json
import threading

import pytest
from django.conf import settings as site_settings
from django.test import Client, RequestFactory

from accounts.models import User
from api.manners import limits
from config.lib import origins
from events.models import Event
from tests.pages import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def counter(settings, tmp_path):
    """An empty counter that lets three requests a minute pass."""
    settings.VAR_DIR, settings.REDIS_URL, settings.API_REQUESTS_A_MINUTE = tmp_path, "", 3


@pytest.mark.usefixtures("counter")
def test_the_third_request_of_a_minute_is_answered_and_the_fourth_is_not(client):
    answers = [client.get("/api/v1/lists/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"3"}
    last = answers[-1]
    assert 1 <= int(last.headers["Retry-After"]) <= 60
    assert last.headers["Retry-After"] == last.headers["RateLimit-Reset"]
    assert last.headers["Content-Type"] == "application/problem+json"
    assert last.headers["Access-Control-Allow-Origin"] == "*"
    assert last.json()["type"].endswith("/api/errors/#too-many-requests")
    assert client.get("/lists/").status_code == client.get("/api/").status_code == 200


@pytest.mark.usefixtures("counter")
def test_each_network_has_its_own_limit(client):
    for _ in range(3):
        client.get("/api/v1/lists/", REMOTE_ADDR="192.0.2.1")
    assert client.get("/api/v1/lists/", REMOTE_ADDR="192.0.2.1").status_code == 429
    assert client.get("/api/v1/lists/", REMOTE_ADDR="192.0.2.2").status_code == 200


@pytest.mark.usefixtures("counter")
def test_every_answer_counts_and_says_what_is_left(client):
    assert client.get("/api/v1/nothing/").headers["RateLimit-Remaining"] == "2"
    assert client.post("/api/v1/lists/").headers["RateLimit-Remaining"] == "1"
    assert client.get("/api/v1/lists/?x=%00").headers["RateLimit-Remaining"] == "0"


@pytest.mark.parametrize(
    ("address", "forwarded", "proxies", "network"),
    [
        ("192.0.2.1", "203.0.113.5", 0, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.5", 1, "203.0.113.5"),
        ("192.0.2.1", "198.51.100.9, 203.0.113.5", 1, "203.0.113.5"),
        ("192.0.2.1", "198.51.100.9, 203.0.113.5", 2, "198.51.100.9"),
        ("192.0.2.1", "", 1, "unknown"),
        ("2001:db8:1:2:3::4", "", 0, "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "", 0, "192.0.2.1"),
        ("", "", 0, "unknown"),
    ],
)
def test_the_network_of_a_request(settings, address, forwarded, proxies, network):
    settings.PROXIES = proxies
    headers = {"x-forwarded-for": forwarded} if forwarded or proxies else {}
    assert origins.network(RequestFactory().get("/", REMOTE_ADDR=address, headers=headers)) == network


def test_a_window_begins_with_its_first_request_and_ends(tmp_path):
    path = tmp_path / "requests.sqlite3"
    assert [limits._count_in_file(path, "a", now) for now in (100, 101, 159)] == [(1, 60), (2, 59), (3, 1)]
    assert limits._count_in_file(path, "a", 160) == (1, 60)
    assert limits._count_in_file(path, "a", 10_000) == (1, 60)  # while the clock was ahead
    assert [limits._count_in_file(path, "a", now) for now in (170, 171)] == [(1, 60), (2, 59)]
    assert path.stat().st_mode & 0o777 == 0o600  # networks that asked stand in it


def test_requests_at_one_moment_are_all_counted(tmp_path):
    path, counted = tmp_path / "requests.sqlite3", []
    limits._count_in_file(path, "a", 100)
    threads = [
        threading.Thread(target=lambda: counted.append(limits._count_in_file(path, "a", 100)[0])) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(counted) == list(range(2, 22))


@pytest.mark.servers
def test_requests_are_counted_in_redis(client, settings):
    settings.API_REQUESTS_A_MINUTE = 3
    assert site_settings.REDIS_URL
    answers = [client.get("/api/v1/lists/", REMOTE_ADDR="198.51.100.77") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60


def test_a_counter_that_cannot_be_reached_lets_everybody_pass(client, settings, caplog):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert client.get("/api/v1/lists/").status_code == 200
    assert "cannot be counted" in caplog.text
    limits._redis.cache_clear()


def test_pages_of_other_sites_may_read_and_never_as_a_user(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    answer = client.get("/api/v1/lists/", headers={"origin": "https://club.example.org"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Cookie" not in answer.headers["Vary"]
    assert "sessionid" not in answer.cookies
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_browser_that_asks_first_is_told_so(client, method):
    answer = client.options(
        "/api/v1/players/lookup/",
        headers={"origin": "https://club.example.org", "access-control-request-method": method},
    )
    assert answer.status_code == 204
    assert method in answer.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in answer.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_options_names_the_methods(client):
    answer = client.options("/api/v1/lists/")
    assert (answer.status_code, answer.headers["Allow"]) == (204, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize(
    ("method", "address", "headers", "status", "kind"),
    [
        ("get", "/api/v1/nothing/", {}, 404, "not-found"),
        ("post", "/api/v1/nothing/", {}, 404, "not-found"),
        ("get", "/api/v2/lists/", {}, 404, "not-found"),
        ("get", "/api/nothing", {}, 404, "not-found"),
        ("get", "/api/v1/players/12/", {}, 404, "not-found"),
        ("get", "/api/v1/players/999999999/", {}, 404, "not-found"),
        ("post", "/api/v1/lists/", {}, 405, "method-not-allowed"),
        ("put", "/api/v1/lists/", {}, 405, "method-not-allowed"),
        ("get", "/api/v1/players/lookup/", {}, 405, "method-not-allowed"),
        ("get", "/api/v1/lists/", {"accept": "text/html"}, 406, "not-acceptable"),
        ("post", "/api/v1/players/lookup/", {"content-type": "text/plain"}, 415, "unsupported-media-type"),
        ("get", "/api/v1/lists/?lang=af", {}, 400, "invalid-query"),
        ("get", "/api/v1/lists/?limit=0", {}, 400, "invalid-query"),
        ("get", "/api/v1/lists/?limit=501", {}, 400, "invalid-query"),
        ("get", "/api/v1/lists/?after=x", {}, 400, "invalid-query"),
        ("get", "/api/v1/lists/?fields=", {}, 400, "invalid-query"),
        ("get", "/api/v1/lists/?fields=%00", {}, 400, "bad-request"),
    ],
)
def test_every_error_is_a_problem_that_is_explained(client, method, address, headers, status, kind):
    answer = getattr(client, method)(address, headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["status"], problem["type"]) == (status, f"http://testserver/api/errors/#{kind}")
    assert problem["title"]
    assert problem["detail"]
    assert f'id="{kind}"' in client.get("/api/errors/").content.decode()
    if kind == "invalid-query":
        assert all(error.keys() == {"place", "code", "message"} for error in problem["errors"])
        assert problem["errors"][0]["place"].startswith("query.")


def test_an_unknown_word_is_answered_with_the_known_ones(get):
    message = get("events/?town=Pretoria", 400)["errors"][0]["message"]
    assert message == (
        "The word “town” is unknown. Known are q, region, province, month, state, kind, from, to, after, before, limit, fields."
    )


def test_a_mistake_of_the_bureau_is_a_problem_too(client, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("api.lists.views.list_definitions", lambda: 1 / 0)
    answer = client.get("/api/v1/lists/")
    assert (answer.status_code, answer.json()["type"]) == (500, "http://testserver/api/errors/#server-error")


def test_an_address_without_its_slash_leads_to_it(client):
    answer = client.get("/api/v1/lists?limit=2")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/api/v1/lists/?limit=2")


def test_an_answer_is_valid_until_something_changes(client):
    builders.event("May Open")
    tag = {"if-none-match": client.get("/api/v1/events/").headers["ETag"]}
    unchanged = client.get("/api/v1/events/", headers=tag)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["Access-Control-Allow-Origin"] == "*"
    Event.objects.update(name="June Open")
    assert client.get("/api/v1/events/", headers=tag).json()["results"][0]["name"] == "June Open"


@pytest.mark.usefixtures("federation")
def test_each_media_type_has_its_own_version(client):
    address = "/api/v1/lists/main/2024-04/"
    types = ["application/json", "application/x-ndjson", "text/csv"]
    tags = {name: client.get(address, headers={"accept": name}).headers["ETag"] for name in types}
    assert len(set(tags.values())) == 3
    held = {"accept": "text/csv", "if-none-match": tags["application/json"]}
    assert client.get(address, headers=held).status_code == 200
    assert client.get(address, headers={**held, "if-none-match": tags["text/csv"]}).status_code == 304
    assert "Accept" in client.get(address).headers["Vary"]


@pytest.mark.usefixtures("federation")
def test_answers_are_compressed_for_who_reads_that(client):
    plain = client.get("/api/v1/lists/main/2024-04/")
    packed = client.get("/api/v1/lists/main/2024-04/", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.content)) == plain.json()
    assert packed.headers["ETag"] == f"W/{plain.headers['ETag']}"
    tag = {"accept-encoding": "gzip", "if-none-match": packed.headers["ETag"]}
    assert client.get("/api/v1/lists/main/2024-04/", headers=tag).status_code == 304
    stream = client.get(
        "/api/v1/lists/main/2024-04/", headers={"accept-encoding": "gzip", "accept": "application/x-ndjson"}
    )
    assert len(gzip.decompress(stream.getvalue()).splitlines()) == 6


def test_head_is_answered_without_a_body(client):
    answer = client.head("/api/v1/lists/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert "ETag" in answer.headers


@pytest.mark.parametrize("host", ["evil.example.org", "9" * 5000, "a b", "\xff"])
def test_a_host_that_is_not_the_site_is_refused_and_not_repeated(host):
    answer = Client(raise_request_exception=False).get("/api/v1/lists/", headers={"Host": host})
    assert (answer.status_code, answer.json()["type"]) == (400, f"{site_settings.SITE_URL}/api/errors/#bad-request")
    assert host not in answer.content.decode()
