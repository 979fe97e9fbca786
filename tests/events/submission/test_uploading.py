"""Uploading a section's file: what is taken, what the report says, and what gives way to what."""

import hashlib
import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from events.models import Event, Submission, Upload
from events.operations import EventError, move_event
from events.rules.states import State
from events.submission.tasks import check_upload, rescue_uploads
from events.submission.uploads import assign, discard, not_submitted, take_file
from tests.builders import Line, everything, lines, region, round_robin, trf
from tests.events.files.swissperfect import sp_files
from tests.events.submission.world import (
    FIRST,
    LAST,
    clean,
    codes,
    correction,
    current,
    do,
    known,
    played,
    sent_file,
    table,
    taken,
)

pytestmark = pytest.mark.django_db


def texts(answer) -> str:
    return answer.content.decode()


def test_a_clean_file_has_no_error_and_writes_no_results(desk):
    known()
    event = played()
    do(desk, event, "upload", file=sent_file())
    check_upload(current(event).pk)
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "No errors" in page
    assert "TRF16, ascii: 6 players, 5 rounds, 15 games" in page
    assert "6 players found on the register" in page
    assert not event.sections.get().entries.exists()
    assert event.state == State.REGISTERED


@pytest.mark.parametrize(("seconds", "files"), [(-60, 1), (60, 1), (61, 2)])
def test_a_file_that_one_user_sends_twice_within_a_minute_is_taken_once(seconds, files):
    """The web processes that take it in may be slow, and end in another order."""
    event, now = played(), timezone.now()
    for at in (now, now + timedelta(seconds=seconds)):
        take_file(event, name="a.trf", content=clean(), at=at, by=None)
    assert event.uploads.count() == files


def test_a_file_waits_until_a_worker_has_looked(desk):
    event = played()
    do(desk, event, "upload", file=sent_file())
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "data-waiting" in page
    assert "Waiting for its turn. The file is kept, and is checked by itself as soon as a worker is free." in page
    assert "is not checked yet" in page
    assert "all good" not in page


def test_the_file_is_kept_as_it_came_with_its_hash(desk):
    content = clean(name="Zoë’s Open").replace(b"\n", b"\r\n")
    event = played()
    do(desk, event, "upload", file=sent_file(content, "Café “A”.trf"))
    upload = current(event)
    assert upload.file.sha256 == hashlib.sha256(content).hexdigest()
    answer = desk.get(f"/events/{event.pk}/results/{upload.pk}/")
    assert b"".join(answer.streaming_content) == content
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ">“a.tunx” is empty"),
        (b"x" * 5_000_001, "a.tunx has 5.000001 MB; at most 5 MB can be read. Send the tournament file alone."),
        (b"\xff\xd8\xff\xe0 photograph", "a JPEG photograph"),
        (b"PK\x03\x04 zip", "a zip archive"),
        (b"\x1f\x8b bomb", "a gzip archive"),
        (b"Dear bureau,\nplease rate us", "a text without any tournament record"),
    ],
)
def test_what_is_no_tournament_file_takes_nobodys_place(desk, content, said):
    event = played()
    upload = taken(event)
    answer = do(desk, event, "upload", file=sent_file(content, "a.tunx"))
    assert answer.status_code == 422
    assert said in texts(answer)
    assert current(event) == upload


def test_the_file_before_comes_back_with_its_answers(desk):
    event = played()
    first = taken(event, clean(control="60+30"))
    correction(desk, first, "control", which="file", reason="The clocks showed it.")
    second = taken(event, clean(results="0="), name="wrong.trf")
    assert "is back, with what was answered of it" in texts(follow(desk, do(desk, event, f"{second.pk}/discard")))
    assert current(event) == first
    assert "time-control-differs" not in codes(current(event))
    do(desk, event, f"{first.pk}/discard")
    assert not not_submitted(event.uploads.all()).exists()


def test_a_file_that_was_meant_for_another_section_gives_its_place_back():
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    first = taken(event, section=one)
    second = taken(event, clean(results="0="), section=one, name="b.trf")
    assign(second, other, at=timezone.now())
    assert {upload.section: upload for upload in not_submitted(event.uploads.all())} == {one: first, other: second}


def test_two_files_change_places():
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    first = taken(event, section=one)
    second = taken(event, clean(results="0="), section=other, name="b.trf")
    assign(second, one, at=timezone.now())
    assert {upload.section: upload for upload in not_submitted(event.uploads.all())} == {one: second, other: first}


def test_a_wrong_file_takes_no_answer_with_it_though_a_general_one_holds(desk, arbiter):
    event = played()
    first = taken(event, clean(arbiter=""))
    table(desk, first, "others")
    correction(desk, first, "arbiters", arbiter=arbiter.pk)
    strangers = trf(
        [Line(f"Other, {letter}") for letter in "ABCDEF"], round_robin(6), starts=FIRST, ends=LAST, arbiter=""
    )
    assert taken(event, strangers, name="wrong.trf").corrections.count() == 1
    assert taken(event, clean(results="0=", arbiter=""), name="b.trf").corrections.count() == 7


def follow(desk, answer):
    return desk.get(answer["Location"].partition("#")[0])


def test_a_wrong_file_between_does_not_lose_the_answers(desk):
    event = played()
    first = taken(event)
    table(desk, first, "others")
    strangers = trf([Line(f"Other, {letter}") for letter in "ABCDEF"], round_robin(6), starts=FIRST, ends=LAST)
    assert not taken(event, strangers, name="wrong.trf").corrections.exists()
    assert taken(event, clean(results="0="), name="b.trf").corrections.count() == 6


def test_all_new_players_are_taken_back_at_once(desk):
    event = played()
    upload = taken(event)
    table(desk, upload, "others")
    assert "Undo all 6 new players" in texts(desk.get(f"/events/{event.pk}/results/"))
    do(desk, event, f"{upload.pk}/undo-new")
    assert not upload.corrections.exists()


def test_no_file_chosen_is_said_at_the_field(desk):
    answer = do(desk, played(), "upload")
    assert answer.status_code == 422
    assert '<a href="#id_file">Choose a file first.</a>' in texts(answer)


def test_a_new_file_takes_the_place_of_the_one_before_and_says_what_changed():
    known()
    event = played()
    first = taken(event, clean(results="1=01"))
    second = taken(event, clean(results="1=00"), name="again.trf")
    first.refresh_from_db()
    assert first.discarded_at is not None
    assert current(event) == second
    assert second.report["before"] == "open.trf"
    assert len(second.report["changes"]) == 3
    assert all("round" in sentence.casefold() for sentence in second.report["changes"])


def test_answers_go_on_holding_for_the_next_file_where_the_line_is_the_same(desk):
    event = played()
    first = taken(event)
    table(desk, first, "others")
    changed = [*lines(5), lines(7)[6]]
    second = taken(event, trf(changed, round_robin(6), starts=FIRST, ends=LAST))
    assert sorted(second.corrections.values_list("key", flat=True)) == ["1", "2", "3", "4", "5"]
    assert [one["name"] for one in second.report["unknown"]] == [changed[5].name]


def test_files_find_their_sections_by_name():
    event = played("Open", "Ladies")
    ladies = taken(event, clean(name="Mopane Chess, Ladies"), name="a.trf")
    opened = taken(event, clean(results="=1", name="Mopane"), name="mopane open.trf")
    lost = taken(event, clean(results="0=", name="Mopane"), name="b.trf")
    assert [one.section and one.section.name for one in (ladies, opened, lost)] == ["Ladies", "Open", None]
    assert lost.report["read"]["players"] == 6


def test_somebody_says_which_section_a_file_is_for(desk):
    event = played("Open", "Ladies")
    lost = taken(event, clean(name="Mopane"))
    first, second = event.sections.order_by("position")
    answer = do(desk, event, f"{lost.pk}/assign", section="")
    assert answer.status_code == 422
    do(desk, event, f"{lost.pk}/assign", section=second.pk)
    lost.refresh_from_db()
    assert lost.section == second
    assert lost.report["unknown"]
    with pytest.raises(EventError, match="another event"):
        assign(lost, played().sections.get(), at=timezone.now())
    assert not_submitted(first.uploads.all()).count() == 0


def test_a_file_is_taken_away_and_stays_on_record(desk):
    event = played()
    upload = taken(event)
    do(desk, event, f"{upload.pk}/discard")
    assert not not_submitted(event.uploads.all()).exists()
    assert Upload.objects.filter(pk=upload.pk).exists()
    with pytest.raises(EventError, match="given way"):
        discard(upload, at=timezone.now())


@pytest.mark.parametrize("state", [State.WITHDRAWN, State.SUBMITTED])
def test_an_event_that_takes_no_results_takes_no_file(state):
    event = played()
    move_event(event, state, at=timezone.now(), reason="no")
    before = everything()
    with pytest.raises(EventError, match="registered or a returned event"):
        take_file(event, name="a.trf", content=clean(), at=timezone.now(), by=None)
    assert everything() == before


def test_the_line_that_is_wrong_is_shown_with_the_wrong_part_marked(desk):
    content = clean().replace(b" w 1", b" w X", 1)
    event = played()
    upload = taken(event, content)
    finding = next(one for group in upload.report["groups"] for one in group["findings"] if one["wrong"])
    assert finding["place"].startswith("line ")
    assert "X" in finding["wrong"]
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert f"<mark>{finding['wrong']}</mark>" in page


def test_what_the_file_says_otherwise_than_the_registration():
    known()
    event = played()
    upload = taken(event, clean(starts=FIRST, ends=LAST.replace(), rounds=round_robin(6)[:4], control="60+30"))
    assert set(codes(upload)) == {
        "too-few-rounds",
        "time-control-differs",
    }
    notes = [one["code"] for group in upload.report["groups"] for one in group["findings"] if one["severity"] == "note"]
    assert "rounds-differ" in notes


def test_a_change_of_the_registration_is_looked_at_when_the_page_is_opened_again(desk, worker_at_once):
    known()
    event = played()
    upload = taken(event)
    event.sections.update(base_minutes=60)
    event.version += 1
    event.save()
    before = everything()
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "1 error left" in page
    assert "60+30" in page
    assert everything() == before
    rescue_uploads()
    upload.refresh_from_db()
    assert codes(upload) == ["time-control-differs"]
    assert (upload.asked, upload.event_version) == (1, event.version)


def test_what_the_page_showed_of_an_outdated_report_is_written_by_the_next_form(desk):
    known()
    event = played()
    upload = taken(event)
    Upload.objects.update(report=upload.report | {"counts": {"error": 1}}, event_version=event.version + 1)
    assert "1 error left" not in texts(desk.get(f"/events/{event.pk}/results/"))
    assert do(desk, event, "submit", declared="on").status_code == 302
    event.refresh_from_db()
    assert event.state == State.SUBMITTED


def test_a_large_file_whose_report_is_outdated_waits_for_a_worker(desk, monkeypatch):
    monkeypatch.setattr("events.submission.checker._BYTES_AT_ONCE", 10)
    event = played()
    upload = taken(event)
    Upload.objects.update(event_version=event.version + 1)
    before = everything()
    assert "data-waiting" in texts(desk.get(f"/events/{event.pk}/results/"))
    assert everything() == before
    check_upload(upload.pk)
    assert "data-waiting" not in texts(desk.get(f"/events/{event.pk}/results/"))


def test_a_check_that_was_lost_is_done_and_one_that_ends_every_worker_is_given_up():
    event = played()
    upload = take_file(event, name="a.trf", content=clean(), at=timezone.now(), by=None)
    Upload.objects.filter(pk=upload.pk).update(asked_at=timezone.now() - timezone.timedelta(minutes=1), attempts=3)
    rescue_uploads()
    upload.refresh_from_db()
    assert "tell the ratings bureau" in upload.error
    assert not upload.pending


def test_another_region_finds_nothing_and_an_arbiter_may_only_look(client, arbiter, administrator):
    event = played(region=region("LCP"))
    upload = taken(event)
    client.force_login(administrator)
    assert client.get(f"/events/{event.pk}/results/").status_code == 404
    assert client.get(f"/events/{event.pk}/results/{upload.pk}/").status_code == 404
    event.appointments.create(arbiter=arbiter, position=1)
    client.force_login(arbiter.user)
    assert client.get(f"/events/{event.pk}/results/").status_code == 200
    assert client.get(f"/events/{event.pk}/results/{upload.pk}/").status_code == 200
    before = everything()
    of_the_file = (f"{upload.pk}/{action}" for action in ("discard", "assign", "check", "corrections/days", "players"))
    for action in ("upload", "submit", *of_the_file):
        assert do(client, event, action).status_code == 403
    assert everything() == before


def test_who_logs_in_first_comes_to_the_page_and_does_nothing(client, administrator):
    event = played()
    upload = taken(event)
    action = f"/events/{event.pk}/results/{upload.pk}/discard/"
    assert client.post(action)["Location"] == f"/account/log-in/?next={action}"
    client.force_login(administrator)
    assert client.get(action)["Location"] == f"/events/{event.pk}/results/"
    assert current(event) == upload


def test_an_arbiter_takes_back_answers_for_penalties_alone(client, arbiter):
    event = played()
    event.appointments.create(arbiter=arbiter, position=1)
    upload = taken(event)
    answer = upload.corrections.create(kind="player", key="1", value="new", question="", answer="", at=timezone.now())
    client.force_login(arbiter.user)
    assert do(client, event, f"corrections/{answer.pk}/undo").status_code == 403
    assert do(client, event, f"penalties/answers/{answer.pk}/undo").status_code == 422
    assert upload.corrections.get() == answer


@pytest.mark.parametrize(
    "action", ["nonsense", "9" * 30 + "/discard", "²/discard", "/corrections/player", "{upload}/corrections/nonsense"]
)
def test_nonsense_is_not_found_and_changes_nothing(desk, action):
    event = played()
    upload = taken(event)
    before = everything()
    assert do(desk, event, action.format(upload=upload.pk)).status_code == 404
    assert everything() == before
    assert not Submission.objects.exists()


def test_a_nul_character_is_said_and_kept_out_of_the_report(desk):
    content = clean().replace(b"012 Mopane", b"012 Mo\0ane")
    upload = taken(played(), content)
    assert not upload.error
    assert "nul-character" in codes(upload)
    assert "\0" not in str(upload.report)


def test_a_check_with_a_fault_leaves_the_page_and_the_file_can_be_taken_away(desk):
    """The fault is an answer that no form could have given."""
    event = played()
    upload = taken(event)
    upload.corrections.create(kind="day", key="x", value="y", question="", answer="", at=timezone.now())
    assert do(desk, event, f"{upload.pk}/check").status_code == 302
    assert "tell the ratings bureau" in texts(desk.get(f"/events/{event.pk}/results/"))
    Event.objects.filter(pk=event.pk).update(version=event.version + 1)
    assert "tell the ratings bureau" in texts(desk.get(f"/events/{event.pk}/results/"))
    do(desk, event, f"{upload.pk}/discard")
    assert not not_submitted(event.uploads.all()).exists()


def test_a_queue_that_is_down_does_not_undo_an_upload():
    """What no worker was told of, `rescue_uploads` finds."""
    program = (
        "import django; django.setup();"
        " from events.submission.tasks import wake_checker; from events.models import Upload; wake_checker(Upload(pk=7))"
    )
    nowhere = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "REDIS_URL": "redis://127.0.0.1:1/0"}
    done = subprocess.run([sys.executable, "-c", program], env=nowhere, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "no worker could be told of check_upload 7" in done.stderr


def test_results_from_abroad_are_no_file(desk):
    event = played(kind="abroad", federation="BOT")
    with pytest.raises(EventError, match="Results from abroad"):
        take_file(event, name="a.trf", content=clean(), at=timezone.now(), by=None)
    answer = desk.get(f"/events/{event.pk}/results/")
    assert (answer.status_code, answer["Location"]) == (302, f"/events/abroad/?event={event.pk}")


def test_the_file_of_an_event_that_is_over_is_not_checked_again(desk):
    event = played()
    upload = taken(event)
    move_event(event, State.WITHDRAWN, at=timezone.now(), reason="Cancelled.")
    Event.objects.filter(pk=event.pk).update(version=event.version + 1)
    assert desk.get(f"/events/{event.pk}/results/").status_code == 200
    assert do(desk, event, f"{upload.pk}/check").status_code == 422
    assert Upload.objects.get().asked == upload.asked


def test_a_birth_to_come_and_a_name_without_end_are_errors():
    tomorrow = timezone.localdate() + timedelta(days=1)
    rows = ["round,white_name,white_born,black_name,black_born,result"]
    rows += [f'1,"{"A" * 90}, Zodwa",2001-02-03,"Mthembu, Zodwa",{tomorrow.isoformat()},1-0']
    upload = taken(played(), "\n".join(rows).encode(), name="open.csv")
    assert {"player-name-long", "birth-date-to-come"} <= set(codes(upload))


def test_of_many_differences_the_page_lists_the_first_and_counts_all(desk, monkeypatch):
    monkeypatch.setattr("events.submission.checker.MOST_LINES", 1)
    known()
    event = played()
    taken(event)
    upload = taken(event, clean(results="0="), name="other.trf")
    assert (len(upload.report["changes"]), upload.report["more_changes"] > 1) == (1, True)
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert f"{1 + upload.report['more_changes']} difference" in page
    assert f"and {upload.report['more_changes']} more" in page


def test_a_file_without_a_section_says_what_is_wrong_with_it(desk):
    """Not only its name: who takes it for a section would first learn it there."""
    event = played("A", "Juniors")
    upload = taken(event, clean().replace(b"\n001    1", b"\n001    2"), name="Bad.trf")
    assert upload.section is None
    shown = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert "<b>Bad.trf</b>" in shown
    assert f"It cannot be read in full. {upload.report['problem']}" in shown
    assert upload.report["problem"].startswith("Line ")


def test_three_loose_files_of_swissperfect_are_one_file_of_the_section(desk):
    event = played()
    files = [SimpleUploadedFile(name, content) for name, content in sp_files().items()]
    assert do(desk, event, "upload", file=files).status_code == 302
    check_upload(current(event).pk)
    upload = current(event)
    assert (upload.name, upload.report["read"]["format"], upload.report["read"]["games"]) == (
        "open.zip",
        "SwissPerfect",
        1,
    )
    two = do(desk, event, "upload", file=[SimpleUploadedFile(name, b"x") for name in ("a.trf", "b.trf")])
    assert (two.status_code, "choose one" in texts(two)) == (422, True)
