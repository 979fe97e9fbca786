"""What a program with a token sends in: with the rights of its user, and as the page does."""

import hashlib
import json
import re

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import DateTimeField

from accounts.models import Token, User
from config.models import OWN_MODELS
from events.models import Event, Submission, SubmittedFile, Upload
from events.rules.states import State
from events.submission.operations import DECLARATION
from events.submission.tasks import submit_large
from events.submission.uploads import not_submitted
from players.models import Player
from tests.accounts.test_every_address import outcome, table
from tests.accounts.world import OTHER, OWN, ROLES, World
from tests.api.test_tokens import token_for
from tests.builders import round_robin
from tests.events.submission.conftest import administrator as administrator
from tests.events.submission.world import clean, do, known, played, sent_file

pytestmark = pytest.mark.django_db

BYTES = "application/octet-stream"


@pytest.fixture
def program(client, administrator, worker_at_once, django_capture_on_commit_callbacks):
    """A program with a token of the region's administrator; the worker looks at once."""
    _, headers = token_for(administrator)

    class Program:
        def get(self, path, status=200):
            answer = client.get(f"/api/v1/{path}", headers=headers)
            assert answer.status_code == status, answer.content
            return answer.json()

        def put(self, path, content, status=202):
            with django_capture_on_commit_callbacks(execute=True):
                answer = client.put(f"/api/v1/{path}", content, content_type=BYTES, headers=headers)
            assert answer.status_code == status, answer.content
            return answer.json()

        def post(self, path, document, status=200):
            sent = json.dumps(document)
            answer = client.post(f"/api/v1/{path}", sent, content_type="application/json", headers=headers)
            assert answer.status_code == status, answer.content
            return answer.json()

    return Program()


def file_of(event: Event) -> str:
    return f"events/{event.pk}/sections/{event.sections.get().pk}/file/"


def test_large_files_are_submitted_by_a_worker(program, monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr("events.submission.checker._BYTES_AT_ONCE", 10)
    known()
    event = played()
    program.put(f"{file_of(event)}?name=open.trf", clean())
    address = f"events/{event.pk}/submit/"
    form = program.get(address)
    assert (form["ready"], form["sending"], form["not_sent"]) == (True, False, None)
    sent = {"declaration": form["declaration"], "version": form["version"]}
    with django_capture_on_commit_callbacks(execute=False):
        done = program.post(address, sent, 202)
    assert (done["state"], done["sections"]) == ("registered", [])
    form = program.get(address)
    assert (form["ready"], form["sending"]) == (False, True)
    submit_large(event.pk)
    assert program.get(address)["state"] == "submitted"


def test_a_push_is_checked_and_submitted(program, administrator):
    known()
    event = played()
    pushed = program.put(f"{file_of(event)}?name=open.trf", clean())
    assert pushed["state"] == "checking"
    assert pushed["status"] == f"http://testserver/api/v1/{file_of(event)}"
    state = program.get(file_of(event))
    assert (state["state"], state["name"], state["errors"], state["holds"]) == ("checked", "open.trf", 0, 0)
    assert state["sha256"] == hashlib.sha256(clean()).hexdigest()
    assert state["received_at"].endswith("Z")
    assert state["open"] == state["lines"] == []
    form = program.get(f"events/{event.pk}/submit/")
    assert (form["ready"], form["open"], form["declaration"]) == (True, [], DECLARATION)
    sent = {"declaration": form["declaration"], "version": form["version"]}
    done = program.post(f"events/{event.pk}/submit/", sent)
    section = event.sections.get().pk
    assert done == {
        "event": event.pk,
        "state": "submitted",
        "sections": [{"section": section, "name": "open.trf", "sha256": state["sha256"]}],
    }
    submission = Submission.objects.get()
    assert (submission.by, submission.declaration) == (administrator, DECLARATION)
    assert program.get(file_of(event))["state"] == "submitted"


def by_token(program, event):
    program.put(f"{file_of(event)}?name=open.trf", clean())
    sent = {"declaration": DECLARATION, "reason": "The hall was flooded."}
    program.post(f"events/{event.pk}/submit/", sent)


def left_by(send) -> dict[str, list[dict[str, object]]]:
    """All rows after an event was sent in, without moments, keys of what was written, and tokens; undone afterwards."""
    with transaction.atomic():
        send()
        assert Event.objects.get().state == State.SUBMITTED
        rows = {
            model.__name__: [_facts(row) for row in model._default_manager.order_by("pk")]
            for model in apps.get_models()
            if model not in (Session, *OWN_MODELS, Token)
        }
        transaction.set_rollback(True)
    return rows


def _facts(row) -> dict[str, object]:
    written = (Submission, SubmittedFile, Upload)
    return {
        field.name: _plain(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if not field.primary_key
        and field.name != "id"
        and not isinstance(field, DateTimeField)
        and field.related_model not in written
    }


def _plain(value):
    if isinstance(value, str):
        return re.sub("[0-9]{2}:[0-9]{2} South African time", "a moment", value)
    return bytes(value) if isinstance(value, memoryview) else value


def test_a_push_by_token_ends_in_the_submission_of_an_upload_by_hand(
    program, client, administrator, django_capture_on_commit_callbacks
):
    known()
    event = played()
    client.force_login(administrator)

    def hand():
        with django_capture_on_commit_callbacks(execute=True):
            do(client, event, "upload", file=sent_file())
        do(client, event, "submit", declared="on", reason="The hall was flooded.")

    left = left_by(hand)
    assert left == left_by(lambda: by_token(program, event))
    assert [file["content"] for file in left["SubmittedFile"]] == [clean()]
    assert len(left["Game"]) == 15


def test_the_same_file_twice_leaves_one_with_its_answers(program):
    known()
    event = played()
    address = f"{file_of(event)}?name=open.trf"
    first = program.put(address, clean())
    upload = Upload.objects.get()
    upload.corrections.create(kind="name", key="", value="x", question="", answer="", at=upload.at)
    again = program.put(address, clean())
    assert (again["sha256"], Upload.objects.get().pk) == (first["sha256"], upload.pk)
    assert upload.corrections.count() == 1
    program.put(address, clean(name="Other Open"))
    assert Upload.objects.count() == 2
    assert not_submitted(Upload.objects.all()).count() == 1


def test_the_findings_are_those_of_the_page(program, client, administrator):
    known()
    Player.objects.order_by("-number").first().delete()
    event = played()
    program.put(file_of(event), clean(rounds=round_robin(6)[:4]).replace(b"001    2", b"001    x"))
    state = program.get(file_of(event))
    client.force_login(administrator)
    page = client.get(f"/events/{event.pk}/results/").content.decode()
    shown = [finding for group in Upload.objects.get().report["groups"] for finding in group["findings"]]
    assert [finding["code"] for finding in state["findings"]] == [finding["code"] for finding in shown]
    assert [finding["place"] or "" for finding in state["findings"]] == [finding["place"] for finding in shown]
    assert {finding["place"] for finding in state["findings"] if finding["place"] and finding["place"] in page}
    assert {finding["settled_by"] for finding in state["findings"]} <= {"file", "page", "officer", "note"}
    assert state["errors"] > 0
    assert [row["code"] for row in state["open"]] == ["file-with-errors"]
    refused = program.post(f"events/{event.pk}/submit/", {"declaration": DECLARATION}, 422)
    assert refused["type"].endswith("/api/errors/#not-done")
    assert refused["errors"][0]["code"] == "file-with-errors"
    assert refused["errors"][0]["place"] == f"sections[{event.sections.get().pk}]"
    assert not Submission.objects.exists()


def test_lines_that_are_not_known_are_told_without_a_birth_date(program):
    event = played()
    program.put(file_of(event), clean())
    state = program.get(file_of(event))
    assert [line["start"] for line in state["lines"]] == [1, 2, 3, 4, 5, 6]
    assert {tuple(line) for line in state["lines"]} == {("start", "line", "name", "candidates")}


@pytest.mark.rule("chessa 57.2")
def test_the_declaration_is_sent_letter_by_letter(program):
    known()
    event = played()
    program.put(file_of(event), clean())
    for document in ({}, {"declaration": "yes"}, {"declaration": DECLARATION[:-1]}):
        answer = program.post(f"events/{event.pk}/submit/", document, 400)
        assert [error["place"] for error in answer["errors"]] == ["declaration"]
    assert not Submission.objects.exists()
    stale = {"declaration": DECLARATION, "version": "1"}
    assert "was changed since" in program.post(f"events/{event.pk}/submit/", stale, 422)["detail"]
    program.post(f"events/{event.pk}/submit/", {"declaration": DECLARATION})
    again = program.post(f"events/{event.pk}/submit/", {"declaration": DECLARATION}, 422)
    assert "there is nothing to send in" in again["detail"]
    assert "submitted" in program.put(file_of(event), clean(name="x"), 422)["detail"]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"%PDF-1.4"])
def test_what_is_no_tournament_file_is_refused(program, content):
    event = played()
    said = program.put(file_of(event), content, 422)["detail"]
    assert said.startswith(("“file” is empty", "file is not taken: "))
    assert program.get(file_of(event))["state"] == "missing"
    assert not Upload.objects.exists()


def test_a_section_of_another_event_is_not_there(program):
    event, other = played(), played(name="Other Open")
    wrong = f"events/{event.pk}/sections/{other.sections.get().pk}/file/"
    program.get(wrong, 404)
    program.put(wrong, clean(), 404)


# The operation by token, its document, and the method and address of the page whose rights it has.
PAGES = [
    ("get", "events/{event}/sections/{section}/file/", {}, "get", "events/<int:event>/results/"),
    ("put", "events/{event}/sections/{section}/file/", {"data": clean()}, "post", "events/<int:event>/results/upload/"),
    ("get", "events/{event}/submit/", {}, "get", "events/<int:event>/results/"),
    ("post", "events/{event}/submit/", {"data": json.dumps({"declaration": DECLARATION})}, "post",
     "events/<int:event>/results/submit/"),
]  # fmt: skip


def test_a_token_has_the_rights_of_its_user_on_the_pages(db, client):
    world, rows, wrong = World(), table(), []
    for role in ROLES[1:]:
        _, headers = token_for(world.users[role], name="rights")
        for method, path, sent, page_method, page in PAGES:
            for scope in (OWN, OTHER):
                event, section = world.rows["event", scope].pk, world.rows["section", scope].pk
                address = f"/api/v1/{path.format(event=event, section=section)}"
                given = {"content_type": BYTES if method == "put" else "application/json", **sent} if sent else {}
                found = outcome(getattr(client, method)(address, headers=headers, **given), address)
                place = (0 if page_method == "get" else 2) + (scope == OTHER)
                wanted = rows[page][place][ROLES.index(role)]
                if found != wanted:
                    wrong.append(f"{role} {method} {address} ({scope}): {found} instead of {wanted}")
    assert wrong == []


def test_a_role_that_is_taken_away_takes_its_rights_from_the_token(program, administrator):
    event = played()
    program.get(file_of(event))
    administrator.administrations.update(until=administrator.administrations.get().since)
    program.get(file_of(event), 404)
    assert program.get("me/events/")["results"] == []


@pytest.mark.parametrize(
    ("scope", "statuses"), [(Token.Scope.SUBMIT, [200, 202, 200, 403]), (Token.Scope.READ_OWN, [200, 403, 403, 200])]
)
def test_a_token_does_what_its_scopes_name(client, administrator, scope, statuses):
    event = played()
    _, headers = token_for(administrator, scope)
    file, submit = f"/api/v1/{file_of(event)}", f"/api/v1/events/{event.pk}/submit/"
    answers = [
        client.get(file, headers=headers),
        client.put(file, clean(), content_type=BYTES, headers=headers),
        client.get(submit, headers=headers),
        client.get("/api/v1/me/events/", headers=headers),
    ]
    assert [answer.status_code for answer in answers] == statuses
    assert all(answer.headers["Cache-Control"] == "no-store" for answer in answers)
    assert all("ETag" not in answer.headers for answer in answers)


def test_a_log_in_is_no_token(client, administrator):
    event = played()
    client.force_login(administrator)
    answer = client.put(f"/api/v1/{file_of(event)}", clean(), content_type=BYTES)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert client.get("/api/v1/me/events/").status_code == 401
    assert not Upload.objects.exists()


def test_ones_own_events_with_what_is_open(program, django_assert_max_num_queries):
    first, second = played(name="First Open"), played(name="Second Open")
    User.objects.create_user("other@example.org")
    page = program.get("me/events/?limit=1")
    assert [row["id"] for row in page["results"]] == [second.pk]
    assert page["next"].endswith(f"/me/events/?after={second.pk}&limit=1")
    with django_assert_max_num_queries(25):
        rows = program.get("me/events/")["results"]
    assert [(row["id"], row["state"], row["submits"]) for row in rows] == [
        (second.pk, "registered", True),
        (first.pk, "registered", True),
    ]
    assert [error["code"] for error in rows[0]["open"]] == ["file-missing"]
    assert rows[0]["next"] == "Submit its files"
    assert rows[0]["sections"][0]["file"] == f"http://testserver/api/v1/{file_of(second)}"
    named = program.get("me/events/?fields=id,state")["results"]
    assert named[0] == {"id": second.pk, "state": "registered"}
