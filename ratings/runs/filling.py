"""Fills a list of another system for months that are published, in one transaction. The list's row is the job: the queue only
wakes a worker. The clock and the actor are passed in."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.trail.operations import record
from config.lib.database import work_lock
from config.lib.days import next_month
from config.lib.leases import spare_attempt
from events.models import RatingPeriod
from events.periods import lock_periods
from ratings.models import Rating, RatingList, RatingRun, Revision, RunPerson, System
from ratings.periods import RunError
from ratings.runs.inputs import read_input
from ratings.runs.sequential import rate_lists, write_lists
from ratings.runs.snapshot import write_people
from ratings.seals.operations import seal_filled

MOST_ATTEMPTS = 3
_GIVEN_UP = f"given up after {MOST_ATTEMPTS} attempts, which is a fault of this software: its log says more"
_NOT_ASKED: Final[dict[str, Any]] = {
    "fill_first": None, "fill_asked_at": None, "fill_by": None, "fill_attempts": 0, "fill_error": "",
}  # fmt: skip


class BusyError(RunError):
    """Not filled while a run is under way."""


def months_to_fill(rating_list: RatingList, first: date) -> list[RatingPeriod]:
    """Return the published periods from a month on for which a list can be filled, in order.

    Raises RunError if a run is under way, if the list is one of Chess SA's, if it is published for some month already, or if
    `first` or a month after it is not published though a later one is.
    """
    if RatingRun.objects.filter(state__in=RatingRun.UNDER_WAY).exists():
        raise BusyError("a month is being calculated or published: fill the list when that has ended")
    if rating_list.system == System.CHESSA:
        raise RunError(f"{rating_list} is one of Chess SA’s four lists, which every run fills")
    published = Rating.objects.filter(list=rating_list, run__publication__isnull=False)
    month = published.order_by("run__period__month").values_list("run__period__month", flat=True).first()
    if month:
        raise RunError(f"{rating_list} is published since {month:%Y-%m}, and what is published stays as it is")
    state = RatingPeriod.State.PUBLISHED
    periods = list(RatingPeriod.objects.filter(month__gte=first, state=state).order_by("month"))
    expected = first
    for period in periods:
        if period.month != expected:
            break
        expected = next_month(expected)
    brought = RatingRun.objects.filter(publication__period__in=periods).exclude(kind=RatingRun.Kind.CALCULATED)
    latest = brought.order_by("-period__month").select_related("period").first()
    if latest is not None:
        begin = next_month(latest.period.month)
        raise RunError(
            f"{latest.period} was not calculated here ({latest.get_kind_display()}): begin with {begin:%Y-%m}"
        )
    if not periods or expected != next_month(periods[-1].month):
        raise RunError(f"{expected:%Y-%m} is not published: begin with a month from which on every month is")
    return periods


def ask_to_fill(rating_list: RatingList, first: date, *, at: datetime, by: User | None) -> int:
    """Put a list up to be filled as `fill_list` does, also once more after it failed; return for how many months. The caller
    wakes a worker. Raises RunError as `months_to_fill` does, or if it is asked for already."""
    with transaction.atomic():
        current = RatingList.objects.select_for_update(of=("self",)).get(pk=rating_list.pk)
        if to_fill().filter(pk=current.pk).exists():
            raise RunError(f"{current} is being filled already, from {current.fill_first:%Y-%m} on")
        count = len(months_to_fill(current, first))
        asked = {"fill_first": first, "fill_asked_at": at, "fill_by": by}
        RatingList.objects.filter(pk=current.pk).update(**{**_NOT_ASKED, **asked})
        return count


def to_fill() -> QuerySet[RatingList]:
    """Return the lists that wait for a worker to fill them."""
    return RatingList.objects.filter(fill_asked_at__isnull=False, fill_error="")


def not_filled() -> QuerySet[RatingList]:
    """Return the lists that a worker was to fill and that were given up."""
    return RatingList.objects.exclude(fill_error="")


def process_fill(key: int, *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Fill a list that was put up for it, unless another worker does or has, or fills another. What stands against it is on its
    trail; a fault, after MOST_ATTEMPTS, in its row."""
    with work_lock("filling") as is_ours:  # who has it not would wait in the months' locks, and use up an attempt
        if is_ours and _begin(key):
            _fill(key, clock)


def _fill(key: int, clock: Callable[[], datetime]) -> None:
    row = RatingList.objects.filter(pk=key)
    try:
        with transaction.atomic():
            current = to_fill().filter(pk=key).select_related("fill_by").first()
            if current is not None and current.fill_first is not None:
                fill_list(current, current.fill_first, at=clock(), by=current.fill_by)
                row.update(**_NOT_ASKED)
    except BusyError:  # the clock's next look tries again
        row.update(fill_attempts=0)
    except RunError as error:
        with transaction.atomic():
            current = to_fill().filter(pk=key).select_for_update(of=("self",)).first()
            if current is not None:  # else another worker has filled it meanwhile
                record("not filled", current, at=clock(), by=None, reason=f"{error}.")
                row.update(**_NOT_ASKED)
    except Exception as error:
        spare_attempt(row, error, column="fill_attempts")
        raise


def _begin(key: int) -> bool:
    """Count an attempt. Return False if there is nothing to do or there were too many."""
    with transaction.atomic():
        current = to_fill().filter(pk=key).select_for_update(of=("self",), skip_locked=True).first()
        if current is None:
            return False
        given_up = current.fill_attempts >= MOST_ATTEMPTS
        changes: dict[str, Any] = {"fill_error": _GIVEN_UP} if given_up else {"fill_attempts": F("fill_attempts") + 1}
        RatingList.objects.filter(pk=key).update(**changes)
        return not given_up


def fill_list(rating_list: RatingList, first: date, *, at: datetime, by: User | None = None) -> int:
    """Rate the published months from `first` on for a list that was added later, and return how many.

    The lists that are published are left as they are; a month that is calculated and not published has to be calculated again.
    Raises RunError as `months_to_fill` does.
    """
    with transaction.atomic():
        # A worker that begins a run locks its period first, and waits for what is filled here.
        lock_periods()
        current = RatingList.objects.select_for_update(of=("self",)).get(pk=rating_list.pk)
        periods = months_to_fill(current, first)
        key = str(current.pk)
        for run in RatingRun.objects.filter(publication=None, list_hashes__has_key=key):
            del run.list_hashes[key]
            run.save(update_fields=["list_hashes"])
        shown: list[Revision] = []
        for period in periods:
            run = RatingRun.objects.select_for_update(of=("self",)).get(publication__period=period)
            period_input = read_input(period)
            chosen = [definition for definition in period_input.lists if definition[0] == current.pk]
            write_lists(run.pk, rate_lists(replace(period_input, lists=chosen)))
            if not RunPerson.objects.filter(run=run).exists():
                write_people(run.pk, period_input.people)
            run.list_hashes[key] = period_input.list_hashes[key]
            run.save(update_fields=["list_hashes"])
            shown.extend(run.revisions.order_by("number"))  # several, if a re-rating was taken back
        seal_filled(shown, current, at=at)
        months = f"{periods[0]} to {periods[-1]}"
        record("filled", current, at=at, by=by, after={"months": months})
    return len(periods)
