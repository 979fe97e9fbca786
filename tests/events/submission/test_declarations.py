"""Events whose files are large are sent in by a worker, once they are declared."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Mail
from events.models import Declaration, Event, Submission, Upload
from events.operations import EventError
from events.rules.states import State
from events.submission import declarations
from events.submission.declarations import submit_declared
from events.submission.tasks import MOST_ATTEMPTS, check_upload, rescue_declarations, submit_large
from events.submission.uploads import not_submitted, take_file
from ratings.desk.trays import BY_CODE
from tests.builders import officer, round_robin
from tests.events.submission.test_submitting import texts
from tests.events.submission.world import FIRST, clean, codes, do, known, many, on_register, played, taken, written

pytestmark = pytest.mark.django_db
BEING_SENT = "It is declared. The files are checked once more and sent in"


@pytest.fixture
def all_large(monkeypatch):
    """Any file is one for a worker."""
    monkeypatch.setattr("events.submission.checker._BYTES_AT_ONCE", 10)


@pytest.fixture
def declared(desk, all_large) -> Event:
    """An event that waits for the worker who sends it in."""
    known()
    event = played()
    taken(event)
    assert do(desk, event, "submit", declared="on", reason="All went well.").status_code == 302
    return event


def page_of(client, event: Event) -> str:
    return texts(client.get(f"/events/{event.pk}/results/"))


def test_it_waits_for_a_worker_who_sends_it_in(desk, declared):
    event = declared
    page = page_of(desk, event)
    assert BEING_SENT in page
    assert "data-waiting" in page
    assert 'name="declared"' not in page
    assert Event.objects.get().state == State.REGISTERED
    assert not Submission.objects.exists()
    at = Declaration.objects.get().at
    submit_large(event.pk)
    assert Event.objects.get().state == State.SUBMITTED
    sent = Submission.objects.get()
    assert (sent.at, event.moves.last().reason) == (at, "All went well.")
    assert not Declaration.objects.exists()
    assert any(event.name in one.subject for one in Mail.objects.all())
    polled = desk.get(f"/events/{event.pk}/results/", headers={"X-Poll": "1"})
    assert polled.headers["HX-Refresh"] == "true"
    assert "data-waiting" not in texts(polled)


def test_a_second_press_and_a_second_worker_do_no_harm(desk, declared):
    shown = Declaration.objects.get().shown
    before = written()
    assert do(desk, declared, "submit", declared="on", reason="Again.", shown=shown).status_code == 302
    assert written() == before
    submit_large(declared.pk)
    before = written()
    submit_large(declared.pk)
    assert written() == before
    assert Submission.objects.count() == 1


def test_a_second_press_that_is_refused_leaves_the_declaration_as_it_is(desk, declared):
    assert do(desk, declared, "submit").status_code == 422  # without the tick
    submit_large(declared.pk)
    assert Event.objects.get().state == State.SUBMITTED


def test_a_file_that_waits_to_be_sent_in_is_not_checked_again(desk, declared):
    upload = not_submitted(Upload.objects.all()).get()
    before = written()
    answer = desk.post(f"/events/{declared.pk}/results/{upload.pk}/check/")
    assert answer.status_code == 422
    assert "It is being sent in at this moment" in texts(answer)
    assert written() == before


def test_what_changed_after_the_declaration_keeps_it_from_being_sent_in(desk, declared):
    Event.objects.filter(pk=declared.pk).update(version=Event.objects.get().version + 1)
    submit_large(declared.pk)
    assert Event.objects.get().state == State.REGISTERED
    assert not Submission.objects.exists()
    upload = not_submitted(Upload.objects.all()).get()
    assert upload.pending  # what stands in the way now may be what its report does not show
    check_upload(upload.pk)
    page = page_of(desk, declared)
    assert "could not be sent in: A file, an answer or the registration was changed since" in page
    assert BEING_SENT not in page
    assert "All went well.</textarea>" in page
    assert do(desk, declared, "submit", declared="on", reason="All went well.").status_code == 302
    submit_large(declared.pk)
    assert Event.objects.get().state == State.SUBMITTED


def test_what_only_the_check_finds_is_told_in_the_language_of_who_declared(desk, all_large):
    known()
    event = played()
    taken(event)
    desk.cookies["language"] = "af"
    do(desk, event, "submit", declared="on")
    Event.objects.filter(pk=event.pk).update(state=State.WITHDRAWN)
    submit_large(event.pk)
    assert "daar is niks om in te stuur nie" in Declaration.objects.get().error


def test_what_is_missing_is_said_at_once(desk, all_large):
    known()
    event = played()
    assert do(desk, event, "submit", declared="on").status_code == 422
    taken(event, clean(starts=FIRST - timedelta(days=1)))
    before = written()
    assert "Declare that all information is correct" in texts(do(desk, event, "submit"))
    assert written() == before


def test_holds_ask_for_a_reason_at_once(desk, all_large):
    known()
    event = played()
    upload = taken(event, clean(rounds=round_robin(6)[:4]))
    assert upload.report["counts"]["hold"]
    assert "Say why the findings on hold" in texts(do(desk, event, "submit", declared="on"))
    assert not Declaration.objects.exists()


def test_the_day_of_the_declaration_counts_and_not_that_of_the_worker(desk, all_large, monkeypatch):
    """An event that ended in January is declared on the last day of February (article 61)."""
    known()
    first = timezone.localdate().replace(year=2025, month=1, day=11)
    event = played(first=first, last=first)
    upload = taken(event, clean(starts=first, ends=first))
    at = timezone.localtime().replace(year=2025, month=2, day=28)
    by = desk.get("/account/").wsgi_request.user
    assert not declarations.declare(event, declared=True, reason="The report is of today.", shown=None, at=at, by=by)
    submit_large(event.pk)
    found = Submission.objects.get(upload=upload).findings.all()
    assert "too-late" not in [one.code for one in found]


def test_one_that_no_worker_was_told_of_is_sent_in_and_one_that_kills_workers_is_given_up(desk, declared):
    long_ago = timezone.now() - timedelta(minutes=1)
    Declaration.objects.update(attempts=MOST_ATTEMPTS, at=long_ago)
    rescue_declarations()
    assert Event.objects.get().state == State.REGISTERED
    page = page_of(desk, declared)
    assert "which is a fault of this software: tell the ratings bureau" in page
    assert BEING_SENT not in page


def test_what_could_not_be_sent_in_is_told_to_the_region_and_the_desk(desk, declared, client):
    assert "It is being sent in" in texts(desk.get("/events/mine/"))
    Declaration.objects.update(attempts=MOST_ATTEMPTS, at=timezone.now() - timedelta(minutes=1))
    rescue_declarations()
    rescue_declarations()
    (mail,) = [mail for mail in Mail.objects.all() if mail.subject == f"Not sent in: {declared.name}"]
    assert "which is a fault of this software" in mail.text
    assert "It could not be sent in: see why" in texts(desk.get("/events/mine/"))
    assert list(BY_CODE["notsent"].rows(timezone.localdate())) == [declared]
    client.force_login(officer())
    listed = client.get("/admin/events/event/?waiting=notsent")
    assert declared.name in texts(listed)
    Declaration.objects.update(error="The event was changed meanwhile.")  # which the region alone mends
    assert not BY_CODE["notsent"].rows(timezone.localdate()).exists()


def test_who_would_change_what_is_being_sent_in_is_told_at_once(desk, declared, monkeypatch):
    monkeypatch.setattr("events.submission.declarations.is_at_work", lambda event_id: True)
    before = written()
    answer = do(desk, declared, "submit", declared="on")
    assert answer.status_code == 422
    assert "It is being sent in at this moment" in texts(answer)
    assert written() == before


def test_what_an_erasure_has_changed_meanwhile_is_sent_in(desk, declared, monkeypatch):
    """A worker who had read the reason wrote the name anew that another had erased."""

    def erased(event_id):
        Declaration.objects.filter(event=event_id).update(reason="Player 1234567 was ill.")
        return False

    monkeypatch.setattr("events.submission.declarations.is_at_work", erased)
    submit_declared(declared.pk)
    assert Event.objects.get().state == State.SUBMITTED
    assert declared.moves.last().reason == "Player 1234567 was ill."


def test_messages_that_come_again_are_no_further_attempts(desk, declared):
    Declaration.objects.update(attempts=MOST_ATTEMPTS)
    submit_large(declared.pk)
    assert Event.objects.get().state == State.REGISTERED
    assert Declaration.objects.get().error == Declaration.FAULT


def test_a_fault_is_told_and_a_database_that_is_gone_is_no_attempt(desk, declared, monkeypatch):
    def gone(*_, **__):
        raise OperationalError("database is locked")

    monkeypatch.setattr("events.submission.declarations.submit_event", gone)
    submit_declared(declared.pk)
    row = Declaration.objects.get()
    assert (row.attempts, row.error) == (0, "")
    monkeypatch.setattr("events.submission.declarations.submit_event", lambda *_, **__: 1 / 0)
    submit_declared(declared.pk)
    assert Declaration.objects.get().error == Declaration.FAULT
    assert not Submission.objects.exists()


def test_the_request_matches_no_player(desk):
    """The check of 600 players and their results took the request two seconds, and the longer the more they are."""
    people, content = many()
    on_register(people)
    event = played()
    upload = taken(event, content)
    assert len(upload.file.content) > 50_000
    assert codes(upload) == []
    with CaptureQueriesContext(connection) as asked:
        answered = do(desk, event, "submit", declared="on")
    assert answered.status_code == 302, texts(answered)
    assert not [query for query in asked if "players_player" in query["sql"]]
    assert BEING_SENT in page_of(desk, event)


def test_files_that_are_for_no_section_are_not_read_to_say_so(desk, administrator):
    """Forty of them had 200 MB, which a request read twice."""
    event = played("A", "B")
    for place in range(3):
        take_file(event, name=f"{place}.trf", content=clean() + b"### %d\n" % place, at=timezone.now(), by=None)
    Upload.objects.update(checked=F("asked"))
    with CaptureQueriesContext(connection) as asked, pytest.raises(EventError, match="for no section yet"):
        declarations.declare(event, declared=True, reason="", shown=None, at=timezone.now(), by=administrator)
    assert not [query for query in asked if '"events_submittedfile"."content"' in query["sql"]]
