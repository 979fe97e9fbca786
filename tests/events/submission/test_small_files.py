"""Which files are checked within a request, and which wait for a worker."""

import io
import zipfile

import pytest
from django.utils import timezone

from events.models import Upload
from events.submission.checker import are_small, is_small
from events.submission.tasks import check_upload
from tests.builders import everything
from tests.events.files.swissperfect import narrow
from tests.events.submission.world import clean, do, known, many, played, taken

pytestmark = pytest.mark.django_db


def sent(content: bytes, event=None, *, section=None, name="open.trf") -> Upload:
    return taken(event or played(), content, section=section, name=name)


def csv_of(lines: int, end: str) -> bytes:
    rows = [f'{number},"Naidoo, Priya","Botha, Thandi",1-0' for number in range(1, lines)]
    return end.join(["round,white,black,result", *rows]).encode()


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize(("lines", "small"), [(500, True), (502, False)])
def test_so_many_lines_are_small_however_they_end(end, lines, small):
    assert is_small(sent(csv_of(lines, end), name="open.csv")) == small


def test_a_zip_is_as_large_as_what_is_in_it():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for suffix in (".ini", ".trn", ".sco"):
            archive.writestr(f"open{suffix}", b" " * 30_000)
    upload = sent(packed.getvalue(), name="open.zip")
    assert len(upload.file.content) < 1_000
    assert not is_small(upload)


@pytest.mark.parametrize(("players", "small"), [(500, True), (501, False)])
def test_the_players_of_a_zip_count_as_lines(players, small):
    """Its tables have no lines: 4,000 players took 12 kB."""
    upload = sent(narrow(players), name="open.zip")
    assert upload.report["read"]["players"] == players
    assert is_small(upload) == small


def test_players_of_zips_count_together():
    event = played(*map(str, range(5)))
    uploads = [
        sent(narrow(500 - place), event, section=section, name="open.zip")
        for place, section in enumerate(event.sections.order_by("position")[:5])
    ]
    assert not any(map(is_small, uploads))
    Upload.objects.filter(pk=uploads[0].pk).update(discarded_at=timezone.now())
    assert all(map(is_small, uploads[1:]))


def test_a_table_that_names_two_new_players_on_each_line_is_large_once_it_is_read():
    rows = [f'1,"Naidoo{number}, Priya","Botha{number}, Thandi",1-0' for number in range(251)]
    upload = sent("\n".join(["round,white,black,result", *rows]).encode(), name="open.csv")
    assert upload.report["read"]["players"] == 502
    assert not is_small(upload)


def test_the_files_of_an_events_sections_count_together():
    """Each of twenty was small, and a request checked all of them."""
    event = played(*map(str, range(9)))
    uploads = [
        sent(many(240)[1] + b"### %d\n" % place, event, section=section)
        for place, section in enumerate(event.sections.order_by("position"))
    ]
    assert are_small(Upload.objects.filter(pk=uploads[0].pk))
    assert len(uploads[0].file.content) * 8 > 200_000
    assert not any(map(is_small, uploads))
    Upload.objects.filter(pk__in=[upload.pk for upload in uploads[4:]]).update(discarded_at=timezone.now())
    assert all(map(is_small, uploads[:4]))


def test_the_earlier_files_of_the_section_count():
    """A check reads them, too: they are compared, and their answers are carried over."""
    event = played()
    for place in range(3):
        sent(many(480)[1] + b"### %d\n" % place, event)
    assert not is_small(sent(clean(), event))


def test_the_players_of_earlier_files_count():
    event = played()
    for place in range(2):
        sent(narrow(1_001 + place), event, name="open.zip")
    assert not is_small(sent(clean(), event))


def test_a_page_checks_no_files_that_are_large_together(desk, monkeypatch):
    monkeypatch.setattr("events.submission.checker._TOGETHER", 0)
    known()
    event = played()
    upload = sent(clean(), event)
    Upload.objects.update(event_version=event.version + 1)
    before = everything()
    assert "data-waiting" in desk.get(f"/events/{event.pk}/results/").content.decode()
    assert everything() == before
    do(desk, event, f"{upload.pk}/check")
    assert Upload.objects.get().pending
    check_upload(upload.pk)
    assert not Upload.objects.get().pending
    assert "are too large to be shown before they are sent in" in do(desk, event, "preview").content.decode()


def test_a_zip_of_many_players_is_checked_shown_and_sent_in_by_a_worker(desk):
    event = played()
    upload = sent(narrow(501), event, name="open.zip")
    before = everything()
    assert "are too large to be shown before they are sent in" in do(desk, event, "preview").content.decode()
    assert everything() == before
    do(desk, event, f"{upload.pk}/check")
    assert Upload.objects.get().pending
