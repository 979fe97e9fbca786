"""Deadlines, and whether they have passed (articles 10, 11, 18, 57.3, 60, 61, 63). Pure.

Days end at midnight South African time, whatever the server's time zone. Functions `..._closes` return the first moment that
is too late, `last_day_...` the last day that is in time.
"""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from events.rules.constants import events_edition

JOHANNESBURG = ZoneInfo("Africa/Johannesburg")


def last_day_to_register(starts: date, *, fide_rated: bool, norm_event: bool) -> date:
    """Return the last day to register the sections of an event (article 60)."""
    days = events_edition(starts)["registration_days"]
    return starts - timedelta(days=days["norm" if norm_event else "fide" if fide_rated else "rated"])


def first_late_moment(starts: date, *, fide_rated: bool, norm_event: bool) -> datetime:
    """Return the first moment that is too late to register the sections of an event (article 60)."""
    return midnight_after(last_day_to_register(starts, fide_rated=fide_rated, norm_event=norm_event))


def registration_article(*, fide_rated: bool, norm_event: bool) -> str:
    """Return which of articles 60.1 and 60.2 sets the last day to register."""
    return "60.2" if fide_rated or norm_event else "60.1"


def last_day_to_submit(ends: date) -> date:
    """Return the last day to submit the file of an event that ended on a day (article 61)."""
    return _last_day_of_month(ends, events_edition(ends)["submission_periods"])


def is_late_to_submit(ends: date, *, today: date) -> bool:
    """Return whether it is too late today for the file of an event that ended on a day (article 61)."""
    return ends < today and today > last_day_to_submit(ends)  # no last day can be computed for the year 9999


def last_day_abroad(ends: date) -> date:
    """Return the last day to submit results from abroad, that of the month after the event's end (article 10)."""
    return _last_day_of_month(ends, events_edition(ends)["abroad_months"])


def abroad_closes(ends: date) -> datetime:
    """Return the first moment that is too late to submit results from abroad (article 10)."""
    return midnight_after(last_day_abroad(ends))


def is_late_abroad(ends: date, *, at: datetime) -> bool:
    """Return whether results from abroad are late at a moment (article 10)."""
    return at >= abroad_closes(ends)


def permission_closes(ends: date) -> datetime:
    """Return the first moment that is too late to ask permission for a section of an event that ends on a day (article 18)."""
    return midnight_after(ends + timedelta(days=events_edition(ends)["permission_days"]))


def withdrawal_closes(starts: date) -> datetime:
    """Return the first moment at which an administrator no longer withdraws an event by himself (article 57.3).

    It is the beginning of the first day of play.
    """
    return midnight_after(starts - timedelta(days=1))


def appeal_closes(notice: datetime | None) -> datetime | None:
    """Return the first moment that is too late to appeal a refusal, from the moment of its notice (article 11).

    None while nobody was notified: the days do not run.
    """
    if notice is None:
        return None
    day = notice.astimezone(JOHANNESBURG).date()
    return midnight_after(day + timedelta(days=events_edition(day)["appeal_days"]))


def report_closes(month: date) -> datetime:
    """Return the first moment that is too late to report an error in what was played in a month, its first day (article 63)."""
    return midnight_after(_last_day_of_month(month, 0))


def is_reported_late(month: date, *, at: datetime) -> bool:
    """Return whether an error in what was played in a month is reported after the end of its rating period (63, 64)."""
    return at >= report_closes(month)


def last_day_before(closes: datetime) -> date:
    """Return the last day that is in time, from the first moment that is too late."""
    return closes.astimezone(JOHANNESBURG).date() - timedelta(days=1)


def midnight_after(day: date) -> datetime:
    """Return the moment at which a day has ended in South Africa."""
    return datetime.combine(day + timedelta(days=1), time(), JOHANNESBURG)


def _last_day_of_month(day: date, months_later: int) -> date:
    months = day.year * 12 + day.month + months_later
    return date(months // 12, months % 12 + 1, 1) - timedelta(days=1)
