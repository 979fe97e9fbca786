"""The month that is rated next, as the desk shows it: how far its events are, and what is to be done next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from config.lib import formatting
from config.lib.days import next_month
from events.models import Event, Kind, RatingPeriod
from ratings.desk.addresses import list_address, page_address
from ratings.desk.figures import FilledTray
from ratings.home.queries import MonthSoFar, month_so_far
from ratings.periods import run_in_force

# What is accepted after a calculation is not in it, so that this comes first.
_BEFORE_CALCULATING = ("holds", "penalties", "clean", "abroad")
_UNDER_WAY = {RatingPeriod.State.CALCULATING.value: "calculated", RatingPeriod.State.PUBLISHING.value: "published"}
_WORDS = {"accepted": "accepted", "submitted": "submitted", "awaited": "missing", "coming": "to be played"}


@dataclass(frozen=True, slots=True)
class NextStep:
    """What is to be done next: the words, and the address of the page on which it is done."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class DeskMonth:
    """The month that is rated next. `sentence`: how far its events are, and by when it is calculated."""

    month: date
    so_far: MonthSoFar
    sentence: str
    step: NextStep


def desk_month(trays: Sequence[FilledTray], *, today: date, begin: str) -> DeskMonth:
    """Return the month, from the filled trays of an officer. Four queries. `begin`: address of the tray `{}`."""
    period = RatingPeriod.objects.exclude(state=RatingPeriod.State.PUBLISHED).order_by("month").first()
    month = period.month if period else today.replace(day=1)
    so_far = month_so_far(month, today=today)
    filled = {row.tray.code: row for row in trays if row.count}
    penalties = filled["penalties"].count_text if "penalties" in filled else ""
    counts = [
        f"{stage.count} {_WORDS[stage.code]}" for stage in so_far.stages if stage.count or stage.code == "accepted"
    ]
    if others := _others(period):
        counts.insert(1, f"{others} more from earlier months or abroad")
    if penalties:
        counts.append(f"{penalties} undecided")
    day = next_month(month)
    due = f"{'calculate on' if today < day else 'to be calculated since'} {formatting.day(day)}"
    sentence = f"{', '.join(counts)}; {due}."
    return DeskMonth(month, so_far, sentence, _next_step(period, month, filled, today=today, begin=begin))


def _others(period: RatingPeriod | None) -> int:
    """Return how many events are rated in a month that are not of its stages: they ended before it, or were played abroad."""
    if period is None:
        return 0
    return (
        Event.objects.filter(Q(ends__lt=period.month) | Q(kind=Kind.ABROAD), sections__period=period).distinct().count()
    )


def _next_step(
    period: RatingPeriod | None, month: date, filled: dict[str, FilledTray], *, today: date, begin: str
) -> NextStep:
    name = formatting.month(month)
    address = page_address("events_ratingperiod", period.pk) if period else list_address("events_ratingperiod")
    run = run_in_force(period) if period and period.state != RatingPeriod.State.OPEN else None
    if period is not None and run is not None:
        page = page_address("ratings_ratingrun", run.pk)
        if period.state == RatingPeriod.State.CALCULATED and today >= period.calculated_on:
            return NextStep(f"Look at the calculation of {name} and publish it", page)
        if period.state in _UNDER_WAY:
            return NextStep(f"{name} is being {_UNDER_WAY[period.state]}: see how far it is", address)
    if "runs" in filled:
        return NextStep("See why the calculation failed", begin.format("runs"))
    if today < next_month(month):
        row = next(iter(filled.values()), None)
    else:
        row = next((filled[code] for code in _BEFORE_CALCULATING if code in filled), None)
    if row is not None:
        return NextStep(f"Begin with “{row.tray.title}”: {row.count_text}", begin.format(row.tray.code))
    if today < next_month(month):
        return NextStep(f"Nothing waits. See {f'how far {name} is' if period else 'the rating periods'}", address)
    return NextStep(f"Calculate {name}", address)
