"""Adds rows to the trail."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

from accounts.models import Decision, User
from accounts.permissions import Role, roles_of
from config.languages import in_english
from config.lib.names import shown
from config.lib.texts import shortened

SUPERUSER = "superuser"
NO_USER = "command line or clock"
_LONGEST_NAME = 300


def key_of(row: Model) -> str:
    """Return the key of a row on the trail: its model and primary key."""
    return f"{row._meta.label_lower} {row.pk}"


def name_on_trail(row: Model) -> str:
    """Return what the trail calls a row: its `on_trail`, if it has one."""
    return shortened(str(getattr(row, "on_trail", row)), _LONGEST_NAME)


def role_of(user: User | None) -> str:
    """Return in words as what a user acts at present; without a user, the command line or the clock."""
    if user is None:
        return NO_USER
    roles = roles_of(user)
    if Role.OFFICER in roles:
        return "ratings officer"
    if Role.SUPERUSER in roles:
        return SUPERUSER
    if Role.PANEL in roles:
        return "appeals panel"
    if Role.ADMINISTRATOR in roles:
        return "Regional Administrator"
    return "arbiter" if Role.ARBITER in roles else "user"


def name_of(user: User | None) -> str:
    """Return the name and address of a user as they are at present; without a user, the command line or the clock."""
    if user is None:
        return NO_USER
    name = user.get_full_name()
    return f"{name} ({user.email})" if name else user.email


@in_english()
def record(
    action: str,
    subject: Model,
    *,
    at: datetime,
    by: User | None,
    role: str = "",
    part_of: Model | None = None,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
) -> Decision:
    """Add a decision to the trail, in English and in the caller's transaction. `role`: as what `by` acted, if not by his roles.

    `before` and `after`: label → text of what was changed. Characters that cannot be seen have signs (`shown`).
    """
    with transaction.atomic():
        (line,) = _lines(
            action, [(subject, before)], at=at, by=by, role=role, part_of=part_of, after=after, reason=reason
        )
        line.save(force_insert=True)
    return line


@in_english()
def record_all(
    action: str,
    subjects: Iterable[tuple[Model, Mapping[str, object]]],
    *,
    at: datetime,
    by: User | None,
    part_of: Model,
    after: Mapping[str, object],
    reason: str = "",
) -> None:
    """Add one decision on many rows to the trail, a line for each, as `record` does. `subjects`: each with its `before`.

    The lines are written at once; who may be erased is asked for in a query each (`_present`).
    """
    with transaction.atomic():
        lines = _lines(action, subjects, at=at, by=by, role="", part_of=part_of, after=after, reason=reason)
        Decision.objects.bulk_create(lines)


def _lines(
    action: str,
    subjects: Iterable[tuple[Model, Mapping[str, object] | None]],
    *,
    at: datetime,
    by: User | None,
    role: str,
    part_of: Model | None,
    after: Mapping[str, object] | None,
    reason: str,
) -> list[Decision]:
    actor_name = role if by is None and role else name_of(by and _present(by))
    actor_role = role or role_of(by)
    return [
        Decision(
            at=at,
            actor=by,
            actor_name=actor_name,
            actor_role=actor_role,
            action=action,
            subject=key_of(subject),
            subject_name=name_on_trail(_present(subject)),
            part_of=key_of(part_of) if part_of else "",
            before=_texts(before),
            after=_texts(after),
            reason=shown(reason),
        )
        for subject, before in subjects
    ]


def _present(row: Any) -> Any:
    """Return a row that may be erased (`ERASABLE`) as it is now, or as it was given if it is gone. Who erases it meanwhile
    waits until this stands on the trail, where he finds it. PostgreSQL's lock is that of a foreign key: it keeps nobody from
    changing the row."""
    if not getattr(row, "ERASABLE", False):
        return row
    model = row._meta.model
    lock = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    table = connection.ops.quote_name(model._meta.db_table)
    rows = model._base_manager.raw(f"SELECT * FROM {table} WHERE id = %s{lock}", [row.pk])  # noqa: S608
    return next(iter(rows), row)


def _texts(values: Mapping[str, object] | None) -> dict[str, str]:
    return {shown(str(label)): shown(str(text)) for label, text in (values or {}).items()}
