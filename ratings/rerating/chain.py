"""Calculates published months again, one after the other, with the amended content of their sections."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise

from django.db import transaction

from config.lib.days import months_back, next_month
from events.amending.content import write_content
from events.models import RatingPeriod
from ratings.models import Amendment, Merge, RatingRun, RunPerson
from ratings.periods import RunError
from ratings.rerating.merges import amended_register, apply_merges
from ratings.runs.inputs import PeriodInput, following, published_run_id, read_alone, with_standings
from ratings.runs.sequential import rate_lists
from ratings.runs.writing import refused, too_fast, write_figures
from ratings.systems import chessa
from ratings.verification.months import verify_month


@dataclass(frozen=True, slots=True)
class Month:
    """A published month as its sections are to be: what is rated, without the runs that it follows, and which sections are
    too fast."""

    period: RatingPeriod
    alone: PeriodInput
    too_fast: list[str]


def published_chain(first: date) -> list[RatingPeriod]:
    """Return the published months from `first` on, in order.

    Raises RunError if it is not one that was calculated, or if one between them is not published.
    """
    periods = list(
        RatingPeriod.objects.filter(month__gte=first, state=RatingPeriod.State.PUBLISHED)
        .select_related("publication__run")
        .order_by("month")
    )
    if not periods or periods[0].month != first:
        raise RunError(f"{first:%Y-%m} is not published: what is not published yet is corrected in the event itself")
    for period in periods:
        if period.publication.run.kind != RatingRun.Kind.CALCULATED:
            raise RunError(
                f"{period} was brought in and not calculated: begin with a month that this bureau has calculated"
            )
    if any(next_month(earlier.month) != later.month for earlier, later in pairwise(periods)):
        raise RunError(f"the months from {first:%Y-%m} on are not all published: publish the ones between first")
    return periods


def require_verified(period: RatingPeriod) -> None:
    """Raise RunError if a month's lists are not what it gives when it is calculated again. A change by hand, in what it is
    calculated from, in the lists before it or in its own, would be in the new lists, and nothing would tell it from an
    amendment."""
    if findings := verify_month(period.pk, str(period)):
        raise RunError(
            f"{findings[0].text}. This month or the one before it was changed by hand: “verify” tells more. Put it right, and"
            " calculate this again"
        )


def read_amended(
    periods: Sequence[RatingPeriod],
    amendments: Collection[Amendment],
    merges: Collection[Merge] = (),
    *,
    at: datetime,
) -> list[Month]:
    """Return the months as they are with the amendments and merges, which are in the tables for the time of this reading only.

    Raises RunError if a merge cannot be done as the register is now.
    """
    with transaction.atomic():
        for amendment in amendments:
            write_content(amendment.section, amendment.after)
        apply_merges(merges, at=at)
        # Of who took over another's birth or membership the months are calculated with what is right.
        players = {player for merge in merges for player in (merge.old_id, merge.new_id)}
        RunPerson.objects.filter(run__publication__period__in=periods, player__in=players).delete()
        register = amended_register(merges)
        months = []
        for period in periods:
            alone = replace(read_alone(period), register=register)
            months.append(Month(period, alone, too_fast(alone)))
        transaction.set_rollback(True)
    return months


def calculate_month(month: Month, runs: dict[date, int], begin: Callable[[RatingPeriod], RatingRun]) -> RatingRun:
    """Calculate a month after those before it, of which `runs` holds the new ones by month, and write its figures.

    `begin` makes the run that they belong to; all is one transaction.
    """

    def run_of(earlier: date) -> int | None:
        return runs.get(earlier) or published_run_id(earlier)

    period, edition = month.period, month.alone.edition
    period_input = following(
        month.alone,
        run_of(months_back(period.month, 1)),
        run_of(months_back(period.month, edition["window"])),
    )
    gathered = with_standings(period, period_input)
    result = chessa.rate(gathered.columns, edition)
    lists = rate_lists(period_input)
    with transaction.atomic():
        run = begin(period)
        write_figures(run, gathered, result, lists)
        run.remarks = "\n".join([*month.too_fast, *refused(lists)])
        run.save()
    return run
