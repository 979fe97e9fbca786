"""Writes on arbiters' accounts and former appointments. One transaction each; the clock and the actor are passed in."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.operations import AccountError, let_into_admin, open_account
from accounts.trail.operations import record
from config.lib.database import save_recorded
from config.lib.texts import plain_text
from events.models import Appointment, Arbiter, Event, PastAppointment
from events.rules.states import ACCEPTED_OR_LATER, EventError, State
from players.pseudonyms import is_pseudonym

_LINKED_MEANWHILE = "Another has linked an account meanwhile: this is how it stands now."


def link_arbiter(
    arbiter: Arbiter, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> User:
    """Link an arbiter to the account of an e-mail address, replacing an earlier link, and return the account.

    An address without an account gets one, with the names given and no password: the invitation's link sets it. Raises
    AccountError if the account is disabled, or linked to an arbiter already, and if the arbiter has another one than when
    `arbiter` was read.
    """
    with transaction.atomic():
        given, arbiter = arbiter.user_id, Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        if arbiter.user_id != given:
            raise AccountError(_LINKED_MEANWHILE)
        if is_pseudonym(arbiter.name):
            raise AccountError("His data was erased at his wish: no account is his.")
        user = open_account(email, first_name=first_name, last_name=last_name)
        other = user.arbiters.first()
        if other is not None:
            raise AccountError(f"{user.email} is the account of {other.name} already.")
        let_into_admin(user)
        before = arbiter.user
        arbiter.user = user
        save_recorded(arbiter, at=at, by=by)
        record(
            "account linked",
            arbiter,
            at=at,
            by=by,
            part_of=user,
            before={"account": before.email if before else ""},
            after={"account": user.email},
        )
        return user


def unlink_arbiter(arbiter: Arbiter, *, at: datetime, by: User) -> User:
    """Unlink an arbiter from the account, which continues to exist, and return it. Raises AccountError if there is none, or
    another one than when `arbiter` was read."""
    with transaction.atomic():
        given, arbiter = arbiter.user_id, Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        user = arbiter.user
        if user is None:
            raise AccountError(f"{arbiter.name} has no account.")
        if user.pk != given:
            raise AccountError(_LINKED_MEANWHILE)
        arbiter.user = None
        save_recorded(arbiter, at=at, by=by)
        record(
            "account unlinked",
            arbiter,
            at=at,
            by=by,
            part_of=user,
            before={"account": user.email},
            after={"account": ""},
        )
        return user


Terms = tuple[int, int, int | None, int | None]  # arbiter, position, first and last round


def terms_of(rows: Iterable[Appointment]) -> dict[Terms, Appointment]:
    """Return appointments by arbiter, position and rounds."""
    return {(row.arbiter_id, row.position, row.first_round, row.last_round): row for row in rows}


def asks_reason(event: Event, *, at: datetime) -> bool:
    """Return whether a change of an event's arbiters needs a reason: from its first day on (article 6)."""
    return event.state != State.DRAFT and timezone.localdate(at) >= event.starts


def require_arbiter(event: Event, left: int) -> None:
    """Raise EventError if a change would leave an event that is accepted without the arbiters that it has (article 6)."""
    if not left and event.state in ACCEPTED_OR_LATER and event.appointments.exists():
        raise EventError(f"The event is {event.state}, and this is its only arbiter: appoint the replacement first.")


def end_appointments(
    event: Event,
    before: Iterable[Appointment],
    after: Iterable[Appointment],
    *,
    at: datetime,
    by: User | None,
    reason: str,
) -> None:
    """Keep the appointments that a change of an event's arbiters ends, and note on the others since when they stand.

    `after`: the rows to be written, of which `since` is set here. What changes in a draft is not kept. To be called within
    the transaction of the change. Raises EventError if an appointment ends, or one is added, from the first day on without a
    reason.
    """
    reason = plain_text(reason)
    old, new = terms_of(before), terms_of(after)
    for terms, row in new.items():
        row.since = old[terms].since if terms in old else at
    if old.keys() == new.keys() or event.state == State.DRAFT:
        return
    during = asks_reason(event, at=at)
    if during and not reason:
        raise EventError(
            gettext(
                "The event has begun: say why its arbiters change. Who was appointed stays on record, and is still checked."
            )
        )
    PastAppointment.objects.bulk_create(
        PastAppointment(
            event=event,
            arbiter_id=row.arbiter_id,
            position=row.position,
            first_round=row.first_round,
            last_round=row.last_round,
            since=row.since,
            until=at,
            by=by,
            reason=reason,
            during=during,
        )
        for terms, row in old.items()
        if terms not in new
    )
