from datetime import UTC, date, datetime

import pytest

from events.rules.states import State
from events.timeline import MoveFacts, event_timeline

STARTS, ENDS = date(2024, 5, 17), date(2024, 5, 19)


def move(target: State, day: int, month: int = 5, role: str = "by the ratings officer") -> MoveFacts:
    return MoveFacts(target, datetime(2024, month, day, 10, tzinfo=UTC), role)


REGISTERED = move(State.REGISTERED, 3, role="by the Regional Administrator")
SUBMITTED = move(State.SUBMITTED, 20, role="by the Regional Administrator")


def labels(state, moves, today):
    return [(step.label, step.state) for step in event_timeline(state, STARTS, ENDS, moves, today=today)]


def test_before_it_is_played():
    assert labels(State.REGISTERED, [REGISTERED], date(2024, 5, 16)) == [
        ("Registered", "done"),
        ("To be played", "next"),
        ("Submitted", "next"),
        ("Accepted", "next"),
        ("Rated", "next"),
        ("Published", "next"),
    ]


@pytest.mark.parametrize("day", [17, 19])
def test_while_it_is_played(day):
    assert ("Being played", "now") in labels(State.REGISTERED, [REGISTERED], date(2024, 5, day))


def test_with_the_officer_since_the_submission():
    steps = event_timeline(State.SUBMITTED, STARTS, ENDS, [REGISTERED, SUBMITTED], today=date(2024, 5, 22))
    assert [step.label for step in steps] == [
        "Registered",
        "Played",
        "Submitted",
        "With the ratings officer",
        "Accepted",
        "Rated",
        "Published",
    ]
    now = steps[3]
    assert (now.state, now.day) == ("now", "since 20 May 2024, 2 days")
    assert steps[2].who == "by the Regional Administrator"


@pytest.mark.rule("chessa 61")
def test_who_must_act_has_his_deadline_with_its_article():
    """Article 61: by the end of the period after the one in which the event ended."""
    steps = event_timeline(State.REGISTERED, STARTS, ENDS, [REGISTERED], today=date(2024, 5, 20))
    assert [(step.label, step.day) for step in steps[2:4]] == [
        ("With the organiser", "since 19 May 2024, 1 day"),
        ("Submitted", "by 30 Jun 2024 (article 61)"),
    ]


def test_a_returned_file_is_submitted_again():
    found = labels(State.RETURNED, [REGISTERED, SUBMITTED, move(State.RETURNED, 21)], date(2024, 5, 22))
    assert found[3:6] == [
        ("Returned", "done"),
        ("With the Regional Administrator", "now"),
        ("Submitted again", "next"),
    ]


def test_only_the_last_calculation_is_told():
    moves = [
        REGISTERED,
        SUBMITTED,
        move(State.ACCEPTED, 21),
        move(State.CALCULATED, 1, 6),
        move(State.ACCEPTED, 2, 6),
        move(State.CALCULATED, 3, 6),
        move(State.PUBLISHED, 3, 6),
    ]
    steps = event_timeline(State.PUBLISHED, STARTS, ENDS, moves, today=date(2024, 7, 1))
    assert [(step.label, step.day) for step in steps[3:]] == [
        ("Accepted", "2 Jun 2024"),
        ("Rated", "3 Jun 2024"),
        ("Published", "3 Jun 2024"),
    ]


def test_a_refused_event_has_nothing_ahead():
    found = labels(State.REFUSED, [REGISTERED, SUBMITTED, move(State.REFUSED, 22)], date(2024, 6, 1))
    assert found[-1] == ("Refused", "done")
    early = labels(State.REFUSED, [REGISTERED, move(State.REFUSED, ENDS.day)], ENDS)
    assert early[-1] == ("Refused", "done")


def test_the_day_of_a_move_is_that_of_johannesburg():
    late = MoveFacts(State.SUBMITTED, datetime(2024, 5, 20, 23, 30, tzinfo=UTC), "")
    steps = event_timeline(State.SUBMITTED, STARTS, ENDS, [REGISTERED, late], today=date(2024, 5, 22))
    assert steps[2].day == "21 May 2024"
