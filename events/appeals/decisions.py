"""Answers a request or an appeal, once and with a reason. Call these functions within a transaction."""

from datetime import datetime
from typing import TypeVar

from accounts.models import User
from accounts.trail.operations import record
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.models import Appeal, Event, KeptBackReport, NotRegisteredReport, PermissionRequest, WithdrawalRequest
from events.operations import EventError

AnswerableRow = TypeVar(
    "AnswerableRow", Appeal, PermissionRequest, WithdrawalRequest, KeptBackReport, NotRegisteredReport
)


def lock_unanswered(row: AnswerableRow) -> AnswerableRow:
    """Return the current row, locked. Raises EventError if it is answered already."""
    current = type(row).objects.select_for_update(of=("self",)).get(pk=row.pk)
    if current.answered_at is not None:
        raise EventError(f"it is {current.state} already")
    return current


def record_answer(row: AnswerableRow, state: str, *, at: datetime, by: User | None, answer: str) -> None:
    """Save the answer and the new state. Raises EventError without a reason."""
    answer = plain_text(answer)
    if not answer:
        raise EventError(f"give the reason why it is {state}")
    row.state, row.answer, row.answered_at, row.answered_by = state, answer, at, by
    save_recorded(row, at=at, by=by)
    event = _event(row)
    record(state, row, at=at, by=by, part_of=event, after={str(row._meta.verbose_name): state}, reason=row.answer)


def _event(row: AnswerableRow) -> Event | None:
    if isinstance(row, NotRegisteredReport):
        return None
    if isinstance(row, Appeal):
        return row.refusal.event
    return row.section.event if isinstance(row, PermissionRequest) else row.event
