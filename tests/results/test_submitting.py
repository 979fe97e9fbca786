"""Submitting an event: the declaration, the holds with a reason, what is written, and what comes back."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from events.models import Arbiter, Event, Penalty, Submission
from events.operations import EventError, accept_event, return_event
from events.sending import send_in
from events.states import State
from events.uploads import live
from players.models import Player
from tests.builders import everything, officer, round_robin
from tests.results.world import FIRST, LAST, clean, do, known, mend, played, taken

pytestmark = pytest.mark.django_db


def texts(answered) -> str:
    return answered.content.decode()


def ready(desk, content=None, **fields):
    known()
    event = played(**fields)
    return event, taken(event, content)


@pytest.mark.rule("chessa 57.2")
def test_the_declaration_is_made(desk, administrator):
    event, upload = ready(desk)
    answered = do(desk, event, "submit")
    assert answered.status_code == 422
    assert "57.2" in texts(answered)
    assert not Submission.objects.exists()
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    submission = Submission.objects.get()
    assert (submission.by, submission.file_id) == (administrator, upload.file_id)
    assert submission.declaration.startswith("All that the files")
    section = event.sections.get()
    assert (section.entries.count(), section.games.count()) == (6, 15)
    move = event.moves.last()
    assert (move.target, move.actor) == ("submitted", administrator)
    upload.refresh_from_db()
    assert upload.submission == submission
    assert not live(event.uploads.all()).exists()


def test_an_error_left_blocks_it(desk):
    event = played()
    taken(event)
    before = everything()
    answered = do(desk, event, "submit", declared="on", reason="please")
    assert answered.status_code == 422
    assert "to mend" in texts(answered)
    assert everything() == before


@pytest.mark.rule("chessa 12")
def test_holds_go_along_with_a_reason(desk):
    event, _ = ready(desk, clean(rounds=round_robin(6)[:4]))
    answered = do(desk, event, "submit", declared="on", reason="  ")
    assert answered.status_code == 422
    do(desk, event, "submit", declared="on", reason="The hall was flooded.")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert event.moves.last().reason == "The hall was flooded."
    assert [one.code for one in Submission.objects.get().findings.filter(severity="hold")] == ["too-few-rounds"]


def test_every_section_has_its_file(desk):
    known()
    event = played("A", "B")
    first, second = event.sections.order_by("position")
    taken(event, section=first)
    answered = do(desk, event, "submit", declared="on")
    assert "Section B has no file yet. Upload it." in texts(answered)
    taken(event, clean(results="0="), section=second)
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert [section.games.count() for section in event.sections.all()] == [15, 15]


def test_what_was_mended_is_written_and_on_record(desk):
    known()
    Player.objects.order_by("-number").first().delete()
    event = played()
    upload = taken(event, clean(control="60+30", dated=False, arbiter=""))
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000123")
    mend(desk, upload, "new")
    mend(desk, upload, "control", which="file")
    mend(desk, upload, "arbiters", arbiter=arbiter.pk)
    mend(desk, upload, "days", **{f"_{number}": FIRST.isoformat() for number in range(1, 6)})
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    section = event.sections.get()
    assert (section.base_minutes, section.increment_seconds) == (60, 30)
    assert {one.date for one in section.rounds.all()} == {FIRST}
    assert event.appointments.get().arbiter == arbiter
    assert Player.objects.count() == 6
    notes = set(Submission.objects.get().findings.filter(code__startswith="mended-").values_list("code", flat=True))
    assert notes == {"mended-player", "mended-control", "mended-arbiter", "mended-day"}


def test_what_changed_on_the_register_meanwhile_is_found_when_it_is_submitted(desk):
    event, _ = ready(desk)
    Player.objects.order_by("number").first().delete()
    before = everything()
    answered = do(desk, event, "submit", declared="on")
    assert answered.status_code == 422
    assert "Check the file again" in texts(answered)
    assert everything() == before


def test_it_is_submitted_once(desk, administrator):
    event, _ = ready(desk)
    do(desk, event, "submit", declared="on")
    with pytest.raises(EventError, match="nothing to send in"):
        send_in(event, declared=True, reason="", at=timezone.now(), today=timezone.localdate(), by=administrator)
    assert Submission.objects.count() == 1


def test_a_returned_event_is_corrected_section_by_section(desk, administrator):
    known()
    event = played("A", "B")
    first, second = event.sections.order_by("position")
    taken(event, section=first)
    taken(event, clean(results="0="), section=second)
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    return_event(event, at=timezone.now(), by=officer(), reason="Round 3 of B is wrong.")
    answered = do(desk, event, "submit", declared="on")
    assert "No corrected file is uploaded yet." in texts(answered)
    corrected = taken(event, clean(results="00=1"), section=second, name="b2.trf")
    assert corrected.report["before"] == "open.trf"
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert [section.submissions.count() for section in (first, second)] == [1, 2]
    accept_event(event, at=timezone.now(), by=None)


JOHANNESBURG = ZoneInfo("Africa/Johannesburg")


@pytest.mark.rule("chessa 61")
@pytest.mark.parametrize(("late", "holds"), [(timedelta(seconds=-1), 0), (timedelta(), 1)])
def test_the_last_second_in_time_and_the_first_too_late(administrator, monkeypatch, late, holds):
    """An event that ended in January is submitted by the end of February, South African time."""
    known()
    first = FIRST.replace(year=2025, month=1, day=11)
    event = played(first=first, last=first)
    upload = taken(event, clean(starts=first, ends=first))
    at = datetime(2025, 3, 1, tzinfo=JOHANNESBURG) + late
    send = {"declared": True, "at": at, "today": timezone.localdate(at), "by": administrator}
    if holds:
        with pytest.raises(EventError, match="Say why"):
            send_in(event, reason="", **send)
    send_in(event, reason="The courier was late." if holds else "", **send)
    found = Submission.objects.get(upload=upload).findings.filter(severity="hold")
    assert [one.code for one in found] == ["too-late"] * holds


def test_the_last_day_stands_on_the_page_once_it_was_played(desk):
    event, _ = ready(desk)
    said = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "Submitting closes on" in said
    assert "left" in said
    assert Event.objects.get(pk=event.pk).ends == LAST


def test_penalties_are_answered_before_and_after(desk, client, arbiter):
    known()
    rounds = [list(pairs) for pairs in round_robin(6)]
    white, black, _ = rounds[2][1]
    rounds[2][1] = (white, black, "+")
    event = played()
    event.appointments.create(arbiter=arbiter, position=1)
    upload = taken(event, clean(rounds=rounds))
    (proposal,) = upload.report["proposals"]
    assert (proposal["round"], proposal["start"], proposal["points"]) == (3, black, 20)
    client.force_login(arbiter.user)
    prefix = f"u{upload.pk}-penalty-{proposal['key']}"
    answer = {"upload": upload.pk, "control": "penalty", "key": proposal["key"], f"{prefix}-notice": "announced"}
    assert client.post(f"/events/{event.pk}/results/", {"do": "penalty", **answer}).status_code == 422
    answer[f"{prefix}-reason"] = "He rang the Chief Arbiter at eight."
    client.post(f"/events/{event.pk}/results/", {"do": "penalty", **answer})
    client.force_login(arbiter.user)
    assert "Announced: He rang the Chief Arbiter" in texts(client.get(f"/events/{event.pk}/results/"))
    send_in(event, declared=True, reason="x", at=timezone.now(), today=timezone.localdate(), by=None)
    penalty = Penalty.objects.get()
    assert (penalty.status, penalty.reason) == ("dropped", "He rang the Chief Arbiter at eight.")
    assert penalty.decided_by == arbiter.user
    given = {"do": "penalty", "penalty": penalty.pk, f"p{penalty.pk}-notice": "without"}
    client.post(f"/events/{event.pk}/results/", given)
    penalty.refresh_from_db()
    assert (penalty.status, penalty.final) == ("confirmed", False)
    Penalty.objects.update(final=True)
    assert client.post(f"/events/{event.pk}/results/", given).status_code == 422
