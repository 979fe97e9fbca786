"""Reads what FIDE's lists said of people in a month."""

from collections.abc import Collection
from datetime import date

from django.db.models import Max, Q

from config.lib.days import months_back
from players.models import FideList, FideListed, FideRating

KEPT_MONTHS = 4  # before the latest list: results from abroad come in until the month after the event (article 10)


def month_held(day: date, kind: FideRating.Kind) -> date | None:
    """Return the month of the list that counts on a day, if one of the kind is held; else None. One query, or two."""
    month = day.replace(day=1)
    lists = FideList.objects.filter(dropped_at=None)
    if not lists.filter(month=month, kinds__contains=kind.value).exists():
        return None
    latest = lists.aggregate(latest=Max("month"))["latest"]
    return month if month >= months_back(latest, KEPT_MONTHS) else None


def people_listed(fide_ids: Collection[int], month: date) -> dict[int, FideListed]:
    """Return who of these ids was on the list of a month that is held, by id. One query."""
    rows = FideListed.objects.filter(Q(until=None) | Q(until__gt=month), fide_id__in=fide_ids, since__lte=month)
    return {row.fide_id: row for row in rows}
