"""Reads a month for its page on the desk: its run, how long it takes, and what comes next."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from config.lib import formatting
from events.models import RatingPeriod
from ratings.models import RatingRun
from ratings.months.checks import Check, Contents, checks, contents
from ratings.periods import failed_runs, publication_opens, run_in_force
from ratings.runs.inputs import read_input
from ratings.runs.outlook import outlook

_STEPS = (
    ("gathering", "Games and standings are read"),
    ("calculating", "All articles at once"),
    ("writing", "The lists are written"),
    ("calculated", "An officer looks at them"),
    ("publishing", "The lists are made public"),
    ("published", "Public, and never changed in place"),
)


@dataclass(frozen=True, slots=True)
class RunStep:
    """A step of a run: `state` is `done`, `now` or `to come`."""

    name: str
    what: str
    state: str


@dataclass(frozen=True, slots=True)
class MonthPage:
    """What the page of a month shows. `next`: what to do now, in a sentence. `may_calculate`: a calculation can be started.
    `is_stale`: what was calculated is no longer what is in the month; `outlook`: what an officer is told of a silent worker.
    `failed`: the calculation that did, if none came after it."""

    contents: Contents
    checks: list[Check]
    run: RatingRun | None
    steps: list[RunStep]
    estimate: str
    next: str
    may_calculate: bool
    is_stale: bool
    failed: RatingRun | None
    is_under_way: bool
    outlook: str


def month_page(period: RatingPeriod, *, at: datetime) -> MonthPage:
    """Return what an officer sees of a month."""
    run = run_in_force(period)
    failed = failed_runs(timezone.localdate(at)).filter(period=period).first()
    is_published = period.state == RatingPeriod.State.PUBLISHED
    checked = [] if is_published else checks(period, today=timezone.localdate(at))
    is_calculated = run is not None and run.state == RatingRun.State.CALCULATED
    gathered = read_input(period)
    is_stale = is_calculated and run is not None and not gathered.is_of(run)
    under_way = run is not None and run.state in RatingRun.UNDER_WAY
    comes_later = any(check.name == "earlier" and check.count for check in checked)
    inside = contents(period, gathered)
    may_calculate = not (is_published or under_way or comes_later) and (run is None or is_stale)
    return MonthPage(
        inside,
        checked,
        run,
        _steps(run),
        "" if is_published else estimate(inside.games),
        _next(period, run, failed=failed is not None, is_stale=is_stale, comes_later=comes_later, at=at),
        may_calculate,
        is_stale,
        failed,
        under_way,
        outlook(run, at=at) if run else "",
    )


def estimate(games: int) -> str:
    """Return how long a run of so many games takes, as the last one took; "" before the first."""
    run = (
        RatingRun.objects.filter(
            kind=RatingRun.Kind.CALCULATED,
            rerating=None,
            started_at__isnull=False,
            finished_at__isnull=False,
            games__gt=0,
        )
        .exclude(state=RatingRun.State.FAILED)
        .order_by("-finished_at")
        .first()
    )
    if run is None or run.started_at is None or run.finished_at is None:
        return ""
    seconds = (run.finished_at - run.started_at).total_seconds()
    expected = max(round(seconds * max(games / run.games, 1)), 1)
    length = (
        formatting.count(expected, "second") if expected < 120 else formatting.count(round(expected / 60), "minute")
    )
    return (
        f"About {length}, as {run} took {seconds:.1f} seconds for {formatting.count(run.games, 'game')}. If its worker is"
        " lost, another begins again from the start by itself; nothing is left half written."
    )


def _steps(run: RatingRun | None) -> list[RunStep]:
    if run is None:
        return []
    names = [name for name, _ in _STEPS]
    waiting = run.state in (RatingRun.State.QUEUED, RatingRun.State.RUNNING)
    at = (run.stage or "gathering") if waiting else run.state
    place = names.index(at) if at in names else 0
    ended = run.state == RatingRun.State.PUBLISHED
    return [
        RunStep(name, what, "done" if step < place or ended else "now" if step == place else "to come")
        for step, (name, what) in enumerate(_STEPS)
    ]


def _next(
    period: RatingPeriod, run: RatingRun | None, *, failed: bool, is_stale: bool, comes_later: bool, at: datetime
) -> str:
    today = timezone.localdate(at)
    if period.state == RatingPeriod.State.PUBLISHED:
        return "This month is published. What is wrong in it is put right by an amendment and a re-rating."
    if comes_later:
        return "An earlier month comes first."
    if run is not None and run.state in RatingRun.UNDER_WAY:
        holder = "It waits for a worker" if run.lease_until is None else "A worker has it"
        return f"{holder}; this page shows how far it is."
    if is_stale:
        return "The month has changed since it was calculated: calculate it again."
    if run is not None:
        if opens := publication_opens(period, today=today):
            return f"Calculated; look at the result. It can be published from {opens} on (article 66)."
        return "Calculated: look at the result and publish it."
    if failed:
        return "Its calculation failed: settle what it says below, and calculate it again."
    if today < period.calculated_on:
        return (
            f"The clock calculates it on {formatting.day(period.calculated_on)}. Settle what is below until then; it can be"
            " calculated on trial before."
        )
    return "Calculate it."
