"""National events: the body that organises one is named, and an officer approves it before acceptance (article 62.4)."""

from datetime import date

import pytest
from django.core import mail

from accounts.models import Decision, User
from events.models import BodyApproval, Event
from events.operations import EventError, accept_event, approve_body, move_event, take_back_approval
from events.organising_body import body_approval, waiting_for_approval
from events.rules.registration import RegistrationData, registration_errors
from events.rules.states import State
from players.models import RegionalAdministrator
from tests.admin_pages import form_errors, posted_form
from tests.builders import CLOCK, everything, officer, refused_by, region, submitted
from tests.events.appeals.cases import act
from tests.events.registration.conftest import administrator, browser_of  # noqa: F401
from tests.events.registration.entries import ahead, send

pytestmark = pytest.mark.django_db


def national(body: str = "Limpopo Chess") -> Event:
    """A submitted national event of Gauteng's that names this body."""
    event = submitted()
    Event.objects.filter(pk=event.pk).update(kind="national", organising_body=body)
    event.refresh_from_db()
    return event


@pytest.mark.rule("chessa 62.4")
@pytest.mark.parametrize(
    ("kind", "body", "missing"),
    [("national", "", True), ("national", "Limpopo Chess", False), ("otb", "", False), ("club", "", False)],
)
def test_a_national_event_names_its_body_before_it_is_registered(kind, body, missing):
    found = list(registration_errors(RegistrationData(kind=kind, organising_body=body)))
    assert ([one.article for one in found if one.code == "organising-body-missing"] == ["62.4"]) == missing


@pytest.mark.rule("chessa 62.4")
def test_it_is_accepted_once_its_body_is_approved_with_a_reason():
    event, by = national(), officer()
    before = everything()
    with pytest.raises(EventError, match=r"Limpopo Chess, is not approved: .* \(article 62\.4\)"):
        accept_event(event, at=CLOCK, by=by, reason="It is well known.")
    with pytest.raises(EventError, match="give the reason"):
        approve_body(event, at=CLOCK, by=by, reason=" ")
    assert everything() == before
    approval = approve_body(event, at=CLOCK, by=by, reason=" Mandated by the council. ")
    assert (approval.body, approval.by, approval.at, approval.reason) == (
        "Limpopo Chess", by, CLOCK, "Mandated by the council.",
    )  # fmt: skip
    with pytest.raises(EventError, match="Limpopo Chess is approved already"):
        approve_body(event, at=CLOCK, by=by, reason="Again.")
    event.refresh_from_db()
    accept_event(event, at=CLOCK, by=by)
    assert Event.objects.get().state == "accepted"


@pytest.mark.rule("chessa 62.4")
def test_an_approval_is_taken_back_with_a_reason_until_the_event_is_accepted():
    event, by = national(), officer()
    approve_body(event, at=CLOCK, by=by, reason="Mandated by the council.")
    before = everything()
    with pytest.raises(EventError, match="give the reason"):
        take_back_approval(event, at=CLOCK, by=by, reason=" ")
    assert everything() == before
    take_back_approval(event, at=CLOCK, by=by, reason="The council says no.")
    assert body_approval(event) is None
    step = Decision.objects.get(action="approval taken back")
    assert (step.actor, step.reason) == (by, "The council says no.")
    assert step.before == {"body": "Limpopo Chess", "approved because": "Mandated by the council."}
    with pytest.raises(EventError, match="nothing to take back"):
        take_back_approval(event, at=CLOCK, by=by, reason="Again.")
    approve_body(event, at=CLOCK, by=by, reason="Now it does.")
    event.refresh_from_db()
    accept_event(event, at=CLOCK, by=by)
    before = everything()
    with pytest.raises(EventError, match="it is accepted"):
        take_back_approval(event, at=CLOCK, by=by, reason="Too late.")
    assert everything() == before


@pytest.mark.rule("chessa 62.4")
def test_the_approval_of_one_body_is_none_of_another():
    event = national()
    approve_body(event, at=CLOCK, by=None, reason="Mandated.")
    Event.objects.update(organising_body="Somebody Else")
    event.refresh_from_db()
    assert body_approval(event) is None
    with pytest.raises(EventError, match="Somebody Else, is not approved"):
        accept_event(event, at=CLOCK)


def test_without_a_name_the_body_is_the_region():
    """As in registrations made before the field was there."""
    event = national("")
    assert list(waiting_for_approval()) == [event]
    assert approve_body(event, at=CLOCK, by=None, reason="It is the host.").body == event.region.name
    assert not waiting_for_approval().exists()
    event.refresh_from_db()
    assert accept_event(event, at=CLOCK)


def test_other_events_have_no_body_to_approve():
    event = submitted()
    with pytest.raises(EventError, match="it is not a national event"):
        approve_body(event, at=CLOCK, by=None, reason="Mandated.")
    assert not waiting_for_approval().exists()
    assert accept_event(event, at=CLOCK)


@pytest.mark.parametrize("state", State)
def test_what_can_still_be_accepted_waits(state):
    event = national()
    Event.objects.update(state=state)
    assert waiting_for_approval().exists() == (state in ("late", "registered", "submitted", "returned"))
    assert event


def test_the_database_keeps_one_approval_of_a_body_and_its_reason():
    row = {"event": national(), "body": "Limpopo Chess", "at": CLOCK}
    BodyApproval.objects.create(**row, reason="x")
    with refused_by("body_approved_once"):
        BodyApproval.objects.create(**row, reason="y")
    with refused_by("body_approved_with_a_reason"):
        BodyApproval.objects.update(reason="")


@pytest.mark.rule("chessa 62.4")
def test_the_page_shows_it_and_the_officer_approves_it_in_the_admin(client):
    event = national()
    page = f"/events/{event.pk}/"
    assert "Limpopo Chess, not approved yet" in " ".join(client.get(page).content.decode().split())
    client.force_login(officer())
    assert "/admin/events/event/?body=waiting" in client.get("/account/").content.decode()
    assert "Mopane Open" in client.get("/admin/events/event/?body=waiting").content.decode()
    assert "is not approved" in act(client, "event", "accept", [event], "Fine.")[0]
    assert "give the reason" in act(client, "event", "approve", [event])[0]
    assert act(client, "event", "approve", [event], "Mandated by the council.") == [f"1 approved: {event}."]
    user = User.objects.create_user("gau@example.org")
    RegionalAdministrator.objects.create(user=user, region=event.region, since=date(2023, 1, 1))
    said = act(client, "event", "take_back_approval", [event], "By mistake.")
    assert said[0] == "A mail is on its way to gau@example.org."
    (sent,) = mail.outbox
    assert sent.subject == "Approval taken back: Mopane Open"
    assert "By mistake." in sent.body
    shown = " ".join(client.get(page).content.decode().split())
    assert "Limpopo Chess, not approved (article" in shown
    assert shown.count("Mandated by the council.") == shown.count("By mistake.") == 1
    assert shown.index("Approval of the organising body taken back") < shown.index("Organising body approved")
    assert act(client, "event", "approve", [event], "Mandated by the council.") == [f"1 approved: {event}."]
    assert "Mandated by the council." in client.get(f"/admin/events/event/{event.pk}/change/").content.decode()
    assert "Mopane Open" not in client.get("/admin/events/event/?body=waiting").content.decode()
    assert "body=waiting" not in client.get("/account/").content.decode()
    assert "Mandated by the council." in client.get(page).content.decode()
    client.logout()
    assert "Mandated by the council." not in client.get(page).content.decode()
    assert "Limpopo Chess, approved on" in " ".join(client.get(page).content.decode().split())


@pytest.mark.rule("chessa 62.4")
def test_the_form_asks_for_it(browser_of):  # noqa: F811
    answer = send(browser_of, kind="national", starts=ahead(30).isoformat())
    assert answer.status_code == 422
    assert "Name the province, region or approved entity that organises it" in answer.content.decode()
    fields = {"kind": "national", "organising_body": "Limpopo Chess", "name": "Youth Championship"}
    assert send(browser_of, starts=ahead(30).isoformat(), **fields).status_code == 302
    event = Event.objects.get(name="Youth Championship")
    assert (event.state, event.organising_body) == ("registered", "Limpopo Chess")
    move_event(event, State.WITHDRAWN, at=CLOCK, reason="No hall")


@pytest.fixture
def desk(client):
    client.force_login(officer("desk@example.org"))
    return client


def save(desk, event, **changed) -> list[str]:
    """Save the officers' page of an event; the errors of the page, [] once it is saved."""
    address = f"/admin/events/event/{event.pk}/change/"
    answer = desk.post(address, posted_form(desk, address, **changed))
    return form_errors(answer) if answer.status_code == 200 else []


@pytest.mark.rule("chessa 62.4")
def test_from_acceptance_on_the_body_stays_the_approved_one(desk):
    event = national()
    approve_body(event, at=CLOCK, by=None, reason="Mandated by the council.")
    approve_body(renamed(event, "Limpopo Youth Chess"), at=CLOCK, by=None, reason="A second mandate.")
    event = renamed(event, "Limpopo Chess")
    assert save(desk, event, organising_body="Somebody Else") == []
    event = renamed(event, "Limpopo Chess")
    accept_event(event, at=CLOCK, reason="seen")
    for body in ("Somebody Else", ""):
        (error,) = save(desk, event, organising_body=body)
        assert "is not approved" in error
    assert save(desk, event, organising_body="Limpopo Youth Chess") == []
    assert save(desk, event, place="Polokwane") == []


@pytest.mark.rule("chessa 62.4")
def test_an_accepted_event_is_made_national_only_with_an_approved_body(desk):
    event = submitted()
    accept_event(event, at=CLOCK, reason="seen")
    (error,) = save(desk, event, kind="national", organising_body="Limpopo Chess")
    assert error.startswith("It is accepted, and this does not hold for it: Mopane Open is a national event")
    BodyApproval.objects.create(event=event, body="Limpopo Chess", at=CLOCK, reason="Mandated by the council.")
    assert save(desk, event, kind="national", organising_body="Limpopo Chess") == []


def renamed(event: Event, body: str) -> Event:
    """The event, naming another body."""
    Event.objects.filter(pk=event.pk).update(organising_body=body)
    event.refresh_from_db()
    return event


@pytest.mark.rule("chessa 62.2")
def test_the_desk_asks_for_the_hubs_of_a_hybrid_event_and_for_its_region_among_them(desk):
    event = submitted()
    error = "Choose the regions with a playing hub; the host region is one of them (article 62.2)."
    assert save(desk, event, kind="hybrid") == [error]
    assert save(desk, event, kind="hybrid", hubs=[region("LVT").pk]) == [error]
    assert save(desk, event, kind="hybrid", hubs=[event.region_id, region("LVT").pk]) == []
    assert save(desk, event, region=region("LCP").pk) == [error]
    assert save(desk, event, region=region("LVT").pk) == []
    assert save(desk, event, kind="club", hubs=[]) == []
