"""Rating periods: which are open, which comes next, and the words of the errors."""

from datetime import date

from events.days import FIRST_DAY, LAST_DAY
from ratings.models import RatingPeriod, RatingRun, next_month


class RunError(Exception):
    """A calculation or publication that may not happen. The text says why and what to do instead; nothing changed."""


def parse_month(text: str) -> date:
    """The first day of a month written `YYYY-MM`. RunError for anything else."""
    try:
        if len(text) != 7:
            raise ValueError
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        raise RunError(f"“{text}” is not a month: write it as 2024-03") from None


def closing_run(period: RatingPeriod) -> RatingRun | None:
    """The run by which a period is published or being published: what is in the period stays as it is."""
    return period.runs.filter(state__in=RatingRun.CLOSING).first()


def open_period(month: date) -> RatingPeriod:
    """The period of a month, made with all those between it and the ones on record, so that no month is left out.

    RunError for a month that nobody can mean: a slip of the year would open thousands.
    """
    if not FIRST_DAY <= month <= LAST_DAY:
        raise RunError(f"{month:%Y-%m} is no month that can be rated: correct the year")
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
    closed = RatingPeriod.objects.filter(runs__state__in=RatingRun.CLOSING).order_by("-month").first()
    return max(own, next_month(closed.month)) if closed else own


def period_to_calculate(month: date) -> RatingPeriod:
    """The period, when it is its turn. RunError when it is published, unknown, or another month comes first."""
    period = RatingPeriod.objects.filter(month=month).select_related("published_run").first()
    if period is None:
        raise RunError(f"there is nothing to calculate in {month:%Y-%m}: no section was accepted for it yet")
    if period.published_run_id:
        raise RunError(f"{period} is published and stays as it is; corrections are made by un-rating and re-rating")
    before = RatingPeriod.objects.filter(month__lt=month, published_run__isnull=True).order_by("month").first()
    if before:
        raise RunError(f"{before} comes first: calculate and publish it before {period}")
    return period


def run_in_force(period: RatingPeriod) -> RatingRun | None:
    """The one run of a period that is under way, calculated or published."""
    return period.runs.exclude(state__in=[RatingRun.State.FAILED, RatingRun.State.SUPERSEDED]).first()


def status(period: RatingPeriod) -> str:
    """`published`, `calculated`, `running` … or `open`."""
    if period.published_run_id:
        return "published"
    run = run_in_force(period)
    return run.get_state_display() if run else "open"
