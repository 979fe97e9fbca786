"""The life of an event: which moves there are, and what the trail keeps."""

import pytest

from events.operations import move_event, register_event
from events.rules.states import HOLDERS, MoveError, State, check_move
from tests.builders import CLOCK, details, everything, officer

ALLOWED = {
    ("draft", "registered"): False,
    ("draft", "late"): True,
    ("late", "late"): True,
    ("late", "registered"): True,
    ("late", "refused"): True,
    ("late", "withdrawn"): True,
    ("registered", "withdrawn"): True,
    ("withdrawn", "registered"): True,
    ("registered", "submitted"): False,
    ("returned", "submitted"): False,
    ("submitted", "registered"): True,
    ("submitted", "returned"): True,
    ("submitted", "accepted"): False,
    ("submitted", "refused"): True,
    ("refused", "registered"): True,
    ("refused", "submitted"): True,
    ("refused", "late"): True,
    ("accepted", "returned"): True,
    ("accepted", "calculated"): False,
    ("calculated", "accepted"): False,
    ("calculated", "returned"): True,
    ("calculated", "published"): False,
}


@pytest.mark.parametrize("source", State)
@pytest.mark.parametrize("target", State)
def test_every_pair_of_states(source, target):
    if (source, target) in ALLOWED:
        check_move(source, target, "a reason")
    else:
        with pytest.raises(
            MoveError, match=f"an event that is {source} cannot become {target}; (it can become|that is)"
        ):
            check_move(source, target, "a reason")


@pytest.mark.rule("chessa 11", "chessa 13")
@pytest.mark.parametrize(("move", "asks"), ALLOWED.items())
def test_some_moves_ask_for_a_reason(move, asks):
    source, target = State(move[0]), State(move[1])
    if asks:
        for blank in ("", "  \n", "\u200b\u2060"):
            with pytest.raises(MoveError, match="give the reason"):
                check_move(source, target, blank)
    else:
        check_move(source, target, "")


def test_every_state_has_somebody_who_holds_the_event():
    assert set(HOLDERS) == set(State)


def test_what_comes_next_is_named_and_what_is_over_has_nothing_next():
    with pytest.raises(MoveError, match="it can become registered, returned, accepted, refused"):
        check_move(State.SUBMITTED, State.PUBLISHED, "")
    with pytest.raises(MoveError, match="cannot become returned; that is its last state"):
        check_move(State.PUBLISHED, State.RETURNED, "why")


@pytest.mark.django_db
def test_a_move_is_on_the_trail_with_actor_time_and_reason():
    by = officer()
    event = register_event(details(), at=CLOCK, by=by)
    move_event(event, State.SUBMITTED, at=CLOCK, by=by)
    move_event(event, State.REFUSED, at=CLOCK, by=by, reason="played without clocks")
    last = event.moves.last()
    assert (last.source, last.target, last.at, last.actor, last.reason) == (
        "submitted", "refused", CLOCK, by, "played without clocks",
    )  # fmt: skip
    event.refresh_from_db()
    assert event.state == "refused"


@pytest.mark.django_db
def test_a_refused_move_changes_nothing():
    event = register_event(details(), at=CLOCK)
    before = everything()
    with pytest.raises(MoveError):
        move_event(event, State.PUBLISHED, at=CLOCK)
    assert everything() == before
    assert event.state == "registered"


@pytest.mark.django_db
def test_the_present_state_counts_not_the_one_that_was_read():
    event = register_event(details(), at=CLOCK)
    read_before = type(event).objects.get(pk=event.pk)
    move_event(event, State.SUBMITTED, at=CLOCK)
    with pytest.raises(MoveError, match="that is submitted cannot become submitted"):
        move_event(read_before, State.SUBMITTED, at=CLOCK)
