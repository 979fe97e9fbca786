"""The revisions of a month's lists: the one in force, and those that it replaced, which stay readable (article 64)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.db.models import FilteredRelation, Q
from django.http import Http404, QueryDict
from django.utils import timezone
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.database import as_float
from config.lib.pages import position
from players.hidden import hidden_in
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication
from ratings.models import Revision


@dataclass(frozen=True, slots=True)
class ListRevision:
    """A revision of a month's lists: its number from 1, its run, the moment at which it was published, and why.

    `restores`: the number of the former revision whose lists it publishes again; `is_undone`: whether a later one has published
    lists again that are older than its own.
    """

    number: int
    run: int
    published_at: datetime
    reason: str
    restores: int | None = None
    is_undone: bool = False

    @property
    def appeared(self) -> date:
        """The day on which it appeared, in South Africa."""
        return timezone.localdate(self.published_at)

    @property
    def day_text(self) -> str:
        """The day on which it appeared, `12 May 2026`."""
        return formatting.day(self.appeared)

    @property
    def text(self) -> str:
        """What was done with it, when and why, as a sentence: `Corrected on 12 May 2026: …`."""
        values = {"day": self.day_text, "reason": self.reason, "number": self.restores}
        if self.restores is not None:
            return gettext("Taken back on %(day)s, so that revision %(number)s counts again: %(reason)s") % values
        if self.is_undone:
            return gettext("Corrected on %(day)s, and taken back since: %(reason)s") % values
        return gettext("Corrected on %(day)s: %(reason)s") % values

    @property
    def note(self) -> str:
        """When and why, beside what it changed: `12 May 2026: …`."""
        values = {"day": self.day_text, "reason": self.reason}
        if self.restores is not None:
            return gettext("%(day)s, taken back: %(reason)s") % values
        return "%(day)s: %(reason)s" % values


@dataclass(frozen=True, slots=True)
class Revisions:
    """The revisions of a month, oldest first, and which of them is shown."""

    all: list[ListRevision]
    shown: ListRevision

    @property
    def current(self) -> ListRevision:
        """The one in force."""
        return self.all[-1]

    @property
    def is_current(self) -> bool:
        """Whether the one in force is shown."""
        return self.shown is self.current

    @property
    def words(self) -> str:
        """What addresses of the shown revision end with: "" for the one in force."""
        return "" if self.is_current else f"?revision={self.shown.number}"

    @property
    def later(self) -> list[ListRevision]:
        """Those that followed the one that is shown: what was corrected in it, and why."""
        return self.all[self.shown.number :]

    @property
    def earlier(self) -> list[ListRevision]:
        """Those that the one in force replaced."""
        return self.all[:-1]

    @property
    def corrections(self) -> list[ListRevision]:
        """Those that have a reason, latest first."""
        return [revision for revision in reversed(self.all) if revision.number > 1]


def revisions_of(publication: Publication, number: int | None = None) -> Revisions | None:
    """Return the revisions of a month, with the one of a number as the one that is shown, by default the one in force; None
    for a month that was never corrected. Raises Http404 for a number that it has not.

    One query, or none if it was never corrected.
    """
    if publication.revision == 1 and number in (None, 1):
        return None
    found = all_revisions(publication)
    for revision in found:
        if revision.number == (publication.revision if number is None else number):
            return Revisions(found, revision)
    raise Http404(f"The list of {publication.day_text} has no revision {number}.")


def all_revisions(publication: Publication) -> list[ListRevision]:
    """Return the revisions of a month, the first one first. One query."""
    rows = Revision.objects.filter(period__month=publication.month).order_by("number")
    told = list(rows.values_list("number", "run", "published_at", "reason"))
    hidden = hidden_in(reason for _, _, _, reason in told)
    return _told([ListRevision(number, run, at, hidden.replaced(reason)) for number, run, at, reason in told])


def _told(revisions: list[ListRevision]) -> list[ListRevision]:
    """Return the revisions of a month, in order, with which of them publish former lists again."""
    first_of_run: dict[int, int] = {}
    told: list[ListRevision] = []
    for revision in revisions:
        restores = first_of_run.setdefault(revision.run, revision.number)
        if restores < revision.number:
            revision = replace(revision, restores=restores)
            told = [replace(one, is_undone=one.is_undone or one.number > restores) for one in told]
        told.append(revision)
    return told


def at_revision(publication: Publication, words: QueryDict) -> tuple[Publication, Revisions | None]:
    """Return a month as the revision that an address asks for (`?revision=1`) has it, and its revisions. Raises Http404."""
    asked = words.get("revision")
    number = position(asked)
    if asked is not None and number is None:
        raise Http404("A revision is a whole number: 1 is the list as it was first published.")
    return at_number(publication, number)


def at_number(publication: Publication, number: int | None) -> tuple[Publication, Revisions | None]:
    """Return a month as the revision of a number has it, by default the one in force, and its revisions. Raises Http404."""
    revisions = revisions_of(publication, number)
    if revisions is None or revisions.is_current:
        return publication, revisions
    shown = revisions.shown
    return replace(publication, run=shown.run, revision=shown.number, published_at=shown.published_at), revisions


@dataclass(frozen=True, slots=True)
class CorrectedRating:
    """A player's published rating that a correction changed; None: not on the list."""

    publication: Publication
    listing: ListDefinition
    old: float | None
    new: float | None
    revision: ListRevision

    @property
    def old_text(self) -> str:
        """The rating as it was published before, in the places of its list."""
        return self.listing.rating(self.old) if self.old is not None else gettext("not on the list")

    @property
    def new_text(self) -> str:
        """The rating as corrected."""
        return self.listing.rating(self.new) if self.new is not None else gettext("not on the list")


def corrected_ratings(
    player: int, published: Iterable[Publication], lists: Iterable[ListDefinition]
) -> list[CorrectedRating]:
    """Return what corrections of these months changed of a player's ratings, latest list first. One query, none where no
    month was corrected."""
    months = {publication.month: publication for publication in published if publication.revision > 1}
    if not months:
        return []
    rows = Revision.objects.filter(period__month__in=list(months)).annotate(
        of_list=FilteredRelation("run__ratings", condition=Q(run__ratings__player=player))
    )
    figures: dict[date, dict[int, dict[int, float | None]]] = {}
    revisions: dict[date, dict[int, ListRevision]] = {}
    values = list(
        rows.order_by("number").values_list(
            "period__month", "number", "run", "published_at", "reason", "of_list__list", as_float("of_list__published")
        )
    )
    hidden = hidden_in({row[4] for row in values})
    for month, number, run, at, reason, listing, rating in values:
        revisions.setdefault(month, {})[number] = ListRevision(number, run, at, hidden.replaced(reason))
        if listing is not None:
            figures.setdefault(month, {}).setdefault(listing, {})[number] = rating
    corrected = []
    for month in sorted(figures, reverse=True):
        told = {revision.number: revision for revision in _told(list(revisions[month].values()))}
        for listing in lists:
            by_number = figures[month].get(listing.id, {})
            for number in range(2, months[month].revision + 1):
                old, new = by_number.get(number - 1), by_number.get(number)
                if old != new:
                    corrected.append(CorrectedRating(months[month], listing, old, new, told[number]))
    return corrected
