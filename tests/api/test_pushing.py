"""The worked push: its commands and its program run as they stand on the page."""

import html
import io
import re
import shlex
import urllib.request

import pytest

from events.models import Event, Submission
from tests.api.test_tokens import token_for
from tests.events.submission.conftest import administrator as administrator
from tests.events.submission.world import clean, known, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def push(client, administrator, worker_at_once, django_capture_on_commit_callbacks):
    """An event that is to be sent in, the secret of a token, and how a request is sent; the worker looks at once."""
    known()
    event = played()
    _, headers = token_for(administrator)

    def send(method, address, content, sent):
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.generic(
                method,
                address.removeprefix("http://testserver"),
                content or b"",
                sent.pop("content-type", "application/octet-stream"),
                headers=sent,
            )
        assert answer.status_code in (200, 202), answer.content
        return answer.content

    return event, headers["authorization"].removeprefix("Bearer "), send


def page_of(client) -> str:
    return client.get("/api/pushing/").content.decode()


def test_the_commands_run_as_they_stand_there(client, push):
    event, secret, send = push
    commands = re.findall(r"<code>(curl [^<]+)</code>", page_of(client))
    assert len(commands) == 5
    for command in commands:
        method, content, sent = "GET", b"", {}
        rest = iter(shlex.split(html.unescape(command))[1:])
        for word in rest:
            if word == "-X":
                method = next(rest)
            elif word == "-H":
                name, _, value = next(rest).replace("$TOKEN", secret).partition(": ")
                sent[name.lower()] = value
            elif word in ("-d", "--data-binary"):
                content = next(rest).encode()
                content = clean() if content == b"@open.trf" else content
            else:
                send(method, word, content, sent)
    event.refresh_from_db()
    assert event.state == "submitted"
    assert Submission.objects.get().name == "open.trf"


def test_the_program_runs_as_it_stands_there(client, push, tmp_path, monkeypatch, capsys):
    _, secret, send = push
    (tmp_path / "open.trf").write_bytes(clean())
    monkeypatch.chdir(tmp_path)

    class ToTheSite(urllib.request.HTTPHandler):
        def http_open(self, request):
            sent = {name.lower(): value for name, value in request.header_items()}
            body = send(request.get_method(), request.full_url, request.data, sent)
            answer = urllib.response.addinfourl(io.BytesIO(body), {}, request.full_url, 200)
            answer.msg = "OK"
            return answer

    opener = urllib.request.build_opener(ToTheSite)
    monkeypatch.setattr(urllib.request, "urlopen", opener.open)
    found = re.search(r'<code id="script">(.*?)</code>', client.get("/api/pushing/").content.decode(), re.DOTALL)
    program = html.unescape(found[1]).replace("chessa_…", secret)
    exec(compile(program, "push", "exec"), {"input": lambda question: "yes"})
    assert "All that the files and this page say" in capsys.readouterr().out
    assert Event.objects.get().state == "submitted"
