"""Rating periods: which comes next, and the words of the errors."""

from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet

from config.lib import formatting
from events.models import RatingPeriod
from events.periods import PeriodError
from ratings.models import RatingRun


class RunError(PeriodError):
    """A calculation or publication that may not happen. The text says why and what to do instead; nothing changed."""


def parse_month(text: str) -> date:
    """Return the first day of a month written `YYYY-MM`. Raises RunError for anything else, for the last year that there is,
    after which no month follows, and for years before 1000, which are not written with four figures everywhere."""
    try:
        month = date.fromisoformat(f"{text}-01")
        if len(text) != 7 or not 1000 <= month.year < date.max.year:
            raise ValueError
        return month
    except ValueError:
        raise RunError(f"“{text}” is not a month: write it as 2024-03") from None


def publication_opens(month: RatingPeriod, *, today: date) -> str:
    """Return the day from which on a month is published, in words (article 66); "" from that day on."""
    return formatting.day(month.calculated_on) if today < month.calculated_on else ""


def require_typed(typed: str, month: RatingPeriod) -> None:
    """Raise RunError unless the month was typed in whose lists are about to be published: it cannot be undone."""
    if typed.strip() != str(month):
        raise RunError(f"Not published. Type the month, {month}, to publish its lists; you typed “{typed.strip()}”.")


def period_to_calculate(month: date) -> RatingPeriod:
    """Return the period, when it is its turn. Raises RunError if it is published, unknown, or another month comes first."""
    period = RatingPeriod.objects.filter(month=month).first()
    if period is None:
        raise RunError(f"there is nothing to calculate in {month:%Y-%m}: no section was accepted for it yet")
    if period.state == RatingPeriod.State.PUBLISHED:
        raise RunError(f"{period} is published and stays as it is")
    before = (
        RatingPeriod.objects.filter(month__lt=month)
        .exclude(state=RatingPeriod.State.PUBLISHED)
        .order_by("month")
        .first()
    )
    if before:
        raise RunError(f"{before} comes first: calculate and publish it before {period}")
    return period


def run_in_force(period: RatingPeriod) -> RatingRun | None:
    """Return the one run of a period that is under way, calculated or published."""
    ended = [RatingRun.State.FAILED, RatingRun.State.SUPERSEDED, RatingRun.State.REPLACED]
    of_no_chain = Q(rerating=None) | Q(state=RatingRun.State.PUBLISHED)
    return period.runs.filter(of_no_chain).exclude(state__in=ended).first()


def stuck_runs(today: date) -> QuerySet[RatingRun]:
    """Return the calculations that failed, or whose publication a worker refused, and that no other one of their month has
    followed."""
    later = RatingRun.objects.filter(period=OuterRef("period"), rerating=None, pk__gt=OuterRef("pk"))
    refused = Q(state=RatingRun.State.CALCULATED) & ~Q(error="")
    stuck = RatingRun.objects.filter(Q(state=RatingRun.State.FAILED) | refused, rerating=None)
    return stuck.filter(~Exists(later))


def failed_runs(today: date) -> QuerySet[RatingRun]:
    """Return those of them that failed."""
    return stuck_runs(today).filter(state=RatingRun.State.FAILED)


def status(period: RatingPeriod) -> str:
    """`published`, `calculated`, `running` …, `open`, or `open, its calculation failed`."""
    run = run_in_force(period)
    if run is None:
        return "open, its calculation failed" if failed_runs(period.month).filter(period=period).exists() else "open"
    brought_in = "" if run.kind == RatingRun.Kind.CALCULATED else f" ({run.get_kind_display()})"
    return f"{run.get_state_display()}{brought_in}"
