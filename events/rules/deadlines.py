"""Until when something is done in time, and whether it is late (articles 10, 11, 18, 60, 61). Pure.

Days end at midnight in South Africa, wherever the server stands. A function `..._closes` gives the first moment that is too
late, `last_day_...` the last day that is in time.
"""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from events.rules.constants import edition_for

JOHANNESBURG = ZoneInfo("Africa/Johannesburg")


def last_day_to_register(starts: date, *, fide_rated: bool, norm_event: bool) -> date:
    """The last day on which the sections of an event are registered in time (article 60)."""
    days = edition_for(starts)["registration_days"]
    return starts - timedelta(days=days["norm" if norm_event else "fide" if fide_rated else "rated"])


def registration_closes(starts: date, *, fide_rated: bool, norm_event: bool) -> datetime:
    """The first moment that is too late to register the sections of an event (article 60)."""
    return midnight_after(last_day_to_register(starts, fide_rated=fide_rated, norm_event=norm_event))


def registration_article(*, fide_rated: bool, norm_event: bool) -> str:
    """Which of articles 60.1 and 60.2 sets the last day."""
    return "60.2" if fide_rated or norm_event else "60.1"


def last_day_to_submit(ends: date) -> date:
    """The last day on which the file of an event that ended on this day is in time (article 61)."""
    return _last_day_of_month(ends, edition_for(ends)["submission_periods"])


def is_late_to_submit(ends: date, *, today: date) -> bool:
    """Whether the file of an event that ended on a day comes too late today (article 61)."""
    return ends < today and today > last_day_to_submit(ends)  # of a day in the year 9999 there is no last day


def last_day_abroad(ends: date) -> date:
    """The last day on which results from abroad are in time: that of the month after the event's end (article 10)."""
    return _last_day_of_month(ends, edition_for(ends)["abroad_months"])


def abroad_closes(ends: date) -> datetime:
    """The first moment that is too late to send in results from abroad (article 10)."""
    return midnight_after(last_day_abroad(ends))


def is_late_abroad(ends: date, *, at: datetime) -> bool:
    """Whether results that are sent in at this moment come too late (article 10)."""
    return at >= abroad_closes(ends)


def permission_closes(ends: date) -> datetime:
    """The first moment that is too late to ask permission for a section of an event that ends on a day (article 18)."""
    return midnight_after(ends + timedelta(days=edition_for(ends)["permission_days"]))


def appeal_closes(notice: datetime) -> datetime:
    """The first moment that is too late to appeal a refusal of which notice was given at a moment (article 11)."""
    day = notice.astimezone(JOHANNESBURG).date()
    return midnight_after(day + timedelta(days=edition_for(day)["appeal_days"]))


def last_day_before(closes: datetime) -> date:
    """The last day that is in time, of the first moment that is too late."""
    return closes.astimezone(JOHANNESBURG).date() - timedelta(days=1)


def midnight_after(day: date) -> datetime:
    """The moment in South Africa at which a day has ended."""
    return datetime.combine(day + timedelta(days=1), time(), JOHANNESBURG)


def _last_day_of_month(day: date, months_later: int) -> date:
    months = day.year * 12 + day.month + months_later
    return date(months // 12, months % 12 + 1, 1) - timedelta(days=1)
