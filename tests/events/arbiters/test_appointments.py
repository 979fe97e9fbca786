"""Appointments keep their history, and a change after the first day needs a reason (articles 6 to 8)."""

from dataclasses import replace as replaced
from datetime import date, timedelta

import pytest
from django.utils import timezone

from accounts.models import Decision, User
from events.arbiters.queries import arbiter_page
from events.models import Appointment, Arbiter, Event, PastAppointment, SubmissionFinding
from events.operations import EventError
from events.registration.operations import save_registration
from events.registration.queries import read_registration
from events.rules.states import State
from players.models import RegionalAdministrator
from tests.admin_pages import form_errors, posted_form
from tests.builders import everything, officer, region
from tests.events.submission.world import FIRST, clean, codes, correction, do, known, played, taken

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    """The client of the region's administrator."""
    user = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=user, region=region(), since=date(2023, 1, 1))
    client.force_login(user)
    return client


@pytest.fixture
def grace():
    return Arbiter.objects.create(name="Grace Tenza", title="IA", fide_id=14300001, federation="BOT")


@pytest.fixture
def unpaid():
    """An arbiter of the AOC who has not paid."""
    return Arbiter.objects.create(name="Anele Dube", title="NA", number="100000077")


def appointed(arbiter: Arbiter, first: date = FIRST) -> Event:
    known()
    event = played(first=first, last=first + timedelta(days=1), place="Thohoyandou")
    Appointment.objects.create(event=event, arbiter=arbiter, position=1, since=event.moves.get().at)
    return Event.objects.get(pk=event.pk)


def change(event: Event, arbiter: Arbiter, reason: str = "") -> None:
    plan = read_registration(Event.objects.get(pk=event.pk))
    plan = replaced(plan, appointments=(Appointment(arbiter=arbiter),))
    save_registration(plan, at=timezone.now(), by=None, change_reason=reason)


@pytest.mark.rule("chessa 6")
def test_who_was_replaced_after_play_finds_the_event_and_why_on_his_page(grace, unpaid):
    event = appointed(grace)
    change(event, unpaid, "She fell ill.")
    page = arbiter_page(grace, today=timezone.localdate(), begins=1)
    (row,) = page.past
    assert (row.name, row.role, row.fact.text, row.fact.article) == (
        event.name, "Chief Arbiter", "Replaced after the event had begun: She fell ill.", "6",
    )  # fmt: skip
    assert page.years[0].lost == "1"
    change(event, grace, "By mistake.")
    assert [row.fact.article for row in arbiter_page(grace, today=timezone.localdate(), begins=1).past] != ["6"]


@pytest.mark.rule("chessa 6")
@pytest.mark.parametrize(("starts_in", "asked"), [(1, False), (0, True), (-4, True)])
def test_from_the_first_day_on_a_change_has_a_reason(grace, unpaid, starts_in, asked):
    event = appointed(unpaid, timezone.localdate() + timedelta(days=starts_in))
    since = event.appointments.get().since
    if asked:
        before = everything()
        with pytest.raises(EventError, match="say why its arbiters change"):
            change(event, grace)
        assert everything() == before
        change(event, unpaid)  # nothing changes
        assert not PastAppointment.objects.exists()
        assert event.appointments.get().since == since
    change(event, grace, "She fell ill." if asked else "")
    past = PastAppointment.objects.get()
    assert (past.arbiter, past.since, past.during) == (unpaid, since, asked)
    assert event.appointments.get().since == past.until
    changes = Decision.objects.filter(action="arbiters changed").values_list("before", "after", "reason")
    named = ({"arbiters": unpaid.name}, {"arbiters": grace.name}, "She fell ill.")
    assert list(changes) == ([named] if asked else [])


@pytest.mark.rule("chessa 6", "chessa 7")
def test_the_fee_of_who_was_replaced_still_holds_the_event(grace, unpaid, desk):
    event = appointed(unpaid)
    assert "membership-unpaid" in codes(taken(event))
    change(event, grace, "She fell ill.")
    upload = taken(event)
    assert codes(upload) == ["membership-unpaid"]
    page = desk.get(f"/events/{event.pk}/").content.decode()
    assert "Anele Dube no longer appointed" in page
    assert "She fell ill." in page
    do(desk, event, "submit", declared="on", reason="She did not serve.")
    assert Event.objects.get(pk=event.pk).state == State.SUBMITTED
    note = SubmissionFinding.objects.get(code="arbiters-changed")
    assert "Anele Dube, until " in note.message
    assert "She fell ill." in note.message


@pytest.mark.rule("chessa 7")
def test_who_was_replaced_before_the_first_day_is_not_asked(grace, unpaid):
    event = appointed(unpaid)
    PastAppointment.objects.create(
        event=event, arbiter=unpaid, position=1, until=timezone.now() - timedelta(days=9), during=False
    )
    Appointment.objects.update(arbiter=grace)
    assert codes(taken(event)) == []


@pytest.mark.rule("chessa 6")
def test_an_arbiter_of_the_file_whom_nobody_appointed_is_asked_about(grace, desk):
    event = appointed(grace)
    zodwa = Arbiter.objects.create(name="Zodwa Cele", title="NA", number="100000078", federation="BOT")
    content = clean().replace(b"102 IA Grace", b"112 NA Zodwa Cele (100000078)\n102 IA Grace")
    upload = taken(event, content)
    assert codes(upload) == ["arbiter-not-appointed"]
    assert "Did they serve?" in desk.get(f"/events/{event.pk}/results/").content.decode()
    correction(desk, upload, "arbiters", arbiter=zodwa.pk)
    upload.refresh_from_db()
    assert codes(upload) == []
    do(desk, event, "submit", declared="on")
    assert event.appointments.get(arbiter=zodwa).since is not None
    step = Decision.objects.get(action="arbiters changed")
    assert (step.before, step.after) == ({"arbiters": grace.name}, {"arbiters": f"{grace.name}, {zodwa.name}"})
    assert step.actor_role == "Regional Administrator"
    assert step.reason == "The region answered, beside a finding on the file, that they served."


@pytest.mark.rule("chessa 6")
@pytest.mark.parametrize(("starts_in", "asked"), [(1, False), (0, True)])
def test_from_the_first_day_on_an_arbiter_is_added_with_a_reason(grace, unpaid, starts_in, asked):
    event = appointed(grace, timezone.localdate() + timedelta(days=starts_in))
    plan = read_registration(event)
    plan = replaced(plan, appointments=(*plan.appointments, Appointment(arbiter=unpaid)))
    if asked:
        before = everything()
        with pytest.raises(EventError, match="say why its arbiters change"):
            save_registration(plan, at=timezone.now(), by=None)
        assert everything() == before
    save_registration(plan, at=timezone.now(), by=None, change_reason="Four more boards." if asked else "")
    assert event.appointments.count() == 2
    assert not PastAppointment.objects.exists()
    added = ({"arbiters": f"{grace.name}, {unpaid.name}"}, "Four more boards.")
    changes = Decision.objects.filter(action="arbiters changed").values_list("after", "reason")
    assert list(changes) == ([added] if asked else [])


@pytest.mark.rule("chessa 6")
def test_an_officer_gives_the_reason_too(client, grace, unpaid):
    event = appointed(unpaid)
    client.force_login(officer())
    address = f"/admin/events/event/{event.pk}/change/"
    form = client.get(address).context["adminform"].form
    sent = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    sent |= {"hubs": []}
    for prefix in ("sections", "appointments", "past_appointments", "refusals", "moves"):
        sent |= {f"{prefix}-TOTAL_FORMS": 0, f"{prefix}-INITIAL_FORMS": 0}
    row = event.appointments.get()
    sent |= {
        "appointments-TOTAL_FORMS": 1,
        "appointments-INITIAL_FORMS": 1,
        "appointments-0-id": row.pk,
        "appointments-0-event": event.pk,
        "appointments-0-arbiter": grace.pk,
        "appointments-0-position": 1,
    }
    refused = client.post(address, sent)
    assert refused.status_code == 200
    answer = client.post(address, sent | {"reason_for_change": "She fell ill."})
    assert answer.status_code == 302, answer.context["errors"]
    past = PastAppointment.objects.get()
    assert (past.arbiter, past.reason, past.by.email) == (unpaid, "She fell ill.", "officer@example.org")
    assert event.appointments.get().arbiter == grace
    assert "She fell ill." in client.get(address).content.decode()


@pytest.mark.rule("chessa 6")
@pytest.mark.parametrize(("state", "kept"), [("submitted", False), ("accepted", True)])
def test_an_accepted_event_keeps_an_arbiter(client, grace, state, kept):
    event = appointed(grace)
    Event.objects.update(state=state)
    client.force_login(officer())
    address = f"/admin/events/event/{event.pk}/change/"
    data = posted_form(client, address, appointments__0__DELETE="on", hubs=[])
    answer = client.post(address, data)
    if kept:
        assert form_errors(answer) == [
            "The event is accepted, and this is its only arbiter: appoint the replacement first."
        ]
    else:
        assert answer.status_code == 302, form_errors(answer)
    assert event.appointments.exists() == kept


def test_an_appointment_without_arbiter_or_position_can_be_shown(grace):
    """A form that was sent without them is shown again."""
    event = appointed(grace)
    for emptied in ({"arbiter": None}, {"position": None}):
        appointment = Appointment(event=event, **({"arbiter": grace, "position": 1} | emptied))
        assert str(appointment) == f"{event}: an arbiter"
