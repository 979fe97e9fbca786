"""A body over the limit is refused by its length, before anything of it is read, whoever sends it."""

import re
import socket
import urllib.request
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from accounts.models import User
from api.manners.middleware import MOST_BYTES
from config.body_limits import answer_proxy, refuse_large
from events.rules.limits import MAX_BYTES, MOST_FILES
from tests.builders import officer
from tests.faults.bureau import free_port
from tests.security.conftest import Proxy

pytestmark = pytest.mark.django_db

MULTIPART = "multipart/form-data; boundary=b"
FORM = "application/x-www-form-urlencoded"
FORMS = 2_621_440  # bytes of a form without files, as Django has it
FILE = MAX_BYTES + 100_000
FILES = MOST_FILES * MAX_BYTES + 100_000
LIST = 200_100_000
NOBODY, REGION, DESK, OFFICER = "nobody", "region", "desk", "officer"


class Unread:
    """A body that must not be read."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("the body was read")

    readline = read


@pytest.fixture
def asked(client):
    """The status of a request with a body of so many bytes, which nobody may read."""

    def ask(address: str, length: int | str, kind: str = MULTIPART, who: str = NOBODY, first: bool = False) -> int:
        if who != NOBODY and not client.cookies:
            client.force_login(
                officer() if who == OFFICER else User.objects.create_user("region@example.org", is_staff=who == DESK)
            )
        sent = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, "wsgi.input": Unread()}
        if first:  # as docs/nginx.conf asks
            sent = {"CONTENT_TYPE": kind, "HTTP_X_BODY_LENGTH": f"{length}."}
        request: HttpRequest = RequestFactory().generic("GET" if first else "POST", address, **sent)
        request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
        return answer_proxy(refuse_large(lambda _: _passed()))(request).status_code

    return ask


def _passed():
    from django.http import HttpResponse

    return HttpResponse("passed on")


@pytest.mark.parametrize(
    ("address", "kind", "who", "most"),
    [
        ("/account/log-in/", FORM, NOBODY, FORMS),
        ("/events/register/", FORM, REGION, FORMS),
        ("/events/register/", "application/json", OFFICER, FORMS),
        ("/events/1/results/upload/", "text/plain", REGION, FORMS),
        ("/account/log-in/", MULTIPART, NOBODY, FILE),
        ("/account/log-in/", MULTIPART, OFFICER, FILE),
        ("/calculators/chessa/", MULTIPART, NOBODY, FILE),
        ("/events/1/results/upload/", MULTIPART, NOBODY, FILE),
        ("/events/1/results/upload/", MULTIPART, REGION, FILES),
        ("/events/mine/", MULTIPART, REGION, FILE),
        ("/admin/players/player/add/", MULTIPART, OFFICER, FILE),
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, NOBODY, FILE),
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, REGION, FILE),
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, DESK, FILE),
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, OFFICER, LIST),
    ],
)
def test_the_most_that_is_read(asked, address, kind, who, most):
    assert asked(address, most, kind, who) == 200
    assert asked(address, most + 1, kind, who) == 413
    assert asked(address, most, kind, who, first=True) == 204
    assert asked(address, most + 1, kind, who, first=True) == 403
    assert asked(address, "", kind, who, first=True) == (204 if most > FILE else 403)


def test_a_length_that_is_none_is_refused(asked):
    assert asked("/account/log-in/", "9" * 30) == 413


def test_a_forged_session_gets_no_more(asked, client):
    client.cookies["sessionid"] = "abc\0def"
    assert asked("/events/1/results/upload/", FILE + 1) == 413


def test_the_page_says_how_much_is_taken(client):
    answer = client.post("/account/log-in/", b"x", content_type=MULTIPART, CONTENT_LENGTH=str(FILE + 1))
    assert answer.status_code == 413
    page = answer.content.decode()
    assert "At most 5.1 MB can be sent here. Nothing was read and nothing was changed" in page
    assert answer.headers["Content-Security-Policy"]


def test_a_form_with_too_many_fields(client):
    answer = client.post("/account/log-in/", {f"field{number}": "x" for number in range(2001)})
    assert (answer.status_code, "This is too large" in answer.content.decode()) == (413, True)


@pytest.mark.servers
def test_the_proxy_refuses_before_it_keeps_anything_and_shows_the_page(proxy):
    """The length is told and nothing sent: whoever waited for the body would never answer."""
    for address, length, wanted in (
        ("/account/log-in/", "Content-Length: 900000000", b"This is too large"),
        ("/account/log-in/", "Content-Length: 5500000", b"This is too large"),
        ("/api/v1/players/", "Content-Length: 900000000", b'"title"'),
        ("/api/v1/files/check/", f"Content-Length: {MOST_BYTES + 1}", b'"title"'),
        ("/events/abroad/", "Content-Length: 90000000", b"This is too large"),
        ("/static/admin/css/base.css", "Content-Length: 5500000", b"This is too large"),
        ("/static/admin/css/base.css", "Content-Length: 90000000", b"This is too large"),
        ("/static/admin/css/base.css", "Transfer-Encoding: chunked", b"This is too large"),
        (
            "/static/admin/css/base.css",
            "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\nContent-Length: 5500000",
            b"This is too large",
        ),
        ("/admin/login/", "Content-Length: 190000000", b"This is too large"),
        ("/admin/login/", "Transfer-Encoding: chunked", b"This is too large"),
        # gunicorn would refuse the question, too, of which scheme is the client's.
        ("/admin/login/", "X-Forwarded-Ssl: on\r\nContent-Length: 190000000", b"This is too large"),
    ):
        with socket.create_connection(("127.0.0.1", urlsplit(proxy.url).port), timeout=20) as client:
            client.sendall(
                f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: {MULTIPART}\r\n"
                f"{length}\r\n\r\n".encode()
            )
            answer = b""
            while wanted not in answer and (piece := client.recv(65536)):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert wanted in answer


@pytest.mark.servers
@pytest.mark.parametrize("address", ["/events/1/results/upload/", "/api/v1/files/check/", "/account/log-in/"])
def test_the_proxy_without_room_for_a_body_shows_what_is_the_matter(proxy, address):
    kept = proxy.folder / "client_body"
    kept.rmdir()
    kept.write_text("No file can be made in it.")
    request = urllib.request.Request(f"{proxy.url}{address}", b"x" * 300_000, {"Content-Type": MULTIPART})
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(request, timeout=20)
    with refused.value as answer:
        assert answer.status == 503
        assert "disk is full" in answer.read().decode()


def _answer_to_head(url: str, head: str) -> bytes:
    """The answer to a POST of which the head alone is sent."""
    with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=20) as client:
        client.sendall(f"{head}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        return client.recv(65536)


@pytest.mark.servers
@pytest.mark.parametrize(
    "head",
    [
        f"POST /admin/?q={'x' * 5000} HTTP/1.1",
        "POST /admin/ HTTP/1.1" + "".join(f"\r\nX-Header-{number}: x" for number in range(120)),
    ],
    ids=["address", "headers"],
)
def test_the_proxy_that_asks_in_vain_takes_nothing_in(proxy, head):
    answer = _answer_to_head(proxy.url, f"{head}\r\nContent-Length: 5000000")
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"The bureau cannot take this just now. Nothing of it was kept." in answer


@pytest.mark.servers
def test_the_proxy_before_a_bureau_that_is_stopped_takes_nothing_in(bureau):
    stopped = Proxy(bureau, f"http://127.0.0.1:{free_port()}")
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(f"{stopped.url}/events/1/results/upload/", b"x" * 10, timeout=20)
    assert refused.value.status == 502
    refused.value.close()
    for length in ("Content-Length: 100000000", "Transfer-Encoding: chunked"):
        answer = _answer_to_head(stopped.url, f"POST /events/1/results/upload/ HTTP/1.1\r\n{length}")
        assert answer.startswith(b"HTTP/1.1 503 ")


@pytest.mark.servers
def test_the_proxy_lets_through_an_answer_that_repeats_a_long_address(proxy):
    """The log-in is told where to lead back to, each sign of the address as three."""
    for address in (f"/admin/events/event/{'9' * 4000}/", f"/admin/?q={'%C3%A9' * 600}"):
        with pytest.raises(HTTPError) as refused:
            urllib.request.build_opener(_Stay()).open(f"{proxy.url}{address}", timeout=20)
        with refused.value as answer:
            assert answer.status == 302
            assert len(answer.headers["Location"]) > len(address)


@pytest.mark.servers
@pytest.mark.parametrize(("header", "value"), [("X-Body-Refused", "1"), ("X-Body-Length", "5.")])
def test_the_proxy_passes_on_no_word_of_its_own_from_a_client(proxy, header, value):
    asked = urllib.request.Request(f"{proxy.url}/account/log-in/", headers={header: value})
    with urllib.request.urlopen(asked, timeout=20) as answer:
        assert b"Log in" in answer.read()
    sent = urllib.request.Request(f"{proxy.url}/account/log-in/", b"x" * 2_000_000, {header: value})
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(sent, timeout=20)
    with refused.value as answer:
        assert answer.status == 403  # by the bureau: the form has no token


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nowhere."""


@pytest.mark.servers
def test_the_proxy_takes_in_a_large_list_of_who_may_bring_it(bureau, proxy):
    bureau.python(
        "from django.utils import timezone; from accounts.operations import open_first_account as first;"
        "first('officer@example.org', 'a-password-of-the-test', at=timezone.now())"
    )
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def post(address: str, content: bytes, kind: str) -> str:
        page = browser.open(f"{proxy.url}{address}", timeout=20).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        headers = {"Content-Type": kind, "X-CSRFToken": token, "Referer": f"{proxy.url}{address}"}
        request = urllib.request.Request(f"{proxy.url}{address}", content, headers)
        try:
            return browser.open(request, timeout=60).read().decode()
        except HTTPError as refused:
            return refused.read().decode()

    form = urlencode({"username": "officer@example.org", "password": "a-password-of-the-test"})
    post("/account/log-in/", form.encode(), FORM)
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\n'
    page = post("/admin/events/arbiter/import/", head + b"x" * 3_000_000 + b"\r\n--b--\r\n", MULTIPART)
    assert "Nothing was taken" in page


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("POST /api/v1/players/ HTTP/1.1\r\nContent-Type: application/octet-stream", 405),
        ("POST /api/v1/files/check/ HTTP/1.1\r\nContent-Type: text/plain\r\nAuthorization: Bearer no-token", 401),
        (f"POST /events/register/ HTTP/1.1\r\nContent-Type: {FORM}", 413),
    ],
)
def test_behind_a_proxy_a_body_that_was_answered_unread_is_taken_in(bureau, headers, status):
    """A proxy that is still sending when the connection breaks answers 502, whatever was said."""
    bureau.env["PROXIES"] = "1"
    site = urlsplit(bureau.serve("--workers", "1"))
    with socket.create_connection((site.hostname, site.port), timeout=20) as client:
        client.sendall(f"{headers}\r\nHost: 127.0.0.1\r\nContent-Length: 5000000\r\n\r\n".encode())
        assert client.recv(65536).startswith(f"HTTP/1.1 {status} ".encode())
        for _ in range(50):
            client.sendall(b"a" * 100_000)
