"""Withdrawing an event: by oneself until its first day, then with the officer's consent; bringing it back (article 57.3)."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from events.models import Arbiter, Event, WithdrawalRequest
from events.operations import EventError, ReasonError, move_event, register_event
from events.rules.deadlines import withdrawal_closes
from events.rules.registration import RegistrationData, is_put_off_after_start
from events.rules.states import State
from events.withholding.operations import answer_withdrawal, ask_withdrawal, bring_back, withdraw
from tests.builders import CLOCK, details, everything, officer, refused_by
from tests.events.appeals.cases import SECOND, act, local
from tests.events.registration.entries import ahead, entry, saved, send

pytestmark = pytest.mark.django_db
FIRST, LAST = date(2024, 3, 2), date(2024, 3, 3)


def registered(starts: date = FIRST, ends: date = LAST) -> Event:
    """An event without results."""
    return register_event(details(starts, ends), at=CLOCK)


def state(event: Event) -> str:
    return Event.objects.get(pk=event.pk).state


@pytest.mark.rule("chessa 57.3")
def test_an_administrator_withdraws_until_the_last_second_before_the_first_day(administrator):
    assert withdrawal_closes(FIRST) == local(2024, 3, 2)
    event = registered()
    before = everything()
    with pytest.raises(EventError, match=r"ask to withdraw it, .* \(article 57\.3\)"):
        withdraw(event, at=local(2024, 3, 2), by=administrator, reason="No hall")
    assert everything() == before
    withdraw(event, at=local(2024, 3, 2) - SECOND, by=administrator, reason="No hall")
    assert state(event) == "withdrawn"


@pytest.mark.rule("chessa 57.3")
def test_a_late_registration_is_not_withdrawn_after_the_first_day_either(administrator):
    event = registered()
    Event.objects.update(state=State.LATE)
    with pytest.raises(EventError, match="ask to withdraw it"):
        withdraw(event, at=local(2024, 3, 2), by=administrator, reason="No hall")
    ask_withdrawal(event, at=local(2024, 3, 2), by=administrator, reason="No hall")
    answer_withdrawal(WithdrawalRequest.objects.get(), granted=True, at=CLOCK, by=officer(), answer="Not played.")
    assert state(event) == "withdrawn"


def test_an_officer_withdraws_at_any_time():
    event = registered()
    withdraw(event, at=CLOCK, by=officer(), reason="Entered twice")
    assert state(event) == "withdrawn"


@pytest.mark.rule("chessa 57.3")
@pytest.mark.parametrize(("granted", "after"), [(True, "withdrawn"), (False, "registered")])
def test_the_officer_answers_a_request_with_a_reason(administrator, granted, after):
    event, by = registered(), officer()
    asked = ask_withdrawal(event, at=CLOCK, by=administrator, reason=" It rained. ")
    assert (asked.reason, asked.by, asked.at, asked.state, state(event)) == (
        "It rained.", administrator, CLOCK, "asked", "registered",
    )  # fmt: skip
    before = everything()
    with pytest.raises(EventError, match="give the reason"):
        answer_withdrawal(asked, granted=granted, at=CLOCK, by=by, answer=" ")
    assert everything() == before
    answer_withdrawal(asked, granted=granted, at=CLOCK, by=by, answer="Seen.")
    asked.refresh_from_db()
    assert (asked.answer, asked.answered_by, state(event)) == ("Seen.", by, after)
    if granted:
        move = event.moves.last()
        assert (move.actor, move.reason, move.at) == (by, "Seen.", CLOCK)
    with pytest.raises(EventError, match="already"):
        answer_withdrawal(asked, granted=not granted, at=CLOCK, by=by, answer="Again.")


def test_a_request_has_a_reason_of_a_length_that_is_kept(administrator):
    event = registered()
    before = everything()
    for reason, said in ((" ", "give the reason"), ("x" * 1001, "1001 characters")):
        with pytest.raises(ReasonError, match=said):
            ask_withdrawal(event, at=CLOCK, by=administrator, reason=reason)
    assert everything() == before
    assert ask_withdrawal(event, at=CLOCK, by=administrator, reason="x" * 1000)


def test_it_is_asked_once_at_a_time_also_by_the_database():
    event = registered()
    asked = ask_withdrawal(event, at=CLOCK, by=None, reason="It rained.")
    with pytest.raises(EventError, match="asked already"):
        ask_withdrawal(event, at=CLOCK, by=None, reason="It rained.")
    with refused_by("withdrawal_asked_once_at_a_time"):
        WithdrawalRequest.objects.create(event=event, at=CLOCK, reason="x")
    with refused_by("withdrawal_answered_with_a_reason"):
        WithdrawalRequest.objects.update(state="granted")
    with refused_by("withdrawal_asked_with_a_reason"):
        WithdrawalRequest.objects.update(reason="")
    answer_withdrawal(asked, granted=False, at=CLOCK, by=None, answer="It was played.")
    assert ask_withdrawal(event, at=CLOCK, by=None, reason="It snowed.").state == "asked"


@pytest.mark.parametrize("other", [State.SUBMITTED, State.RETURNED, State.ACCEPTED, State.PUBLISHED, State.REFUSED])
def test_what_has_results_is_not_asked_about_and_a_request_left_over_is_only_declined(other):
    event = registered()
    asked = ask_withdrawal(event, at=CLOCK, by=None, reason="It rained.")
    Event.objects.update(state=other)
    with pytest.raises(EventError, match=f"the event is {other.value}: it can no longer be withdrawn"):
        answer_withdrawal(asked, granted=True, at=CLOCK, by=None, answer="Seen.")
    answer_withdrawal(asked, granted=False, at=CLOCK, by=None, answer="Its results are here.")
    with pytest.raises(EventError, match="can no longer be withdrawn"):
        ask_withdrawal(event, at=CLOCK, by=None, reason="It rained.")


@pytest.mark.rule("chessa 57.3")
def test_a_withdrawn_event_is_brought_back_with_a_reason():
    event, by = registered(), officer()
    with pytest.raises(EventError, match="it is not withdrawn"):
        bring_back(event, at=CLOCK, by=by, reason="It was played.")
    move_event(event, State.WITHDRAWN, at=CLOCK, reason="No hall")
    with pytest.raises(EventError, match="give the reason"):
        bring_back(event, at=CLOCK, by=by, reason=" ")
    bring_back(event, at=CLOCK, by=by, reason="It was played.")
    last = event.moves.last()
    assert (state(event), last.source, last.actor, last.reason) == ("registered", "withdrawn", by, "It was played.")


def test_a_request_that_was_open_does_not_withdraw_the_event_a_second_time(administrator):
    event, by = registered(), officer()
    asked = ask_withdrawal(event, at=local(2024, 3, 3), by=administrator, reason="It rained.")
    withdraw(event, at=local(2024, 3, 3), by=by, reason="They rang.")
    asked.refresh_from_db()
    assert (asked.state, asked.answer) == ("granted", "They rang.")
    bring_back(event, at=local(2024, 3, 4), by=by, reason="It was played.")
    with pytest.raises(EventError, match="granted already"):
        answer_withdrawal(asked, granted=True, at=local(2024, 3, 5), by=by, answer="Yes.")
    assert state(event) == "registered"


# The pages


@pytest.mark.rule("chessa 57.3")
@pytest.mark.parametrize(("days", "text"), [(1, "Withdraw<"), (0, "Ask to withdraw<"), (-5, "Ask to withdraw<")])
def test_the_link_says_which_of_the_two_it_is(browser_of, days, text):
    event = registered(ahead(days), ahead(days))
    for page in ("/events/mine/", f"/events/{event.pk}/"):
        shown = browser_of.get(page).content.decode()
        assert f'href="/events/{event.pk}/withdraw/">{text}' in shown


@pytest.mark.rule("chessa 57.3")
def test_the_administrator_asks_and_the_officer_declines_by_mail(browser_of, administrator, client):
    officer()
    event = registered(ahead(-1), ahead(-1))
    address = f"/events/{event.pk}/withdraw/"
    assert "the ratings officer decides" in browser_of.get(address).content.decode()
    assert browser_of.post(address, {"reason": ""}).status_code == 422
    assert browser_of.post(address, {"reason": "It rained."})["Location"] == address
    assert state(event) == "registered"
    page = browser_of.get(address).content.decode()
    assert "with the ratings officer" in page
    assert "<textarea" not in page
    for own_page in ("/events/mine/", f"/events/{event.pk}/"):
        assert f'href="{address}">Withdrawal asked' in browser_of.get(own_page).content.decode()
    assert browser_of.post(address, {"reason": "It rained."}).status_code == 422
    (told,) = mail.outbox
    assert (told.to, "It rained." in told.body) == (["officer@example.org"], True)
    assert "/admin/events/withdrawalrequest/" in told.body
    client.force_login(WithdrawalRequest.objects.get().by.__class__.objects.get(email="officer@example.org"))
    assert "1 withdrawal request" in client.get("/account/").content.decode()
    row = WithdrawalRequest.objects.get()
    assert act(client, "withdrawalrequest", "decline", [row], "The arbiter says that it was played.") == [
        "A mail is on its way to gau@example.org.", f"1 declined: {row}.",
    ]  # fmt: skip
    assert "withdrawal request" not in client.get("/account/").content.decode()
    assert mail.outbox[1].subject == "Withdrawal declined: Mopane Open"
    client.force_login(administrator)
    for page in (address, f"/events/{event.pk}/"):
        assert "The arbiter says that it was played." in client.get(page).content.decode()
    client.logout()
    assert "It rained." not in client.get(f"/events/{event.pk}/").content.decode()


@pytest.mark.rule("chessa 57.3")
def test_the_officer_grants_and_brings_back_in_the_admin(client, administrator):
    event = registered(ahead(-1), ahead(-1))
    asked = ask_withdrawal(event, at=timezone.now(), by=administrator, reason="It rained.")
    client.force_login(officer())
    assert act(client, "withdrawalrequest", "grant", [asked], "Not played.")[-1] == f"1 granted: {asked}."
    assert state(event) == "withdrawn"
    assert "give the reason" in act(client, "event", "bring_back", [event])[0]
    assert (
        act(client, "event", "bring_back", [event], "It was played after all.")[-1] == f"1 registered again: {event}."
    )
    assert state(event) == "registered"
    assert "was withdrawn, and is registered again" in mail.outbox[-1].body
    assert "It was played after all." in mail.outbox[-1].body


@pytest.mark.rule("chessa 57.3")
def test_an_event_that_has_begun_is_not_put_off_to_be_withdrawn(browser_of):
    send(browser_of, starts=10)
    event = Event.objects.get()
    Event.objects.update(starts=ahead(0), ends=ahead(1))
    event.sections.update(starts=ahead(0), ends=ahead(1))
    fields = {"version": event.version, "section-0-section": event.sections.get().pk, "do": "save", "ends": ahead(30)}
    before = saved()
    answer = browser_of.post(f"/events/{event.pk}/edit/", entry(**{**fields, "starts": ahead(30)}))
    assert answer.status_code == 422
    assert "its days are no longer put off" in answer.content.decode()
    assert saved() == before


@pytest.mark.rule("chessa 57.3")
@pytest.mark.parametrize(("starts", "put_off"), [(0, True), (-1, True), (1, False)])
def test_the_last_day_of_an_event_that_has_begun_is_not_put_off_either(starts, put_off):
    """By it the region would put off the day from which keeping it back can be reported."""
    before = RegistrationData(starts=ahead(starts), ends=ahead(starts + 1))
    after = replace(before, ends=ahead(starts + 300))
    assert is_put_off_after_start(before, after, today=timezone.localdate()) is put_off
    assert not is_put_off_after_start(before, replace(before, ends=ahead(starts)), today=timezone.localdate())


def test_tomorrows_event_may_still_be_put_off(browser_of):
    send(browser_of, starts=10)
    event = Event.objects.get()
    Event.objects.update(starts=ahead(1), ends=ahead(1))
    event.sections.update(starts=ahead(1), ends=ahead(1))
    fields = {"version": event.version, "section-0-section": event.sections.get().pk, "do": "save"}
    assert browser_of.post(f"/events/{event.pk}/edit/", entry(30, **fields)).status_code == 302
    assert Event.objects.get().starts == timezone.localdate() + timedelta(days=30)


def led(days: int, **fields: object) -> Event:
    """An event whose Chief Organiser and Chief Arbiter have accounts, with a Deputy who is not told."""
    event = register_event(details(ahead(days), ahead(days), **fields), at=CLOCK)
    Arbiter.objects.create(
        name="Thandi Nkosi", title="FA", number="199000009", user=User.objects.create_user("thandi@example.org")
    )
    for position, name in ((1, "grace"), (2, "deputy")):
        arbiter = Arbiter.objects.create(name=name, title="IA", user=User.objects.create_user(f"{name}@example.org"))
        event.appointments.create(arbiter=arbiter, position=position)
    return event


@pytest.mark.rule("chessa 57.3")
def test_who_leads_a_withdrawn_event_and_the_officers_are_told(browser_of):
    officer()
    event = led(1)
    address = f"/events/{event.pk}/withdraw/"
    assert browser_of.post(address, {"reason": ""}).status_code == 422
    assert mail.outbox == []
    assert browser_of.post(address, {"reason": "No hall."}).status_code == 302
    assert [sent.to for sent in mail.outbox] == [["grace@example.org"], ["officer@example.org"], ["thandi@example.org"]]
    for sent in mail.outbox:
        assert sent.subject == "Withdrawn: Mopane Open"
        assert "No hall." in sent.body
        assert f"/events/{event.pk}/kept-back/" in sent.body


@pytest.mark.rule("chessa 57.3")
def test_who_leads_it_is_told_of_a_withdrawal_that_an_officer_grants(client, administrator):
    event = led(-1)
    asked = ask_withdrawal(event, at=timezone.now(), by=administrator, reason="It rained.")
    client.force_login(officer())
    act(client, "withdrawalrequest", "grant", [asked], "Not played.")
    assert [(sent.to, sent.subject) for sent in mail.outbox] == [
        (["grace@example.org"], "Withdrawn: Mopane Open"),
        (["thandi@example.org"], "Withdrawn: Mopane Open"),
        (["gau@example.org"], "Withdrawal granted: Mopane Open"),
    ]


def test_without_accounts_the_officers_alone_are_told(browser_of):
    officer()
    event = registered(ahead(1), ahead(1))
    browser_of.post(f"/events/{event.pk}/withdraw/", {"reason": "No hall."})
    assert [sent.to for sent in mail.outbox] == [["officer@example.org"]]
