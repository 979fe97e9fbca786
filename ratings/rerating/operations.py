"""Re-ratings: start, calculate, publish, take back. One transaction each; the clock and the actor are passed in.

The row of the re-rating is the job, held by a lease as a run is. Its months are written by its worker one after the other and
published together, or not at all.
"""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from config.lib.leases import free, lease_length, write_error
from config.lib.texts import plain_text
from events.amending.content import is_same, read_content, write_content
from events.models import RatingPeriod
from events.operations import EventError
from events.periods import lock_periods
from ratings.models import Amendment, Merge, PublishedRun, RatingList, RatingRun, Rerating, Revision
from ratings.periods import RunError
from ratings.rerating.amendments import wait_again
from ratings.rerating.chain import published_chain
from ratings.rerating.impact import former_run
from ratings.rerating.merges import apply_merges, first_month_of, revert_merges, take_merges
from ratings.rerating.reports import answer_reports, corrected_text, reopen_reports, reports_of
from ratings.runs.activity import write_activity
from ratings.runs.inputs import read_input
from ratings.runs.operations import MOST_ATTEMPTS, LeaseLostError
from ratings.runs.writing import delete_figures
from ratings.seals.operations import seal_revision

_IN_FORCE = (*Rerating.UNDER_WAY, Rerating.State.CALCULATED)


@dataclass(frozen=True, slots=True)
class ChainLease:
    """The right to work on a re-rating."""

    rerating_id: int
    token: uuid.UUID


def start_rerating(
    first: date | None, amendments: Collection[Amendment], *, reason: str, at: datetime, by: User | None = None
) -> Rerating:
    """Queue the calculation of the published months from `first` on, None: the first that the amendments concern.

    Proposed merges whose amendments are among them are taken in. Raises RunError without a reason, if another re-rating is in
    force, if a month of the chain was not calculated here, if an amendment or merge concerns a month before it, or if only some
    of a merge's amendments are among them.
    """
    reason = plain_text(reason)
    if not reason:
        raise RunError("give the reason of the re-rating: it is shown with the corrected lists")
    with transaction.atomic():
        lock_periods()
        other = Rerating.objects.filter(state__in=_IN_FORCE).first()
        if other:
            raise RunError(f"{other} is {other.get_state_display()}: publish it or withdraw it first")
        merges = take_merges(amendments)
        concerned = min(filter(None, [first_month(amendments), first_month_of(merges)]), default=None)
        first = first or concerned
        if first is None:
            raise RunError("there is no amendment to re-rate for: say what is right first")
        if concerned and concerned < first:
            raise RunError(f"an amendment concerns {concerned:%Y-%m}: re-rate from that month on")
        periods = published_chain(first)
        rerating = Rerating.objects.create(first=periods[0], reason=reason, queued_at=at, by=by)
        taken = Amendment.objects.filter(pk__in=[amendment.pk for amendment in amendments], rerating=None)
        if taken.update(rerating=rerating) != len(amendments):
            raise RunError("an amendment has just been taken or given up by somebody else: look at them again")
        Merge.objects.filter(pk__in=[merge.pk for merge in merges]).update(rerating=rerating)
        record("re-rating started", periods[0], at=at, by=by, after={"re-rating": str(rerating)}, reason=reason)
    return rerating


def first_month(amendments: Collection[Amendment]) -> date | None:
    """Return the first month that amendments concern, None without any."""
    keys = {
        content["facts"]["period_id"] for amendment in amendments for content in (amendment.before, amendment.after)
    }
    months = RatingPeriod.objects.filter(pk__in=keys - {None}).order_by("month").values_list("month", flat=True)
    return months.first()


def claim_rerating(rerating_id: int, *, at: datetime) -> ChainLease | None:
    """Take a re-rating that waits or whose lease has expired. Return None if it is neither."""
    with transaction.atomic():
        waiting = Rerating.objects.filter(free(at=at), pk=rerating_id, state__in=Rerating.UNDER_WAY)
        rerating = waiting.select_for_update(of=("self",)).first()
        if rerating is None:
            return None
        if rerating.attempts >= MOST_ATTEMPTS:
            rerating.state, rerating.lease, rerating.finished_at = Rerating.State.FAILED, None, at
            rerating.error = rerating.error or f"given up after {MOST_ATTEMPTS} attempts: each ended before its end"
            rerating.save(update_fields=["state", "lease", "finished_at", "error"])
            return None
        if rerating.state == Rerating.State.QUEUED:
            rerating.state = Rerating.State.RUNNING
        lease = ChainLease(rerating.pk, uuid.uuid4())
        rerating.lease, rerating.lease_until = lease.token, at + lease_length()
        rerating.attempts += 1
        rerating.error = ""  # what ended the attempt before is over
        rerating.save(update_fields=["state", "lease", "lease_until", "attempts", "error"])
    return lease


def report_progress(lease: ChainLease, *, stage: str, progress: int, at: datetime) -> None:
    """Record the progress of a re-rating and renew the lease. Raises LeaseLostError."""
    renewed = Rerating.objects.filter(pk=lease.rerating_id, lease=lease.token).update(
        stage=stage, progress=progress, lease_until=at + lease_length()
    )
    if not renewed:
        raise LeaseLostError


def note_error(lease: ChainLease, error: Exception) -> None:
    """Record an error; the re-rating is tried again when its lease has expired."""
    write_error(Rerating.objects.filter(pk=lease.rerating_id, lease=lease.token), error)


def begin_again(lease: ChainLease) -> None:
    """Delete what an earlier attempt has written. Raises LeaseLostError."""
    with transaction.atomic():
        rerating = _locked(lease)
        delete_runs(rerating)


def begin_month(lease: ChainLease, period: RatingPeriod, *, at: datetime) -> RatingRun:
    """Make the run of a month of the chain, in the caller's transaction. Raises LeaseLostError."""
    rerating = _locked(lease)
    return RatingRun.objects.create(
        period=period,
        rerating=rerating,
        state=RatingRun.State.CALCULATED,
        progress=100,
        reason=rerating.reason,
        queued_at=rerating.queued_at,
        started_at=at,
        finished_at=at,
        by=rerating.by,
    )


def end_calculation(lease: ChainLease, impact: list[dict[str, object]], *, at: datetime) -> None:
    """Make a re-rating whose months are written calculated. Raises LeaseLostError."""
    with transaction.atomic():
        rerating = _locked(lease)
        rerating.state, rerating.stage, rerating.progress = Rerating.State.CALCULATED, "", 100
        rerating.impact, rerating.error, rerating.finished_at = impact, "", at
        rerating.lease = rerating.lease_until = None
        rerating.save()


def fail(lease: ChainLease, *, error: str, at: datetime) -> None:
    """End a re-rating that cannot be calculated, with the reason."""
    Rerating.objects.filter(pk=lease.rerating_id, lease=lease.token).update(
        state=Rerating.State.FAILED, error=error, lease=None, lease_until=None, finished_at=at
    )


def request_publication(rerating: Rerating, *, at: datetime, by: User | None = None) -> None:
    """Put a calculated re-rating up for publication. Raises RunError if it is not calculated, or if what it was calculated
    from has changed since."""
    with transaction.atomic():
        current = Rerating.objects.select_for_update(of=("self",)).get(pk=rerating.pk)
        if current.state != Rerating.State.CALCULATED:
            raise RunError(f"{current} is {current.get_state_display()}: only a calculated re-rating can be published")
        covered_months(current)
        current.state, current.stage, current.progress = Rerating.State.PUBLISHING, "publishing", 0
        current.lease, current.lease_until, current.attempts = None, None, 0
        current.publication_asked_at, current.published_by, current.error = at, by, ""
        current.save()
        record("publication started", current.first, at=at, by=by, after={"re-rating": str(current)})


def publish_rerating(lease: ChainLease, *, at: datetime) -> None:
    """Write the amendments and switch the pointers of all months to their corrected runs, in one transaction.

    What has changed since it was calculated is not published: the re-rating stays calculated, and says so. Raises
    LeaseLostError.
    """
    try:
        with transaction.atomic():
            lock_periods()
            rerating = _locked(lease)
            runs = covered_months(rerating)
            _apply(rerating, at=at)
            apply_merges(rerating.merges.all(), at=at, by=rerating.published_by)
            for period, run in runs:
                _replace(period, run, rerating, reason=rerating.reason, at=at, by=rerating.published_by)
            for period, run in runs:
                period_input = read_input(period)
                if not period_input.is_of(run):
                    raise RunError(f"{period} is not what it was calculated from")
                write_activity(run.pk, period, period_input)
            answer_reports(reports_of(rerating), corrected_text(rerating.reason), at=at, by=rerating.published_by)
            rerating.state, rerating.stage, rerating.published_at = Rerating.State.PUBLISHED, "", at
            rerating.progress, rerating.error = 100, ""
            rerating.lease = rerating.lease_until = None
            rerating.save()
    except RunError as error:
        Rerating.objects.filter(pk=lease.rerating_id, lease=lease.token).update(
            state=Rerating.State.CALCULATED,
            stage="",
            lease=None,
            lease_until=None,
            error=f"Not published: {error}. Withdraw it, and calculate it again.",
        )


def withdraw(rerating: Rerating, *, at: datetime, by: User | None = None) -> None:
    """Give up a re-rating that is not published; its amendments wait again. Raises RunError if it is published or a worker
    holds it."""
    with transaction.atomic():
        current = Rerating.objects.select_for_update(of=("self",)).get(pk=rerating.pk)
        if current.state not in (Rerating.State.QUEUED, Rerating.State.CALCULATED, Rerating.State.FAILED):
            raise RunError(f"{current} is {current.get_state_display()} and cannot be withdrawn now")
        current.state, current.stage = Rerating.State.WITHDRAWN, ""
        current.save(update_fields=["state", "stage"])
        current.amendments.update(rerating=None)
        current.merges.update(rerating=None)
        delete_runs(current)
        record("re-rating withdrawn", current.first, at=at, by=by, after={"re-rating": str(current)})


def take_back(rerating: Rerating, *, reason: str, at: datetime, by: User | None = None) -> None:
    """Publish again the lists that a re-rating replaced; its amendments wait again.

    Raises RunError without a reason, if it is not published, or if other lists have been published on top of it.
    """
    reason = plain_text(reason)
    if not reason:
        raise RunError("give the reason why the former lists are published again")
    with transaction.atomic():
        lock_periods()
        current = Rerating.objects.select_for_update(of=("self",)).get(pk=rerating.pk)
        if current.state != Rerating.State.PUBLISHED:
            raise RunError(f"{current} is {current.get_state_display()}: only a published re-rating can be taken back")
        runs = covered_months(current)
        if any(period.publication.run_id != run.pk for period, run in runs):
            raise RunError(f"the lists of {current} were corrected again since: take that back first")
        former = [(period, former_run(run)) for period, run in runs]
        revert_merges(current.merges.all(), at=at, by=by, reason=reason)
        current.merges.update(rerating=None)
        for amendment in current.amendments.select_related("section__event"):
            if not is_same(read_content(amendment.section), amendment.after):
                raise RunError(f"{amendment.section} has been changed since {current} was published")
            write_content(amendment.section, amendment.before)
        reopen_reports(reports_of(current), at=at, by=by, reason=reason)
        _wait_again(current, at=at, by=by)
        current.state = Rerating.State.UNDONE
        current.save(update_fields=["state"])
        for period, run in former:
            _replace(period, run, current, reason=reason, at=at, by=by)
        for period, run in former:
            _require_input(period, run)


def _require_input(period: RatingPeriod, run: RatingRun) -> None:
    """Raise RunError unless a period is what a former run was calculated from, on every list."""
    found = read_input(period)
    if found.hash != run.input_hash:
        raise RunError(f"{period} is not what its former list was calculated from: nothing was changed")
    if not found.is_of(run):
        keys = found.list_hashes.keys() | run.list_hashes.keys()
        others = [int(key) for key in keys if found.list_hashes.get(key) != run.list_hashes.get(key)]
        names = ", ".join(RatingList.objects.filter(pk__in=others).values_list("name", flat=True))
        raise RunError(
            f"{names} was added, changed or filled, or a player’s data erased, after the former lists of {period} were"
            " calculated: they cannot be published again. Say in an amendment what is right, and re-rate from there; nothing"
            " was changed"
        )


def _wait_again(rerating: Rerating, *, at: datetime, by: User | None) -> None:
    try:
        for amendment in rerating.amendments.select_related("section__event"):
            wait_again(amendment, at=at, by=by)
    except EventError as error:
        raise RunError(str(error)) from None


def calculate_again(rerating: Rerating, *, at: datetime, by: User | None = None) -> Rerating:
    """Withdraw a re-rating and queue another one with its amendments, first month and reason, over all months that are
    published by now. Raises RunError as `withdraw` and `start_rerating` do."""
    with transaction.atomic():
        amendments = list(rerating.amendments.all())
        withdraw(rerating, at=at, by=by)
        return start_rerating(rerating.first.month, amendments, reason=rerating.reason, at=at, by=by)


def why_outdated(rerating: Rerating) -> str:
    """Return why a calculated re-rating cannot be published since a month was published meanwhile; "" if none was."""
    try:
        covered_months(rerating)
    except RunError as error:
        return str(error)
    return ""


def covered_months(rerating: Rerating) -> list[tuple[RatingPeriod, RatingRun]]:
    """Return the months of a chain in order, with their corrected runs. Raises RunError if a month was published that it does
    not cover."""
    periods = published_chain(rerating.first.month)
    runs = {run.period_id: run for run in rerating.runs.all()}
    for period in periods:
        if period.pk not in runs:
            raise RunError(f"{period} was published after {rerating} was calculated")
    return [(period, runs[period.pk]) for period in periods]


def _apply(rerating: Rerating, *, at: datetime) -> None:
    for amendment in rerating.amendments.select_related("section__event"):
        if not is_same(read_content(amendment.section), amendment.before):
            raise RunError(f"{amendment.section} has been changed since it was amended")
        amendment.after = write_content(amendment.section, amendment.after)
        amendment.applied_at = at
        amendment.save(update_fields=["after", "applied_at"])


def _replace(
    period: RatingPeriod, run: RatingRun, rerating: Rerating, *, reason: str, at: datetime, by: User | None
) -> None:
    """Switch a month's pointer to another run, as its next revision."""
    pointer = PublishedRun.objects.select_related("run").get(period=period)
    former = pointer.run
    RatingRun.objects.filter(pk=former.pk).update(state=RatingRun.State.REPLACED)
    RatingRun.objects.filter(pk=run.pk).update(state=RatingRun.State.PUBLISHED, published_by=by)
    PublishedRun.objects.filter(period=period).update(run=run, files_asked_at=at)
    last = period.revisions.order_by("-number").first()
    assert last is not None  # noqa: S101 - a published period has a revision
    revision = Revision.objects.create(
        period=period, number=last.number + 1, run=run, published_at=at, by=by, rerating=rerating, reason=reason
    )
    seal_revision(revision, at=at)
    record("corrected", period, at=at, by=by, before={"list": str(former)}, after={"list": str(run)}, reason=reason)


def delete_runs(rerating: Rerating) -> None:
    """Delete the corrected months of a re-rating that is not published, in the caller's transaction."""
    for run in rerating.runs.all():
        delete_figures(run)
        run.delete()


def _locked(lease: ChainLease) -> Rerating:
    rerating = Rerating.objects.select_for_update(of=("self",)).filter(pk=lease.rerating_id, lease=lease.token).first()
    if rerating is None:
        raise LeaseLostError
    return rerating
