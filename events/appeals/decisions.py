"""Answering what a region has asked: once, with a reason, on the record. Called within a transaction."""

from datetime import datetime
from typing import TypeVar

from accounts.models import User
from events.models import Appeal, PermissionRequest
from events.operations import EventError

Row = TypeVar("Row", Appeal, PermissionRequest)


def locked(row: Row) -> Row:
    """The row as it stands, locked. EventError when it has its answer already."""
    present = type(row).objects.select_for_update(of=("self",)).get(pk=row.pk)
    if present.answered_at is not None:
        raise EventError(f"it is {present.state} already")
    return present


def record_answer(row: Row, state: str, *, at: datetime, by: User | None, answer: str) -> None:
    """Write the answer. EventError without a reason."""
    if not answer.strip():
        raise EventError(f"give the reason why it is {state}")
    row.state, row.answer, row.answered_at, row.answered_by = state, answer.strip(), at, by
    save_checked(row, at=at, by=by)


def save_checked(row: Row, *, at: datetime, by: User | None) -> None:
    """Save a row with its history in the name of who did it, when he did it."""
    row._history_user = by  # type: ignore[attr-defined]
    row._history_date = at  # type: ignore[attr-defined]
    row.save()
