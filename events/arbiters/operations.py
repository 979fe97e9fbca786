"""Writing arbiters: their accounts. One transaction each; the clock and the actor are passed in."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.operations import AccountError, let_into_admin, open_account
from config.lib.database import save_recorded
from events.models import Arbiter


def link_arbiter(
    arbiter: Arbiter, email: str, *, first_name: str = "", last_name: str = "", at: datetime, by: User
) -> User:
    """Give an arbiter an account, in which he finds his appointments, activity and membership; the one before goes.

    Who has no account gets one without a password, which he sets by the invitation's link. The names are for a new account.

    Raises AccountError if the account is disabled, or belongs to an arbiter already.
    """
    with transaction.atomic():
        arbiter = Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        user = open_account(email, first_name=first_name, last_name=last_name)
        other = user.arbiters.first()
        if other is not None:
            raise AccountError(f"{user.email} is the account of {other.name} already.")
        let_into_admin(user)
        arbiter.user = user
        save_recorded(arbiter, at=at, by=by)
        return user


def unlink_arbiter(arbiter: Arbiter, *, at: datetime, by: User) -> User:
    """Take an arbiter's account from him; the account stays. Returns it. Raises AccountError if he has none."""
    with transaction.atomic():
        arbiter = Arbiter.objects.select_for_update().get(pk=arbiter.pk)
        user = arbiter.user
        if user is None:
            raise AccountError(f"{arbiter.name} has no account.")
        arbiter.user = None
        save_recorded(arbiter, at=at, by=by)
        return user
