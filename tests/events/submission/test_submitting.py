"""Submitting an event: the declaration, the holds with a reason, what is written, and what comes back."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from events.dashboard.queries import own_groups
from events.models import Arbiter, Correction, Event, Penalty, Refusal, Submission, Upload
from events.operations import EventError, accept_event, move_event, return_event
from events.penalties.operations import decide_penalties
from events.registration.forms import RegistrationForm
from events.rules.states import State
from events.submission.operations import submit_event
from events.submission.page import results_page
from events.submission.tasks import rescue_uploads
from events.submission.uploads import not_submitted
from players.models import Player
from tests.builders import (
    CLOCK,
    TODAY,
    Line,
    everything,
    lines,
    officer,
    region,
    round_robin,
    submitted,
    trf,
    with_byes,
)
from tests.events.submission.world import (
    FIRST,
    LAST,
    answer_penalties,
    clean,
    codes,
    correction,
    do,
    known,
    played,
    table,
    taken,
    written,
)

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
    assert not not_submitted(event.uploads.all()).exists()


def test_an_error_left_blocks_it(desk):
    event = played()
    taken(event)
    before = written()
    answered = do(desk, event, "submit", declared="on", reason="please")
    assert answered.status_code == 422
    assert "to correct" in texts(answered)
    assert written() == before


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
    table(desk, upload, "others")
    correction(desk, upload, "control", which="file", reason="The clocks showed it.")
    correction(desk, upload, "arbiters", arbiter=arbiter.pk)
    correction(desk, upload, "days", **{f"_{number}": FIRST.isoformat() for number in range(1, 6)})
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    section = event.sections.get()
    assert (section.base_minutes, section.increment_seconds) == (60, 30)
    assert {one.date for one in section.rounds.all()} == {FIRST}
    assert event.appointments.get().arbiter == arbiter
    assert Player.objects.count() == 6
    notes = set(Submission.objects.get().findings.filter(code__startswith="corrected-").values_list("code", flat=True))
    assert notes == {"corrected-player", "corrected-control", "corrected-arbiter", "corrected-day"}


def test_what_changed_on_the_register_meanwhile_is_found_when_it_is_submitted(desk):
    event, _ = ready(desk)
    Player.objects.order_by("number").first().delete()
    before = written()
    answered = do(desk, event, "submit", declared="on")
    assert answered.status_code == 422
    assert "Check the file again" in texts(answered)
    assert written() == before


def test_who_is_merged_while_his_event_is_being_written_gets_no_games(desk):
    first, second = known()[:2]
    event = played()
    taken(event)

    def merges(execute, sql, *rest):
        if sql.startswith("INSERT INTO") and "events_submission" in sql:
            Player.objects.filter(pk=second.pk).update(merged_into=first)
        return execute(sql, *rest)

    with connection.execute_wrapper(merges):
        page = do(desk, event, "submit", declared="on").content.decode()
    assert "was merged into another player just now: send it again" in page
    assert not Submission.objects.exists()
    assert Event.objects.get().state == "registered"


def test_it_is_submitted_once(desk, administrator):
    event, _ = ready(desk)
    do(desk, event, "submit", declared="on")
    with pytest.raises(EventError, match="nothing to send in"):
        submit_event(event, declared=True, reason="", at=timezone.now(), today=timezone.localdate(), by=administrator)
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
            submit_event(event, reason="", **send)
    submit_event(event, reason="The courier was late." if holds else "", **send)
    found = Submission.objects.get(upload=upload).findings.filter(severity="hold")
    assert [one.code for one in found] == ["too-late"] * holds


@pytest.mark.rule("chessa 61")
@pytest.mark.parametrize(("late", "holds"), [(timedelta(seconds=-1), 0), (timedelta(), 1)])
def test_a_corrected_file_came_when_the_first_one_did(administrator, late, holds):
    """An event that ended in January is first sent in around the end of February, returned, and corrected in March."""
    known()
    first = FIRST.replace(year=2025, month=1, day=11)
    event = played(first=first, last=first)
    taken(event, clean(starts=first, ends=first))
    sent, again = datetime(2025, 3, 1, tzinfo=JOHANNESBURG) + late, datetime(2025, 3, 20, tzinfo=JOHANNESBURG)
    why = {"declared": True, "reason": "The courier was late.", "by": administrator}
    submit_event(event, at=sent, today=timezone.localdate(sent), **why)
    event.refresh_from_db()
    return_event(event, at=again, by=None, reason="Round 1 is wrong.")
    event.refresh_from_db()
    corrected = taken(event, clean(starts=first, ends=first, results="0=1"), name="b.trf")
    submit_event(event, at=again, today=timezone.localdate(again), **why)
    found = Submission.objects.get(upload=corrected).findings.filter(severity="hold")
    assert [finding.code for finding in found if "late" in finding.code] == ["too-late"] * holds


def test_the_last_day_stands_on_the_page_once_it_was_played(desk):
    event, _ = ready(desk)
    said = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "Submitting closes on" in said
    assert "left" in said
    assert Event.objects.get(pk=event.pk).ends == LAST


def waits_for(arbiter) -> str:
    """What waits for an arbiter on My events."""
    groups = own_groups(arbiter.user, at=timezone.now(), today=timezone.localdate())
    return " ".join(row.next for group in groups for row in group.rows if row.waits)


def asked(arbiter, event) -> int:
    """How many penalties without an answer the results page shows, which is what waits for an arbiter on My events."""
    anchors = results_page(event, today=timezone.localdate()).open_anchors
    forms = [anchor for anchor in anchors if "-penalty-" in anchor or anchor.startswith("p")]
    (row,) = [row for group in own_groups(arbiter.user, at=CLOCK, today=TODAY) for row in group.rows]
    assert row.next.startswith(f"Say of {len(forms)} penalt" if forms else ""), row.next
    assert ("Say of" in row.next) == bool(forms), row.next
    return len(forms)


def test_of_a_returned_event_an_arbiter_is_asked_what_its_results_page_asks(arbiter):
    event = submitted(trf(lines(6), round_robin(6, "1=0+"), dated=False))
    event.appointments.create(arbiter=arbiter, position=1)
    return_event(event, at=CLOCK, reason="round 4 is wrong")
    event.refresh_from_db()
    assert asked(arbiter, event) == Penalty.objects.count() > 0
    upload = taken(event, trf(lines(6), round_robin(6, "1=+0"), dated=False))
    assert asked(arbiter, event) == len(upload.report["proposals"]) > 0
    for row in upload.report["proposals"]:
        Correction.objects.create(upload=upload, kind="penalty", key=row["key"], value="dropped", at=CLOCK)
    assert asked(arbiter, event) == 0


def test_an_arbiter_is_not_asked_about_a_section_that_is_refused_or_what_an_officer_decides(arbiter):
    event = submitted(trf(lines(6), round_robin(6, "1=0+"), dated=False))
    event.appointments.create(arbiter=arbiter, position=1)
    here = asked(arbiter, event)
    Penalty.objects.filter(pk=Penalty.objects.first().pk).update(final=True)
    assert asked(arbiter, event) == here - 1
    Refusal.objects.create(event=event, section=event.sections.get(), reason="x", at=CLOCK)
    assert asked(arbiter, event) == 0


def test_a_penaltys_line_shows_what_cannot_be_seen_in_the_name(desk):
    rounds = [list(pairs) for pairs in round_robin(6)]
    white, black, _ = rounds[2][1]
    rounds[2][1] = (white, black, "+")
    name = lines(6)[black - 1].name
    content = clean(rounds=rounds).replace(name[:5].encode(), f"{name[:4]}\u202e".encode())
    (proposal,) = taken(played(), content).report["proposals"]
    assert proposal["name"].startswith(f"{name[:4]}‹U+202E›")


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
    assert "Say of 1 penalty whether the absence was announced" in waits_for(arbiter)
    prefix = f"u{upload.pk}-penalty-{proposal['key']}"
    answer, action = {f"{prefix}-notice": "announced"}, f"{upload.pk}/penalties/{proposal['key']}"
    assert do(client, event, action, **answer).status_code == 422
    both = {f"{prefix}-notice": "without", f"{prefix}-reason": "He rang."}
    assert "Without notice no reason is kept" in texts(do(client, event, action, **both))
    answer[f"{prefix}-reason"] = "He rang the Chief Arbiter at eight."
    do(client, event, action, **answer)
    assert waits_for(arbiter) == ""
    given = upload.corrections.get()
    do(client, event, f"penalties/answers/{given.pk}/undo")
    assert not upload.corrections.exists()
    with pytest.raises(EventError, match="1 penalty without an answer"):
        submit_event(event, declared=True, reason="x", at=timezone.now(), today=timezone.localdate(), by=None)
    do(client, event, action, **answer)
    client.force_login(arbiter.user)
    assert "Announced: He rang the Chief Arbiter" in texts(client.get(f"/events/{event.pk}/results/"))
    submit_event(event, declared=True, reason="x", at=timezone.now(), today=timezone.localdate(), by=None)
    penalty = Penalty.objects.get()
    assert (penalty.status, penalty.reason) == ("dropped", "He rang the Chief Arbiter at eight.")
    assert penalty.decided_by == arbiter.user
    action, answer = f"penalties/{penalty.pk}", {f"p{penalty.pk}-notice": "without"}
    do(client, event, action, **answer)
    penalty.refresh_from_db()
    assert (penalty.status, penalty.final) == ("confirmed", False)
    assert f'name="from" value="{penalty.status}"' in client.get(f"/events/{event.pk}/results/").content.decode()
    older = {f"p{penalty.pk}-notice": "announced", f"p{penalty.pk}-reason": "He rang.", "from": "dropped"}
    told = do(client, event, action, **older)
    assert (told.status_code, "was decided, or its results sent in anew" in texts(told)) == (422, True)
    assert "He rang." in texts(told)
    Penalty.objects.update(final=True)
    assert do(client, event, action, **answer).status_code == 422


def test_what_is_declared_is_what_the_page_showed(desk):
    event, upload = ready(desk)
    shown = f"{event.version}-{upload.pk}.{upload.asked}"
    taken(event, clean(results="0="), name="other.trf")
    answered = do(desk, event, "submit", declared="on", shown=shown)
    assert answered.status_code == 422
    assert "changed since you opened the page" in texts(answered)
    assert not Submission.objects.exists()
    do(desk, event, "submit", declared="on")
    assert Submission.objects.count() == 1


@pytest.mark.rule("chessa 51")
def test_what_the_officer_has_decided_is_not_asked_again(desk):
    known()
    rounds = [list(pairs) for pairs in round_robin(6)]
    rounds[2][1] = (*rounds[2][1][:2], "+")
    event = played()
    answer_penalties(desk, taken(event, clean(rounds=rounds)))
    do(desk, event, "submit", declared="on", reason="x")
    penalty = Penalty.objects.get()
    by = officer()
    decide_penalties([penalty], Penalty.Status.CONFIRMED, at=timezone.now(), by=by, final=True)
    event.refresh_from_db()
    return_event(event, at=timezone.now(), by=by, reason="Round 1 is wrong.")
    first = rounds[0][0]
    rounds[0][0] = (*first[:2], "=" if first[2] != "=" else "1")
    taken(event, clean(rounds=rounds), name="b.trf")
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "said by the ratings officer" in page
    assert "Keep answer" not in page
    do(desk, event, "submit", declared="on", reason="x")
    again = Penalty.objects.get()
    assert (again.status, again.final, again.decided_by) == ("confirmed", True, by)


@pytest.mark.rule("chessa 51")
def test_an_officers_penalty_is_shown_with_a_file_that_does_not_propose_it(desk):
    known()
    event = played()
    taken(event, clean(rounds=with_byes(round_robin(6), 3, bye="Z")))
    do(desk, event, "submit", declared="on", reason="x")
    section, by = event.sections.get(), officer()
    fined = section.entries.get(number=6).player
    penalty = Penalty.objects.create(section=section, player=fined, round=3, kind="forfeit", points=20, final=True)
    decide_penalties([penalty], Penalty.Status.CONFIRMED, at=timezone.now(), by=by, final=True)
    event.refresh_from_db()
    return_event(event, at=timezone.now(), by=by, reason="Round 1 is wrong.")
    taken(event, clean(rounds=with_byes(round_robin(6, "0="), 3, bye="Z")), name="b.trf")
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert f"{fined.name}: forfeited round 3" in page
    assert "said by the ratings officer" in page


@pytest.mark.rule("chessa 61")
def test_a_later_last_day_does_not_make_a_late_event_timely(desk):
    """The event was registered for last year; its file says that it ended this week."""
    known()
    first = FIRST - timedelta(days=200)
    event = played(first=first, last=first + timedelta(days=1))
    upload = taken(event, clean(starts=first, ends=LAST))
    correction(desk, upload, "dates", which="file")
    upload.refresh_from_db()
    found = [one["code"] for group in upload.report["groups"] for one in group["findings"]]
    assert "too-late-as-registered" in found
    assert "dates-differ" not in found


@pytest.mark.rule("chessa 61")
def test_a_hold_that_came_since_the_check_is_shown_with_its_field(desk):
    """An officer who changes an event on the desk does not raise the registration's version."""
    event, _ = ready(desk)
    shown = re.search(r'name="shown" value="([^"]*)"', texts(desk.get(f"/events/{event.pk}/results/")))[1]
    Event.objects.update(organiser_number="")
    said = texts(do(desk, event, "submit", declared="on", shown=shown))
    assert "Say why the findings on hold" in said
    assert 'id="id_reason"' in said
    do(desk, event, "submit", declared="on", reason="The organiser is no player.")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED


def test_what_was_checked_on_another_day_is_checked_again(desk, worker_at_once):
    event, upload = ready(desk)
    Upload.objects.update(checked_on=timezone.localdate() - timedelta(days=1), report={})
    before = everything()
    assert "6 players found on the register" in texts(desk.get(f"/events/{event.pk}/results/"))
    assert everything() == before
    rescue_uploads()
    assert Upload.objects.get().report == upload.report
    assert Upload.objects.get().checked_on == timezone.localdate()


def test_a_file_left_over_does_not_hide_what_was_submitted(desk):
    event, _ = ready(desk)
    do(desk, event, "submit", declared="on")
    left = Upload.objects.create(
        event=event, section=event.sections.get(), file=Submission.objects.get().file, name="left.trf",
        at=timezone.now(), asked_at=timezone.now(), checked=1,
    )  # fmt: skip
    assert left.name not in texts(desk.get(f"/events/{event.pk}/results/"))


def test_nothing_is_answered_of_an_event_that_is_refused(desk):
    known()
    rounds = [list(pairs) for pairs in round_robin(6)]
    rounds[2][1] = (*rounds[2][1][:2], "+")
    event = played()
    answer_penalties(desk, taken(event, clean(rounds=rounds)))
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    move_event(event, State.REFUSED, at=timezone.now(), by=officer(), reason="It was not played.")
    penalty = Penalty.objects.get()
    answered = do(
        desk,
        event,
        f"penalties/{penalty.pk}",
        **{f"p{penalty.pk}-notice": "announced", f"p{penalty.pk}-reason": "He rang."},
    )
    assert answered.status_code == 422
    assert Penalty.objects.get().status == "confirmed"


def test_a_file_bears_the_name_of_who_sent_it(desk):
    known()
    taken(played(region=region("LCP")), name="somebody-elses.trf")
    event = played()
    taken(event, name="mine.trf")
    do(desk, event, "submit", declared="on")
    submission = Submission.objects.get()
    answered = desk.get(f"/events/{event.pk}/results/submitted/{submission.pk}/")
    assert 'filename="mine.trf"' in answered["Content-Disposition"]


def returned(desk, content):
    """An event whose file was sent in with its new players confirmed, and came back."""
    event = played()
    upload = taken(event, content)
    table(desk, upload, "others")
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    return_event(event, at=timezone.now(), by=officer(), reason="The Chief Arbiter is another.")
    return event


def test_whoever_was_new_is_known_when_the_file_comes_back(desk):
    """Without birth dates nobody is certain by name alone: the answers say who they are now."""
    content = trf([Line(f"Nofanele, {letter}ola") for letter in "BDKLTZ"], round_robin(6), starts=FIRST, ends=LAST)
    event = returned(desk, content)
    answered = do(desk, event, f"submitted/{Submission.objects.get().pk}/again")
    assert answered.status_code == 302
    upload = not_submitted(event.uploads.all()).get()
    assert upload.report["counts"]["error"] == 0
    assert {correction.value for correction in upload.corrections.all()} == set(
        Player.objects.values_list("number", flat=True)
    )
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert Player.objects.count() == 6


def test_the_registration_of_a_returned_event_is_corrected_in_what_was_not_played(desk, arbiter):
    event = returned(desk, clean())
    page = texts(desk.get(f"/events/{event.pk}/edit/"))
    assert "Save" in page
    entry = RegistrationForm(User.objects.get(email="gau@example.org"), event)
    given = {
        bound.html_name: bound.value() for part in entry.parts for bound in part if bound.value() not in (None, False)
    }
    given |= {f"{name}-{kind}_FORMS": 1 for name in ("section", "arbiter") for kind in ("TOTAL", "INITIAL")}
    given |= {"arbiter-0-arbiter": arbiter.pk, "do": "save", "organiser_number": Player.objects.first().number}
    given["organiser_name"] = Player.objects.first().name
    assert "say why its Chief Organiser changes" in texts(desk.post(f"/events/{event.pk}/edit/", given))
    given["change_reason"] = "He was left out."
    answered = desk.post(f"/events/{event.pk}/edit/", given)
    assert answered.status_code == 302, texts(answered)
    assert event.appointments.get().arbiter == arbiter
    renamed = desk.post(f"/events/{event.pk}/edit/", {**given, "version": 1, "name": "Another"})
    assert "stays as it was registered" in texts(renamed)


@pytest.mark.parametrize("fide", ["", "14300001"])
def test_what_a_returned_file_says_otherwise_of_its_newcomer_is_held(desk, fide):
    people = [Line(f"Nofanele, {letter}ola") for letter in "BDKLTZ"]
    content = trf([replace(people[0], born="2001/02/03"), *people[1:]], round_robin(6), starts=FIRST, ends=LAST)
    event = returned(desk, content)
    changed = replace(people[0], born="2011/02/03", fide=fide)
    upload = taken(event, trf([changed, *people[1:]], round_robin(6), starts=FIRST, ends=LAST), name="b.trf")
    assert "player-differs" in codes(upload)
    do(desk, event, "submit", declared="on", reason="The register is wrong.")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert Player.objects.count() == 6


@pytest.mark.rule("chessa 61")
def test_days_of_rounds_typed_on_the_page_do_not_move_the_deadline(desk):
    known()
    first = FIRST - timedelta(days=200)
    event = played(first=first, last=first + timedelta(days=1))
    dateless = b"\n".join(line for line in clean(dated=False).split(b"\n") if line[:3] not in (b"042", b"052"))
    upload = taken(event, dateless)
    assert "too-late" in codes(upload)
    answered = correction(desk, upload, "days", **{f"_{number}": LAST.isoformat() for number in range(1, 6)})
    assert answered.status_code == 422
    assert "lies outside the event’s days" in answered.content.decode()
    upload.refresh_from_db()
    assert "too-late" in codes(upload)
