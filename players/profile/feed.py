"""A player's published months as an Atom feed."""

from datetime import datetime, time
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib.site import site_address
from players.models import Player
from players.profile import history, queries
from players.profile.games import player_months
from players.profile.lines import PlayerMonth
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications
from ratings.rerating.queries import adjusted_points, player_adjustments

MOST_MONTHS = 24


class PlayerFeed(Feed):  # type: ignore[type-arg]
    """An entry for each published month in which the player played or a rating of his moved, the newest first."""

    feed_type = Atom1Feed

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer with the feed and its ETag."""
        return versioned(require_safe(super().__call__))(request, *args, **kwargs)

    def get_object(self, request: HttpRequest, number: str) -> Player:
        """Return the player; Raises Http404 if there is none."""
        return queries.public_player(number)

    def title(self, player: Player) -> str:
        """Return the title of the feed."""
        return f"Ratings of {player.name}"

    def subtitle(self, player: Player) -> str:
        """Return what the feed holds."""
        return f"Published ratings of {player.name}, {player.number}, month by month."

    def link(self, player: Player) -> str:
        """Return the address of the player's page."""
        return site_address("players:player", player.number)

    def feed_url(self, player: Player) -> str:
        """Return the address of the feed itself."""
        return site_address("players:feed", player.number)

    def items(self, player: Player) -> list[tuple[Player, PlayerMonth]]:
        """Return the published months, the newest first."""
        published, lists = publications(), list_definitions()
        standings = history.standings(player.pk, published)
        adjusted = adjusted_points(player_adjustments(player.pk, published, lists))
        months = player_months(player.pk, standings, published, lists, waiting=False, adjusted=adjusted)
        return [(player, month) for month in months if month.publication and month.changes][:MOST_MONTHS]

    def item_title(self, item: tuple[Player, PlayerMonth]) -> str:
        """Return the changes of the month in a line."""
        _, month = item
        changes = ", ".join(f"{change.listing.name} {change.text}" for change in month.changes)
        return f"{month.publication.month_text}: {changes}" if month.publication else changes

    def item_description(self, item: tuple[Player, PlayerMonth]) -> str:
        """Return the month in sentences."""
        _, month = item
        return " ".join(
            [f"{month.summary}.", *(f"{change.listing.name}: {change.sentence}" for change in month.changes)]
        )

    def item_link(self, item: tuple[Player, PlayerMonth]) -> str:
        """Return the address of the explanation of the first list that moved."""
        player, month = item
        code = month.publication.code if month.publication else ""
        return site_address("ratings:explanation", player.number, code, month.changes[0].listing.code)

    def item_updateddate(self, item: tuple[Player, PlayerMonth]) -> datetime | None:
        """Return the day on which the list appeared."""
        publication = item[1].publication
        return timezone.make_aware(datetime.combine(publication.appeared, time())) if publication else None

    item_pubdate = item_updateddate
