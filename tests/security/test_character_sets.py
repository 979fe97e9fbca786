"""Whatever character set a request says that its words are in, it has an answer of the site's own."""

import io
from wsgiref.util import setup_testing_defaults

import pytest

from config.wsgi import application

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_connection")]

ODD = [
    "rot13",
    "zlib_codec",
    "base64",
    "undefined",
    "idna",
    "punycode",
    "utf-16",
    "utf-7",
    "ascii",
    "latin-1",
    "none",
    "",
    "ü",
]


def answered(method: str, address: str, kind: str) -> tuple[str, bytes]:
    """Status and body of a request as the web server passes it on."""
    path, _, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "CONTENT_TYPE": kind, "SERVER_NAME": "localhost",
        "HTTP_HOST": "localhost", "wsgi.input": io.BytesIO(b"a=%c3%a9"), "CONTENT_LENGTH": "8" if method == "POST" else "0",
    }  # fmt: skip
    setup_testing_defaults(environ)
    told = []
    body = application(environ, lambda status, headers, *_: told.append(status))
    try:
        return told[0], b"".join(body)
    finally:
        body.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("charset", ODD)
@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/players/?q=%c3%a9", "200"),
        ("GET", "/api/v1/lists/?no=%c3%a9", "400"),
        ("POST", "/account/log-in/", "403"),
    ],
)
def test_a_request_in_another_one_is_read_as_utf_8(method, address, status, charset):
    got, body = answered(method, address, f"application/x-www-form-urlencoded; charset={charset}")
    assert got.startswith(status)
    assert "é".encode() in body or "q=" not in address


def test_too_many_words_are_refused_in_whatever_character_set():
    """By the site, and not by the web server, which would log them."""
    words = "&".join(f"q{number}=Naledi" for number in range(3000))
    got, _ = answered("GET", f"/players/?{words}", "text/plain; charset=UTF-8")
    assert got.startswith("413")


@pytest.mark.parametrize("name", ["boundary", "charset", "x"])
@pytest.mark.parametrize("value", ["utf-9'x'%ff", "rot13'x'%ff", "idna''%ff", "''", "utf-8'x'%ff", ""])
@pytest.mark.parametrize("kind", ["multipart/form-data", "text/html", "", "; "])
def test_a_word_of_the_type_in_another_one_is_answered_by_the_site(kind, name, value):
    got, _ = answered("POST", "/account/log-in/", f"{kind}; {name}*={value}; {name}*0*={value}")
    assert got.startswith(("403", "400"))


@pytest.mark.parametrize("value", ["utf-9'x'%ff", "rot13'x'%ff", "idna''%ff", "''"])
def test_an_answer_may_be_wished_in_another_one(client, value):
    assert client.get("/api/v1/lists/", headers={"accept": f"application/json; q*={value}"}).status_code in (200, 406)


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=b; charset=UTF-8",
        'multipart/form-data;charset="x";boundary=b',
        'Multipart/Form-Data; Boundary="b"',
        "multipart/form-data; x*=utf-9'x'%ff; boundary=----WebKitFormBoundary'()+_,./:=?",
    ],
)
def test_the_boundary_of_a_form_is_kept(kind):
    got, _ = answered("POST", "/account/log-in/", kind)
    assert got.startswith("403")  # for want of a token: without a boundary it would be 400
