"""What is in the trays: how much, how long the oldest has waited, what of it is overdue. All trays are read by one query."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, DateField, Min, Q, QuerySet, Value
from django.db.models.functions import Cast

from accounts.models import User
from config.lib import formatting
from ratings.desk.trays import TRAYS, Tray

_ONE_DAY = timedelta(days=1)
# What is due today does not follow from a day that lies further off, before or after.
_FURTHEST = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class FilledTray:
    """A tray with what is in it: how many, how many of them overdue, since when the oldest waits, the last day of the first."""

    tray: Tray
    count: int
    overdue: int
    oldest: date | None
    last_day: date | None
    today: date

    @property
    def count_text(self) -> str:
        """The number in words."""
        return formatting.count(self.count, *self.tray.noun)

    @property
    def age_text(self) -> str:
        """How long the oldest has waited, with the day; "" if that is not known."""
        if self.oldest is None:
            return ""
        waited = (self.today - self.oldest).days
        age = formatting.count(waited, "day") if waited > 0 else "today"
        return f"oldest {age}, {formatting.day(self.oldest)}"

    @property
    def due_text(self) -> str:
        """By when the first is to be decided, or how many are overdue; "" if no day is set."""
        if self.last_day is None:
            return ""
        left = (self.last_day - self.today).days
        if self.overdue:
            return f"{formatting.number(self.overdue)} overdue, the first since {formatting.day(self.last_day)}"
        days = formatting.count(left, "day left", "days left") if left else "today is the last day"
        return f"{days} {self.tray.due}, {formatting.day(self.last_day)}"


def trays_of(user: User) -> Iterator[Tray]:
    """Yield the trays on which a user may act."""
    return (tray for tray in TRAYS if user.has_perm(tray.right))


def read_trays(user: User, *, today: date) -> list[FilledTray]:
    """Return the trays on which a user may act: overdue ones first, then filled ones, then empty ones. One query."""
    trays = list(trays_of(user))
    if not trays:
        return []
    first, *others = [_figures(tray, place, today) for place, tray in enumerate(trays)]
    rows = first.union(*others, all=True) if others else first
    filled = []
    for place, count, oldest, overdue, first_day in rows.values_list(*_COLUMNS):
        tray = trays[place]
        last_day = tray.last_day(first_day) if tray.last_day and first_day else None
        filled.append(FilledTray(tray, count, overdue, oldest, last_day, today))
    return sorted(filled, key=lambda row: (not row.overdue, not row.count, TRAYS.index(row.tray)))


_COLUMNS = ("tray_place", "tray_count", "tray_oldest", "tray_overdue", "tray_first_day")


def _figures(tray: Tray, place: int, today: date) -> QuerySet[Any]:
    """Return the one row of a tray's figures, to be joined with those of others."""
    none = Value(None, output_field=DateField())
    day = tray.day(today) if tray.day else none
    limit = _last_overdue(tray.last_day, today) if tray.last_day else date.min
    rows = tray.rows(today).order_by().annotate(tray_since=tray.since(today), tray_day=Cast(day, DateField()))
    grouped = rows.annotate(tray_place=Value(place)).values("tray_place")
    figures: QuerySet[Any] = grouped.annotate(
        tray_count=Count("pk"),
        tray_oldest=Cast(Min("tray_since"), DateField()),
        tray_overdue=Count("pk", filter=Q(tray_day__lte=limit)),
        tray_first_day=Min("tray_day"),
    ).values(*_COLUMNS)
    return figures


def _last_overdue(last_day: Callable[[date], date], today: date) -> date:
    """Return the latest day from which something is overdue today."""
    day = today + _FURTHEST
    while day > today - _FURTHEST and last_day(day) >= today:
        day -= _ONE_DAY
    return day
