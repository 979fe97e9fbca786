"""What the games of an event's sections earned on each list that counted them, from published runs only."""

from collections.abc import Mapping, Sequence
from datetime import date

from config.lib import formatting
from config.lib.database import as_float
from events.public.queries import PublicSection
from events.public.rows import ListFigures, StandingRow
from ratings.lists.definitions import ListDefinition
from ratings.models import Performance, Rating

Rows = Mapping[int, Mapping[int, StandingRow]]  # by section, then by player


def add_figures(
    sections: Sequence[PublicSection], rows: Rows, start_runs: Mapping[date, int], lists: Sequence[ListDefinition]
) -> None:
    """Set the rating before the period, and the performance and change on each list. Two queries.

    `start_runs`: by month the run that has the ratings at its start. Who is new to a list of another system is marked.
    """
    main = lists[0].id if lists else 0
    started = _add_ratings(sections, rows, start_runs, main)
    runs = {section.id: section.run for section in sections if section.run}
    by_id = {listing.id: listing for listing in lists}
    found = Performance.objects.filter(section_id__in=list(runs), run_id__in=set(runs.values())).order_by()
    for run, list_id, section, player, performance, change in found.values_list(
        "run_id", "list_id", "section_id", "player_id", as_float("performance"), as_float("change")
    ):
        row = rows[section].get(player)
        if row is None or runs[section] != run or list_id not in by_id:
            continue
        listing = by_id[list_id]
        new = not listing.is_national and not change and (section, player, list_id) not in started
        row.figures.changes[list_id] = None if new else change
        text, direction = ("new", "") if new else (listing.change(change), listing.direction(change))
        row.lists[list_id] = ListFigures(formatting.whole(performance), text, direction)
        if list_id == main:
            row.figures.performance = performance
            row.performance = formatting.whole(performance)
            row.main, row.main_direction = text, direction


def _add_ratings(
    sections: Sequence[PublicSection], rows: Rows, start_runs: Mapping[date, int], main: int
) -> set[tuple[int, int, int]]:
    """Set `before` of all rows; return (section, player, list) for the ratings at the start of the period."""
    runs = {section.id: start_runs.get(section.period) for section in sections if section.run and section.period}
    players = {player for section in runs for player in rows[section]}
    ratings = {
        (run, player, list_id): value
        for run, player, list_id, value in Rating.objects.filter(
            run_id__in={run for run in runs.values() if run}, player_id__in=players
        )
        .order_by()
        .values_list("run_id", "player_id", "list_id", as_float("published"))
    }
    by_player: dict[tuple[int, int], list[int]] = {}
    for run, player, list_id in ratings:
        by_player.setdefault((run, player), []).append(list_id)
    started = set()
    for section, run in runs.items():
        for player, row in rows[section].items():
            value = ratings.get((run, player, main)) if run else None
            row.figures.before = value
            row.before = "unrated" if value is None else formatting.rating(value)
            started |= {(section, player, list_id) for list_id in by_player.get((run, player), ())} if run else set()
    return started
