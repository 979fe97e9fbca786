"""Reads the live list, which is not official: the standing of the open month by the events accepted so far."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Max, QuerySet

from config.lib.database import as_float
from config.lib.days import next_month
from config.lib.pages import PAGE_SIZE, keyset_page
from events.models import Event, Section
from events.rules.states import State
from events.visibility import public_events
from players.search import Choice
from ratings.lists.definitions import ListDefinition
from ratings.lists.rows import ListPage, list_row, row_values
from ratings.models import LiveList, LiveRating


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """A section that the live ratings count."""

    event: int
    name: str
    section: str
    region: str
    ends: date


@dataclass(frozen=True, slots=True)
class Live:
    """What the live ratings stand on. `month`: of the games; `games`: how many are in."""

    month: date
    as_of: datetime
    games: int
    sections: tuple[int, ...]

    @property
    def day(self) -> date:
        """The date of the official list that is to follow (articles 65, 66)."""
        return next_month(self.month)


def live() -> Live | None:
    """Return what the live ratings stand on; None before the workers have calculated those of the open month. One query."""
    row = (
        LiveList.objects.filter(period__publication=None)
        .values_list("period__month", "as_of", "games", "sections")
        .first()
    )
    return None if row is None else Live(row[0], row[1], row[2], tuple(row[3]))


def live_page(
    listing: ListDefinition,
    choice: Choice,
    *,
    after: int | None = None,
    before: int | None = None,
    size: int = PAGE_SIZE,
    narrow: Callable[[QuerySet[LiveRating]], QuerySet[LiveRating]] | None = None,
) -> ListPage:
    """Return the live places of a list after a position, before one, or from the first: `change` is that against the published
    list. `narrow`: a further filter of the rows. Two queries."""
    on_list = LiveRating.objects.filter(list=listing.id, position__isnull=False)
    chosen = on_list.filter(choice.on_name("player__"), choice.place.condition())
    if narrow:
        chosen = narrow(chosen)
    rows: QuerySet[Any, tuple[Any, ...]] = row_values(
        chosen.annotate(now=as_float("published"), then=as_float("previous"))
    )
    backwards = before is not None and after is None
    place = before if backwards else after or None
    page = keyset_page(rows, ("position",), None if place is None else (place,), backwards=backwards, size=size)
    lines = [list_row(listing, row) for row in page.rows]
    total = chosen.count() if choice or narrow else on_list.aggregate(last=Max("position"))["last"] or 0
    return ListPage(
        lines,
        total,
        before=lines[0].position if page.earlier else None,
        after=lines[-1].position if page.later else None,
    )


@dataclass(frozen=True, slots=True)
class LiveStanding:
    """A player's live rating on a list. `previous`: that of the latest published list; None for who is new to the list."""

    listing: ListDefinition
    rating: float
    previous: float | None
    games: int

    @property
    def change(self) -> float | None:
        """The change against the published list; None for who is new to it."""
        return None if self.previous is None else self.rating - self.previous

    @property
    def is_shown_otherwise(self) -> bool:
        """Whether pages show another rating than the published one."""
        return self.listing.rating(self.rating) != self.listing.rating(self.previous)


def live_events(sections: tuple[int, ...]) -> list[LiveEvent]:
    """Return the sections that are in, the latest first. One query."""
    rows = Section.objects.filter(pk__in=sections).order_by("-ends", "event__name", "position")
    fields = rows.values_list("event_id", "event__name", "name", "event__region__code", "ends")
    return [LiveEvent(*row) for row in fields]


def submitted_events() -> int:
    """Return how many events are submitted and not accepted yet. One query."""
    return Event.objects.filter(public_events(), state=State.SUBMITTED.value).count()
