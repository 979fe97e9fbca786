"""A player's published figures of one month, list by list."""

from dataclasses import dataclass

from django.utils.translation import gettext

from config.languages import counted
from config.lib.database import as_float
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.models import Rating


@dataclass(frozen=True, slots=True)
class Published:
    """A player's published figures on one list in one period."""

    listing: ListDefinition
    rating: float
    previous: float | None
    games: int

    @property
    def rating_text(self) -> str:
        """The published rating as its list writes it."""
        return self.listing.rating(self.rating)

    @property
    def change_text(self) -> str:
        """The change against the list before."""
        return gettext("new") if self.previous is None else self.listing.change(self.rating - self.previous)

    @property
    def direction(self) -> str:
        """`up`, `down` or `same`; empty on the first list."""
        return self.listing.direction(None if self.previous is None else self.rating - self.previous)

    @property
    def games_text(self) -> str:
        """How many games of the period counted."""
        return (
            counted(self.games, "%(count)s rated game", "%(count)s rated games")
            if self.games
            else gettext("no rated game")
        )


def published_figures(player: int, run: int) -> list[Published]:
    """Return the player's published ratings, in the lists' order. Two queries."""
    rows = Rating.objects.filter(run_id=run, player_id=player, position__isnull=False).values_list(
        "list_id", as_float("published"), as_float("previous"), "games"
    )
    known = {list_id: figures_of for list_id, *figures_of in rows}
    return [Published(listing, *known[listing.id]) for listing in list_definitions() if listing.id in known]
