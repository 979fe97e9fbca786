"""A body over the limit is refused by its length, before anything of it is read, whoever sends it."""

import socket
from urllib.parse import urlsplit

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from accounts.models import User
from config.body_limits import refuse_large
from events.rules.limits import MAX_BYTES, MOST_FILES
from tests.builders import officer

pytestmark = pytest.mark.django_db

MULTIPART = "multipart/form-data; boundary=b"
FORM = "application/x-www-form-urlencoded"
FORMS = 2_621_440  # bytes of a form without files, as Django has it
FILE = MAX_BYTES + 100_000
FILES = MOST_FILES * MAX_BYTES + 100_000
LIST = 200_100_000
NOBODY, REGION, OFFICER = "nobody", "region", "officer"


class Unread:
    """A body that must not be read."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("the body was read")

    readline = read


@pytest.fixture
def asked(client):
    """The status of a request with a body of so many bytes, which nobody may read."""

    def ask(address: str, length: int | str, kind: str = MULTIPART, who: str = NOBODY) -> int:
        if who != NOBODY and not client.cookies:
            client.force_login(officer() if who == OFFICER else User.objects.create_user("region@example.org"))
        sent = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, "wsgi.input": Unread()}
        request: HttpRequest = RequestFactory().generic("POST", address, **sent)
        request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
        return refuse_large(lambda _: _passed())(request).status_code

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
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, NOBODY, FILE),
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, REGION, FILE),
        ("/admin/ratings/importjob/bring/fide/", MULTIPART, OFFICER, LIST),
    ],
)
def test_the_most_that_is_read(asked, address, kind, who, most):
    assert asked(address, most, kind, who) == 200
    assert asked(address, most + 1, kind, who) == 413


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
    for address, wanted in (("/account/log-in/", b"This is too large"), ("/api/v1/players/", b'"title"')):
        with socket.create_connection(("127.0.0.1", urlsplit(proxy.url).port), timeout=20) as client:
            client.sendall(
                f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: {MULTIPART}\r\n"
                f"Content-Length: 900000000\r\n\r\n".encode()
            )
            answer = b""
            while wanted not in answer and (piece := client.recv(65536)):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert wanted in answer


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
