"""What a hold asks for is attached to it on the results page, and stands beside the finding on the officers' desk."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Decision
from events.models import Appointment, Arbiter, Attachment, Event, Submission
from events.operations import accept_event
from tests.builders import everything, officer, recognised
from tests.events.attachments.files import PDF
from tests.events.submission.world import clean, do, known, played, taken

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """An event whose Chief Arbiter has not paid."""
    known()
    event = played()
    chief = recognised()
    chief.memberships.all().delete()
    Appointment.objects.create(event=event, arbiter=chief, position=1)
    taken(event)
    return event


def proof(content: bytes = PDF, name: str = "payment.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def page(client, event) -> str:
    return client.get(f"/events/{event.pk}/results/").content.decode()


@pytest.mark.rule("chessa 7")
def test_the_proof_of_a_payment_is_attached_before_and_after_the_event_is_sent_in(desk, client, event):
    assert "Proofs for the ratings officer" in page(desk, event)
    assert do(desk, event, "attach", about="membership-unpaid", proof=proof()).status_code == 302
    attached = Attachment.objects.get()
    assert (attached.event, attached.about, attached.by.email) == (event, "membership-unpaid", "gau@example.org")
    assert f"/events/attachments/{attached.pk}/" in page(desk, event)
    do(desk, event, "submit", declared="on", reason="It was paid: see the proof.")
    assert (
        do(desk, event, "attach", about="membership-unpaid", proof=proof(PDF + b"%%EOF", "second.pdf")).status_code
        == 302
    )
    client.force_login(officer())
    shown = client.get(f"/admin/events/submission/{Submission.objects.get().pk}/change/").content.decode()
    assert "payment.pdf" in shown
    assert "second.pdf" in shown
    accept_event(Event.objects.get(), at=Submission.objects.get().at, by=None, reason="Paid.")
    client.force_login(attached.by)
    assert (
        "until the ratings officer has decided"
        in do(client, event, "attach", about="membership-unpaid", proof=proof(PDF + b"%%EOF %%EOF")).content.decode()
    )


def test_a_wrong_file_is_taken_away_before_the_event_is_sent_in_and_not_after(desk, client, event):
    do(desk, event, "attach", about="membership-unpaid", proof=proof(name="wrong.pdf"))
    attached = Attachment.objects.get()
    address = f"proofs/{attached.pk}/remove"
    assert f"results/{address}/" in page(desk, event)
    assert do(desk, event, address).status_code == 302
    assert f"/events/attachments/{attached.pk}/" not in page(desk, event)
    step = Decision.objects.get(action="proof taken away")
    assert (step.actor, step.before) == (attached.by, {"name": "wrong.pdf", "for": "membership-unpaid"})
    assert do(desk, event, address).status_code == 404
    do(desk, event, "attach", about="membership-unpaid", proof=proof())
    do(desk, event, "submit", declared="on", reason="It was paid: see the proof.")
    sent = Attachment.objects.get()
    assert f"proofs/{sent.pk}/remove/" not in page(desk, event)
    answer = do(desk, event, f"proofs/{sent.pk}/remove")
    assert "taken away only before it is sent in" in answer.content.decode()
    assert Attachment.objects.count() == 1


@pytest.mark.rule("chessa 7")
def test_each_hold_is_offered_with_those_whom_it_is_about(desk):
    """Two sections with the same arbiters: one payment was late; and one file names an arbiter without an id."""
    known()
    event = played("A", "B")
    for place, name in enumerate(("Grace Tenza", "Ann Dube"), start=1):
        arbiter = Arbiter.objects.create(name=name, title="IA", number=f"10000007{place}")
        Appointment.objects.create(event=event, arbiter=arbiter, position=place)
    one, other = event.sections.order_by("position")
    taken(event, section=one)
    taken(event, clean(results="0=").replace(b"Grace Tenza", b"Musa Khoza"), section=other)
    choices = re.findall(r'<option value="(membership-unpaid[^"]*)">([^<]*)<', page(desk, event))
    assert [text.partition(":")[0] for _, text in choices] == ["A, B"]
    assert "Grace Tenza" in choices[0][1]
    assert "Ann Dube" in choices[0][1]
    holds = re.findall(r'<option value="[^"]*-[0-9a-f]{8}">([^<]*)<', page(desk, event))
    assert any(text.startswith("B: ") for text in holds)
    do(desk, event, "attach", about=choices[0][0], proof=proof())
    attached = Attachment.objects.get()
    assert (attached.about, attached.note) == ("membership-unpaid", choices[0][1].replace("&#x27;", "’"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"about": "membership-unpaid"}, "Choose a file first."),
        ({"about": "nothing", "proof": True}, "Choose the finding"),
        ({"about": "membership-unpaid", "proof": b"<html>"}, "neither PDF nor PNG nor JPEG"),
    ],
)
def test_what_is_no_proof_is_answered_with_what_to_do(desk, event, fields, message):
    before = everything()
    if "proof" in fields:
        fields = fields | {"proof": proof(fields["proof"] if isinstance(fields["proof"], bytes) else PDF)}
    answer = do(desk, event, "attach", **fields)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert everything() == before
