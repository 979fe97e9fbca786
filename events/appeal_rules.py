"""Until when permission is asked and a refusal is appealed. Pure."""

from datetime import date, datetime, time, timedelta

from events.registration_rules import JOHANNESBURG
from events.regulations import edition_for


def permission_closes(ends: date) -> datetime:
    """The first moment that is too late to ask permission for a section of an event that ends on a day (article 18)."""
    return _midnight_after(ends + timedelta(days=edition_for(ends)["permission_days"]))


def appeal_closes(notice: datetime) -> datetime:
    """The first moment that is too late to appeal a refusal of which notice was given at a moment (article 11)."""
    day = notice.astimezone(JOHANNESBURG).date()
    return _midnight_after(day + timedelta(days=edition_for(day)["appeal_days"]))


def last_day_before(closes: datetime) -> date:
    """The last day that is in time."""
    return closes.astimezone(JOHANNESBURG).date() - timedelta(days=1)


def _midnight_after(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), JOHANNESBURG)
