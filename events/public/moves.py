"""The moves of an event as its timeline shows them."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext, gettext_noop

from accounts.trail.operations import NO_USER, SUPERUSER
from config.lib.row_lists import RowList, moment
from events.models import EventMove, Refusal
from events.rules.states import State
from events.timeline import MoveFacts

# As what somebody moves an event, marked for translation.
_ROLES = (
    gettext_noop("by the arbiter"), gettext_noop("by the user"), gettext_noop("by the appeals panel"),
    gettext_noop("by the player or team manager"),
)  # fmt: skip


def event_moves(event: int) -> list[MoveFacts]:
    """Return the moves of an event in order, each with the role of its actor. One query."""
    return [
        _facts(move.source, move.target, move.at, move.role, move.taken_back, move.recalled)
        for move in _moves().filter(event=event)
    ]


def moves_of() -> RowList:
    """Return the moves of the events of a query as a column of it, for `moves_from`."""
    rows = _moves().filter(event=OuterRef("pk"))
    return RowList(
        rows, source="source", target="target", at="at", role="role", taken_back="taken_back", recalled="recalled"
    )


def moves_from(column: list[dict[str, str]]) -> list[MoveFacts]:
    """Return the moves of an event from the column `moves_of`."""
    return [
        _facts(
            row["source"], row["target"], moment(row["at"]), row["role"], bool(row["taken_back"]), bool(row["recalled"])
        )
        for row in column
    ]


def _moves() -> QuerySet[Any]:
    taken_back = Refusal.objects.filter(event=OuterRef("event"), section=None, lifted_at=OuterRef("at")).exclude(
        taken_back_reason=""
    )
    moves = EventMove.objects.exclude(target=State.DRAFT.value).annotate(taken_back=Exists(taken_back))
    return moves.order_by("at", "pk")


def _facts(source: str, target: str, at: datetime, role: str, taken_back: bool, recalled: bool) -> MoveFacts:
    label = gettext("Recalled") if recalled else ""
    if source == State.REFUSED.value:
        label = gettext("Refusal taken back") if taken_back else gettext("Appeal upheld")
    return MoveFacts(State(target), at, role_in_words(target, role), label=label)


def role_in_words(target: str, role: str) -> str:
    """Return by whom an event was moved to a state, as pages say it: roles only, no names; "" where it is not known."""
    if target in (State.CALCULATED, State.PUBLISHED):
        return gettext("by the ratings bureau")
    if role in ("", NO_USER):
        return ""
    return gettext("by the ratings officer" if role == SUPERUSER else f"by the {role}")
