"""Rating periods: opened without gaps, and which one a section is rated in (articles 4.6, 61)."""

from datetime import date

from config.lib.days import FIRST_DAY, LAST_DAY, next_month
from events.models import RatingPeriod


class PeriodError(Exception):
    """Something that may not be done with a period. The text says why and what to do instead; nothing changed."""


def open_period(month: date) -> RatingPeriod:
    """The period of a month, made with all those between it and the ones on record, so that no month is left out.

    PeriodError for a month that nobody can mean: a slip of the year would open thousands.
    """
    if not FIRST_DAY <= month <= LAST_DAY:
        raise PeriodError(f"{month:%Y-%m} is no month that can be rated: correct the year")
    months = RatingPeriod.objects.values_list("month", flat=True)
    known = set(months)
    if known and month not in known:
        step = min(month, min(known))
        while step <= max(month, max(known)):
            if step not in known:
                RatingPeriod.objects.create(month=step)
            step = next_month(step)
    return RatingPeriod.objects.get_or_create(month=month)[0]


def period_for(ended: date) -> date:
    """The month in which a section that ended on this day is rated: its own, or the earliest that is still open."""
    own = ended.replace(day=1)
    closed = RatingPeriod.objects.filter(state__in=RatingPeriod.CLOSED).order_by("-month").first()
    return max(own, next_month(closed.month)) if closed else own
