"""Lateness of results from abroad that are sent in again: each player's first submission of that event counts (10)."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from events.abroad.operations import Channel, submit_abroad
from events.models import Entry, Event, Kind, Submission
from events.operations import EventError, LateError, accept_event, register_event, return_event
from events.rules.abroad import is_same_event
from events.rules.states import State
from tests.admin_pages import posted_form
from tests.builders import everything, officer, player, region
from tests.events.abroad.entries import AT, WHOLE, results, sent, text_of

pytestmark = pytest.mark.django_db
LATE = datetime(2024, 5, 1, tzinfo=ZoneInfo("Africa/Johannesburg"))  # the first moment after the last day, 30 April
SECOND = timedelta(seconds=1)


@pytest.fixture
def thabo():
    return player("Nkosi", "Thabo", region=region(), fide_id=14300077)


@pytest.fixture
def returned(naledi, administrator):
    """An event that its region registered, filled for Naledi in time, and that the officer returned."""
    event = register_event(
        Event(
            name=WHOLE.name, region=region(), starts=WHOLE.starts, ends=WHOLE.ends, kind=Kind.ABROAD, federation="NAM"
        ),
        at=AT,
    )
    submit_abroad(naledi, WHOLE, at=AT, channel=Channel(by=administrator, event=event))
    return_again(event)
    return event


def return_again(event):
    return_event(event, at=AT, reason="Round 3 was a draw.", ground="incomplete")
    event.refresh_from_db()


def send(who, event, administrator, found=WHOLE, *, at, reason=""):
    channel = Channel(by=administrator, event=event, version=Event.objects.get(pk=event.pk).version)
    return submit_abroad(who, found, at=at, channel=channel, reason=reason)


def findings(event):
    return [finding.code for finding in Submission.objects.filter(section__event=event).first().findings.all()]


@pytest.mark.rule("chessa 10")
def test_another_player_does_not_come_in_time_with_the_first_one(thabo, returned, administrator):
    before = everything()
    with pytest.raises(LateError, match=r"30 Apr 2024 \(article 10\)"):
        send(thabo, returned, administrator, at=LATE)
    assert everything() == before
    event = send(thabo, returned, administrator, at=LATE, reason="The region forgot him.")
    assert findings(event) == ["abroad-late"]


@pytest.mark.rule("chessa 10")
def test_another_player_is_in_time_until_the_last_second(thabo, returned, administrator):
    assert findings(send(thabo, returned, administrator, at=LATE - SECOND)) == []


@pytest.mark.rule("chessa 10")
def test_each_keeps_the_day_of_his_own_first_submission(naledi, thabo, returned, administrator):
    send(thabo, returned, administrator, at=LATE, reason="The region forgot him.")
    return_again(returned)
    assert findings(send(naledi, returned, administrator, at=LATE + SECOND)) == ["other-player-held"]
    return_again(returned)
    with pytest.raises(LateError):
        send(thabo, returned, administrator, at=LATE + SECOND)


@pytest.mark.rule("chessa 10")
def test_the_late_player_s_hold_stands_until_the_officer_answers_it(naledi, thabo, returned, administrator):
    send(thabo, returned, administrator, at=LATE, reason="The region forgot him.")
    for _ in range(2):
        return_again(returned)
        event = send(naledi, returned, administrator, at=LATE + SECOND)
        held = Submission.objects.filter(section__event=event).first().findings.get()
        assert held.message.startswith("Thabo Nkosi: ")
        with pytest.raises(EventError, match="on hold"):
            accept_event(event, at=LATE)
    accept_event(event, at=LATE, reason="The results stand in FIDE's database.")
    assert event.state == State.ACCEPTED


def test_what_a_clock_ahead_sent_in_is_not_the_other_player_s_latest(naledi, thabo, returned, administrator):
    """His hold of since then was never shown, and his games were rated."""
    send(thabo, returned, administrator, at=LATE - SECOND)
    return_again(returned)
    without_ids = replace(WHOLE, games=tuple(replace(game, fide_id=None) for game in WHOLE.games))
    assert findings(send(thabo, returned, administrator, without_ids, at=AT))
    return_again(returned)
    assert "other-player-held" in findings(send(naledi, returned, administrator, at=AT))


@pytest.mark.rule("chessa 10")
def test_the_page_says_that_the_other_player_is_late(client, thabo, returned):
    address = f"/events/abroad/for/{thabo.number}/?event={returned.pk}"
    assert "Say why they come late" in text_of(client.get(address))
    answer = client.post(address, sent(version=returned.version))
    assert answer.status_code == 422
    assert "Say why they come late" in text_of(answer)
    assert Entry.objects.count() == 1
    assert client.post(address, sent(version=returned.version, reason="Forgotten.")).status_code == 302
    assert Entry.objects.count() == 2
    assert timezone.now() > LATE


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(
    "other",
    [
        {"starts": date(2024, 4, 5), "ends": date(2024, 4, 10)},
        {"starts": date(2024, 3, 7), "ends": date(2024, 3, 9)},
        {"name": "Gaborone Masters", "federation": "BOT"},
        {"name": "Gaborone Masters", "results_url": "https://example.org/gaborone"},
        {"federation": "BOT", "results_url": "https://example.org/gaborone"},
    ],
)
def test_a_returned_event_is_not_overwritten_by_another_one(naledi, returned, administrator, other):
    before = everything()
    with pytest.raises(EventError, match="results of another event"):
        send(naledi, returned, administrator, results(**other), at=LATE, reason="Late.")
    assert everything() == before
    assert not is_same_event(results(**other), WHOLE)


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(
    "corrected",
    [
        {"name": "Swakopmund Masters"},
        {"federation": "BOT"},
        {"results_url": "https://example.net/final"},
        {"name": "SWAKOPMUND open", "results_url": "http://www.example.org/swakopmund/", "federation": "BOT"},
        {"starts": date(2024, 3, 6), "ends": date(2024, 3, 9)},
    ],
)
def test_what_was_wrong_is_corrected_and_stays_in_time(naledi, returned, administrator, corrected):
    assert findings(send(naledi, returned, administrator, replace(WHOLE, **corrected), at=LATE)) == []


@pytest.mark.rule("chessa 10")
def test_what_became_another_event_step_by_step_is_late(naledi, returned, administrator):
    send(naledi, returned, administrator, results(name="Gaborone Masters"), at=LATE)
    return_again(returned)
    step = results(name="Gaborone Masters", results_url="https://example.org/gaborone")
    with pytest.raises(LateError):
        send(naledi, returned, administrator, replace(step, federation="NAM"), at=LATE)


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize(
    "corrected",
    [
        {"name": "Namibian Festival", "results_url": "https://example.org/festival"},
        {"name": "Namibian Festival", "federation": "BOT"},
        {"starts": date(2024, 2, 12), "ends": date(2024, 2, 16)},
    ],
)
def test_what_an_officer_made_of_the_event_is_corrected_in_time(client, naledi, returned, administrator, corrected):
    address = f"/admin/events/event/{returned.pk}/change/"
    days = {name: day.isoformat() for name, day in corrected.items() if isinstance(day, date)}
    fields = {**corrected, **days, **{f"sections__0__{name}": day for name, day in days.items()}}
    client.force_login(officer())
    assert client.post(address, posted_form(client, address, **fields)).status_code == 302
    new = replace(WHOLE, **corrected)
    for _ in range(2):
        assert findings(send(naledi, returned, administrator, new, at=LATE + SECOND)) == []
        return_again(returned)
