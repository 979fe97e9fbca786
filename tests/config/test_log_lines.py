"""Lines of the log hold what an operator needs, and nothing of people."""

import json
import logging
import os
import subprocess
import sys
from datetime import datetime, timedelta

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import Client
from psycopg.errors import DeadlockDetected

from accounts.models import User
from config.log_lines import ShortOutages, WithoutSearches
from config.log_lines import settings as log_settings
from tests import prepared
from tests.conftest import ROOT

PROGRAM = """
import logging, django
django.setup()
try:
    raise RuntimeError("not stored")
except RuntimeError:
    logging.getLogger("django.request").exception("Internal Server Error: /x/", extra={"request": "<GET '/x/?q=Naledi'>"})
"""


@pytest.mark.parametrize("kind", ["plain", "json"])
def test_a_traceback_is_written_and_a_line_tells_no_address_with_its_query(tmp_path, kind):
    env = {
        "PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_FORMAT": kind,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert "RuntimeError: not stored" in done.stderr
    assert "naledi" not in done.stderr.lower()
    if kind == "json":
        line = json.loads(done.stderr)
        assert (line["level"], line["logger"]) == ("ERROR", "django.request")
        assert datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("LOG_FORMAT", "xml", "LOG_FORMAT=xml is none: choose one of plain, json"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL=LOUD is none"),
    ],
)
def test_what_is_no_format_or_level(monkeypatch, name, text, message):
    monkeypatch.setenv(name, text)
    with pytest.raises(ImproperlyConfigured, match=message):
        log_settings(environ.Env())


@pytest.mark.django_db
def test_logging_in_registering_and_losing_a_password_leave_no_address_in_the_log(client, caplog):
    User.objects.create_user("naledi@example.org", "a long password")
    caplog.set_level(logging.DEBUG)
    for logger in ("django.db.backends", "faker"):
        caplog.set_level(logging.CRITICAL, logger)
    client.post("/account/log-in/", {"username": "naledi@example.org", "password": "wrong"})
    for _ in range(11):
        client.post("/account/log-in/", {"username": "thabo@example.org", "password": "wrong"})
    client.post("/account/log-in/", {"username": "naledi@example.org", "password": "a long password"})
    client.post("/account/lost-password/", {"email": "naledi@example.org"})
    client.get("/players/", {"q": "Naledi"})
    client.get("/nothing/", {"q": "Naledi"})
    assert "example.org" not in caplog.text
    assert "Naledi" not in caplog.text
    assert "127.0.0.1" not in caplog.text


@pytest.mark.django_db
def test_a_refused_request_is_told_without_what_was_searched_for(client, admin_client, caplog, monkeypatch):
    monkeypatch.setattr(caplog.handler, "filters", [WithoutSearches()])
    client.get("/players/Naledi Mokoena/")
    client.get("/events/appeals/naledis-key/")
    admin_client.get("/admin/accounts/user/?_to_field=naledi")
    admin_client.get("/admin/accounts/user/?password=naledi")
    client.get("/players/987654321/")
    assert "naledi" not in caplog.text.lower()
    assert "Not Found: an address that does not exist" in caplog.text
    assert "/events/appeals/<str:token>/" in caplog.text
    assert "A word of the query is none of this page of the desk" in caplog.text
    assert "Not Found: /players/987654321/" in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["players/Naledi%20Dubé/", "api/v1/players/naledi-é/", "events/appeals/naledis-key%0A/", "%00naledi"]
)
def test_an_address_that_is_escaped_is_not_told_either(client, caplog, monkeypatch, address):
    monkeypatch.setattr(caplog.handler, "filters", [WithoutSearches()])
    assert client.get(f"/{address}").status_code in (400, 404)
    assert caplog.records
    assert "naledi" not in caplog.text.lower()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("HTTP_REFERER", "https://mail.example.com/search?q=Naledi+Mokoena and naledi"),
        ("HTTP_REFERER", "https://testserver:8443/events/appeals/naledis-key/"),
        ("HTTP_ORIGIN", "https://naledi.example"),
    ],
)
def test_of_a_form_from_another_page_it_is_not_told_which(caplog, monkeypatch, header, value):
    monkeypatch.setattr(caplog.handler, "filters", [WithoutSearches()])
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/account/log-in/", {"username": "x"}, secure=True, **{header: value})
    assert answer.status_code == 403
    assert "checking failed - its value does not match any trusted origins" in caplog.text
    assert "naledi" not in caplog.text.lower()


@pytest.mark.django_db
def test_a_body_that_is_refused_before_its_address_is_looked_at_is_told_with_it(client, caplog, monkeypatch):
    monkeypatch.setattr(caplog.handler, "filters", [WithoutSearches()])
    for address in ("/account/log-in/", "/events/appeals/naledis-key/", "/naledi/"):
        sent = {"CONTENT_LENGTH": "210000000"}
        assert client.generic("POST", address, b"x", "application/x-www-form-urlencoded", **sent).status_code == 413
    assert "Request Entity Too Large: /account/log-in/" in caplog.text
    assert "Request Entity Too Large: /events/appeals/<str:token>/" in caplog.text
    assert "Request Entity Too Large: an address that does not exist" in caplog.text
    assert "naledi" not in caplog.text.lower()


def test_a_request_that_was_ended_because_it_waited_for_another_is_one_line(caplog, monkeypatch):
    monkeypatch.setattr(caplog.handler, "filters", [ShortOutages()])
    error = OperationalError("deadlock detected\nDETAIL:  Process 12 waits for ShareLock")
    error.__cause__ = DeadlockDetected()
    try:
        raise error
    except OperationalError:
        logging.getLogger("django.request").exception("Internal Server Error: %s", "/x/")
    assert [record.getMessage() for record in caplog.records] == ["Internal Server Error: /x/: deadlock detected"]
    assert len(caplog.text.splitlines()) == 1


OUTAGE = """
import logging, django
django.setup()
from django.test import Client
from ratings.downloads.tasks import make_files
client = Client(raise_request_exception=False)
assert client.get("/players/?q=Naledi", headers={"host": "localhost"}).status_code == 503
make_files.apply(args=[1])
try:
    raise ValueError("a mistake")
except ValueError:
    logging.getLogger("django.request").exception("Internal Server Error: /x/")
"""


def test_a_database_that_is_gone_is_one_line_for_each_request_and_task(tmp_path):
    env = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "VAR_DIR": str(tmp_path),
        "DATABASE_URL": "postgres://bureau@127.0.0.1:1/bureau",
    }  # fmt: skip
    (tmp_path / "static").symlink_to(prepared.static())
    done = subprocess.run([sys.executable, "-c", OUTAGE], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    request, task, *mistake = done.stderr.splitlines()
    assert "Service Unavailable: /players/: connection failed" in request
    assert "make_files" in task
    assert task.count("connection failed") == 1
    assert "Traceback" in mistake[1]
    assert "Naledi" not in done.stderr
