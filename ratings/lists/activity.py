"""Who is active on a list: at least one game of the last months counts towards his activity (article 55)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from config.languages import counted
from config.lib.days import months_back
from ratings.lists.queries import Publication
from ratings.models import Activity


@dataclass(frozen=True, slots=True)
class ActivityWindow:
    """The months of games on which activity on the list of a publication depends: `months` in number, and their runs."""

    months: int
    runs: tuple[int, ...]

    @property
    def length_text(self) -> str:
        """The length of the window: `12 months`."""
        return counted(self.months, "%(count)s month", "%(count)s months")

    @property
    def text(self) -> str:
        """The window in words: `in the last 12 months`."""
        return counted(self.months, "in the last month", "in the last %(count)s months")


def activity_window(publication: Publication, published: Iterable[Publication]) -> ActivityWindow:
    """Return the window that ends with a published month; as long as the readings say."""
    months, last = publication.activity_months, publication.month
    first = months_back(last, months - 1)
    runs = tuple(other.run for other in published if first <= other.month <= last)
    return ActivityWindow(months, runs)


def activity_on(listing: int, window: ActivityWindow) -> QuerySet[Activity]:
    """Return what makes the `player_id` of an outer row active on a list: a row for each month with games that count."""
    return Activity.objects.filter(run__in=window.runs, list=listing, player=OuterRef("player_id"))


def is_active(listing: int, window: ActivityWindow) -> Exists:
    """Return the condition for rows with a `player_id`: the player is active on a list."""
    return Exists(activity_on(listing, window))
