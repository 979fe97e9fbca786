"""How the ratings of a list are spread."""

from collections import Counter
from dataclasses import dataclass

from config.lib import formatting
from config.lib.database import as_float
from ratings.models import Rating

BAND = 100  # rating points


@dataclass(frozen=True, slots=True)
class Band:
    """The players of a list within a hundred points. `share`: per cent of the most populous band."""

    least: int
    players: int
    share: float
    is_own: bool

    @property
    def text(self) -> str:
        """The band in words."""
        return band_text(self.least)


def band_text(least: int) -> str:
    """Return the ratings of a band in words: `1 400–1 499`."""
    return f"{formatting.number(least)}–{formatting.number(least + BAND - 1)}"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The bands of a list, the highest first, and where a rating stands: `below` players have a lower one."""

    bands: list[Band]
    total: int
    below: int

    @property
    def place_text(self) -> str:
        """How many of the others have a lower rating: `83 %`, all of them only when nobody has a higher one."""
        return f"{100 * self.below // max(1, self.total - 1)} %"


def distribution(run: int, listing: int, rating: float) -> Distribution:
    """Return how the published ratings of a run's list are spread, and where a rating stands among them. One query."""
    rows = Rating.objects.filter(run_id=run, list_id=listing, position__isnull=False)
    ratings = list(rows.order_by().values_list(as_float("published"), flat=True))
    counts = Counter(int(value // BAND) for value in ratings)
    own, most = int(rating // BAND), max(counts.values(), default=1)
    bands = [
        Band(band * BAND, counts[band], round(100 * counts[band] / most, 1), band == own)
        for band in range(max([*counts, own]), min([*counts, own]) - 1, -1)
    ]
    return Distribution(bands, len(ratings), sum(value < rating for value in ratings))
