"""The OpenAPI document, its page, and the examples, which run as they stand there."""

import functools
import html
import re
import shlex

import pytest
import schemathesis
from django.conf import settings as site
from django.core.management import call_command
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from api.documentation.changes import VERSIONS
from api.documentation.views import openapi
from config.wsgi import application
from tests.accounts.world import routes
from tests.api.test_tokens import token_for
from tests.builders import officer

pytestmark = pytest.mark.django_db


def operations() -> list[tuple[str, str]]:
    return [(path, method) for path, methods in openapi()["paths"].items() for method in methods]


def test_the_document_is_valid_without_a_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "openapi.yaml"))
    assert openapi()["openapi"] == "3.1.0"


def test_every_operation_is_in_the_document_and_on_its_page(client):
    plain = {re.sub(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^)]*\))*\)", r"{\1\2}", route) for route in routes()}
    there = {
        f"/{route.replace('^', '').replace('$', '')}"
        for route in plain
        if re.match(r"api/\^?v1/(?!schema|docs)", route)
    }
    assert {path for path, _ in operations()} == there
    page = client.get("/api/v1/docs/").content.decode()
    for path, method in operations():
        assert f"{method.upper()} {path}" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_code_is_shown_as_code(client):
    for address, code in (("/api/errors/", "Retry-After"), ("/api/v1/docs/", "next")):
        page = client.get(address).content.decode()
        assert f"<code>{code}</code>" in page
        assert "`" not in page, address


def test_every_operation_and_word_is_described():
    for path, method in operations():
        operation = openapi()["paths"][path][method]
        assert operation["summary"], path
        assert operation["description"].startswith("Answer with"), path
        assert {"400", "404", "405", "406", "429"} <= operation["responses"].keys(), path
    for name, schema in openapi()["components"]["schemas"].items():
        assert schema.get("description") or name.startswith("Paginated") or "enum" in schema, name


def test_the_version_of_the_document_is_the_latest_of_the_changes(client):
    assert openapi()["info"]["version"] == VERSIONS[0].number
    page = client.get("/api/changes/").content.decode()
    assert all(f"<h2>{version.number}</h2>" in page for version in VERSIONS)
    assert "Nothing ends at present" in page


def test_the_document_is_public_under_its_media_type(client):
    answer = client.get("/api/v1/schema/")
    assert answer.headers["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert answer.json() == openapi()
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("address", ["/api/", "/api/v1/docs/", "/api/errors/", "/api/pushing/", "/api/changes/"])
def test_its_pages_take_nothing_from_elsewhere_and_nothing_inline(client, address):
    page = client.get(address)
    text = page.content.decode()
    assert "style=" not in text
    assert not re.findall(r"<script(?![^>]*src=)", text)
    assert all(source.startswith(("/", site.SITE_URL)) for source in re.findall(r'(?:src|href)="([^"#]+)"', text))
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.usefixtures("federation")
def test_the_examples_run_as_they_stand_on_the_page(client):
    page = html.unescape(client.get("/api/").content.decode())
    commands = re.findall(r"<code>(curl [^<]+)</code>", page)
    assert len(commands) == 17
    for command in commands:
        answer = run(client, shlex.split(command))
        assert answer.status_code == 200, command
        assert answer.getvalue(), command


def run(client, words: list[str]):
    """What the API answers to a command of curl."""
    headers, body, address = {}, None, ""
    rest = iter(words[1:])
    for word in rest:
        if word == "-H":
            name, _, value = next(rest).partition(": ")
            headers[name.lower()] = value
        elif word in ("-d", "--data-binary"):
            body = next(rest)
        else:
            assert word.startswith("http://testserver/api/v1/"), word
            address = word.removeprefix("http://testserver")
    if body is None:
        return client.get(address, headers=headers)
    content = b"012 Open\n" if body.startswith("@") else body.encode()
    return client.post(address, content, content_type=headers.pop("content-type"), headers=headers)


def test_the_page_of_an_empty_site_has_its_examples_too(client):
    assert "curl 'http://testserver/api/v1/players/100000001/'" in html.unescape(client.get("/api/").content.decode())


@pytest.mark.usefixtures("federation", "one_connection")
@pytest.mark.parametrize(("path", "method"), operations())
def test_the_api_answers_as_the_document_says(path, method):
    _ask(path, method, {})


SECURED = [(path, method) for path, method in operations() if openapi()["paths"][path][method].get("security")]


@pytest.mark.usefixtures("federation", "one_connection")
@pytest.mark.parametrize(("path", "method"), SECURED)
def test_it_answers_to_a_token_as_the_document_says(path, method):
    _, headers = token_for(officer())
    _ask(path, method, {"Authorization": headers["authorization"]})


@functools.cache
def _document():
    return schemathesis.openapi.from_wsgi("/api/v1/schema/", application)


def _ask(path, method, token):
    operation = _document()[path][method]
    # What of a well-formed document is refused says the rating system, not the OpenAPI document.
    lenient = [positive_data_acceptance] if method in ("post", "put") or (path, method) in SECURED else []

    @given(case=operation.as_strategy())
    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case):
        case.call_and_validate(excluded_checks=lenient, headers={"Accept-Encoding": "identity", **token})

    ask()
