"""Reminds a region of an event without results before the last day to submit them (article 61)."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.outbox.queue import send
from config.lib import formatting
from config.lib.site import site_address
from events.access import administrator_emails
from events.models import Event, Kind, Reminder
from events.rules.deadlines import last_day_to_submit
from events.rules.states import AWAITING_RESULTS, State

DAYS_BEFORE = (7, 1)
_AHEAD = timedelta(days=1)  # of a reminder that a clock sent which was ahead, and which is to be sent on its day


def due_reminders(*, today: date) -> Iterable[tuple[Event, int]]:
    """Yield the events with a reminder to be sent today, and its number of days before the last day.

    A reminder that was missed while the software was down is sent later, until the next one is due.
    """
    closing: dict[date, date] = {}
    events = (
        Event.objects.filter(state__in=AWAITING_RESULTS, ends__lt=today)
        .exclude(kind=Kind.ABROAD)
        .select_related("region")
    )
    for event in events.filter(ends__gte=today - timedelta(days=92)).order_by("ends", "pk"):
        closes = closing.setdefault(event.ends, last_day_to_submit(event.ends))
        left = (closes - today).days
        due = [days for days in DAYS_BEFORE if 0 <= left <= days]
        if due:
            yield event, min(due)


def remind(event: Event, days: int, *, at: datetime) -> bool:
    """Mail a reminder to the region's administrators, once; return whether that was done now."""
    addresses = administrator_emails(event.region)
    if not addresses:
        return False
    try:
        with transaction.atomic():
            Reminder.objects.filter(event=event, days=days, at__gt=at + _AHEAD).delete()
            Reminder.objects.create(event=event, days=days, at=at)
            closes = last_day_to_submit(event.ends)
            context = {
                "event": event,
                "closes": formatting.long_day(closes),
                "days": formatting.days(event.starts, event.ends),
                "returned": event.state == State.RETURNED,
                "link": site_address("events:results", event.pk),
            }
            send("events/mail/reminder", context, addresses, about=event)
    except IntegrityError:
        return False
    return True
