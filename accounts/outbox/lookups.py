"""Mails of which a worker looks up whether and what is sent, so that the request's time does not tell it."""

from collections.abc import Callable

from accounts.models import Mail
from accounts.outbox.content import Content

Lookup = Callable[[Mail], Content | None]

LOOKUPS: dict[str, Lookup] = {}


def look_up(name: str) -> Callable[[Lookup], Lookup]:
    """Register a function that returns what a mail says, or None if none is due. It runs in a transaction.

    It takes the mail, of which it may read `to`, `facts` and `created_at`. Its module is imported when the app is ready.
    """

    def register(function: Lookup) -> Lookup:
        LOOKUPS[name] = function
        return function

    return register
