"""The public pages that search engines should know, with the day of their last publication where they have one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from events.models import Arbiter, Event
from events.public.queries import public_arbiters
from events.visibility import public_events, public_players
from players.models import Player, Region
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications

_PAGES = (
    "ratings:home",
    "ratings:months",
    "players:search",
    "events:events",
    "events:calendar",
    "public:regions",
    "calculators:index",
    "downloads:latest",
    "embeds:guide",
    "guide:index",
    "guide:systems",
    "guide:glossary",
    "guide:figures",
    "ratings:privacy",
    "api:manners",
)


class _SiteMap(Sitemap):  # type: ignore[type-arg]
    """Addresses begin with SITE_URL, and never with the host that a request names."""

    limit = 5000

    def get_domain(self, site: object = None) -> str:
        """Return the host of SITE_URL."""
        return urlsplit(settings.SITE_URL).netloc

    def get_protocol(self, protocol: str | None = None) -> str:
        """Return the scheme of SITE_URL."""
        return urlsplit(settings.SITE_URL).scheme


class Pages(_SiteMap):
    """The pages that there is one of."""

    def items(self) -> Sequence[str]:
        """Return the names of the views."""
        return _PAGES

    def location(self, item: str) -> str:
        """Return the path of a page."""
        return reverse(item)


class Lists(_SiteMap):
    """Each list of each published month."""

    def items(self) -> list[tuple[str, str, date]]:
        """Return list, month and day of publication. Two queries."""
        return [
            (listing.code, month.code, month.appeared) for month in publications() for listing in list_definitions()
        ]

    def location(self, item: tuple[str, str, date]) -> str:
        """Return the path of a list."""
        return reverse("ratings:list-of", args=item[:2])

    def lastmod(self, item: tuple[str, str, date]) -> date:
        """Return the day of its publication."""
        return item[2]


class Players(_SiteMap):
    """All public players."""

    def items(self) -> Any:
        """Return the players, in the order of their numbers."""
        return public_players().only("number").order_by("number")

    def location(self, item: Player) -> str:
        """Return the path of a player's page."""
        return reverse("players:player", args=(item.number,))


class Events(_SiteMap):
    """All public events."""

    def items(self) -> Any:
        """Return the events in the order in which they were registered."""
        return Event.objects.filter(public_events()).only("pk").order_by("pk")

    def location(self, item: Event) -> str:
        """Return the path of an event's page."""
        return reverse("events:event", args=(item.pk,))


class Regions(_SiteMap):
    """All regions."""

    def items(self) -> list[str]:
        """Return the codes. One query."""
        return list(Region.objects.order_by("code").values_list("code", flat=True))

    def location(self, item: str) -> str:
        """Return the path of a region's page."""
        return reverse("public:region", args=(item,))


class Arbiters(_SiteMap):
    """The arbiters whom pages of events name."""

    def items(self) -> Any:
        """Return the arbiters in the order in which they were entered."""
        return public_arbiters().only("pk").order_by("pk")

    def location(self, item: Arbiter) -> str:
        """Return the path of an arbiter's page."""
        return reverse("public:arbiter", args=(item.pk,))


SITEMAPS: dict[str, type[Sitemap[Any]] | Sitemap[Any]] = {
    "pages": Pages,
    "lists": Lists,
    "players": Players,
    "events": Events,
    "regions": Regions,
    "arbiters": Arbiters,
}
