"""Reads what was corrected of sections that are published, and the adjustments of players."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from config.kept_reads import kept
from config.lib import formatting
from config.lib.shown_rows import Shown, first_of
from events.amending.differences import ContentDifference, differences
from players.hidden import hidden_in
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication
from ratings.models import Adjustment, Amendment, Rerating


def not_rerated(today: date) -> QuerySet[Rerating]:
    """Return the re-ratings that failed, or whose publication a worker refused."""
    return Rerating.objects.filter(
        Q(state=Rerating.State.FAILED) | Q(state=Rerating.State.CALCULATED) & ~Q(error=""),
    )


@dataclass(frozen=True, slots=True)
class SectionCorrection:
    """What a published correction changed of a section, when and why.

    `month`: what was published was let stand, and this month's calculation corrected the ratings; None: it was re-rated.
    """

    section: int
    name: str
    on: date
    reason: str
    differences: Shown[ContentDifference]
    month: date | None = None

    @property
    def month_text(self) -> str:
        """The month whose calculation corrected the ratings."""
        return formatting.month(self.month) if self.month else ""

    @property
    def day_text(self) -> str:
        """The day, `12 May 2026`."""
        return formatting.day(self.on)


def section_corrections(sections: Iterable[int]) -> list[SectionCorrection]:
    """Return the corrections of sections that are in force, latest first; no query where none of them was corrected."""
    chosen = kept(_corrected_sections) & set(sections)
    if not chosen:
        return []
    amendments = Amendment.objects.exclude(Amendment.OPEN).filter(section__in=chosen).select_related("section")
    rows = list(amendments.annotate(corrected_in=Min("rerating__adjustments__period__month")).order_by("-pk"))
    hidden = hidden_in(row.reason for row in rows)
    corrections = [
        SectionCorrection(
            row.section_id,
            row.section.name,
            timezone.localdate(row.applied_at or row.let_stand_at),
            hidden.replaced(row.reason),
            first_of(differences(row.before, row.after, public=True)),
            row.corrected_in,
        )
        for row in rows
    ]
    return sorted(corrections, key=lambda correction: correction.on, reverse=True)


def _corrected_sections() -> frozenset[int]:
    return frozenset(Amendment.objects.exclude(Amendment.OPEN).values_list("section_id", flat=True))


@dataclass(frozen=True, slots=True)
class PlayerAdjustment:
    """Points by which a month's calculation corrects a player's raw rating, decided on a day; `publication` None: not yet."""

    listing: ListDefinition
    month: date
    publication: Publication | None
    points: float
    on: date
    reason: str

    @property
    def points_text(self) -> str:
        """The points with their sign: `+12.50`."""
        return formatting.change(self.points, 2)

    @property
    def month_text(self) -> str:
        """The month whose calculation they are part of."""
        return formatting.month(self.month)

    @property
    def day_text(self) -> str:
        """The day of the decision, `12 May 2026`."""
        return formatting.day(self.on)


def player_adjustments(
    player: int, published: Iterable[Publication], lists: Iterable[ListDefinition]
) -> list[PlayerAdjustment]:
    """Return the adjustments of a player, latest first; no query for who has none."""
    if player not in kept(_adjusted_players):
        return []
    publications = {publication.month: publication for publication in published}
    listings = {listing.id: listing for listing in lists}
    adjustments = Adjustment.objects.filter(Adjustment.IN_FORCE, player=player).select_related("period")
    rows = list(adjustments.order_by("-period__month", "list__position", "pk"))
    hidden = hidden_in(row.reason for row in rows)
    return [
        PlayerAdjustment(
            listings[row.list_id],
            row.period.month,
            publications.get(row.period.month),
            float(row.points),
            timezone.localdate(row.at),
            hidden.replaced(row.reason),
        )
        for row in rows
        if row.list_id in listings
    ]


def adjusted_points(adjustments: Iterable[PlayerAdjustment]) -> dict[tuple[date, int], float]:
    """Return (month, list) → the points by which its calculation adjusts a player."""
    points: dict[tuple[date, int], float] = {}
    for adjustment in adjustments:
        key = adjustment.month, adjustment.listing.id
        points[key] = points.get(key, 0.0) + adjustment.points
    return points


def _adjusted_players() -> frozenset[int]:
    return frozenset(Adjustment.objects.filter(Adjustment.IN_FORCE).values_list("player_id", flat=True))
