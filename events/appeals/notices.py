"""Notifies of refusals of which nobody could be notified when they were made (article 11)."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from events.access import refusal_emails
from events.appeals.operations import set_notified
from events.mails import send_refusal
from events.models import Refusal


def without_notice() -> Iterable[Refusal]:
    """Return the standing refusals of which nobody was notified."""
    return Refusal.objects.filter(notified_at=None, lifted_at=None).order_by("at", "pk")


def notify(refusal: Refusal, *, at: datetime) -> bool:
    """Mail a refusal to the administrator or Chief Organiser whom it has by now, once; return whether that was done now."""
    with transaction.atomic():
        rows = Refusal.objects.select_for_update(of=("self",)).select_related("event__region", "section")
        current = rows.filter(pk=refusal.pk, notified_at=None, lifted_at=None).first()
        if current is None or not refusal_emails(current.event):
            return False
        set_notified(current, at, at=at, by=None, reason="By mail, to those who can be reached by now.")
        send_refusal(current)
    return True
