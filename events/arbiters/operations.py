"""Writes on arbiters' accounts. One transaction each; the clock and the actor are passed in."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.operations import AccountError, let_into_admin, open_account
from accounts.trail.operations import record
from config.lib.database import save_recorded
from events.models import Arbiter


def link_arbiter(
    arbiter: Arbiter, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> User:
    """Link an arbiter to the account of an e-mail address, replacing an earlier link, and return the account.

    An address without an account gets one, with the names given and no password: the invitation's link sets it. Raises
    AccountError if the account is disabled, or linked to an arbiter already.
    """
    with transaction.atomic():
        arbiter = Arbiter.objects.select_for_update().get(pk=arbiter.pk)
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
    """Unlink an arbiter from the account, which continues to exist, and return it. Raises AccountError if there is none."""
    with transaction.atomic():
        arbiter = Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        user = arbiter.user
        if user is None:
            raise AccountError(f"{arbiter.name} has no account.")
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
