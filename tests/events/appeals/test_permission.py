"""Permission for a section below the smallest size: asked in time, answered with a reason, read by the check of the file."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Decision, User
from events.appeals.queries import recourse
from events.appeals.size_requests import (
    SizeRequest,
    answer_permission,
    ask_permission,
    permissions_for,
    why_not_permitted,
)
from events.models import Appointment, Arbiter, Event, PermissionRequest, Refusal, SubmissionFinding
from events.operations import EventError, accept_event, move_event, register_event, return_event
from events.rules.section_file import Permission, check_section
from events.rules.states import State
from events.submission.validation import validate_file
from tests.builders import (
    CLOCK,
    details,
    everything,
    lines,
    officer,
    player,
    refused_by,
    region,
    round_robin,
    section_file,
    submitted,
    trf,
)
from tests.events.appeals.cases import SECOND, act, local, section, two_sections
from tests.events.rules.test_rules import CLEAN, games

pytestmark = pytest.mark.django_db
FOUR = SizeRequest(players=4, rounds=5, reason="Two withdrew on the morning.")
SMALL = trf(lines(4), [*round_robin(4), *round_robin(4, "0=1")[:2]], starts=date(2024, 3, 2), ends=date(2024, 3, 3))


@pytest.mark.rule("chessa 18")
def test_it_is_asked_until_the_last_second_of_the_day_after_the_event():
    event = two_sections(date(2024, 3, 3), at=CLOCK)
    before = everything()
    with pytest.raises(EventError, match=r"The last day to ask was 4 Mar 2024 \(article 18\)\. .*articles 12, 17\.6"):
        ask_permission(section(event), FOUR, at=local(2024, 3, 5), by=None)
    assert everything() == before
    asked = ask_permission(section(event), FOUR, at=local(2024, 3, 5) - SECOND, by=None)
    assert (asked.state, asked.players, asked.rounds, asked.reason) == ("asked", 4, 5, FOUR.reason)


@pytest.mark.rule("chessa 18")
def test_it_is_asked_from_the_registration_on():
    today = timezone.localdate()
    event = register_event(details(today + timedelta(days=20), today + timedelta(days=20)), at=timezone.now())
    event.state = State.DRAFT.value
    event.save()
    two = two_sections(today + timedelta(days=20), state=State.REGISTERED)
    one = section(two)
    assert ask_permission(one, FOUR, at=timezone.now(), by=None).state == "asked"
    one.event = event
    one.save()
    with pytest.raises(EventError, match="not registered yet"):
        ask_permission(one, FOUR, at=timezone.now(), by=None)


@pytest.mark.rule("chessa 18")
def test_it_is_asked_while_a_late_registration_waits_and_in_time_by_the_day_of_asking():
    """The officer answers both after the last day to ask."""
    event = two_sections(date(2024, 3, 3), state=State.REGISTERED)
    Event.objects.update(state=State.LATE)
    asked = ask_permission(section(event), FOUR, at=local(2024, 3, 5) - SECOND, by=None)
    with pytest.raises(EventError, match="The last day to ask was 4 Mar 2024"):
        ask_permission(section(event, "A"), FOUR, at=local(2024, 3, 5), by=None)
    move_event(event, State.REGISTERED, at=CLOCK, by=officer(), reason="The region's line was down.")
    answer_permission(asked, granted=True, at=CLOCK, by=None, answer="Seen.")
    (permission,) = permissions_for(section(event))
    assert (permission.granted, permission.players, permission.rounds) == (True, 4, 5)


@pytest.mark.parametrize("state", [State.ACCEPTED, State.REFUSED, State.WITHDRAWN, State.PUBLISHED])
def test_what_is_decided_is_not_asked_about(state):
    event = two_sections()
    event.state = state.value
    event.save()
    with pytest.raises(EventError, match=f"It is {state.value}"):
        ask_permission(section(event), FOUR, at=timezone.now(), by=None)


def test_it_is_asked_once_at_a_time_also_by_the_database():
    event, now = two_sections(), timezone.now()
    asked = ask_permission(section(event), FOUR, at=now, by=None)
    ask_permission(section(event, "A"), FOUR, at=now, by=None)
    with pytest.raises(EventError, match="was asked already"):
        ask_permission(section(event), FOUR, at=now, by=None)
    row = {"section": section(event), "at": now, "players": 4, "rounds": 5, "reason": "x"}
    with refused_by("permission_asked_once_at_a_time"):
        PermissionRequest.objects.create(**row)
    with refused_by("permission_answered_with_a_reason"):
        PermissionRequest.objects.filter(pk=asked.pk).update(state="granted")
    with refused_by("permission_size_positive"):
        PermissionRequest.objects.filter(pk=asked.pk).update(players=0)
    answer_permission(asked, granted=False, at=now, by=None, answer="Merge them.")
    assert ask_permission(section(event), FOUR, at=now, by=None).state == "asked"


@pytest.mark.parametrize(("players", "rounds", "needed"), [(6, 5, False), (5, 5, True), (6, 4, True)])
def test_who_is_large_enough_needs_none(players, rounds, needed):
    one, asked = section(two_sections()), SizeRequest(players, rounds, "why")
    if needed:
        assert ask_permission(one, asked, at=timezone.now(), by=None)
    else:
        with pytest.raises(EventError, match="A Swiss section of 6 players and 5 rounds needs no permission"):
            ask_permission(one, asked, at=timezone.now(), by=None)


def size(*permissions, players=4, rounds=5):
    entrants = CLEAN.tournament.entrants[:players]
    pairs = [(number, number % players + 1) for number in range(1, players + 1)]
    dates = (date(2024, 3, 2),) * rounds
    tournament = replace(
        CLEAN.tournament, entrants=entrants, rounds=rounds, round_dates=dates, pairings=games(rounds, *pairs)
    )
    facts = replace(CLEAN, tournament=tournament, permissions=permissions)
    return [(one.severity.value, one.code, one.article) for one in check_section(facts, today=CLOCK.date())]


GRANTED = Permission(True, 4, 4, date(2024, 3, 4))
FEW_PLAYERS, FEW_ROUNDS = "too-few-players", "too-few-rounds"


@pytest.mark.rule("chessa 17", "chessa 18")
@pytest.mark.parametrize(
    ("permission", "players", "rounds", "expected"),
    [
        (None, 4, 4, [("hold", FEW_PLAYERS, "17"), ("hold", FEW_ROUNDS, "17")]),
        (GRANTED, 4, 4, [("note", FEW_PLAYERS, "18"), ("note", FEW_ROUNDS, "18")]),
        (GRANTED, 3, 4, [("hold", FEW_PLAYERS, "17"), ("note", FEW_ROUNDS, "18")]),
        (GRANTED, 4, 3, [("note", FEW_PLAYERS, "18"), ("hold", FEW_ROUNDS, "17")]),
        (replace(GRANTED, granted=False), 4, 5, [("hold", FEW_PLAYERS, "17")]),
        (GRANTED, 6, 5, []),
    ],
)
def test_a_granted_size_is_no_longer_a_hold_and_a_smaller_one_is(permission, players, rounds, expected):
    assert size(*filter(None, [permission]), players=players, rounds=rounds) == expected


@pytest.mark.rule("chessa 17", "chessa 18")
@pytest.mark.parametrize(
    ("players", "rounds", "held"), [(4, 5, []), (5, 4, []), (4, 4, [FEW_PLAYERS]), (3, 5, [FEW_PLAYERS])]
)
def test_a_later_permission_takes_away_no_earlier_one(players, rounds, held):
    """First for 4 players and 5 rounds, then for 5 players and 4 rounds: each covers a size, and not both together."""
    later, earlier = replace(GRANTED, players=5, rounds=4), replace(GRANTED, players=4, rounds=5)
    found = size(later, earlier, players=players, rounds=rounds)
    assert [code for severity, code, _ in found if severity == "hold"] == held


@pytest.mark.rule("chessa 17")
def test_of_an_event_abroad_it_is_said_that_the_officer_decides():
    event = two_sections(CLOCK.date(), state=State.REGISTERED)
    event.kind = "abroad"
    assert "the ratings officer decides (article 17.6)" in why_not_permitted(event, at=CLOCK)


@pytest.mark.rule("chessa 17", "chessa 18")
@pytest.mark.parametrize(("granted", "severity"), [(True, "note"), (False, "hold")])
def test_the_file_that_comes_after_the_answer_says_it(granted, severity):
    event = submitted(SMALL, at=CLOCK)
    section_ = event.sections.get()
    return_event(event, at=CLOCK, reason="names")
    asked = ask_permission(section_, FOUR, at=local(2024, 3, 4, 20), by=None)
    assert permissions_for(section_) == ()
    answer_permission(asked, granted=granted, at=local(2024, 3, 6), by=None, answer="Seen.")
    section_.refresh_from_db()
    found = validate_file(replace(section_file(SMALL), section=section_), today=CLOCK.date()).findings
    (few,) = [one for one in found if one.code == FEW_PLAYERS]
    assert few.severity.value == severity
    assert "6 Mar 2024" in few.message


@pytest.mark.rule("chessa 12", "chessa 18")
@pytest.mark.parametrize(("players", "waived"), [(4, True), (5, False)])
def test_a_file_that_came_before_is_waived_when_the_size_is_covered(players, waived):
    by = officer()
    event = submitted(SMALL, at=local(2024, 3, 3, 20))
    asked = ask_permission(event.sections.get(), replace(FOUR, players=players), at=local(2024, 3, 4, 20), by=None)
    answer_permission(asked, granted=True, at=CLOCK, by=by, answer="A withdrawal on the day.")
    hold = SubmissionFinding.objects.get(code=FEW_PLAYERS)
    assert (hold.waived_reason, hold.waived_by) == (
        ("Permission granted: A withdrawal on the day.", by) if waived else ("", None)
    )
    on_trail = Decision.objects.filter(action="waived", actor=by, reason="Permission granted: A withdrawal on the day.")
    assert on_trail.count() == waived
    if waived:
        accept_event(event, at=CLOCK)
        assert event.state == "accepted"
    else:
        with pytest.raises(EventError, match="findings on hold"):
            accept_event(event, at=CLOCK)


@pytest.mark.rule("chessa 18")
def test_who_is_on_the_list_and_played_no_game_does_not_cover_the_size():
    """Six are entered and four played: permission for five leaves the hold."""
    event = submitted(trf(lines(6), round_robin(4)), at=local(2024, 3, 3, 20))
    assert event.sections.get().entries.count() == 6
    request = replace(FOUR, players=5)
    asked = ask_permission(event.sections.get(), request, at=local(2024, 3, 4, 20), by=None)
    answer_permission(asked, granted=True, at=CLOCK, by=officer(), answer="A withdrawal on the day.")
    assert SubmissionFinding.objects.get(code=FEW_PLAYERS).waived_at is None


@pytest.mark.rule("chessa 18")
@pytest.mark.parametrize(("rounds", "waived"), [(3, True), (4, False)])
def test_rounds_count_that_had_a_game(rounds, waived):
    """Three rounds were played of those in the file."""
    event = submitted(trf(lines(6), round_robin(6)[:3]), at=local(2024, 3, 3, 20))
    request = replace(FOUR, players=6, rounds=rounds)
    asked = ask_permission(event.sections.get(), request, at=local(2024, 3, 4, 20), by=None)
    answer_permission(asked, granted=True, at=CLOCK, by=officer(), answer="Rain.")
    assert (SubmissionFinding.objects.get(code="too-few-rounds").waived_at is not None) == waived


def test_an_answer_is_given_once_and_with_a_reason():
    now = timezone.now()
    asked = ask_permission(section(two_sections()), FOUR, at=now, by=None)
    before = everything()
    with pytest.raises(EventError, match="give the reason why it is granted"):
        answer_permission(asked, granted=True, at=now, by=None, answer="  ")
    assert everything() == before
    by = officer()
    answer_permission(asked, granted=True, at=now, by=by, answer="Seen.")
    with pytest.raises(EventError, match="it is granted already"):
        answer_permission(asked, granted=False, at=now, by=None, answer="No.")
    assert [(one.state, one.history_user) for one in asked.history.all()] == [("granted", by), ("asked", None)]


def test_a_file_of_another_section_knows_no_permission():
    event = two_sections()
    asked = ask_permission(section(event), FOUR, at=timezone.now(), by=None)
    answer_permission(asked, granted=True, at=timezone.now(), by=None, answer="Seen.")
    assert permissions_for(section(event, "A")) == ()
    assert permissions_for(section(event))[0].granted


# The pages


def ask(client, event, **fields):
    given = {"section": section(event).pk, "players": 4, "rounds": 5, "reason": FOUR.reason, **fields}
    return client.post(f"/events/{event.pk}/permission/", given)


@pytest.mark.rule("chessa 18")
def test_the_administrator_asks_and_the_officer_answers_by_mail(browser_of, administrator, client):
    event = two_sections()
    page = browser_of.get(f"/events/{event.pk}/permission/").content.decode()
    assert "Last day to ask" in page
    assert "B, Swiss: 6 players and 5 rounds" in page
    assert ask(browser_of, event)["Location"] == f"/events/{event.pk}/permission/"
    page = browser_of.get(f"/events/{event.pk}/permission/").content.decode()
    assert "with the ratings officer" in page
    client.force_login(officer())
    row = PermissionRequest.objects.get()
    assert "give the reason" in act(client, "permissionrequest", "grant", [row])[0]
    assert act(client, "permissionrequest", "grant", [row], "A withdrawal on the day.") == [
        "A mail is on its way to gau@example.org.", f"1 granted: {row}.",
    ]  # fmt: skip
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["gau@example.org"], "Permission granted: Mopane Open, B")
    assert "A withdrawal on the day." in sent.body
    assert f"http://127.0.0.1:8000/events/{event.pk}/permission/" in sent.body
    client.force_login(administrator)
    page = client.get(f"/events/{event.pk}/permission/").content.decode()
    assert "A withdrawal on the day." in page
    assert "granted on" in page


def test_a_section_that_waits_for_its_answer_is_not_offered_again(browser_of):
    event = two_sections()
    page = f"/events/{event.pk}/permission/"
    first, second = event.sections.order_by("position")
    ask(browser_of, event, section=first.pk)
    said = browser_of.get(page).content.decode()
    assert (f'value="{first.pk}"' in said, f'value="{second.pk}"' in said) == (False, True)
    ask(browser_of, event, section=second.pk)
    assert "Permission is asked for every section" in browser_of.get(page).content.decode()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"players": "\u0664"}, "Write a whole number."),
        ({"section": ""}, "Choose the section."),
        ({"section": "99999999999999999999"}, "Select a valid choice"),
        ({"players": ""}, "Write a whole number."),
        ({"players": "four"}, "Write a whole number."),
        ({"players": "0"}, "At least 1."),
        ({"players": "1000"}, "At most 999."),
        ({"rounds": "31"}, "At most 30"),
        ({"rounds": "-1"}, "At least 1."),
        ({"reason": " "}, "Give the reason why the section is so small."),
        ({"reason": "x" * 10_000}, "At most 2000 characters"),
        ({"players": "6"}, "needs no permission"),
    ],
)
def test_bad_input_is_said_and_nothing_is_saved(browser_of, fields, said):
    event = two_sections()
    before = everything()
    response = ask(browser_of, event, **fields)
    assert response.status_code == 422
    page = response.content.decode()
    assert said in page
    assert "Nothing was sent" in page
    assert everything() == before


def test_another_events_section_is_no_choice(browser_of):
    event, other = two_sections(), two_sections(timezone.localdate())
    assert "Select a valid choice" in ask(browser_of, event, section=section(other).pk).content.decode()


@pytest.mark.rule("chessa 18")
def test_late_is_told_at_the_form_with_the_way_that_is_left(browser_of):
    event = two_sections(timezone.localdate() - timedelta(days=2))
    page = browser_of.get(f"/events/{event.pk}/permission/").content.decode()
    assert "the ratings officer may rate it even so (articles 12, 17.6)" in page
    assert "<textarea" not in page
    before = everything()
    assert ask(browser_of, event).status_code == 422
    assert everything() == before


def test_my_events_link_to_it_while_it_can_be_asked(browser_of):
    event = two_sections(timezone.localdate(), state=State.REGISTERED)
    address = f"/events/{event.pk}/permission/"
    for page in ("/events/mine/", f"/events/{event.pk}/"):
        assert address in browser_of.get(page).content.decode()
    event.ends = event.starts = timezone.localdate() - timedelta(days=2)
    event.save()
    for page in ("/events/mine/", f"/events/{event.pk}/"):
        assert address not in browser_of.get(page).content.decode()


def test_another_regions_event_is_not_there(browser_of):
    event = two_sections()
    event.region = region("LCP")
    event.save()
    assert browser_of.get(f"/events/{event.pk}/permission/").status_code == 404
    assert ask(browser_of, event).status_code == 404


def test_nothing_is_permitted_of_an_event_that_was_withdrawn():
    event = two_sections(state=State.REGISTERED)
    at = local(2024, 3, 4)
    asked = ask_permission(section(event), FOUR, at=at, by=None)
    move_event(event, State.WITHDRAWN, at=at, reason="Cancelled.")
    with pytest.raises(EventError, match="withdrawn"):
        answer_permission(asked, granted=True, at=at, by=officer(), answer="Yes.")
    asked.refresh_from_db()
    assert asked.state == "asked"


@pytest.mark.parametrize("granted", [True, False])
def test_a_refused_section_is_not_permitted(granted):
    event = two_sections(state=State.REGISTERED)
    at = local(2024, 3, 4)
    asked = ask_permission(section(event), FOUR, at=at, by=None)
    Refusal.objects.create(event=event, section=section(event), at=at, reason="no clocks")
    if granted:
        with pytest.raises(EventError, match="The section is refused"):
            answer_permission(asked, granted=True, at=at, by=officer(), answer="Yes.")
    else:
        answer_permission(asked, granted=False, at=at, by=officer(), answer="It is refused.")
    asked.refresh_from_db()
    assert asked.state == ("asked" if granted else "declined")


# Who asks: the administrator, the Chief Organiser, the Chief Arbiter


def led(event, *, position: int = 1, **arbiter):
    """An account whose arbiter is appointed to the event, or only on the register with position 0."""
    user = User.objects.create_user("tenza@example.org")
    row = Arbiter.objects.create(name="Grace Tenza", title="IA", user=user, **arbiter)
    if position:
        Appointment.objects.create(event=event, arbiter=row, position=position)
    return user


@pytest.mark.rule("chessa 18")
def test_the_chief_arbiter_asks_and_he_and_the_region_get_the_answer(client, administrator):
    event = two_sections(state=State.REGISTERED)
    client.force_login(led(event))
    address = f"/events/{event.pk}/permission/"
    for page in ("/events/mine/", f"/events/{event.pk}/"):
        assert address in client.get(page).content.decode()
    assert "In the name of" not in client.get(address).content.decode()
    assert ask(client, event, party="administrator").status_code == 422
    assert ask(client, event, party="organiser").status_code == 422
    assert ask(client, event)["Location"] == address
    asked = PermissionRequest.objects.get()
    assert (asked.party, asked.person, asked.by.email) == ("arbiter", "Grace Tenza", "tenza@example.org")
    client.force_login(administrator)
    assert "by the Chief Arbiter, Grace Tenza" in client.get(address).content.decode()
    client.force_login(officer())
    assert "Chief Arbiter" in client.get("/admin/events/permissionrequest/").content.decode()
    act(client, "permissionrequest", "grant", [asked], "A withdrawal on the day.")
    assert [sent.to for sent in mail.outbox[-2:]] == [["gau@example.org"], ["tenza@example.org"]]
    sent = mail.outbox[-1]
    assert "The Chief Arbiter, Grace Tenza, asked the Ratings Bureau" in sent.body


@pytest.mark.rule("chessa 18")
def test_the_chief_organiser_asks(client):
    event, person = two_sections(), player("Nkosi", "Thandi")
    Event.objects.update(organiser_number=person.number)
    client.force_login(led(event, position=0, player=person))
    assert ask(client, event).status_code == 302
    asked = PermissionRequest.objects.get()
    assert (asked.party, asked.person) == ("organiser", "Thandi Nkosi")
    page = client.get("/events/mine/").content.decode()
    assert f"/events/{event.pk}/appeal/" not in page
    assert f"/events/{event.pk}/results/" not in page


@pytest.mark.parametrize(("position", "code"), [(2, 403), (0, 404)])
def test_no_other_arbiter_asks(client, position, code):
    event = two_sections()
    client.force_login(led(event, position=position))
    assert client.get(f"/events/{event.pk}/permission/").status_code == code
    assert ask(client, event).status_code == code
    assert not PermissionRequest.objects.exists()


@pytest.mark.rule("chessa 18")
@pytest.mark.parametrize(("party", "person"), [("administrator", ""), ("organiser", "Thandi Nkosi"), ("arbiter", "")])
def test_the_administrator_asks_in_his_own_name_or_for_them(browser_of, party, person):
    event = two_sections()
    assert "In the name of the" in browser_of.get(f"/events/{event.pk}/permission/").content.decode()
    assert ask(browser_of, event, party=party).status_code == 302
    asked = PermissionRequest.objects.get()
    assert (asked.party, asked.person, asked.by.email) == (party, person, "gau@example.org")


@pytest.mark.rule("chessa 18")
@pytest.mark.parametrize("party", ["administrator", "organiser", "arbiter"])
def test_the_last_second_is_one_for_all(party):
    event = two_sections(date(2024, 3, 3), at=CLOCK)
    with pytest.raises(EventError, match="The last day to ask was 4 Mar 2024"):
        ask_permission(section(event), FOUR, at=local(2024, 3, 5), by=None, party=party)
    assert ask_permission(section(event), FOUR, at=local(2024, 3, 5) - SECOND, by=None, party=party).party == party


@pytest.mark.rule("chessa 18")
def test_the_chief_arbiter_is_told_that_it_is_late(client):
    event = two_sections(timezone.localdate() - timedelta(days=2))
    client.force_login(led(event))
    assert "The last day to ask was" in client.get(f"/events/{event.pk}/permission/").content.decode()
    assert ask(client, event).status_code == 422
    assert not PermissionRequest.objects.exists()


def test_the_database_knows_the_parties():
    asked = ask_permission(section(two_sections()), FOUR, at=timezone.now(), by=None)
    with refused_by("permission_party_known"):
        PermissionRequest.objects.filter(pk=asked.pk).update(party="player")


@pytest.mark.parametrize(
    ("state", "offered"),
    [(State.REGISTERED, True), (State.RETURNED, True), (State.SUBMITTED, False), (State.REFUSED, False)],
)
def test_my_events_offers_it_while_a_section_can_be_permitted(state, offered):
    event = two_sections(state=State.REGISTERED)
    Event.objects.filter(pk=event.pk).update(state=state.value)
    event.refresh_from_db()
    now = timezone.now()
    assert recourse([event], at=now)[event.pk].permission is offered


def test_my_events_offers_it_until_every_section_has_it():
    event, now, by = two_sections(state=State.REGISTERED), timezone.now(), officer()
    for place, chosen in enumerate(event.sections.all(), start=1):
        asked = ask_permission(chosen, FOUR, at=now, by=None)
        assert recourse([event], at=now)[event.pk].permission  # it waits for its answer
        answer_permission(asked, granted=True, at=now, by=by, answer="It may be small.")
        assert recourse([event], at=now)[event.pk].permission is (place == 1)


@pytest.mark.rule("chessa 18")
def test_a_request_is_corrected_while_it_waits_and_keeps_its_day_and_its_trail(browser_of, administrator, client):
    event = two_sections()
    ask(browser_of, event)
    row = PermissionRequest.objects.get()
    page = f"/events/{event.pk}/permission/{row.pk}/"
    assert page in browser_of.get(f"/events/{event.pk}/permission/").content.decode()
    assert FOUR.reason in browser_of.get(page).content.decode()
    before = everything()
    for wrong, said in (
        ({"players": 3, "rounds": 5, "reason": ""}, "Give the reason"),
        ({"players": 60, "rounds": 9, "reason": "Typed."}, "needs no permission"),
    ):
        refused = browser_of.post(page, wrong)
        assert (refused.status_code, said in refused.content.decode()) == (422, True)
        assert f'value="{wrong["players"]}"' in refused.content.decode()
    assert everything() == before
    assert browser_of.post(page, {"players": 3, "rounds": 5, "reason": "Three withdrew."}).status_code == 302
    corrected = PermissionRequest.objects.get()
    assert (corrected.players, corrected.reason, corrected.at, corrected.state) == (
        3,
        "Three withdrew.",
        row.at,
        "asked",
    )
    assert [old.players for old in corrected.history.order_by("history_id")] == [4, 3]
    assert corrected.history.latest().history_user == administrator
    answer_permission(corrected, granted=True, at=timezone.now(), by=officer(), answer="So be it.")
    late = browser_of.post(page, {"players": 2, "rounds": 5, "reason": "Four withdrew."})
    assert (late.status_code, "has answered it meanwhile" in late.content.decode()) == (422, True)
    assert PermissionRequest.objects.get().players == 3


def test_another_regions_request_is_not_corrected(browser_of, client):
    event = two_sections()
    ask(browser_of, event)
    client.force_login(User.objects.create_user("nobody@example.org"))
    page = f"/events/{event.pk}/permission/{PermissionRequest.objects.get().pk}/"
    assert client.post(page, {"players": 3, "rounds": 5, "reason": "Mine."}).status_code == 404


@pytest.mark.rule("chessa 18")
def test_the_chief_arbiter_corrects_his_own_request_and_not_the_administrators(browser_of, administrator, client):
    event = two_sections(state=State.REGISTERED)
    ask(browser_of, event)
    of_region = PermissionRequest.objects.get()
    client.force_login(led(event))
    ask(client, event, section=section(event, "A").pk)
    of_arbiter = PermissionRequest.objects.exclude(pk=of_region.pk).get()
    pages = [f"/events/{event.pk}/permission/{row.pk}/" for row in (of_region, of_arbiter)]
    offered = client.get(f"/events/{event.pk}/permission/").content.decode()
    assert [page in offered for page in pages] == [False, True]
    change = {"players": 3, "rounds": 5, "reason": "Three withdrew."}
    assert client.get(pages[0]).status_code == client.post(pages[0], change).status_code == 403
    assert PermissionRequest.objects.get(pk=of_region.pk).players == of_region.players
    assert client.post(pages[1], change).status_code == 302
    assert browser_of.post(pages[1], change).status_code == 302  # who writes the event asks in anybody's name
