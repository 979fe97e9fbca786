"""Reporting that a played event is kept back: by whom, when, and the officer's answer (articles 12.2, 57.3)."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Decision, User
from events.access import led_events, parties_led
from events.models import Appointment, Arbiter, Event, KeptBackReport, Party
from events.operations import EventError, register_event
from events.registration.operations import save_registration
from events.registration.queries import read_registration
from events.rules.states import State
from events.withholding.operations import answer_kept_back, report_kept_back, why_not_reported
from tests.builders import CLOCK, details, everything, officer, player, refused_by
from tests.events.appeals.cases import SECOND, act, local
from tests.events.registration.entries import ahead
from tests.events.submission.world import known, played

pytestmark = pytest.mark.django_db
LAST = date(2024, 3, 3)


def event_led(starts: date | None = None, *, position: int = 1, **fields: object) -> tuple[Event, User]:
    """An event that ended yesterday unless told, and an arbiter of it in this position, the first being the Chief Arbiter."""
    day = starts or ahead(-1)
    event = register_event(details(day, day, **fields), at=CLOCK)
    user = User.objects.create_user("grace@example.org", is_staff=True)
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", user=user)
    Appointment.objects.create(event=event, arbiter=arbiter, position=position)
    return event, user


def told(event: Event, **fields: object) -> KeptBackReport:
    given = {"party": Party.CHIEF_ARBITER, "account": "The file lies there.", "at": CLOCK, "by": None, **fields}
    return report_kept_back(event, **given)


@pytest.mark.rule("chessa 57.3")
def test_it_is_reported_from_the_day_after_the_last_on():
    event, by = event_led(LAST)
    before = everything()
    with pytest.raises(EventError, match="It is not over yet"):
        told(event, at=local(2024, 3, 4) - SECOND)
    assert everything() == before
    report = told(event, at=local(2024, 3, 4), by=by)
    assert (report.party, report.person, report.by, report.state) == ("arbiter", "Grace Tenza", by, "reported")


@pytest.mark.parametrize("state", State)
def test_it_is_reported_while_results_are_not_here(state):
    event, _ = event_led(LAST)
    event.state = state.value
    assert bool(why_not_reported(event, today=CLOCK.date())) == (
        state not in (State.REGISTERED, State.RETURNED, State.LATE, State.WITHDRAWN)
    )
    event.kind = "abroad"
    assert why_not_reported(event, today=CLOCK.date())


def test_it_is_reported_once_at_a_time_also_by_the_database():
    event, _ = event_led(LAST)
    report = told(event)
    with pytest.raises(EventError, match="reported already"):
        told(event)
    row = {"event": event, "at": CLOCK, "account": "x"}
    with refused_by("kept_back_reported_once_at_a_time"):
        KeptBackReport.objects.create(**row, party="arbiter")
    with refused_by("kept_back_answered_with_a_reason"):
        KeptBackReport.objects.update(state="taken up")
    with refused_by("kept_back_reported_by_organiser_or_arbiter"):
        KeptBackReport.objects.update(party="administrator")
    with pytest.raises(EventError, match="give the reason"):
        answer_kept_back(report, taken_up=True, at=CLOCK, by=None, answer=" ")
    answer_kept_back(report, taken_up=True, at=CLOCK, by=None, answer="We submit it.")
    with pytest.raises(EventError, match="already"):
        answer_kept_back(report, taken_up=False, at=CLOCK, by=None, answer="No.")
    assert told(event).state == "reported"


# Who the Chief Organiser and the Chief Arbiter are


@pytest.mark.parametrize(("position", "leads"), [(1, True), (2, False), (4, False)])
def test_only_the_first_arbiter_is_the_chief_arbiter(position, leads):
    event, user = event_led(position=position)
    assert (list(led_events(user)) == [event]) == leads
    assert parties_led(user, event) == ([Party.CHIEF_ARBITER] if leads else [])


@pytest.mark.rule("chessa 13.5")
@pytest.mark.parametrize("way", ["number", "player"])
def test_the_chief_organiser_is_known_by_the_chess_sa_id_of_his_arbiter_record(way):
    person = player("Nkosi", "Thandi")
    event = register_event(details(ahead(-1), ahead(-1), organiser_number=person.number), at=CLOCK)
    user = User.objects.create_user("thandi@example.org")
    fields = {"number": person.number} if way == "number" else {"player": person}
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", user=user, **fields)
    assert parties_led(user, event) == [Party.ORGANISER]
    assert list(led_events(user)) == [event]


def test_without_an_id_there_is_no_chief_organiser():
    event = register_event(details(ahead(-1), ahead(-1)), at=CLOCK)
    user = User.objects.create_user("thandi@example.org")
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", user=user)
    assert parties_led(user, event) == []
    assert not led_events(user).exists()


def test_a_draft_has_no_people_yet():
    _, user = event_led()
    Event.objects.update(state=State.DRAFT)
    assert not led_events(user).exists()


# The pages


@pytest.mark.rule("chessa 57.3")
def test_the_chief_arbiter_reports_and_the_officer_answers_by_mail(client):
    desk = officer()
    event, user = event_led()
    client.force_login(user)
    address = f"/events/{event.pk}/kept-back/"
    for page in (f"/events/{event.pk}/", "/events/mine/"):
        assert address in client.get(page).content.decode()
    page = client.get(address).content.decode()
    assert "What happened" in page
    assert "In the name of" not in page
    assert client.post(address, {"party": "arbiter", "account": " "}).status_code == 422
    assert client.post(address, {"party": "organiser", "account": "x"}).status_code == 422
    assert not KeptBackReport.objects.exists()
    assert client.post(address, {"party": "arbiter", "account": "I asked twice."})["Location"] == address
    page = client.get(address).content.decode()
    assert "the Chief Arbiter, Grace Tenza" in page
    assert "with the ratings officer" in page
    assert (mail.outbox[0].to, "I asked twice." in mail.outbox[0].body) == (["officer@example.org"], True)
    client.force_login(desk)
    assert "1 report of results kept back" in client.get("/account/").content.decode()
    assert act(client, "keptbackreport", "take_up", KeptBackReport.objects.all(), "We submit it ourselves.") == [
        "A mail is on its way to grace@example.org.", f"1 taken up: {KeptBackReport.objects.get()}.",
    ]  # fmt: skip
    assert "We submit it ourselves." in mail.outbox[1].body
    assert "report of results kept back" not in client.get("/account/").content.decode()
    client.force_login(user)
    assert "We submit it ourselves." in client.get(address).content.decode()


def planned_and_led() -> tuple[Event, User]:
    """A whole registration of yesterday with its Chief Arbiter, who is its Chief Organiser, too."""
    known()
    event = played(first=ahead(-1), last=ahead(-1), organiser_name="Grace Tenza", organiser_number="100000099")
    user = User.objects.create_user("grace@example.org", is_staff=True)
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000099", user=user)
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    return Event.objects.get(pk=event.pk), user


def replaced(event: Event, starts_in: int) -> None:
    """Put another Chief Arbiter and another Chief Organiser in their places, with a reason, that many days before or after."""
    other = Arbiter.objects.create(name="Themba Zulu", title="NA", number="100000098")
    plan = read_registration(event)
    entered = replace(plan, appointments=(Appointment(arbiter=other),))
    entered.event.organiser_name, entered.event.organiser_number = "Themba Zulu", "100000098"
    moment = timezone.make_aware(datetime.combine(event.starts + timedelta(days=starts_in), time(12)))
    save_registration(entered, at=moment, by=None, change_reason="replaced")
    Event.history.filter(organiser_number="100000098").update(history_date=moment)


@pytest.mark.rule("chessa 57.3")
@pytest.mark.parametrize(("starts_in", "leads"), [(0, True), (-1, False)])
def test_who_led_the_event_when_it_was_played_reports_it_whoever_is_put_in_the_place(client, starts_in, leads):
    event, user = planned_and_led()
    Event.history.update(history_date=timezone.now() - timedelta(days=9))
    replaced(event, starts_in)
    assert set(parties_led(user, event)) == ({Party.ORGANISER, Party.CHIEF_ARBITER} if leads else set())
    client.force_login(user)
    address = f"/events/{event.pk}/kept-back/"
    assert client.get(address).status_code == (200 if leads else 404)
    if leads:
        assert client.post(address, {"party": "arbiter", "account": "I asked twice."}).status_code == 302
        assert KeptBackReport.objects.get().person == "Grace Tenza"


@pytest.mark.rule("chessa 57.3")
def test_another_chief_organiser_of_a_played_event_needs_a_reason_and_is_on_the_trail():
    event, _ = planned_and_led()
    plan = read_registration(event)
    plan.event.organiser_name, plan.event.organiser_number = "Themba Zulu", "100000098"
    before = everything()
    with pytest.raises(EventError, match="say why its Chief Organiser changes"):
        save_registration(plan, at=timezone.now(), by=None)
    assert everything() == before
    save_registration(plan, at=timezone.now(), by=None, change_reason="She left.")
    change = Decision.objects.get(action="organiser changed")
    assert (change.before, change.after, change.reason) == (
        {"Chief Organiser": "Grace Tenza 100000099"}, {"Chief Organiser": "Themba Zulu 100000098"}, "She left.",
    )  # fmt: skip


@pytest.mark.rule("chessa 57.3")
@pytest.mark.parametrize("state", [State.WITHDRAWN, State.LATE])
def test_what_was_withdrawn_or_waits_for_permission_and_was_played_is_reported(client, state):
    person = player("Nkosi", "Thandi")
    event, chief = event_led(organiser_number=person.number)
    organiser = User.objects.create_user("thandi@example.org")
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", user=organiser, player=person)
    Event.objects.update(state=state)
    address = f"/events/{event.pk}/kept-back/"
    for user, party in ((organiser, "organiser"), (chief, "arbiter")):
        client.force_login(user)
        assert address in client.get(f"/events/{event.pk}/").content.decode()
        assert client.post(address, {"party": party, "account": "It was played."}).status_code == 302
        answer_kept_back(KeptBackReport.objects.get(party=party), taken_up=True, at=CLOCK, by=None, answer="Seen.")
    Event.objects.update(starts=ahead(0), ends=ahead(0))
    assert client.post(address, {"party": "arbiter", "account": "It will be."}).status_code == 422
    client.force_login(officer())
    Event.objects.update(starts=ahead(-1), ends=ahead(-1))
    assert address in client.get(f"/events/{event.pk}/").content.decode()
    assert client.post(address, {"party": "organiser", "account": "He rang."}).status_code == 302


def test_the_organiser_without_an_appointment_finds_it_on_his_events(client):
    person = player("Nkosi", "Thandi")
    event = register_event(details(ahead(-1), ahead(-1), organiser_number=person.number), at=CLOCK)
    user = User.objects.create_user("thandi@example.org")
    Arbiter.objects.create(name="Thandi Nkosi", title="FA", user=user, player=person)
    client.force_login(user)
    for page in (f"/events/{event.pk}/", "/events/mine/"):
        shown = client.get(page).content.decode()
        assert f"/events/{event.pk}/kept-back/" in shown
        assert f"/events/{event.pk}/results/" not in shown
    answer = client.post(f"/events/{event.pk}/kept-back/", {"party": "organiser", "account": "I asked."})
    assert answer.status_code == 302
    assert KeptBackReport.objects.get().person == "Thandi Nkosi"


def test_the_administrator_neither_reports_nor_reads_it(client, administrator):
    event, _ = event_led()
    told(event, at=local(2100, 1, 1))
    client.force_login(administrator)
    assert client.get(f"/events/{event.pk}/kept-back/").status_code == 403
    assert client.get("/admin/events/keptbackreport/").status_code == 403
    assert "The file lies there." not in client.get(f"/events/{event.pk}/").content.decode()


def test_an_officer_enters_what_reached_the_bureau_by_telephone(client):
    event, _ = event_led()
    client.force_login(officer())
    address = f"/events/{event.pk}/kept-back/"
    assert address in client.get(f"/events/{event.pk}/").content.decode()
    assert "In the name of the" in client.get(address).content.decode()
    assert client.post(address, {"party": "organiser", "account": "He rang."}).status_code == 302
    assert KeptBackReport.objects.get().person == "Thandi Nkosi"


def test_when_nothing_is_awaited_the_page_says_so(client):
    event, user = event_led(ahead(0))
    client.force_login(user)
    address = f"/events/{event.pk}/kept-back/"
    page = client.get(address).content.decode()
    assert "It is not over yet" in page
    assert "<textarea" not in page
    assert client.post(address, {"party": "arbiter", "account": "x"}).status_code == 422
    assert address not in client.get(f"/events/{event.pk}/").content.decode()
