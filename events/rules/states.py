"""The life of an event as a table: which moves there are, and what each asks for. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Where an event stands."""

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


HOLDERS: dict[State, str] = {
    State.DRAFT: "the organiser",
    State.LATE: "the ratings officer, for permission",
    State.REGISTERED: "the organiser",
    State.SUBMITTED: "the ratings officer",
    State.RETURNED: "the Regional Administrator",
    State.ACCEPTED: "the ratings bureau, for the run of the month",
    State.REFUSED: "the Regional Administrator",
    State.CALCULATED: "the ratings officer, for publication",
    State.PUBLISHED: "nobody: it is rated",
    State.WITHDRAWN: "nobody: it is withdrawn",
}


@dataclass(frozen=True, slots=True)
class Move:
    """A step from one state to another. `reason` says that the actor must give one."""

    source: State
    target: State
    reason: bool = False


MOVES: tuple[Move, ...] = (
    Move(State.DRAFT, State.REGISTERED),
    Move(State.DRAFT, State.LATE, reason=True),
    Move(State.LATE, State.REGISTERED, reason=True),
    Move(State.LATE, State.REFUSED, reason=True),
    Move(State.LATE, State.WITHDRAWN, reason=True),
    Move(State.REGISTERED, State.WITHDRAWN, reason=True),
    Move(State.REGISTERED, State.SUBMITTED),
    Move(State.RETURNED, State.SUBMITTED),
    Move(State.SUBMITTED, State.RETURNED, reason=True),
    Move(State.SUBMITTED, State.ACCEPTED),
    Move(State.SUBMITTED, State.REFUSED, reason=True),
    Move(State.REFUSED, State.REGISTERED, reason=True),
    Move(State.REFUSED, State.SUBMITTED, reason=True),
    Move(State.ACCEPTED, State.RETURNED, reason=True),
    Move(State.ACCEPTED, State.CALCULATED),
    Move(State.CALCULATED, State.ACCEPTED),
    Move(State.CALCULATED, State.RETURNED, reason=True),
    Move(State.CALCULATED, State.PUBLISHED),
)


class EventError(Exception):
    """Something that cannot be done with an event. The text says why and what to do instead; nothing changed."""


class MoveError(EventError):
    """A move that the table does not have, or one without its reason."""


def check_move(source: State, target: State, reason: str) -> None:
    """MoveError unless the table has the move and its reason is there when one is due."""
    found = next((move for move in MOVES if (move.source, move.target) == (source, target)), None)
    if found is None:
        following = ", ".join(move.target.value for move in MOVES if move.source is source)
        ahead = f"it can become {following}" if following else "that is its last state"
        raise MoveError(f"an event that is {source.value} cannot become {target.value}; {ahead}")
    if found.reason and not reason.strip():
        raise MoveError(f"give the reason why the event is {target.value}")
