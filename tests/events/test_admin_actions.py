"""The officers' actions on events and penalties."""

from datetime import date

import pytest
from django.core import mail

from accounts.models import User
from events.models import Event, Penalty
from events.operations import accept_event, open_holds, register_event
from events.penalties.operations import decide_penalties
from events.periods import get_or_create_period
from events.review.operations import waive_hold
from players.models import RegionalAdministrator
from tests.builders import (
    CLOCK,
    calculate,
    details,
    event_of,
    everything,
    officer,
    open_file,
    people,
    publish,
    region,
    submitted,
)


@pytest.fixture
def officer_client(db, client):
    client.force_login(officer())
    return client


def act(officer_client, page, action, rows, reason=""):
    """Choose rows and an action; what the page says then."""
    chosen = {"action": action, "_selected_action": [row.pk for row in rows], "reason": reason}
    answer = officer_client.post(f"/admin/{page}/", chosen, follow=True)
    return [str(message) for message in answer.context["messages"]]


def state(event):
    event.refresh_from_db()
    return event.state


@pytest.mark.rule("chessa 12")
def test_one_reason_does_not_waive_the_holds_of_many_events(officer_client):
    held, clean = submitted(open_file(dated=False)), event_of([(*people(2), "1-0")], accept=False)
    told = act(officer_client, "events/event", "accept", [held, clean], "the arbiter telephoned")
    assert any("waive each with its own reason on its review page (article 12)" in message for message in told)
    assert f"1 accepted: {clean}." in told
    assert (state(held), state(clean)) == ("submitted", "accepted")
    assert clean.moves.last().actor.email == "officer@example.org"


@pytest.mark.rule("chessa 11", "chessa 13")
@pytest.mark.parametrize(("action", "target"), [("send_back", "returned"), ("refuse", "refused")])
def test_events_are_sent_back_and_refused_with_a_reason_only(officer_client, action, target):
    event = submitted()
    (said,) = act(officer_client, "events/event", action, [event])
    assert f"give the reason why the event is {target}" in said
    assert said.count(str(event)) == 1
    assert state(event) == "submitted"
    assert act(officer_client, "events/event", action, [event], "not our results")[-1] == f"1 {target}: {event}."
    assert (state(event), event.moves.last().reason) == (target, "not our results")


def test_who_waived_a_hold_is_said_also_when_nobody_was_logged_in(officer_client):
    held = submitted(open_file(dated=False))
    accept_event(held, at=CLOCK, reason="accepted on the command line (article 12)")
    submission = held.sections.get().submissions.get()
    assert (
        "on the command line</p>"
        in officer_client.get(f"/admin/events/submission/{submission.pk}/change/").content.decode()
    )
    assert "command line or clock" in officer_client.get(f"/admin/events/event/{held.pk}/change/").content.decode()


def test_a_list_of_penalties_says_what_each_is_for(officer_client, penalty):
    page = officer_client.get("/admin/events/penalty/").content.decode()
    assert "20, forfeit in round 2" in page


def test_each_row_is_done_or_answered(officer_client):
    players = people(2)
    good, done = event_of([(*players, "1-0")], accept=False), event_of([(*players, "0-1")])
    said = act(officer_client, "events/event", "accept", [good, done])
    assert f"1 accepted: {good}." in said
    assert any("that is accepted cannot become accepted" in message for message in said)
    assert (state(good), state(done)) == ("accepted", "accepted")


@pytest.fixture
def penalty(db):
    players = people(2)
    section = event_of([(*players, "1-0")]).sections.get()
    return Penalty.objects.create(section=section, player=players[0], round=2, kind="forfeit", points=20)


@pytest.mark.rule("chessa 51")
def test_penalties_are_confirmed_and_dropped(officer_client, penalty):
    assert act(officer_client, "events/penalty", "confirm", [penalty]) == [f"1 confirmed: {penalty}."]
    assert "give the reason" in act(officer_client, "events/penalty", "drop", [penalty])[0]
    assert act(officer_client, "events/penalty", "drop", [penalty], "hospital") == [f"1 dropped: {penalty}."]
    penalty.refresh_from_db()
    assert (penalty.status, penalty.reason) == ("dropped", "hospital")


@pytest.mark.rule("chessa 64")
def test_what_is_published_stays(officer_client, penalty):
    decide_penalties([penalty], Penalty.Status.DROPPED, at=CLOCK, reason="he rang")
    publish()
    assert "is part of the published list of 2024-03" in act(officer_client, "events/penalty", "confirm", [penalty])[0]
    event = Event.objects.get()
    section = event.sections.get()
    before = everything()
    assert "cannot become returned" in act(officer_client, "events/event", "send_back", [event], "wrong")[0] or (
        "published" in act(officer_client, "events/event", "send_back", [event], "wrong")[0]
    )
    for address in (f"event/{event.pk}", f"section/{section.pk}", f"penalty/{penalty.pk}"):
        assert officer_client.post(f"/admin/events/{address}/delete/", {"post": "yes"}).status_code == 403
    officer_client.post(f"/admin/events/section/{section.pk}/change/", {"base_minutes": 5, "event": event.pk})
    assert everything() == before


@pytest.mark.parametrize(("state", "left"), [("draft", 0), ("registered", 1), ("late", 1), ("withdrawn", 1)])
def test_only_a_draft_is_deleted(officer_client, state, left):
    event = register_event(details(), at=CLOCK)
    Event.objects.update(state=state)
    given = {"post": "yes", "reason_for_change": "begun by mistake"}
    officer_client.post(f"/admin/events/event/{event.pk}/delete/", given)
    assert Event.objects.count() == left


def test_an_old_version_is_not_put_back_past_the_table_of_states(officer_client):
    event = event_of([(*people(2), "1-0")])
    publish()
    event.refresh_from_db()
    oldest = event.history.earliest()
    before = everything()
    address = f"/admin/events/event/{event.pk}/history/{oldest.pk}/"
    answer = officer_client.post(address, {"name": "Old", "kind": "otb", "region": event.region_id, "starts": "2024-03-03",
                                 "ends": "2024-03-03", "federation": "RSA"})  # fmt: skip
    assert answer.status_code == 403
    assert everything() == before


@pytest.mark.rule("chessa 63")
def test_a_calculated_event_can_still_be_returned(officer_client):
    event = event_of([(*people(2), "1-0")], date(2024, 3, 9))
    calculate()
    said = act(officer_client, "events/event", "send_back", [event], "wrong")
    assert said == ["Nobody administers the region: no mail was sent.", f"1 returned: {event}."]
    assert state(event) == "returned"
    assert mail.outbox == []


def test_a_region_is_told_by_mail_why_its_event_was_returned(officer_client):
    by = User.objects.create_user("gau@example.org")
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
    event = event_of([(*people(2), "1-0")], date(2024, 3, 9))
    act(officer_client, "events/event", "send_back", [event], "Round 3 is wrong.")
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["gau@example.org"], "Returned: Club night")
    assert "Round 3 is wrong." in sent.body
    assert f"/events/{event.pk}/results/" in sent.body


@pytest.mark.rule("chessa 51")
def test_a_reason_for_holds_does_not_apply_penalties_without_an_answer(officer_client):
    user = User.objects.create_user("gau@example.org")
    RegionalAdministrator.objects.create(user=user, region=region(), since=date(2023, 1, 1))
    event = submitted(open_file(dated=False))
    section = event.sections.get()
    player = section.entries.first().player
    for number in (2, 3):
        Penalty.objects.create(section=section, player=player, round=number, kind="forfeit", points=20)
    named = f"{player}, 20 points, forfeit in round 2; {player}, 20 points, forfeit in round 3"
    waive_hold(event, open_holds(event).get().pk, at=CLOCK, by=None, reason="the arbiter telephoned")
    (said,) = act(officer_client, "events/event", "accept", [event], "the arbiter telephoned")
    assert f"has 2 penalties without an answer ({named})" in said
    assert state(event) == "submitted"
    month = f"/admin/events/ratingperiod/{get_or_create_period(section.ends.replace(day=1)).pk}/change/"
    page = " ".join(officer_client.get(month).content.decode().split())
    assert "Proposed penalties in submitted events <small>articles 51, 52</small>: 2" in page
    assert "2 penalties without a decision in submitted events" in officer_client.get("/account/").content.decode()
    query = {"status__exact": "proposed", "section__event__state__exact": "submitted"}
    assert officer_client.get("/admin/events/penalty/", query).context["cl"].result_count == 2
    why = {"reason": "the arbiter telephoned", "penalty_reason": "the region is silent"}
    chosen = {"action": "accept", "_selected_action": [event.pk], **why}
    answer = officer_client.post("/admin/events/event/", chosen, follow=True)
    applied = f"2 penalties without an answer are applied (articles 51, 52): {named}."
    assert f"{event}: {applied}" in [str(message) for message in answer.context["messages"]]
    (sent,) = mail.outbox
    assert applied in sent.body
    assert {row.reason.rpartition(". ")[2] for row in Penalty.objects.all()} == {"the region is silent"}


def test_the_region_is_told_by_mail_that_its_event_is_accepted(officer_client):
    user = User.objects.create_user("gau@example.org")
    RegionalAdministrator.objects.create(user=user, region=region(), since=date(2023, 1, 1))
    event = event_of([(*people(2), "1-0")], accept=False)
    assert act(officer_client, "events/event", "accept", [event]) == [f"1 accepted: {event}."]
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["gau@example.org"], f"Accepted: {event}")
    assert f"/events/{event.pk}/" in sent.body
