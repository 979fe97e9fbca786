"""Evidence: which files are taken, at the limits, and who may read them."""

import pytest
from django.test import Client

from accounts.models import User
from events.attachments.operations import take
from events.models import Arbiter, Attachment
from events.rules.attachments import LONGEST_FILE_NAME, MOST_ATTACHMENTS, validate
from events.rules.limits import MAX_BYTES
from events.rules.states import EventError
from players.models import RegionalAdministrator
from tests.builders import CLOCK, MARCH, event_of, officer, people, region
from tests.events.attachments.files import JPEG, PDF, PNG


@pytest.mark.parametrize(("content", "kind"), [(PDF, "pdf"), (PNG, "png"), (JPEG, "jpeg")])
def test_pdf_and_pictures_are_known_by_their_content(content, kind):
    assert validate("anything.exe", content).code == kind


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"<html><script>alert(1)</script>", "neither PDF nor PNG nor JPEG"),
        (b"GIF89a" + PDF, "neither PDF nor PNG nor JPEG"),
        (PDF.replace(b"%%EOF", b""), "breaks off"),
        (PNG.replace(b"IEND", b""), "breaks off"),
        (JPEG[:-2], "breaks off"),
    ],
)
def test_other_kinds_and_torn_files_are_refused_with_the_files_name(content, message):
    with pytest.raises(EventError, match=rf"proof\.pdf.*{message}"):
        validate("proof.pdf", content)


def test_the_size_has_a_limit():
    filled = PDF[:9] + b" " * (MAX_BYTES - len(PDF)) + PDF[9:]
    assert validate("a.pdf", filled).code == "pdf"
    with pytest.raises(EventError, match=r"a\.pdf has 5\.000001 MB: send PDF, PNG or JPEG, at most 5 MB"):
        validate("a.pdf", filled[:9] + b" " + filled[9:])
    with pytest.raises(EventError, match=r"has 20\.4 MB"):
        validate("a.pdf", filled + b" ", size=20_400_000)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "content", "stored"),
    [
        ("C:\\papers\\proof.PDF", PDF, "proof.PDF"),
        ("../proof.html", PDF, "proof.html.pdf"),
        ("photo.jpeg", JPEG, "photo.jpeg"),
        ("a\n\u202eb.png", PNG, "ab.png"),
        ("x" * 500 + ".pdf", PDF, "x" * (LONGEST_FILE_NAME - 4) + ".pdf"),
        ("", PDF, "attachment.pdf"),
    ],
)
def test_a_name_is_kept_without_its_folder_and_ends_as_the_content_is(name, content, stored):
    assert take(name, content, at=CLOCK, by=None).name == stored


@pytest.mark.django_db
def test_the_same_file_is_attached_once_and_their_number_has_a_limit():
    event = event_of([(*people(2), "1-0")])
    taken = [
        take("a.pdf", PDF + b"%%EOF" * number, at=CLOCK, by=None, event=event, about="fee-unpaid")
        for number in range(MOST_ATTACHMENTS)
    ]
    assert take("b.pdf", PDF, at=CLOCK, by=None, event=event, about="fee-unpaid") == taken[0]
    with pytest.raises(EventError, match="10 files are attached already"):
        take("b.png", PNG, at=CLOCK, by=None, event=event, about="fee-unpaid")
    take("b.png", PNG, at=CLOCK, by=None, event=event, about="organiser-missing")
    assert Attachment.objects.count() == MOST_ATTACHMENTS + 1


def reading(user: User | None, attachment: Attachment):
    client = Client()
    if user:
        client.force_login(user)
    return client.get(f"/events/attachments/{attachment.pk}/")


@pytest.mark.django_db
def test_only_the_events_region_and_the_officers_read_it():
    event = event_of([(*people(2), "1-0")], code="GAU")
    attachment = take("proof.pdf", PDF, at=CLOCK, by=None, event=event, about="fee-unpaid")
    loose = take("proof.png", PNG, at=CLOCK, by=None)
    own, other, arbiter = (User.objects.create_user(f"{name}@example.org") for name in ("own", "other", "arbiter"))
    for user, code in ((own, "GAU"), (other, "LCP")):
        RegionalAdministrator.objects.create(user=user, region=region(code), since=MARCH)
    event.appointments.create(arbiter=Arbiter.objects.create(name="Grace", title="IA", user=arbiter), position=1)
    for user, status in ((None, 302), (other, 404), (arbiter, 404), (own, 200), (officer(), 200)):
        assert reading(user, attachment).status_code == status
        assert reading(user, loose).status_code == (404 if user in (own, other, arbiter) else status)
    answer = reading(own, attachment)
    assert b"".join(answer.streaming_content) == PDF
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="proof.pdf"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer.headers["Cache-Control"]
