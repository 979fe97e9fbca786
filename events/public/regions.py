"""Reads what is public of the regions: players, the ten best of each list, events."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from statistics import fmean

from django.db.models import Count, Q
from django.utils.translation import gettext

from config.kept_reads import kept
from config.languages import counted
from config.lib import formatting
from events.models import Event, Kind
from events.public.queries import EventRow, event_rows
from events.rules.states import State
from events.visibility import accepted_players, public_events
from players.models import Region
from ratings.lists.activity import activity_window, is_active
from ratings.lists.definitions import ListDefinition, national_lists
from ratings.lists.queries import Publication, publications
from ratings.lists.region_best import BestPlayer, best_of_regions
from ratings.models import Rating

_EVENTS = 10  # shown of each kind


@dataclass(frozen=True, slots=True)
class BestRow:
    """A player among the best of a region on a list. `figure`: his rating, unrounded."""

    place: int
    number: str
    name: str
    title: str
    rating: str
    figure: float


@dataclass(frozen=True, slots=True)
class Best:
    """The best of a region on a list, at most ten, and the average of their published ratings: as text, and unrounded."""

    listing: ListDefinition
    rows: list[BestRow]
    average: str
    mean: float | None


@dataclass(slots=True)
class RegionFigures:
    """A region with its numbers; `active`: on Main (article 55), None before the first list. `best`: by id of the list."""

    region: Region
    players: int = 0
    active: int | None = None
    best: dict[int, Best] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The numbers of players and of active ones in words."""
        players = counted(self.players, "%(count)s player", "%(count)s players")
        if self.active is None:
            return players
        active = {"players": players, "active": formatting.number(self.active)}
        return gettext("%(players)s, %(active)s of them active") % active

    @property
    def averages(self) -> list[str]:
        """The averages, by list in their order."""
        return [best.average for best in self.best.values()]


@dataclass(frozen=True, slots=True)
class RegionsPage:
    """Regions with their figures on the latest published lists. `window`: the months that activity looks at, in words."""

    rows: list[RegionFigures]
    lists: list[ListDefinition]
    latest: Publication | None
    window: str


def regions_page(code: str = "") -> RegionsPage:
    """Return all regions by code, or the one with a code. Six queries whatever their number, three before the first list."""
    chosen = Region.objects.select_related("province").order_by("code")
    figures = {region.pk: RegionFigures(region) for region in (chosen.filter(code=code) if code else chosen)}
    published = kept(publications)
    latest = published[0] if published else None
    counts = accepted_players().filter(region__in=list(figures)).order_by().values_list("region")
    for region, count in counts.annotate(count=Count("pk")):
        figures[region].players = count
    if latest is None:
        return RegionsPage(list(figures.values()), [], None, "")
    lists = national_lists()
    window = activity_window(latest, published)
    rated = Rating.objects.filter(run=latest.run, position__isnull=False, region__in=list(figures)).order_by()
    on_main = rated.filter(is_active(lists[0].id, window), list=lists[0].id)
    active = dict(on_main.values_list("region").annotate(count=Count("position")))
    best = best_of_regions(latest.run, [listing.id for listing in lists], list(figures))
    for region, row in figures.items():
        row.active = active.get(region, 0)
        row.best = {listing.id: _of_list(listing, best.get((region, listing.id), [])) for listing in lists}
    return RegionsPage(list(figures.values()), lists, latest, window.text)


def _of_list(listing: ListDefinition, best: list[BestPlayer]) -> Best:
    rows = [
        BestRow(place, player.number, player.name, player.title, listing.rating(player.rating), player.rating)
        for place, player in enumerate(best, start=1)
    ]
    mean = fmean(player.rating for player in best) if best else None
    return Best(listing, rows, listing.rating(mean), mean)


def region_events(region: Region, *, today: date) -> tuple[list[EventRow], list[EventRow]]:
    """Return the events that a region hosts: those to come, the next first, and the latest. Four queries."""
    hosted = Event.objects.filter(public_events(), region=region).exclude(kind=Kind.ABROAD).select_related("region")
    lost = Q(state__in=(State.WITHDRAWN, State.REFUSED))
    coming = hosted.filter(ends__gte=today).exclude(lost).order_by("starts", "pk")[:_EVENTS]
    latest = hosted.filter(ends__lt=today).order_by("-ends", "-pk")[:_EVENTS]
    return event_rows(list(coming)), event_rows(list(latest))


def provinces(rows: Iterable[RegionFigures]) -> str:
    """Return how many regions of how many provinces there are, in words."""
    regions = list(rows)
    named = {row.region.province_id for row in regions if row.region.province_id}
    places = {
        "regions": counted(len(regions), "%(count)s region", "%(count)s regions"),
        "provinces": counted(len(named), "%(count)s province", "%(count)s provinces"),
    }
    return gettext("%(regions)s in %(provinces)s") % places
