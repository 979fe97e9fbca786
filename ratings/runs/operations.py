"""Rating runs: start, calculate, publish. One transaction each; the clock and the actor are passed in.

A run is held by a lease: whoever claims it gets a token, renews it before every stage and must still have it when he
writes. A worker that dies leaves the lease to run out, and the next claim_run does the work from the start; one that was
only slow finds his token gone and writes nothing.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.trail.operations import record, role_of
from config.lib import formatting
from config.lib.days import next_month
from config.lib.leases import free, lease_length, write_error
from config.lib.texts import plain_text
from events.models import Event, EventMove, Penalty, RatingPeriod
from events.periods import get_or_create_period
from events.rules.states import State
from ratings.models import PublishedRun, RatingRun, Revision
from ratings.periods import RunError, period_to_calculate, publication_opens, run_in_force
from ratings.runs.activity import write_activity
from ratings.runs.differences import against
from ratings.runs.inputs import RunInput, read_input
from ratings.runs.sequential import ListResult
from ratings.runs.writing import delete_figures, refused, too_fast, write_figures
from ratings.seals.operations import seal_revision
from ratings.systems import chessa

MOST_ATTEMPTS = 5


class LeaseLostError(Exception):
    """Another worker has taken over the run."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a run."""

    run_id: int
    token: uuid.UUID


def start_run(month_period: RatingPeriod, *, at: datetime, by: User | None = None, reason: str = "") -> RatingRun:
    """Queue the calculation of a period.

    A calculated run whose input has changed is out of date; its figures go when this one is calculated. Raises RunError if
    the period is not due, if a run is under way, or if it is calculated and nothing has changed.
    """
    period = period_to_calculate(month_period.month)
    present = run_in_force(period)
    if present and present.state == RatingRun.State.PUBLISHING:
        raise RunError(f"{period} is being published already: {present}")
    if present and present.state in RatingRun.UNDER_WAY:
        raise RunError(f"{period} is being calculated already: {present}, {present.progress} %")
    if present and read_input(period).is_of(present):
        then = "publish it"
        if opens := publication_opens(period, today=timezone.localdate(at)):
            then = f"it can be published from {opens} on (article 66)"
        raise RunError(f"{period} is calculated already ({present}) and nothing has changed since: {then}")
    try:
        with transaction.atomic():
            RatingPeriod.objects.select_for_update().get(pk=period.pk)  # before its runs, as `_lock_period` does
            if present:
                RatingRun.objects.filter(pk=present.pk, state=RatingRun.State.CALCULATED).update(
                    state=RatingRun.State.SUPERSEDED
                )
            run = RatingRun.objects.create(period=period, queued_at=at, by=by, reason=plain_text(reason))
            record("calculation started", period, at=at, by=by, after={"run": str(run)}, reason=run.reason)
            _set_period(period.pk, RatingPeriod.State.CALCULATING)
            return run
    except IntegrityError:
        raise RunError(f"{period} is being calculated already: somebody started it at the same moment") from None


def claim_run(run_id: int, *, at: datetime) -> Lease | None:
    """Take a run that waits or whose lease has expired. Return None if it is neither."""
    token = uuid.uuid4()
    with transaction.atomic():
        _lock_period(run_id)
        run = (
            RatingRun.objects.select_for_update().filter(free(at=at), pk=run_id, state__in=RatingRun.UNDER_WAY).first()
        )
        if run is None:
            return None
        if run.attempts >= MOST_ATTEMPTS:
            run.state, run.lease, run.finished_at = RatingRun.State.FAILED, None, at
            run.error = run.error or f"given up after {MOST_ATTEMPTS} attempts: each ended before it had written"
            run.save(update_fields=["state", "lease", "finished_at", "error"])
            _set_period(run.period_id, RatingPeriod.State.OPEN)
            return None
        if run.state == RatingRun.State.QUEUED:
            run.state = RatingRun.State.RUNNING
        run.lease, run.lease_until = token, at + lease_length()
        run.attempts += 1
        run.started_at, run.error = run.started_at or at, ""  # what ended the attempt before is over
        run.save(update_fields=["state", "lease", "lease_until", "attempts", "started_at", "error"])
    return Lease(run_id, token)


def report_progress(lease: Lease, *, stage: str, progress: int, at: datetime) -> None:
    """Record the progress of a run and renew the lease. Raises LeaseLostError."""
    renewed = RatingRun.objects.filter(pk=lease.run_id, lease=lease.token).update(
        stage=stage, progress=progress, lease_until=at + lease_length()
    )
    if not renewed:
        raise LeaseLostError


def fail_run(lease: Lease, *, error: str, at: datetime) -> None:
    """End a run that cannot be calculated, with the reason."""
    with transaction.atomic():
        _lock_period(lease.run_id)
        run = RatingRun.objects.filter(pk=lease.run_id, lease=lease.token)
        if run.update(state=RatingRun.State.FAILED, error=error, lease=None, lease_until=None, finished_at=at):
            RatingPeriod.objects.filter(runs=lease.run_id).update(state=RatingPeriod.State.OPEN)


def note_error(lease: Lease, error: Exception) -> None:
    """Record an error; the run is tried again when its lease has expired."""
    write_error(RatingRun.objects.filter(pk=lease.run_id, lease=lease.token), error)


def write_run(
    lease: Lease, gathered: RunInput, result: chessa.PeriodResult, lists: list[ListResult], *, at: datetime
) -> RatingRun:
    """Write a calculated snapshot in one transaction. Raises LeaseLostError."""
    with transaction.atomic():
        run = _locked(lease)
        write_figures(run, gathered, result, lists)
        older = RatingRun.objects.filter(period_id=run.period_id, state=RatingRun.State.SUPERSEDED).order_by("-pk")
        former = older.filter(finished_at__isnull=False).first()
        run.against = against(former, run) if former else {}
        for superseded in older:
            delete_figures(superseded)
        run.remarks = "\n".join([*too_fast(gathered.input), *refused(lists)])
        _move_events(run, source=State.ACCEPTED, target=State.CALCULATED, at=at, by=run.by)
        run.state, run.stage, run.progress = RatingRun.State.CALCULATED, "", 100
        run.lease, run.lease_until, run.finished_at, run.error = None, None, at, ""
        run.save()
        _set_period(run.period_id, RatingPeriod.State.CALCULATED)
    return run


def request_publication(run: RatingRun, *, at: datetime, by: User | None = None) -> None:
    """Put a calculated run up for publication. Raises RunError if it is not calculated, when its input has changed since, when
    an earlier month is open, or before the first day of the next month (article 66)."""
    if run.rerating_id:
        raise RunError(f"{run} is a month of {run.rerating}: publish that")
    if run.state != RatingRun.State.CALCULATED:
        raise RunError(f"{run} is {run.get_state_display()}: only a calculated run can be published")
    if opens := publication_opens(run.period, today=timezone.localdate(at)):
        raise RunError(f"{run.period} has not ended: it can be published from {opens} on (article 66)")
    with transaction.atomic():
        # Whoever moves events into the period or out of it locks it too.
        RatingPeriod.objects.select_for_update().get(pk=run.period_id)
        period_to_calculate(run.period.month)
        unanswered = Penalty.objects.filter(section__period=run.period_id, status=Penalty.Status.PROPOSED).count()
        if unanswered:
            raise RunError(
                f"{run.period} has {formatting.count(unanswered, 'proposed penalty', 'proposed penalties')} without a decision:"
                " confirm or drop each under penalties, calculate again, then publish (articles 51, 52)"
            )
        if not read_input(run.period).is_of(run):
            raise RunError(f"{run.period} has changed since {run} was calculated: calculate it again, then publish")
        changed = RatingRun.objects.filter(pk=run.pk, state=RatingRun.State.CALCULATED).update(
            state=RatingRun.State.PUBLISHING,
            stage="publishing",
            lease=None,
            lease_until=None,
            attempts=0,
            publication_asked_at=at,
            published_by=by,
        )
        if not changed:
            raise RunError(f"{run} has just been published or started again by somebody else")
        record("publication started", run.period, at=at, by=by, after={"run": str(run)})
        _set_period(run.period_id, RatingPeriod.State.PUBLISHING)


def publish_run(lease: Lease, *, at: datetime) -> RatingPeriod:
    """Switch the period's pointer to the run, in one transaction. Raises LeaseLostError.

    A run whose input has changed since it was calculated is not published: it stays calculated, and says so.
    """
    with transaction.atomic():
        run = _locked(lease)
        period = run.period
        period_input = read_input(period)
        if not period_input.is_of(run):
            run.state, run.stage, run.lease, run.lease_until = RatingRun.State.CALCULATED, "", None, None
            run.error = (
                f"Not published: {period} has changed since it was calculated. Calculate it again, then publish."
            )
            run.save(update_fields=["state", "stage", "lease", "lease_until", "error"])
            _set_period(period.pk, RatingPeriod.State.CALCULATED)
            return period
        period.state, period.published_at = RatingPeriod.State.PUBLISHED, at
        period.save(update_fields=["state", "published_at"])
        record("published", period, at=at, by=run.published_by, before={"list": ""}, after={"list": str(run)})
        _move_events(run, source=State.CALCULATED, target=State.PUBLISHED, at=at, by=run.published_by)
        run.state, run.stage, run.lease, run.lease_until = RatingRun.State.PUBLISHED, "", None, None
        run.save(update_fields=["state", "stage", "lease", "lease_until"])
        write_activity(run.pk, period, period_input)
        PublishedRun.objects.create(period=period, run=run, files_asked_at=at)
        revision = Revision.objects.create(period=period, number=1, run=run, published_at=at, by=run.published_by)
        seal_revision(revision, at=at)
        get_or_create_period(next_month(period.month))
    return period


def _lock_period(run_id: int) -> None:
    # Periods before runs and events: whoever moves sections locks in that order too.
    RatingPeriod.objects.select_for_update().filter(runs=run_id).first()


def _set_period(period_id: int, state: RatingPeriod.State) -> None:
    RatingPeriod.objects.filter(pk=period_id).update(state=state)


def _locked(lease: Lease) -> RatingRun:
    _lock_period(lease.run_id)
    run = (
        RatingRun.objects.select_for_update(of=("self",))
        .select_related("period")
        .filter(pk=lease.run_id, lease=lease.token)
        .first()
    )
    if run is None:
        raise LeaseLostError
    return run


def _move_events(run: RatingRun, *, source: State, target: State, at: datetime, by: User | None) -> None:
    """Move the events all of whose sections belong to the period or to periods that are published."""
    events = list(
        Event.objects.filter(sections__period=run.period_id, state=source.value)
        .exclude(
            sections__period__in=RatingPeriod.objects.exclude(state=RatingPeriod.State.PUBLISHED).exclude(
                pk=run.period_id
            )
        )
        .distinct()
        .values_list("pk", flat=True)
    )
    Event.objects.filter(pk__in=events).update(state=target.value)
    role = role_of(by)
    EventMove.objects.bulk_create(
        EventMove(event_id=event, source=source.value, target=target.value, at=at, actor=by, role=role)
        for event in events
    )
