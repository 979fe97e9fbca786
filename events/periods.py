"""Opens rating periods without gaps, and finds the period in which a section is rated (articles 4.6, 61)."""

from datetime import date

from config.lib.days import FIRST_DAY, LAST_DAY, next_month
from events.models import RatingPeriod


class PeriodError(Exception):
    """A period cannot be changed as asked. The text says why and what to do; nothing was changed."""


def lock_periods() -> list[RatingPeriod]:
    """Lock all periods, in the order of their months, and return them: until the caller's transaction ends no run or re-rating
    begins or ends. Hazard: players, runs and events are locked after them."""
    return list(RatingPeriod.objects.select_for_update().order_by("month"))


def get_or_create_period(month: date) -> RatingPeriod:
    """Return the period of a month, creating it and all months between it and the periods on record.

    Months before the latest that is published are closed: lists of a former bureau may leave gaps there.

    Raises PeriodError for an implausible month, since a mistyped year would open thousands.
    """
    if not FIRST_DAY <= month <= LAST_DAY:
        raise PeriodError(f"{month:%Y-%m} is no month that can be rated: correct the year")
    months = dict(RatingPeriod.objects.values_list("month", "state"))
    on_record = set(months)
    closed = max((known for known, state in months.items() if state in RatingPeriod.CLOSED), default=None)
    if on_record and month not in on_record and (closed is None or month > closed):
        step = min(month, min(on_record)) if closed is None else next_month(closed)
        while step <= max(month, max(on_record)):
            if step not in on_record:
                RatingPeriod.objects.create(month=step)
            step = next_month(step)
    return RatingPeriod.objects.get_or_create(month=month)[0]


def period_for(ended: date) -> date:
    """Return the month in which a section that ended on a day is rated: its own, or the earliest open one after it."""
    closed = RatingPeriod.objects.filter(state__in=RatingPeriod.CLOSED).order_by("-month").first()
    return month_after(ended, closed.month if closed else None)


def month_after(ended: date, closed: date | None) -> date:
    """Return the month in which a section that ended on a day is rated. `closed`: the latest month that is closed."""
    own = ended.replace(day=1)
    return max(own, next_month(closed)) if closed else own
