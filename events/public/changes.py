"""What the games of an event's sections earned on each list that counted them, from published runs only."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import BigIntegerField, Case, Exists, OuterRef, QuerySet, Subquery, Value, When
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.database import as_float
from events.models import Entry
from events.public.queries import PublicSection
from events.public.rows import ListFigures, StandingRow
from ratings.lists.definitions import ListDefinition
from ratings.models import Performance, Rating

Rows = Mapping[int, Mapping[int, StandingRow]]  # by section, then by player


def runs_before(sections: Iterable[PublicSection], start_runs: Mapping[date, int]) -> dict[int, int | None]:
    """Return section → run with the ratings at the start of its period, None without one; only of rated sections.

    `start_runs`: these runs by month.
    """
    return {section.id: start_runs.get(section.period) for section in sections if section.run and section.period}


def with_rating_before(entries: QuerySet[Entry], runs: Mapping[int, int | None], main: int) -> QuerySet[Any]:
    """Return entries with `before`, the player's published rating on the list `main` at the start of the period, or None."""
    start = _ratings_at_start().filter(list=main).annotate(value=as_float("published")).values("value")
    return entries.annotate(start_run=_start_run(runs), before=Subquery(start[:1]))


def _start_run(runs: Mapping[int, int | None]) -> Case:
    return Case(
        *[When(section=section, then=Value(run)) for section, run in runs.items() if run],
        output_field=BigIntegerField(),
    )


def _ratings_at_start() -> QuerySet[Rating]:
    return Rating.objects.filter(run=OuterRef("start_run"), player=OuterRef("player"))


def add_figures(
    sections: Sequence[PublicSection], rows: Rows, runs: Mapping[int, int | None], lists: Sequence[ListDefinition]
) -> None:
    """Set the performance and change on each list. One query.

    `runs`: of `runs_before`. Who is new to a list of another system is marked.
    """
    main = lists[0].id if lists else 0
    rated_by = {section.id: section.run for section in sections if section.run}
    by_id = {listing.id: listing for listing in lists}
    was_rated = Exists(_ratings_at_start().filter(list=OuterRef("list")))
    found = (
        Performance.objects.filter(section__in=list(rated_by), run__in=set(rated_by.values()))
        .annotate(start_run=_start_run(runs), was_rated=was_rated)
        .order_by()
        .values_list(
            "run_id", "list_id", "section_id", "player_id", as_float("performance"), as_float("change"), "was_rated"
        )
    )
    for run, list_id, section, player, performance, change, rated_before in found:
        row = rows[section].get(player)
        if row is None or rated_by[section] != run or list_id not in by_id:
            continue
        listing = by_id[list_id]
        new = not listing.is_national and not change and not rated_before
        row.figures.changes[list_id] = None if new else change
        text, direction = (gettext("new"), "") if new else (listing.change(change), listing.direction(change))
        row.lists[list_id] = ListFigures(formatting.whole(performance), text, direction)
        if list_id == main:
            row.figures.performance = performance
            row.performance = formatting.whole(performance)
            row.main, row.main_direction = text, direction
