"""Reads the statistics of a list of a published month, with a few queries over the whole list.

Each function takes the run and the list; its result has the numbers, which pages write as they write ratings.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from statistics import fmean

from django.db.models import Count, Exists, F, FloatField, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Floor

from config.lib.database import as_float
from config.lib.days import months_back
from events.models import Section
from events.rules.age_groups import age_group, age_groups
from players.hidden import not_hidden
from ratings.lists.activity import activity_window, is_active
from ratings.lists.age_groups import in_age_group
from ratings.lists.definitions import ListDefinition
from ratings.lists.distribution import BAND
from ratings.lists.orders import BY_CHANGE, BY_RANK, Order, moved
from ratings.lists.queries import Publication
from ratings.lists.region_best import BEST, best_of_regions
from ratings.lists.rows import ListRow, list_row, ranked, row_values
from ratings.models import Rating

FEWEST = 5  # players over whom an average is shown: a smaller one tells what single players have
MONTHS = 12
LISTED = 10  # players of a table
ADULTS = "adults"
_SEXES = ("F", "M")


@dataclass(frozen=True, slots=True)
class RatingBand:
    """The players from `first` to less than `first + BAND` points."""

    first: int
    players: int


@dataclass(frozen=True, slots=True)
class Average:
    """An average rating over `players`; None if there are too few to show it."""

    players: int
    rating: float | None


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """The players of an age group, each in the youngest that he may enter (article 16); `everybody` has no rating where it
    would give away that of a sex with too few players."""

    name: str
    women: Average
    men: Average
    everybody: Average


@dataclass(frozen=True, slots=True)
class RegionPlayers:
    """A region's players on a list, those of them that are active (None on a list without activity), and the average of its
    ten best; None if it has fewer."""

    code: str
    name: str
    players: int
    active: int | None
    ten_best: float | None


@dataclass(frozen=True, slots=True)
class RegionEvents:
    """How many rated events a region hosted, and how many sections they had."""

    code: str
    name: str
    events: int
    sections: int


def bands_and_ages(run: int, listing: ListDefinition, *, year: int) -> tuple[list[RatingBand], list[AgeGroup]]:
    """Return the distribution of a list's ratings, without gaps, and the averages by age group in a year. One query."""
    rows = (
        ranked(run, list_id=listing.id)
        .annotate(hundred=Floor(F("now") / BAND))
        .values_list("hundred", "player__birth_year", "player__sex")
        .annotate(players=Count("player_id"), points=Sum("now", output_field=FloatField()))
        .order_by()
    )
    classes: Counter[int] = Counter()
    players: Counter[tuple[str, str]] = Counter()
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    for hundred, birth_year, sex, count, total in rows:
        classes[int(hundred)] += count
        if birth_year is not None:
            key = age_group(birth_year, year=year) or ADULTS, sex
            players[key] += count
            points[key] += total
    distribution = [
        RatingBand(hundred * BAND, classes[hundred])
        for hundred in (range(min(classes), max(classes) + 1) if classes else ())
    ]
    *youth, middle, old = age_groups(year=year)
    groups = [_age_group(name, players, points) for name in (*youth, ADULTS, middle, old)]
    return distribution, [group for group in groups if group.everybody.players]


def _age_group(name: str, players: Counter[tuple[str, str]], points: defaultdict[tuple[str, str], float]) -> AgeGroup:
    women, men = (_average(players[name, sex], points[name, sex]) for sex in _SEXES)
    of_all = sum(players[name, sex] for sex in (*_SEXES, ""))
    hidden = any(0 < players[name, sex] < FEWEST for sex in (*_SEXES, ""))
    total = sum(points[name, sex] for sex in (*_SEXES, ""))
    return AgeGroup(name, women, men, Average(of_all, None) if hidden else _average(of_all, total))


def _average(players: int, points: float) -> Average:
    return Average(players, points / players if players >= FEWEST else None)


def regions(run: int, listing: ListDefinition, is_active: Exists | None) -> list[RegionPlayers]:
    """Return the regions with players on a list, most players first. Two queries.

    `is_active`: the condition for active players, from `ratings.lists.activity`.
    """
    on_list = Rating.objects.filter(run_id=run, list_id=listing.id, position__isnull=False, region__isnull=False)
    best = best_of_regions(run, [listing.id])
    counted = on_list if is_active is None else on_list.annotate(active=is_active)
    active = Count("player_id", filter=Q(active=True)) if is_active is not None else Count("player_id")
    rows = counted.values_list("region", "region__code", "region__name").annotate(
        players=Count("player_id"), active_players=active
    )
    return [
        RegionPlayers(
            code,
            name,
            players,
            None if is_active is None else active_players,
            fmean(player.rating for player in best[region, listing.id]) if players >= BEST else None,
        )
        for region, code, name, players, active_players in rows.order_by("-players", "region__code")
    ]


def events_by_region(month: date) -> list[RegionEvents]:
    """Return the regions that hosted rated events in the published months of the last year up to a month, most events first.
    One query."""
    rated = Section.objects.filter(
        period__publication__isnull=False, period__month__gt=months_back(month, MONTHS), period__month__lte=month
    )
    rows = (
        rated.values_list("event__region__code", "event__region__name")
        .annotate(events=Count("event", distinct=True), sections=Count("pk", distinct=True))
        .order_by("-events", "event__region__code")
    )
    return [RegionEvents(*row) for row in rows]


def best_players(
    run: int, listing: ListDefinition, condition: Q, *, order: Order = BY_RANK, size: int = LISTED
) -> list[ListRow]:
    """Return the first players of a list that a condition on its rows chooses. One query."""
    rows = ranked(run, list_id=listing.id).filter(condition)
    if order is BY_CHANGE:
        rows = rows.annotate(moved=moved())
    return _lines(listing, row_values(rows.order_by(*order.fields))[:size])


def juniors(*, year: int) -> tuple[str, Q]:
    """Return the oldest age group of the young and the condition for those who may enter it in a year (article 16)."""
    group = [name for name in age_groups(year=year) if name.startswith("U")][-1]
    return group, in_age_group(group, year=year)


def risen_in_month(run: int, listing: ListDefinition) -> list[ListRow]:
    """Return those who rose most since the month before, of the players with games. One query."""
    with_games = Q(previous__isnull=False, games__gt=0, published__gt=F("previous"))
    return best_players(run, listing, with_games, order=BY_CHANGE)


def risen_since(run: int, listing: ListDefinition, earlier_run: int, *, size: int = LISTED) -> list[ListRow]:
    """Return those who rose most since an earlier run, on whose list they were; the change is that since then. One query."""
    then = Rating.objects.filter(run=earlier_run, list=listing.id, player=OuterRef("player_id"))
    rows = ranked(run, list_id=listing.id).annotate(then=Subquery(then.values(value=as_float("published"))[:1]))
    risen = rows.annotate(moved=moved()).filter(Q(("then__isnull", False), ("moved__gt", 0)))
    return _lines(listing, row_values(risen.order_by(*BY_CHANGE.fields))[:size])


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of a list of a published month.

    `best_regions`: those with an average of their ten best, the highest first; `risen_in_year`: None where there is no list of
    a year before; `junior_group`: the oldest age group of the young.
    """

    players: int
    distribution: list[RatingBand]
    ages: list[AgeGroup]
    regions: list[RegionPlayers]
    best_regions: list[RegionPlayers]
    hosts: list[RegionEvents]
    risen_in_month: list[ListRow]
    risen_in_year: list[ListRow] | None
    junior_group: str
    juniors: list[ListRow]
    women: list[ListRow]


def list_statistics(
    listing: ListDefinition, publication: Publication, published: Collection[Publication]
) -> Statistics:
    """Return the statistics of a list of a published month; `published`: all months. At most eight queries."""
    run, year = publication.run, publication.day.year
    window = activity_window(publication, published) if listing.is_national else None
    distribution, ages = bands_and_ages(run, listing, year=year)
    of_regions = regions(run, listing, is_active(listing.id, window) if window else None)
    earlier_month = months_back(publication.month, MONTHS)
    earlier = next((other for other in published if other.month == earlier_month), None)
    junior_group, is_junior = juniors(year=year)
    return Statistics(
        players=sum(band.players for band in distribution),
        distribution=distribution,
        ages=ages,
        regions=of_regions,
        best_regions=sorted(
            (region for region in of_regions if region.ten_best is not None), key=lambda region: -(region.ten_best or 0)
        ),
        hosts=events_by_region(publication.month),
        risen_in_month=risen_in_month(run, listing),
        risen_in_year=risen_since(run, listing, earlier.run) if earlier else None,
        junior_group=junior_group,
        juniors=best_players(run, listing, is_junior),
        women=best_players(run, listing, Q(player__sex="F") & not_hidden("player__")),
    )


def _lines(listing: ListDefinition, rows: Iterable[tuple[object, ...]]) -> list[ListRow]:
    return [list_row(listing, row) for row in rows]
