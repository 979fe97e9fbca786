"""The best players of each region on the lists of a run."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from config.lib.database import as_float
from players.hidden import name_in_public
from ratings.models import Rating

BEST = 10  # players of a region by whose average it is ranked


@dataclass(frozen=True, slots=True)
class BestPlayer:
    """A player among the best of his region on a list, with his published rating. A hidden one has no number."""

    number: str
    first_name: str
    last_name: str
    title: str
    rating: float

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()


def best_of_regions(
    run: int, lists: Collection[int], regions: Collection[int] | None = None
) -> dict[tuple[int, int], list[BestPlayer]]:
    """Return the `BEST` players, or fewer, by (region, list), the best first. One query. `regions`: without it, of all."""
    rated = Rating.objects.filter(run=run, list__in=lists, position__isnull=False, region__isnull=False)
    if regions is not None:
        rated = rated.filter(region__in=regions)
    place = Window(RowNumber(), partition_by=[F("region"), F("list")], order_by=F("position").asc())
    best: dict[tuple[int, int], list[BestPlayer]] = {}
    rows = rated.annotate(place=place).filter(place__lte=BEST).order_by("list_id", "region_id", "position")
    for region, listing, number, first, last, title, hidden_since, rating in rows.values_list(
        "region_id", "list_id", "player__number", "player__first_name", "player__last_name", "player__title",
        "player__hidden_since", as_float("published"),
    ):  # fmt: skip
        player = BestPlayer(number, first, last, title or "", rating)
        if hidden_since is not None:
            player = BestPlayer("", "", name_in_public(f"{first} {last}".strip(), hidden_since), "", rating)
        best.setdefault((region, listing), []).append(player)
    return best
