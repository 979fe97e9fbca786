"""Reads how long personal data is kept, and the addresses of an account, former ones among them."""

from accounts.models import Decision, Retention, User
from accounts.trail.operations import key_of

_ADDRESS = "e-mail address"  # as the trail calls it, in small letters


def retention() -> Retention:
    """Return the rules in force. One query."""
    return Retention.objects.get()


def addresses_of(user: User) -> set[str]:
    """Return the address of an account, and those that it had by the trail and no other account has. Two queries."""
    about = Decision.objects.filter(subject=key_of(user)).values_list("before", "after")
    told = {text for sides in about for side in sides for label, text in side.items() if label.lower() == _ADDRESS}
    others = User.objects.exclude(pk=user.pk).filter(email__in=told).values_list("email", flat=True)
    return ({user.email} | told) - set(others) - {""}
