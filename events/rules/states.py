"""The states of an event, and the table of moves between them. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from config.lib.texts import plain_text


class State(StrEnum):
    """The state of an event."""

    DRAFT = "draft"
    LATE = "late"
    REGISTERED = "registered"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    CALCULATED = "calculated"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


# Results are sent in, by file or from abroad.
AWAITING_RESULTS = (State.REGISTERED, State.RETURNED)
# An event that its region may have withdrawn (article 57.3).
WITHDRAWABLE = (State.LATE, State.REGISTERED)
# Nothing is sent in for it any more.
DECIDED = (State.PUBLISHED, State.REFUSED, State.WITHDRAWN)
# The sections have a rating period, and the results are public.
ACCEPTED_OR_LATER = (State.ACCEPTED, State.CALCULATED, State.PUBLISHED)
# Results are sent in, and their rating changes are not published yet.
WITH_OUTLOOK = (State.SUBMITTED, State.ACCEPTED, State.CALCULATED)

HOLDERS: dict[State, str] = {
    State.DRAFT: "the organiser",
    State.LATE: "the ratings officer, for permission",
    State.REGISTERED: "the organiser",
    State.SUBMITTED: "the ratings officer",
    State.RETURNED: "the Regional Administrator",
    State.ACCEPTED: "the ratings bureau, for the run of the month",
    State.REFUSED: "the Regional Administrator",
    State.CALCULATED: "the ratings officer, for publication",
    State.PUBLISHED: "no one: it is rated",
    State.WITHDRAWN: "no one: it is withdrawn",
}


@dataclass(frozen=True, slots=True)
class Move:
    """A move from one state to another; `reason`: the actor must give one."""

    source: State
    target: State
    reason: bool = False


MOVES: tuple[Move, ...] = (
    Move(State.DRAFT, State.REGISTERED),
    Move(State.DRAFT, State.LATE, reason=True),
    Move(State.LATE, State.LATE, reason=True),  # corrected by the region before an officer decides
    Move(State.LATE, State.REGISTERED, reason=True),
    Move(State.LATE, State.REFUSED, reason=True),
    Move(State.LATE, State.WITHDRAWN, reason=True),
    Move(State.REGISTERED, State.WITHDRAWN, reason=True),
    Move(State.WITHDRAWN, State.REGISTERED, reason=True),
    Move(State.REGISTERED, State.SUBMITTED),
    Move(State.RETURNED, State.SUBMITTED),
    Move(State.SUBMITTED, State.REGISTERED, reason=True),  # recalled by the region before an officer opened it
    Move(State.SUBMITTED, State.RETURNED, reason=True),
    Move(State.SUBMITTED, State.ACCEPTED),
    Move(State.SUBMITTED, State.REFUSED, reason=True),
    Move(State.REFUSED, State.REGISTERED, reason=True),
    Move(State.REFUSED, State.LATE, reason=True),
    Move(State.REFUSED, State.SUBMITTED, reason=True),
    Move(State.ACCEPTED, State.RETURNED, reason=True),
    Move(State.ACCEPTED, State.CALCULATED),
    Move(State.CALCULATED, State.ACCEPTED),
    Move(State.CALCULATED, State.RETURNED, reason=True),
    Move(State.CALCULATED, State.PUBLISHED),
)


class EventError(Exception):
    """Something cannot be done with an event. The text says why and what to do instead; nothing was changed."""


class UnansweredError(EventError):
    """Penalties without an answer are applied for a reason only (articles 51, 52), and it is missing."""


class MoveError(EventError):
    """A move is not in the table, or its reason is missing."""


def check_move(source: State, target: State, reason: str) -> None:
    """Raise MoveError if a move is not in the table, or needs a reason and has none."""
    move = next((move for move in MOVES if (move.source, move.target) == (source, target)), None)
    if move is None:
        following = ", ".join(other.target.value for other in MOVES if other.source is source)
        ahead = f"it can become {following}" if following else "that is its last state"
        raise MoveError(f"an event that is {source.value} cannot become {target.value}; {ahead}")
    if move.reason and not plain_text(reason):
        raise MoveError(f"give the reason why the event is {target.value}")
