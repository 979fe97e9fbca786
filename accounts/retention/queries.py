"""Reads how long personal data is kept, and the names and addresses of an account, former ones among them."""

from itertools import product

from accounts.models import Decision, Retention, User
from accounts.trail.operations import key_of


def retention() -> Retention:
    """Return the rules in force. One query."""
    return Retention.objects.get()


def addresses_of(user: User) -> set[str]:
    """Return the address of an account, and those that it had by the trail and no other account has. Two queries."""
    told = _told(user, "e-mail address")
    others = User.objects.exclude(pk=user.pk).filter(email__in=told).values_list("email", flat=True)
    return ({user.email} | told) - set(others)


def names_of_account(user: User) -> set[tuple[str, str]]:
    """Return the first and last names that an account has and had by the trail, each with each. Two queries."""
    first = _told(user, "first name") | {user.first_name}
    last = _told(user, "last name") | {user.last_name}
    return set(product(first, last))


def _told(user: User, called: str) -> set[str]:
    """Return what the trail says that a field of an account was. `called`: as the trail calls it, in small letters."""
    about = Decision.objects.filter(subject=key_of(user)).values_list("before", "after")
    return {text for sides in about for side in sides for label, text in side.items() if label.lower() == called}
