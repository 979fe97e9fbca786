"""Takes name and address from an account that is closed. The clock is passed in."""

from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import User
from accounts.tokens.operations import withdraw_tokens_of

ERASED_HOST = "erased.invalid"  # no mail is ever delivered there (RFC 2606)


def close_for_good(user: User, *, at: datetime, by: User | None = None) -> User:
    """Close an account, if it is open, and take name, address, password and last log-in from it; return it, locked.

    The row stays: what its user decided is on the trail.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        withdraw_tokens_of(user, at=at, by=by)
        user.email = f"account-{user.pk}@{ERASED_HOST}"
        user.first_name = user.last_name = ""
        user.password = make_password(None)
        user.is_active = user.is_staff = user.week_mail = user.event_mail = False
        user.last_login, user.erased_at = None, at
        user.save()
        return user
