"""Sending in results from abroad: what is written, what waits for the officer, and who may not overwrite whom."""

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from config.lib.database import as_float
from events.abroad.links import VALID, ask_link, link_to_correct
from events.abroad.operations import Channel, submit_abroad
from events.models import AbroadLink, Arbiter, Entry, Event, Fee, Game, Guest, Kind, Membership, Penalty, Submission
from events.operations import (
    EventError,
    LateError,
    StaleError,
    accept_event,
    move_event,
    register_event,
    return_event,
)
from events.rules.game_result import Result
from events.rules.states import State
from ratings.models import Performance
from tests.builders import everything, officer, player, publish, region, with_address
from tests.events.abroad.entries import AT, BYE, DRAW, LOSS, WHOLE, WIN, results

pytestmark = pytest.mark.django_db
JOHANNESBURG = ZoneInfo("Africa/Johannesburg")


def link_for(who, at=AT):
    return ask_link(with_address(who).number, "naledi@example.org", AbroadLink.Sender.MANAGER, at=at)


def send(who, found=WHOLE, *, at=AT, link=None, **given):
    channel = {name: given.pop(name) for name in ("by", "event", "version") if name in given}
    if not channel:
        channel["link"] = link or link_for(who, at)
    return submit_abroad(who, found, at=at, channel=Channel(**channel), **given)


def holds(event):
    latest = Submission.objects.filter(section__event=event).first()
    return [finding.code for finding in latest.findings.all()]


@pytest.mark.rule("chessa 10")
def test_the_event_goes_to_the_officer_whole(naledi):
    link = link_for(naledi)
    event = send(naledi, link=link)
    section = event.sections.get()
    assert (event.kind, event.state, event.region, event.fide_rated) == (Kind.ABROAD, "submitted", region(), True)
    assert (section.base_minutes, section.planned_rounds) == (90, 5)
    entry = section.entries.get()
    assert (entry.player, float(entry.points), entry.rank) == (naledi, 3.5, 12)
    assert list(section.games.order_by("round").values_list("result", "white", "black", "guest__name")) == [
        ("1-0", naledi.pk, None, "Varga, Tomas"),
        ("1/2-1/2", None, naledi.pk, "Duarte, Ilse"),
        ("1-0", None, naledi.pk, "Olsen, Per"),
        ("bye", naledi.pk, None, None),
        ("+--", naledi.pk, None, "Ito, Ken"),
    ]
    link.refresh_from_db()
    assert link.event == event
    assert holds(event) == []


def test_the_trail_says_who_sent_it(naledi):
    moves = list(send(naledi).moves.all())
    assert [(move.target, move.actor) for move in moves] == [("registered", None), ("submitted", None)]
    assert moves[-1].reason == "Sent in by the team manager, by mailed link."
    by = User.objects.create_user("gau@example.org")
    move = send(player("Botha", "Anri", region=region()), by=by).moves.last()
    assert (move.actor, move.reason) == (by, "Sent in by the region for its player.")


def test_what_was_sent_in_is_kept_word_for_word(naledi):
    submission = Submission.objects.get(section__event=send(naledi))
    kept = json.loads(bytes(submission.file.content))
    assert (kept["player"], kept["name"], kept["games"][0]["fide_rating"]) == (naledi.number, WHOLE.name, 2104)
    assert "example.org/swakopmund" in kept["results_url"]
    assert "naledi@" not in bytes(submission.file.content).decode()


@pytest.mark.rule("chessa 10")
def test_the_last_second_is_in_time_and_the_first_late_one_needs_a_reason(naledi):
    ends = replace(WHOLE, starts=date(2024, 3, 29), ends=date(2024, 3, 31))
    late = datetime(2024, 5, 1, tzinfo=JOHANNESBURG)
    before = everything()
    with pytest.raises(LateError, match=r"30 Apr 2024 \(article 10\)"):
        submit_abroad(naledi, ends, at=late, channel=Channel(by=None, link=None))
    assert everything() == before
    assert holds(send(naledi, ends, at=late - timedelta(seconds=1))) == []
    other = player("Botha", "Anri")
    event = send(other, ends, at=late, reason="The organiser was slow.")
    assert holds(event) == ["abroad-late"]
    assert event.moves.last().reason.endswith("The organiser was slow.")


@pytest.mark.rule("chessa 10", "chessa 12.1")
def test_late_results_are_accepted_with_a_reason_only(naledi):
    event = send(naledi, at=datetime(2024, 5, 1, tzinfo=JOHANNESBURG), reason="Lost my phone.")
    with pytest.raises(EventError, match="article 12"):
        accept_event(event, at=AT)
    accept_event(event, at=AT, reason="The results stand in FIDE's database.")
    assert event.state == State.ACCEPTED


def test_results_that_must_be_mended_write_nothing(naledi):
    link = link_for(naledi)
    before = everything()
    for found in (
        results(fide_rated=False),
        results(base=3, increment=1),
        results(games=(BYE,)),
        results(federation="RSA"),
    ):
        with pytest.raises(EventError):
            send(naledi, found, link=link)
    assert everything() == before


def test_a_link_is_good_for_one_event_and_until_it_expires(naledi):
    link = link_for(naledi)
    with pytest.raises(EventError, match="expired"):
        send(naledi, link=link, at=AT + VALID)
    send(naledi, link=link)
    other = results(name="Windhoek Open", starts=date(2024, 3, 8), ends=date(2024, 3, 10))
    with pytest.raises(EventError, match="submitted"):
        send(naledi, other, link=link)
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"name": "SWAKOPMUND  open!", "results_url": "https://example.net"},
        {"name": "Another name", "results_url": "http://www.Example.org/swakopmund/"},
        {"starts": date(2024, 3, 6), "ends": date(2024, 3, 7)},
    ],
)
def test_the_same_results_are_on_record_once(naledi, other):
    send(naledi)
    with pytest.raises(EventError, match="on record already"):
        send(naledi, results(**other))


def test_another_event_of_the_same_days_is_looked_at(naledi):
    send(naledi)
    blitz = results(base=3, increment=2)
    assert holds(send(naledi, blitz)) == ["same-days"]
    other = results(name="Windhoek Open", results_url="https://example.net/w")
    assert holds(send(naledi, other)) == ["same-days", "same-days"]
    later = results(
        name="Later Open", starts=date(2024, 3, 7), ends=date(2024, 3, 9), results_url="https://example.net/l"
    )
    assert holds(send(naledi, later)) == []


def test_what_was_refused_is_sent_in_again_only_under_the_officer_s_eyes(naledi):
    move_event(send(naledi), State.REFUSED, at=AT, reason="It was not FIDE rated.")
    assert holds(send(naledi)) == ["refused-before"]


def test_two_players_of_one_event_each_send_in_their_own_games(naledi):
    anri = player("Botha", "Anri", region=region("LCP"), fide_id=14300002)
    mutual = replace(WIN, opponent="Botha, Anri", fide_id=14300002, fide_rating=1700)
    other = replace(LOSS, round=1, opponent="Mokoena, Naledi", fide_id=14300001, fide_rating=1650)
    first = send(naledi, results(games=(mutual, *WHOLE.games[1:])))
    second = send(anri, results(games=(other, DRAW, LOSS, *WHOLE.games[3:])))
    assert first != second
    assert [event.region.code for event in (first, second)] == ["GAU", "LCP"]
    assert holds(first) == holds(second) == ["opponent-on-register"]


@pytest.mark.rule("chessa 10.1", "chessa 44", "chessa 45")
def test_a_registered_opponent_counts_at_his_fide_rating_adjusted(naledi):
    """And his own rating is not moved by what somebody else sends in."""
    anri = player("Botha", "Anri", fide_id=14300002)
    mutual = replace(WIN, opponent="Botha, Anri", fide_id=14300002, fide_rating=1700)
    event = send(naledi, results(games=(mutual,)))
    assert Guest.objects.get(name="Botha, Anri").player == anri
    accept_event(event, at=AT, reason="One game of a league.")
    run = publish()
    rows = Performance.objects.filter(run=run, list__code="main")
    assert rows.values_list("player", as_float("average_opponent")).get() == (
        naledi.pk,
        pytest.approx(180 + 0.94 * 1700),
    )


@pytest.mark.rule("chessa 46")
def test_byes_and_forfeits_are_kept_and_not_rated(naledi):
    accept_event(send(naledi), at=AT)
    run = publish()
    assert Performance.objects.get(run=run, list__code="main").games == 3
    assert Game.objects.filter(white=naledi, result__in=["bye", "+--"]).count() == 2


@pytest.mark.rule("chessa 51")
def test_a_forfeit_after_round_1_proposes_a_penalty(naledi):
    games = [replace(WIN, result=Result.FORFEIT_BLACK_WINS), DRAW, replace(LOSS, result=Result.FORFEIT_WHITE_WINS)]
    send(naledi, results(games=tuple(games)))
    assert list(Penalty.objects.values_list("round", "status")) == [(3, "proposed")]


def test_returned_results_are_corrected_by_a_fresh_link(naledi):
    link = link_for(naledi)
    event = send(naledi, link=link)
    return_event(event, at=AT, reason="Round 3 was a draw.", ground="incomplete")
    link.refresh_from_db()
    fresh = link_to_correct(link, at=AT + timedelta(days=9))
    corrected = results(games=(WIN, DRAW, replace(LOSS, result=Result.DRAW), *WHOLE.games[3:]), rank=11)
    again = send(naledi, corrected, link=fresh, at=AT + timedelta(days=10))
    assert again == event
    assert again.state == State.SUBMITTED
    entry = Entry.objects.get(section__event=event)
    assert (float(entry.points), entry.rank) == (4.0, 11)
    assert Guest.objects.count() == 4
    assert Submission.objects.filter(section__event=event).count() == 2


@pytest.mark.rule("chessa 10")
def test_what_came_in_time_is_not_late_when_it_is_corrected(naledi):
    event = send(naledi)
    return_event(event, at=AT, reason="Round 3 was a draw.", ground="incomplete")
    fresh = link_to_correct(event.abroad_links.get(), at=datetime(2024, 5, 20, tzinfo=JOHANNESBURG))
    send(naledi, link=fresh, at=datetime(2024, 5, 21, tzinfo=JOHANNESBURG))
    assert holds(event) == []


def test_the_region_s_correction_is_not_overwritten_by_an_older_form(naledi):
    by = User.objects.create_user("gau@example.org")
    event = send(naledi)
    return_event(event, at=AT, reason="Look again.", ground="incomplete")
    send(naledi, results(rank=13), by=by, event=event, version=0)
    return_event(event, at=AT, reason="Once more.", ground="incomplete")
    with pytest.raises(StaleError):
        send(naledi, results(rank=14), by=None, link=None, event=event, version=0)
    assert Entry.objects.get().rank == 13
    send(naledi, results(rank=14), by=by, event=event, version=1)
    assert Entry.objects.get().rank == 14


def test_a_registered_event_abroad_is_filled_and_another_player_s_part_of_it_stays(naledi):
    details = Event(
        name="Zone 4.3",
        region=region(),
        starts=date(2024, 3, 2),
        ends=date(2024, 3, 6),
        kind=Kind.ABROAD,
        federation="NAM",
    )
    by, anri = User.objects.create_user("gau@example.org"), player("Botha", "Anri")
    event = register_event(details, at=AT, by=by)
    assert send(naledi, by=by, event=event) == event
    return_event(event, at=AT, reason="Both players were to be in it.", ground="incomplete")
    send(anri, by=by, event=event, version=1)
    assert set(event.sections.get().entries.values_list("player", flat=True)) == {naledi.pk, anri.pk}
    return_event(event, at=AT, reason="Round 1 of the first was a draw.", ground="incomplete")
    send(naledi, results(games=(replace(WIN, result=Result.DRAW), *WHOLE.games[1:])), by=by, event=event, version=2)
    assert sorted(float(one.points) for one in event.sections.get().entries.all()) == [3.0, 3.5]


def test_a_player_of_no_region_goes_to_the_federation():
    assert send(player("Botha", "Anri")).region.province is None


def test_a_file_s_event_at_home_is_no_place_for_results_from_abroad(naledi):
    home = register_event(Event(name="Home", region=region(), starts=date(2024, 3, 2), ends=date(2024, 3, 6)), at=AT)
    with pytest.raises(EventError, match="no longer changed here"):
        send(naledi, by=None, event=home)


def test_a_second_player_does_not_change_the_first_ones_event(naledi):
    event = send(naledi, at=AT)
    return_event(event, at=AT, reason="Add the other player.", ground="incomplete")
    event.refresh_from_db()
    other = player("Botha", "Anri", region=region())
    by = User.objects.create_user("gau@example.org")
    channel = Channel(by=by, event=event, version=event.version)
    before = everything()
    with pytest.raises(EventError, match="stays as it is: name, federation, time control"):
        submit_abroad(other, replace(WHOLE, name="Other", federation="ENG", base=5), at=AT, channel=channel, reason="x")
    assert everything() == before
    assert submit_abroad(other, WHOLE, at=AT, channel=channel, reason="x") == event
    assert event.sections.get().entries.count() == 2


@pytest.mark.rule("chessa 7", "chessa 8", "chessa 12.3")
@pytest.mark.parametrize(
    ("federation", "expected"),
    [("RSA", ["membership-unpaid", "licence-unpaid", "arbiter-plays"]), ("NAM", ["arbiter-plays"])],
)
def test_the_aocs_arbiters_are_checked_abroad_too(naledi, federation, expected):
    by = User.objects.create_user("officer@example.org", is_officer=True)
    event = register_event(
        Event(name="Swakopmund Open", region=region(), starts=WHOLE.starts, ends=WHOLE.ends, kind=Kind.ABROAD), at=AT
    )
    grace = Arbiter.objects.create(name="Naledi Mokoena", title="IA", player=naledi, federation=federation)
    event.appointments.create(arbiter=grace, position=1)
    sent = send(naledi, by=by, event=event)
    assert holds(sent) == expected


@pytest.mark.rule("chessa 7", "chessa 12.3")
@pytest.mark.parametrize(("paid", "held"), [(date(2024, 3, 1), False), (date(2024, 3, 2), True)])
def test_the_fees_are_asked_for_the_first_day_of_the_results_and_not_of_the_registration(naledi, paid, held):
    """The event was registered from 28 February on, and was played from 2 March on."""
    first = date(2024, 2, 28)
    event = register_event(
        Event(name=WHOLE.name, region=region(), starts=first, ends=WHOLE.ends, kind=Kind.ABROAD), at=AT
    )
    arbiter = Arbiter.objects.create(name="Pule Zulu", title="IA", fide_id=14300055)
    for fee in Fee:
        Membership.objects.create(arbiter=arbiter, year=2024, paid_on=paid, fee=fee)
    event.appointments.create(arbiter=arbiter, position=1)
    sent = send(naledi, by=officer(), event=event)
    assert holds(sent) == (["membership-unpaid", "licence-unpaid"] if held else [])
