"""Notifies of refusals those who could not be reached, or were no party, when they were made (article 11)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from events.access import administrators_of, organisers_of
from events.appeals.operations import set_notified, too_late
from events.mails import send_refusal
from events.models import Refusal
from events.rules.constants import events_edition


def to_notify(*, at: datetime) -> Iterable[Refusal]:
    """Return the standing refusals without an appeal of which somebody may still be notified.

    They are those of which nobody, or not the region, was notified, and those whose days to appeal run.
    """
    days = events_edition(timezone.localdate(at))["appeal_days"]
    unknown = Q(notified_at=None) | Q(region_notified=False)
    standing = Refusal.objects.filter(lifted_at=None, appeal=None)
    return standing.filter(unknown | Q(notified_at__gt=at - timedelta(days=days + 1))).order_by("at", "pk")


def notify(refusal: Refusal, *, at: datetime) -> bool:
    """Mail a refusal, once each, to the administrator and the Chief Organiser whom it has by now; return whether it was done.

    The first notice to the region begins the days to appeal anew, for all. Otherwise they run on, and once they are over nobody
    is mailed.
    """
    with transaction.atomic():
        rows = Refusal.objects.select_for_update(of=("self",)).select_related("event__region", "section")
        current = rows.filter(pk=refusal.pk, lifted_at=None, appeal=None).first()
        if current is None:
            return False
        region, organisers = administrators_of(current.event.region), organisers_of(current.event)
        users = {user.pk: user for user in (*region, *organisers)}
        mailed = set(current.notified_users.values_list("pk", flat=True))
        fresh = [user for user in users.values() if user.pk not in mailed]
        begins = current.notified_at is None or (bool(region) and not current.region_notified)
        if not fresh or (not begins and too_late(current, at=at)):
            return False
        if begins:
            current.region_notified = bool(region)
            set_notified(current, at, at=at, by=None, reason="By mail, to those who can be reached by now.")
        current.notified_users.add(*fresh)
        send_refusal(current, [user.email for user in (users.values() if begins else fresh)])
    return True
