"""The one way to send a mail: into the outbox, in the transaction of what it tells.

A decision that is rolled back sends nothing, and one that is committed never loses its mail. Nothing here talks to a mail
server.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Model
from django.utils import timezone

from accounts.outbox.content import render
from accounts.outbox.operations import add_lookup, add_mail
from accounts.outbox.tasks import wake_sender


def send(
    template: str,
    context: Mapping[str, Any],
    to: Iterable[str],
    *,
    about: Model | None = None,
    links: Mapping[str, str] | None = None,
    valid: timedelta | None = None,
) -> list[str]:
    """Put a mail of two templates into the outbox, one for each address, and return the addresses.

    `about`: the row that it tells of. `links`: name in the template → address with a secret, which is forgotten once it is
    sent, or after `valid`, and which no page ever shows.
    """
    content = render(template, context, links=links, valid=valid)
    addresses = list(dict.fromkeys(to))
    now = timezone.now()
    for address in addresses:
        add_mail(content, address, at=now, about=about)
    if addresses:
        wake_sender()
    return addresses


def send_if_found(lookup: str, to: str, facts: Mapping[str, Any]) -> None:
    """Put a mail into the outbox of which the worker looks up whether and what is sent (`lookups.look_up`)."""
    add_lookup(lookup, to, facts, at=timezone.now())
    wake_sender()
