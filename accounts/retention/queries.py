"""Reads how long personal data is kept, and the names and addresses of an account, former ones among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class FormerAccount:
    """What an account, by its key `id`, was by the trail. `history_id`: the key of the decision that made it so, 0 of
    what it was at first; `history_date`: when."""

    id: int
    history_id: int
    history_date: datetime
    first_name: str
    last_name: str
    email: str
    history_change_reason: str = ""


def former_accounts() -> Iterator[FormerAccount]:
    """Yield what each account was after each change, and before the first, in this order. Two queries."""
    changes: dict[str, list[Decision]] = {}
    begins = f"{User._meta.label_lower} "
    for decision in Decision.objects.filter(subject__startswith=begins, action="changed").order_by("pk"):
        changes.setdefault(decision.subject, []).append(decision)
    for user in User.objects.filter(pk__in=[subject.removeprefix(begins) for subject in changes]).order_by("pk"):
        values = {"first name": user.first_name, "last name": user.last_name, "e-mail address": user.email}
        former: list[FormerAccount] = []
        for decision in reversed(changes[key_of(user)]):
            former.append(FormerAccount(user.pk, decision.pk, decision.at, *values.values()))
            values |= {label.lower(): text for label, text in decision.before.items() if label.lower() in values}
        former.append(FormerAccount(user.pk, 0, user.date_joined, *values.values()))
        yield from reversed(former)


def names_of_account(user: User) -> set[tuple[str, str]]:
    """Return the first and last names that an account has and had by the trail, each with each. Two queries."""
    first = _told(user, "first name") | {user.first_name}
    last = _told(user, "last name") | {user.last_name}
    return set(product(first, last))


def _told(user: User, called: str) -> set[str]:
    """Return what the trail says that a field of an account was. `called`: as the trail calls it, in small letters."""
    about = Decision.objects.filter(subject=key_of(user)).values_list("before", "after")
    return {text for sides in about for side in sides for label, text in side.items() if label.lower() == called}
