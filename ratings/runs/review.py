"""What an officer looks at before he publishes a run: what it changes on each list, and whom its rules touched."""

from dataclasses import dataclass

import numpy as np

from config.lib import formatting
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.queries import ListChanges, ListRow, changes, rows_of
from ratings.models import Rating, RatingRun
from ratings.runs.inputs import RunInput, read_run_input
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS, Ints

MOST = 100  # names of a kind; the list has them all
_GREATEST = 10


@dataclass(frozen=True, slots=True)
class Touched:
    """Players for whom a rule acted on a list, best first, each with what it did; `more` are not named."""

    heading: str
    rows: list[tuple[ListRow, str]]
    more: int
    column: str = ""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.rows) + self.more


@dataclass(frozen=True, slots=True)
class Review:
    """One list of a run. `stale`: what the rules did is not shown, because the input has changed since."""

    listing: ListDefinition
    changes: ListChanges
    touched: list[Touched]
    stale: bool


def reviews(run: RatingRun, gathered: RunInput | None = None) -> list[Review]:
    """Return what a calculated run changes, list by list; nothing for a run without figures, or one that was brought in.

    Whom articles 40, 42 and 47 touched is not stored: it is calculated anew, as for an explanation. `gathered`: the input of
    the run's month, if it is read already.
    """
    if run.state not in (RatingRun.State.CALCULATED, RatingRun.State.PUBLISHING, RatingRun.State.PUBLISHED):
        return []
    if run.kind != RatingRun.Kind.CALCULATED:
        return []  # brought in: nothing was calculated
    gathered = gathered or read_run_input(run.period)
    stale = gathered.input.hash != run.input_hash
    result = None if stale else chessa.rate(gathered.columns, gathered.input.edition)
    rows = []
    for listing in list_definitions():
        touched = [_new(run, listing)]
        if listing.is_national and result is not None:
            touched += _by_articles(run, listing, gathered.players, result)
        changed = changes(run.pk, listing, size=_GREATEST, on_desk=True)
        rows.append(Review(listing, changed, touched, stale and listing.is_national))
    return rows


def _by_articles(run: RatingRun, listing: ListDefinition, players: Ints, result: chessa.PeriodResult) -> list[Touched]:
    index = LISTS.index(listing.code)
    raised = np.flatnonzero(result.raised[index]).tolist()
    held = np.flatnonzero(result.limited[index] | result.capped[index]).tolist()
    floored = np.flatnonzero(result.floored[index]).tolist()
    wp, change, limit = result.weighted_performance[index], result.change[index], result.limit[index]
    floor = result.floor[index]
    return [
        _touched(
            run,
            listing,
            "Raised by weighted performance (article 40)",
            "Weighted performance",
            {int(players[place]): listing.rating(float(wp[place])) for place in raised},
        ),
        _touched(
            run,
            listing,
            "Held by the limit of article 47",
            "Earned by games, limit",
            {
                int(
                    players[place]
                ): f"{listing.change(float(change[place]))}, {formatting.decimal(float(limit[place]), 1)}"
                for place in held
            },
        ),
        _touched(
            run,
            listing,
            "Kept up by the floor of article 42",
            "Floor",
            {int(players[place]): formatting.decimal(float(floor[place]), 1) for place in floored},
        ),
    ]


def _new(run: RatingRun, listing: ListDefinition) -> Touched:
    fresh = Rating.objects.filter(run=run, list=listing.id, position__isnull=False, previous__isnull=True)
    players = fresh.order_by("position").values_list("player_id", flat=True)
    rows = rows_of(run.pk, listing, players[:MOST])
    return Touched("Newly rated", [(row, "") for row in rows.values()], max(players.count() - MOST, 0))


def _touched(run: RatingRun, listing: ListDefinition, heading: str, column: str, texts: dict[int, str]) -> Touched:
    rows = rows_of(run.pk, listing, texts)
    named = [(row, texts[player]) for player, row in rows.items()]
    return Touched(heading, named[:MOST], max(len(named) - MOST, 0), column)
