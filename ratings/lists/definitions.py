"""The rating lists, and how each writes its figures: the four of article 24, and those of other systems."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.utils.translation import gettext, gettext_lazy, gettext_noop

from config.kept_reads import kept
from config.lib import formatting
from config.lib.editions import EditionError, dated
from events.rules.time_controls import TYPES_OF_GAME
from ratings.models import RatingList, System
from ratings.systems.adapters import ADAPTERS, edition_of

COLOURS = 4  # of the lists of other systems, in the style sheet
DASHES = 2  # patterns of each of these colours


@dataclass(frozen=True, slots=True)
class ListDefinition:
    """One of the rating lists: its id in the database, its word in addresses, its name, its rating system.

    A list of another system has its rules besides: the edition (empty: the one in force on the event's date), the types of
    game that it counts, and the name of the list that newcomers bring their rating from (empty: they start unrated).
    `mark` are the classes of its colour and dash.
    """

    id: int
    code: str
    name: str
    system: str = System.CHESSA
    edition: str = ""
    counts: tuple[str, ...] = ()
    starts_from: str = ""
    mark: str = ""

    @property
    def is_national(self) -> bool:
        """Whether it is one of the regulations' own lists (article 24), and not another federation's system."""
        return self.system == System.CHESSA

    @property
    def counted_types(self) -> tuple[str, ...]:
        """The types of game that it counts: Main every game, each other list of ours its own (article 24)."""
        return (self.code,) if self.is_national and self.code in TYPES_OF_GAME else self.counts

    @property
    def decimals(self) -> int:
        """How many decimals its published ratings have: the other systems publish whole numbers."""
        return 1 if self.is_national else 0

    def rating(self, value: float | None) -> str:
        """Return a rating of this list."""
        return formatting.rating(value, self.decimals)

    def change(self, value: float | None) -> str:
        """Return a change on this list."""
        return formatting.change(value, self.decimals)

    def direction(self, value: float | None) -> str:
        """`up`, `down` or `same`, as the change is written."""
        return formatting.direction(value, self.decimals)

    def k(self, value: float | None) -> str:
        """K on this list, the US system's with one decimal; empty for none: some of its formulas have no K."""
        if value is None:
            return ""
        return formatting.decimal(value, 1) if self.system == System.USCF else f"{value:g}"

    def follows(self, day: date) -> str:
        """Which system and edition another system's list follows for an event that ended on the day; empty for ours."""
        if self.is_national:
            return ""
        try:
            edition = edition_of(ADAPTERS[self.system], self.edition, day).name
        except EditionError:
            return gettext("%(system)s system") % {"system": self.system.upper()}
        return gettext("%(system)s system, edition %(edition)s") % {"system": self.system.upper(), "edition": edition}

    def rules(self, day: date) -> str:
        """Return what another system's list follows, what it counts and where newcomers start, in sentences; empty for ours."""
        if self.is_national:
            return ""
        try:
            edition = edition_of(ADAPTERS[self.system], self.edition, day).name
        except EditionError:
            edition = ""
        edition = gettext("edition %(edition)s") % {"edition": edition} if edition else gettext("no edition yet")
        if not self.edition and len({version.since for version in dated(ADAPTERS[self.system].editions)}) > 1:
            edition = gettext("%(edition)s, or the one in force on an earlier event’s last day") % {"edition": edition}
        *first, last = map(gettext, self.counts)
        counted = gettext("%(types)s and %(last)s") % {"types": ", ".join(first), "last": last} if first else last
        follows = gettext(
            "It follows the system of %(body)s (%(edition)s) on the same events and counts %(counted)s games."
        ) % {"body": _THE[System(self.system)], "edition": edition, "counted": counted}
        if self.starts_from:
            start = gettext("Players who are new to it bring their published %(name)s rating.") % {
                "name": self.starts_from
            }
        else:
            start = gettext("Players who are new to it start unrated.")
        return f"{follows} {start}"


_THE = {
    System.ICU: gettext_lazy("the Irish Chess Union"),
    System.USCF: gettext_lazy("US Chess"),
    System.CFC: gettext_lazy("the Chess Federation of Canada"),
}
_TYPES = (gettext_noop("standard"), gettext_noop("rapid"), gettext_noop("blitz"))  # as `TYPES_OF_GAME` calls them


def by_kind(lists: Iterable[ListDefinition]) -> tuple[list[ListDefinition], list[ListDefinition]]:
    """Return the regulations' own lists (article 24) and those of other systems, each in their order."""
    national: list[ListDefinition] = []
    others: list[ListDefinition] = []
    for listing in lists:
        (national if listing.is_national else others).append(listing)
    return national, others


def national_lists() -> list[ListDefinition]:
    """Return the regulations' own lists (article 24) in their order. One query, or none while they are kept."""
    return by_kind(kept(list_definitions))[0]


def list_definitions() -> list[ListDefinition]:
    """Return the rating lists in their order. One query."""
    rows = RatingList.objects.order_by("position").values_list(
        "id", "code", "name", "system", "edition", "starts_from__name", *[f"counts_{kind}" for kind in TYPES_OF_GAME]
    )
    definitions, others = [], 0
    for id_, code, name, system, edition, starts_from, *counts in rows:
        kinds = tuple(kind for kind, counted in zip(TYPES_OF_GAME, counts, strict=True) if counted)
        listing = ListDefinition(id_, code, name, system, edition, kinds, starts_from or "", code)
        if not listing.is_national:
            dash = others // COLOURS % DASHES + 1
            listing = replace(listing, mark=f"other-{others % COLOURS + 1} dash-{dash}")
            others += 1
        definitions.append(listing)
    return definitions
