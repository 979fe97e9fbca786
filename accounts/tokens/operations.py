"""Makes and withdraws tokens, and finds the one that a program sent. The clock and the acting user are passed in."""

import hashlib
import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import Token, User
from accounts.trail.operations import record

PREFIX = "chessa_"  # by which programs that look for leaked secrets know one
MOST = 20  # of a user at a time
LONGEST = timedelta(days=366)
_BYTES = 32
_USE_NOTED = timedelta(minutes=1)  # the last use is not written more often


class TokenError(Exception):
    """The reason why a token is not made or withdrawn, to show to the user."""


def make_token(
    user: User, *, name: str, scopes: Collection[Token.Scope], last_day: date, at: datetime, today: date
) -> tuple[Token, str]:
    """Make a token; return it with its secret, which is not kept.

    Raises TokenError without a scope, for a last day that has passed or is more than LONGEST ahead, for a name that another
    of the user's tokens bears, at MOST tokens, and for a disabled account.
    """
    if not scopes:
        raise TokenError(gettext("Choose at least one thing that the token may do."))
    if not today <= last_day <= today + LONGEST:
        raise TokenError(
            gettext("The last day is today or later, at most %(days)s days ahead.") % {"days": LONGEST.days}
        )
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if not user.is_active:
            raise TokenError(gettext("The account is disabled."))
        live = Token.objects.filter(user=user, withdrawn_at=None)
        if live.filter(name=name).exists():
            raise TokenError(
                gettext("You have a token “%(name)s” already: give this one another name.") % {"name": name}
            )
        if live.filter(last_day__gte=today).count() >= MOST:
            raise TokenError(
                gettext("You have %(most)s tokens: withdraw one that you do not need any more.") % {"most": MOST}
            )
        token = Token.objects.create(
            user=user,
            name=name,
            digest=_digest(secret),
            scopes=" ".join(scope.value for scope in Token.Scope if scope in scopes),
            created_at=at,
            last_day=last_day,
        )
        after = {"may": token.scopes, "last day": last_day.isoformat()}
        record("token made", token, at=at, by=user, part_of=user, after=after)
    return token, secret


def withdraw_token(token: Token, *, at: datetime, by: User | None) -> None:
    """Withdraw a token at once. Raises TokenError if it is withdrawn already."""
    with transaction.atomic():
        present = Token.objects.select_for_update(of=("self",)).select_related("user").get(pk=token.pk)
        if present.withdrawn_at is not None:
            raise TokenError(gettext("The token “%(name)s” is withdrawn already.") % {"name": present.name})
        present.withdrawn_at = at
        present.save(update_fields=["withdrawn_at"])
        record("token withdrawn", present, at=at, by=by, part_of=present.user, before={"may": present.scopes})


def withdraw_tokens_of(user: User, *, at: datetime, by: User | None) -> None:
    """Withdraw all tokens of a user; one that he withdraws himself at this moment is passed over."""
    for token in Token.objects.filter(user=user, withdrawn_at=None):
        with suppress(TokenError):
            withdraw_token(token, at=at, by=by)


def token_of(secret: str, *, today: date) -> Token | None:
    """Return the token with a secret; None if it is unknown, withdrawn or past its last day, or its user's account is disabled.

    One query.
    """
    valid = Q(withdrawn_at=None, last_day__gte=today, user__is_active=True)
    return Token.objects.select_related("user").filter(valid, digest=_digest(secret)).first()


def note_use(token: Token, *, at: datetime) -> None:
    """Keep when a token was last used, to the minute."""
    if token.last_used_at is None or token.last_used_at <= at - _USE_NOTED:
        Token.objects.filter(pk=token.pk).update(last_used_at=at)


def _digest(secret: str) -> str:
    """Return the hash of a secret. It has too many bits to be guessed, so that a slow hash as for passwords is not needed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
