"""Who has a row open on its review page. A claim keeps nobody from deciding; it is only shown."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Model, Q

from accounts.models import User
from accounts.trail.operations import key_of
from events.models import ReviewClaim

KEPT = timedelta(minutes=30)  # after the page was last seen


def _fresh(at: datetime) -> Q:
    """Return the condition of claims that hold; one of far ahead was made by a clock that was set right since."""
    return Q(seen__gt=at - KEPT, seen__lte=at + KEPT)


def claim_of(row: Model, *, at: datetime) -> ReviewClaim | None:
    """Return who has a row open, None if it is nobody. One query."""
    claims = ReviewClaim.objects.filter(_fresh(at), subject=key_of(row))
    return claims.select_related("by").first()


def claim(row: Model, *, at: datetime, by: User) -> ReviewClaim:
    """Note that a user has a row open, unless another has it already. Return the claim that holds."""
    with transaction.atomic():
        ReviewClaim.objects.filter(~_fresh(at), subject=key_of(row)).delete()
        found, created = ReviewClaim.objects.get_or_create(
            subject=key_of(row), defaults={"by": by, "since": at, "seen": at}
        )
        if not created and found.by_id == by.pk:
            ReviewClaim.objects.filter(pk=found.pk).update(seen=at)  # it may be given up meanwhile, at another page
    return found


def release(row: Model, *, by: User | None = None) -> None:
    """Give up the claim on a row: of this user, or with None, since it is decided, of whoever has it."""
    claims = ReviewClaim.objects.filter(subject=key_of(row))
    (claims if by is None else claims.filter(by=by)).delete()
