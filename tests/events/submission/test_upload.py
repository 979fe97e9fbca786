"""The admin's upload of a tournament file: written whole, or every error said at the file."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from events.models import Appointment, Arbiter, Event, Section, Submission
from events.operations import EventError, LateError, return_event
from events.registration.operations import require_late_reason
from events.rules.limits import MAX_BYTES
from events.submission.admin import SubmissionAdmin
from events.submission.recording import resubmit, submit_new_event
from events.submission.validation import validate_file
from players.models import RegionalAdministrator
from tests.builders import (
    CLOCK,
    LATE_REASON,
    TODAY,
    details,
    everything,
    lines,
    officer,
    open_file,
    player,
    region,
    round_robin,
    section_file,
    submitted,
    trf,
)
from tests.events.files.swissperfect import narrow

ADD = "/admin/events/submission/add/"


@pytest.fixture
def desk(db, client):
    client.force_login(officer())
    return client


def form(content, **fields):
    given = {
        "upload": SimpleUploadedFile("open.txt", content), "region": region().pk, "base": 90, "increment": 30,
        "section_format": "swiss", "create_players": "on", "organiser_name": "Thandi Nkosi",
        "late_reason": LATE_REASON,
    }  # fmt: skip
    return {**given, **fields}


def errors(desk, data):
    """What the form says, after it changed nothing."""
    before = everything()
    answer = desk.post(ADD, data)
    assert answer.status_code == 200
    assert everything() == before
    return {name: list(said) for name, said in answer.context["adminform"].form.errors.items()}


@pytest.mark.rule("chessa 12.2", "chessa 60")
def test_what_was_not_registered_is_taken_in_for_a_reason_only(desk):
    said = errors(desk, form(open_file(), late_reason=" "))
    assert list(said) == ["late_reason"]
    assert (
        "28 Feb 2024 (article 60.1). Say why the bureau takes it in all the same (article 12.2)."
        in said["late_reason"][0]
    )
    assert desk.post(ADD, form(open_file())).status_code == 302
    assert Event.objects.get().moves.first().reason == LATE_REASON


@pytest.mark.rule("chessa 60")
@pytest.mark.parametrize(("days", "reason"), [(3, ""), (2, LATE_REASON)])
def test_what_is_registered_in_time_needs_no_reason(days, reason):
    at = datetime(2024, 3, 1, 12, tzinfo=UTC)
    event = Event(starts=at.date() + timedelta(days=days))
    assert require_late_reason(event, LATE_REASON, at=at) == reason
    if reason:
        with pytest.raises(LateError):
            require_late_reason(event, "", at=at)


def test_a_good_file(desk):
    answer = desk.post(ADD, form(open_file()))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    submission = Submission.objects.get()
    event = Event.objects.get()
    assert (event.name, event.state, event.organiser_name, str(event.starts)) == (
        "Mopane Open", "submitted", "Thandi Nkosi", "2024-03-02",
    )  # fmt: skip
    assert submission.by.email == "officer@example.org"
    assert not submission.findings.filter(code="organiser-missing").exists()
    page = desk.get(f"/admin/events/submission/{submission.pk}/change/").content.decode()
    assert "its file was due by 30 Apr 2024" in page


def test_a_bad_file_is_answered_with_the_place_of_every_error(desk):
    content = open_file().replace(b"   6 w 1", b"   9 w 1").replace(b"   5 b", b"   8 b", 1)
    said = errors(desk, form(content))["upload"]
    assert len(said) >= 2
    assert all(line.startswith("Line 1") and "column" in line for line in said)


def test_unknown_players_are_named_unless_they_are_confirmed(desk):
    said = errors(desk, form(open_file(), create_players=""))["upload"]
    assert len(said) == 1
    assert said[0].startswith(
        "Lines 10–15: 6 players are not on the register: Adendorff, Anele (start number 1), Buthelezi"
    )
    assert "Confirm that they are new (tick “New players”)" in said[0]


def test_ten_unknown_players_are_named_and_the_rest_counted(desk):
    (said,) = errors(desk, form(trf(lines(12), round_robin(12)), create_players=""))["upload"]
    assert said.startswith("Lines 10–21: 12 players are not on the register: ")
    assert "(start number 10) and 2 more." in said


def test_the_uploader_says_who_a_line_is(desk):
    known = player("Adendorff", "Anele")
    (said,) = errors(desk, form(open_file(), create_players=""))["upload"][1:]
    assert "Say which with a line 1=NUMBER under “Players”" in said
    assert desk.post(ADD, form(open_file(), players=f"1 = {known.number}\n")).status_code == 302
    assert Event.objects.get().sections.get().entries.get(number=1).player == known


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1", "write the start number and the Chess SA id as 12=100000123"),
        ("9" * 5000 + "=100000001", "write the start number and the Chess SA id as 12=100000123"),
        ("x=100000001", "write the start number and the Chess SA id as 12=100000123"),
        ("1=999999999", "no player with Chess SA id 999999999 is on the register"),
        ("77=100000001", "start number 77 is not in the file"),
        ("1=100000001\n01=100000002", "Start number 1 stands twice"),
    ],
)
def test_who_a_line_is_cannot_be_just_anything(desk, text, words):
    found = errors(desk, form(open_file(), players=text))
    assert list(found) == ["players"]
    assert words in found["players"][0]


def test_a_large_file_is_sent_in_where_a_worker_checks_it(desk):
    """One of 9,998 players was matched and written while the request waited."""
    large = open_file() + b"### a remark\n" * 1_000
    [said] = errors(desk, form(large))["upload"]
    assert "too large to be checked here" in said
    assert "once that is registered, by the link below" in said
    assert '<a href="/events/register/">Register the event</a>' in desk.post(ADD, form(large)).content.decode()
    event = submitted(open_file())
    return_event(event, at=CLOCK, reason="a round is missing")
    given = form(large, returned_section=event.sections.get().pk)
    [said] = errors(desk, given)["upload"]
    assert "send it in on the page of the event’s results" in said
    given = form(large, returned_section=event.sections.get().pk)
    link = f'<a href="/events/{event.pk}/results/">Results of the event</a>'
    assert link in desk.post(ADD, given).content.decode()
    page = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert f'action="/events/{event.pk}/results/upload/"' in page  # an officer may


def test_the_largest_file(desk):
    too_large = open_file().ljust(MAX_BYTES + 1)
    [said] = errors(desk, form(too_large))["upload"]
    assert said.endswith("has 5.000001 MB; at most 5 MB can be read. Send the tournament file alone.")
    assert "can be read" not in desk.post(ADD, form(too_large[:-1])).content.decode()


@pytest.mark.parametrize("content", [b"\x00" * 40, b"PK\x03\x04" + bytes(40), b"no tournament", trf(lines(6), [])])
def test_what_is_no_tournament(desk, content):
    assert errors(desk, form(content))["upload"]


def test_an_empty_file_and_none(desk):
    assert errors(desk, form(b""))["upload"] == ["The submitted file is empty."]
    assert "upload" in errors(desk, {**form(b""), "upload": ""})


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"base": -1}, "base"),
        ({"base": 1001}, "base"),
        ({"increment": 1001}, "increment"),
        ({"base": ""}, "base"),
        ({"region": 0}, "region"),
        ({"section_format": "knockout"}, "section_format"),
        ({"starts": "yesterday"}, "starts"),
        ({"base": 4, "increment": 0, "control_reason": "The clocks showed it."}, "upload"),
        ({"base": 60}, "control_reason"),
        ({"starts": "2024-03-09", "ends": "2024-03-08"}, "ends"),
        ({"ends": "2999-01-01"}, "ends"),
        ({"ends": "9999-12-31"}, "ends"),
        ({"starts": "1900-01-01", "ends": "1900-01-01"}, "starts"),
    ],
)
def test_what_is_said_wrongly_beside_the_file(desk, fields, name):
    assert list(errors(desk, form(open_file(), **fields))) == [name]


def test_a_file_that_was_submitted_before(desk):
    desk.post(ADD, form(open_file()))
    assert "submitted before" in errors(desk, form(open_file()))["upload"][0]


def test_a_name_of_all_letters_fits(desk):
    content = trf(lines(6), round_robin(6), name="N" * 200)
    assert desk.post(ADD, form(content, event_name="")).status_code == 302
    assert Event.objects.get().name == "N" * 120


def test_a_record_is_not_deleted_nor_edited(desk):
    desk.post(ADD, form(open_file()))
    submission = Submission.objects.get()
    before = everything()
    assert desk.post(f"/admin/events/submission/{submission.pk}/delete/", {"post": "yes"}).status_code == 403
    desk.post(f"/admin/events/submission/{submission.pk}/change/", {"format": "TUNX", "encoding": "x"})
    submission.refresh_from_db()
    assert (submission.format, Submission.objects.count()) == ("TRF16", 1)
    assert everything()["events_submission"] == before["events_submission"]


def administrator(code="GAU"):
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(code), since=date(2024, 1, 1))
    return by


def test_who_administers_a_region_sends_in_on_his_page_and_not_here(desk):
    desk.force_login(administrator())
    assert desk.post(ADD, form(open_file())).status_code == 403
    assert not Event.objects.exists()


def test_a_returned_section_is_submitted_again(desk):
    event = submitted(trf(lines(6), round_robin(6), dated=False))
    section = event.sections.get()
    assert errors(desk, form(open_file(), returned_section=section.pk, region="")).keys() == {"returned_section"}
    return_event(event, at=CLOCK, reason="no dates of rounds")
    answer = desk.post(ADD, form(open_file(), returned_section=section.pk, region=""))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    event.refresh_from_db()
    assert (event.state, section.submissions.count(), section.rounds.filter(date=None).count()) == ("submitted", 2, 0)


@pytest.mark.rule("chessa 57", "chessa 62")
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["otb", "hybrid"])
def test_who_administers_a_region_replaces_no_other_regions_results(kind):
    """He sees the event as its arbiter, or as the administrator of a hub; seeing is not writing."""
    event = submitted(trf(lines(6), round_robin(6), dated=False), code="LCP")
    return_event(event, at=CLOCK, reason="no dates of rounds")
    by = administrator()
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", user=by)
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    Event.objects.update(kind=kind)
    event.hubs.set([region(), region("LCP")])
    section = event.sections.get()
    prepared = validate_file(section_file(section=section), today=TODAY)
    before = everything()
    with pytest.raises(EventError, match="are submitted by its own Regional Administrator"):
        resubmit(prepared, at=CLOCK, by=by)
    with pytest.raises(EventError, match="are submitted by its own Regional Administrator"):
        submit_new_event(prepared, details(region=region("LCP")), at=CLOCK, by=by, late_reason=LATE_REASON)
    assert everything() == before


def test_two_who_correct_one_section_are_answered_in_plain_words(desk, monkeypatch):
    """The other one's file comes in between this one's check and its writing."""
    event = submitted(trf(lines(6), round_robin(6), dated=False))
    section = event.sections.get()
    return_event(event, at=CLOCK, reason="no dates of rounds")
    sent = form(trf(lines(6), round_robin(6, "0=1")), returned_section=section.pk, region="")
    save = SubmissionAdmin.save_form

    def late(*args, **kwargs):
        resubmit(validate_file(section_file(section=Section.objects.get(pk=section.pk)), today=TODAY), at=CLOCK)
        return save(*args, **kwargs)

    monkeypatch.setattr(SubmissionAdmin, "save_form", late)
    answer = desk.post(ADD, sent, follow=True)
    (said,) = [str(message) for message in answer.context["messages"]]
    assert said.startswith("Mopane Open is submitted by now: somebody else has just sent it in")
    assert answer.status_code == 200


def test_what_the_database_refuses_is_said_without_its_words(db):
    submitted()
    again = validate_file(section_file(trf(lines(6), round_robin(6, "0=1"))), today=TODAY)
    section = replace(again, fingerprint=Section.objects.get().results_hash)
    before = everything()
    with pytest.raises(EventError, match="somebody has just submitted the same file, the same results") as refusal:
        submit_new_event(section, details(), at=CLOCK, late_reason=LATE_REASON)
    assert "constraint" not in str(refusal.value)
    assert "results_hash" not in str(refusal.value)
    assert everything() == before


def test_neither_a_region_nor_a_section(desk):
    assert errors(desk, form(open_file(), region="")).keys() == {"region"}


def test_a_zip_of_many_players_is_large_however_few_bytes_it_has(desk):
    [said] = errors(desk, form(narrow(501)))["upload"]
    assert "too large to be checked here" in said
