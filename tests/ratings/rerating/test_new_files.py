"""A large file that is sent in anew for a published section is read by a worker, which makes an amendment of it."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.utils import timezone

from events.models import Section, SubmittedFile
from events.operations import EventError
from players.models import Player
from ratings.health.waiting import waiting
from ratings.models import AmendingFile, Amendment
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure import operations
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.stored_files import unused
from ratings.rerating import new_files
from ratings.rerating.new_files import MOST_ATTEMPTS, keep_file, process_file
from ratings.rerating.operations import request_publication, start_rerating
from ratings.rerating.worker import process_rerating
from ratings.tasks import rescue_runs
from tests.builders import CLOCK, Line, lines, officer, player, round_robin, trf
from tests.ratings.rerating.conftest import amend_a_result

pytestmark = pytest.mark.django_db
FAULT = "which is a fault of this software: its log says more"
READ = "is read by a worker"


@pytest.fixture
def all_large(monkeypatch):
    """Any file is one for a worker."""
    monkeypatch.setattr("events.submission.checker._BYTES_AT_ONCE", 10)


@pytest.fixture
def desk(client, all_large):
    client.force_login(officer())
    return client


def corrected() -> bytes:
    return trf(lines(6), round_robin(6, "=01"))


def text(answer) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", answer.content.decode())))


def page(section: Section) -> str:
    return f"/admin/ratings/amendment/section/{section.pk}/"


def waits() -> bool:
    """Whether health says that a new file waits for a worker."""
    return "new files" in {row.kind for row in waiting(at=timezone.now() + timedelta(hours=1))}


def send(desk, section: Section, content: bytes, **fields: object):
    shown = re.findall(r'name="shown" value="(\w+)"', desk.get(page(section)).content.decode())[0]
    given = {"reason": "It is so.", "base_minutes": 90, "increment_seconds": 30, **fields}
    form = {f"file-{name}": value for name, value in given.items()}
    file = SimpleUploadedFile("anew.trf", content)
    return desk.post(page(section), {"do": "file", "shown": shown, "file-file": file, **form}, follow=True)


def send_and_wait(desk, section: Section, content: bytes, **fields: object) -> AmendingFile:
    send(desk, section, content, **fields)
    return AmendingFile.objects.get()


def test_it_waits_for_a_worker_who_makes_the_amendment(desk, section):
    answer = send(desk, section, corrected())
    assert READ in text(answer)
    assert "data-under-way" in answer.content.decode()
    assert 'value="file"' not in answer.content.decode()  # no second one meanwhile
    assert not Amendment.objects.exists()
    kept = AmendingFile.objects.get()
    assert waits()
    process_file(kept.pk)
    amendment = Amendment.objects.get()
    assert (amendment.reason, amendment.by, amendment.file) == ("It is so.", kept.by, kept.file)
    assert not AmendingFile.objects.exists()
    assert READ not in text(desk.get(page(section)))
    before = amendment.at
    process_file(kept.pk)
    assert Amendment.objects.get().at == before


def test_it_is_what_a_small_file_gives_at_once(client, section, monkeypatch):
    client.force_login(officer())
    send(client, section, corrected())
    at_once = Amendment.objects.get()
    at_once.delete()
    monkeypatch.setattr("events.submission.checker._BYTES_AT_ONCE", 10)
    process_file(send_and_wait(client, section, corrected()).pk)
    assert Amendment.objects.get().after == at_once.after


def test_why_it_was_not_taken_is_said_with_the_findings_and_it_is_sent_again(desk, section):
    kept = send_and_wait(desk, section, trf([*lines(5), Line("Nofanele, Zola")], round_robin(6, "=01")))
    process_file(kept.pk)
    said = text(desk.get(page(section)))
    assert "could not be taken" in said
    assert "enter them on the register first" in said
    assert "It is so." in said
    assert not Amendment.objects.exists()
    assert not waits()
    process_file(send_and_wait(desk, section, corrected()).pk)
    assert Amendment.objects.exists()
    assert not AmendingFile.objects.exists()


def test_findings_that_are_many_are_counted(desk, section):
    process_file(send_and_wait(desk, section, trf(lines(6) * 21, [])).pk)
    row = AmendingFile.objects.get()
    assert len(row.findings) == 100
    assert row.more_findings
    assert f"and {row.more_findings} more" in text(desk.get(page(section)))


def test_what_was_corrected_meanwhile_keeps_it_from_being_taken(desk, section):
    kept = send_and_wait(desk, section, corrected())
    amend_a_result(section)
    process_file(kept.pk)
    assert "was corrected meanwhile" in text(desk.get(page(section)))
    assert Amendment.objects.get().file is None


def test_what_is_missing_is_said_at_once(desk, section):
    assert "Nothing was kept" in text(send(desk, section, corrected(), reason=""))
    assert "write the start number" in text(send(desk, section, corrected(), players="x=1"))
    assert not AmendingFile.objects.exists()


def test_a_player_who_is_merged_while_it_is_read_keeps_it_from_being_taken(desk, section, monkeypatch):
    kept = send_and_wait(desk, section, corrected())
    check = new_files.check_file

    def merged_meanwhile(*given, **named):
        validated = check(*given, **named)
        old = validated.matches[0].player
        Player.objects.filter(pk=old.pk).update(merged_into=player("Nofanele, Zola"))
        return validated

    monkeypatch.setattr(new_files, "check_file", merged_meanwhile)
    process_file(kept.pk)
    assert "merged or erased while it was read" in AmendingFile.objects.get().error
    assert not Amendment.objects.exists()


def test_a_small_file_for_a_large_section_is_one_for_a_worker(client, section, monkeypatch):
    monkeypatch.setattr(new_files, "MOST_ENTRIES", 5)
    client.force_login(officer())
    assert READ in text(send(client, section, corrected()))


def test_one_waits_at_a_time(desk, section):
    kept = send_and_wait(desk, section, corrected())
    asked = {"base": 90, "increment": 30, "chosen": {}, "reason": "So.", "report": None, "shown": ""}
    with pytest.raises(EventError, match="waits to be read"):
        keep_file(section, b"other", "other.trf", **asked, at=timezone.now(), by=None)
    assert AmendingFile.objects.get() == kept


def test_it_is_given_up(desk, section):
    kept = send_and_wait(desk, section, corrected())
    answer = desk.post(page(section), {"do": "give-up-file", "file": kept.pk}, follow=True)
    assert "given up" in text(answer)
    assert not AmendingFile.objects.exists()
    process_file(kept.pk)
    assert not Amendment.objects.exists()
    again = desk.post(page(section), {"do": "give-up-file", "file": kept.pk}, follow=True)
    assert "is given up already" in text(again)


def test_a_lost_message_is_made_up_for_and_one_that_kills_workers_is_given_up(desk, section, monkeypatch):
    woken: list[int] = []
    monkeypatch.setattr("ratings.tasks.wake_now", lambda task, *keys, **_: woken.extend(keys))
    kept = send_and_wait(desk, section, corrected())
    rescue_runs()
    assert woken == [kept.pk]
    AmendingFile.objects.update(attempts=MOST_ATTEMPTS)
    process_file(kept.pk)
    assert FAULT in AmendingFile.objects.get().error
    assert FAULT in text(desk.get(page(section)))


def test_a_fault_is_told_and_a_database_that_is_gone_is_no_attempt(desk, section, monkeypatch):
    kept = send_and_wait(desk, section, corrected())

    def gone(*_args, **_keywords):
        raise OperationalError("database is locked")

    monkeypatch.setattr(new_files, "amend", gone)
    process_file(kept.pk)
    row = AmendingFile.objects.get()
    assert (row.error, row.attempts) == ("", 0)

    def broken(*_args, **_keywords):
        raise KeyError("a fault")

    monkeypatch.setattr(new_files, "amend", broken)
    AmendingFile.objects.update(lease_until=None)
    process_file(kept.pk)
    assert FAULT in AmendingFile.objects.get().error


def test_its_file_is_kept_as_long_as_it_waits_and_no_longer_than_a_draft(desk, section):
    kept = send_and_wait(desk, section, corrected())
    assert not unused().filter(pk=kept.file_id).exists()
    clear_personal_data(at=timezone.now() + timedelta(days=1))
    assert AmendingFile.objects.exists()
    clear_personal_data(at=timezone.now() + timedelta(days=3000))
    assert not AmendingFile.objects.exists()
    assert not SubmittedFile.objects.filter(pk=kept.file_id).exists()


def test_one_that_comes_while_somebody_is_erased_keeps_him_from_it(desk, section, monkeypatch):
    person = player("Nofanele, Zola")

    def sent_meanwhile(*given, **named):
        send(desk, section, corrected())
        return forget(*given, **named)

    forget = operations.forget_former_merges
    monkeypatch.setattr(operations, "forget_former_merges", sent_meanwhile)
    with pytest.raises(EventError, match="is not read yet"):
        erase_player(person, at=timezone.now(), by=None, reason="He asked for it.")


def test_the_page_of_the_event_shows_the_first_of_what_was_corrected(client, section, monkeypatch):
    monkeypatch.setattr("config.lib.shown_rows.MOST_SHOWN", 2)
    client.force_login(officer())
    send(client, section, trf(lines(6), round_robin(6, "0=10")))
    rerating = start_rerating(None, [Amendment.objects.get()], reason="So.", at=timezone.now(), by=None)
    process_rerating(rerating.pk)
    request_publication(rerating, at=timezone.now())
    process_rerating(rerating.pk)
    client.logout()
    shown = text(client.get(f"/events/{section.event_id}/"))
    assert re.search(r"And \d+ more\.", shown)


def test_nobody_is_erased_while_it_may_name_him(desk, section):
    send(desk, section, corrected())
    assert "give it up on its page" in (hindrance(player("Nofanele, Zola")) or "")


def test_an_erasure_that_is_repeated_after_a_restore_takes_none_that_waits(desk, section):
    """It came before the back-up and may name whoever was erased since."""
    his = section.entries.order_by("number").first().player
    row = send_and_wait(desk, section, corrected())
    kept = row.file_id
    erase_player(his, at=CLOCK, by=None, reason="asked for", again=True)
    row.refresh_from_db()
    assert row.error == ("It waited when personal data was erased again, after a back-up was restored: send it again.")
    assert not SubmittedFile.objects.filter(pk=kept).exists()
    process_file(row.pk)
    assert not Amendment.objects.exists()


def test_what_was_found_about_him_in_a_file_that_could_not_be_taken_is_erased(desk, section):
    his = section.entries.order_by("number").first().player
    row = send_and_wait(desk, section, corrected())
    told = f"Line 10: Xylander, Kwentin (start number 1) may be {his}: same Chess SA id {his.number}."
    before = CLOCK - timedelta(days=1)
    AmendingFile.objects.update(error=told, findings=[{"text": told}], more_findings=3, file=None, at=before)
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    row.refresh_from_db()
    assert row.error == "It could not be taken, and what was found is erased with personal data."
    assert (row.findings, row.more_findings) == ([], 0)
