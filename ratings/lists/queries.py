"""Reading what is published: the periods, the places on the lists, and what changed with the latest one.

A period's figures are those of the run that it points to. Rows of any other run are never read here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import Count, Max, Q

from config.lib import formatting
from config.lib.database import as_float
from config.lib.days import next_month
from config.lib.pages import PAGE_SIZE, keyset_page
from events.models import RatingPeriod
from players.search import Choice
from ratings.lists.definitions import ListDefinition
from ratings.models import Rating


@dataclass(frozen=True, slots=True)
class Publication:
    """A published period. `code` names it in addresses: the month whose games it rates, `2026-10`."""

    month: date
    run: int
    sections: int
    games: int
    players: int

    @property
    def code(self) -> str:
        """The rating period as addresses write it."""
        return f"{self.month:%Y-%m}"

    @property
    def day(self) -> date:
        """The date of the list: the first day of the month after the games (articles 65, 66)."""
        return next_month(self.month)

    @property
    def day_text(self) -> str:
        """The date of the list, `1 Nov 2026`."""
        return formatting.day(self.day)

    @property
    def long_day_text(self) -> str:
        """The date of the list in a heading, `1 November 2026`."""
        return formatting.long_day(self.day)

    @property
    def month_text(self) -> str:
        """The month of the games, `October 2026`."""
        return formatting.month(self.month)

    @property
    def sections_text(self) -> str:
        """How many sections were rated."""
        return formatting.number(self.sections)

    @property
    def games_text(self) -> str:
        """How many games they had."""
        return formatting.number(self.games)

    @property
    def players_text(self) -> str:
        """How many players have a rating."""
        return formatting.number(self.players)

    @property
    def summary(self) -> str:
        """What was rated, in words."""
        return (
            f"{formatting.count(self.games, 'game')} in {formatting.count(self.sections, 'section')}, "
            f"{formatting.count(self.players, 'rated player')}"
        )


def publications() -> list[Publication]:
    """All published periods, the newest first. One query."""
    rows = (
        RatingPeriod.objects.filter(publication__isnull=False)
        .order_by("-month")
        .values_list(
            "month",
            "publication__run",
            "publication__run__sections",
            "publication__run__games",
            "publication__run__players",
        )
    )
    return [Publication(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class ListRow:
    """A player's line on a published list."""

    position: int
    rank: str
    number: str
    name: str
    title: str
    region: str
    region_name: str
    birth_year: int | None
    sex: str
    rating: str
    change: str
    direction: str
    games: int


@dataclass(frozen=True, slots=True)
class ListPage:
    """A stretch of a list. `before` and `after` are the positions to go on from; None at either end."""

    rows: list[ListRow]
    total: int
    before: int | None
    after: int | None

    @property
    def total_text(self) -> str:
        """How many players the list, narrowed or not, holds."""
        return formatting.count(self.total, "player")

    @property
    def stretch(self) -> str:
        """The places shown, of the whole list: `places 51–100`."""
        if not self.rows:
            return ""
        first, last = self.rows[0].position, self.rows[-1].position
        return f"places {formatting.number(first)}–{formatting.number(last)}"


_LIST_FIELDS = (
    "position",
    "rank",
    "player__number",
    "player__first_name",
    "player__last_name",
    "player__title_id",
    "region__code",
    "region__name",
    "player__birth_year",
    "player__sex",
    "games",
)


def list_page(
    run: int,
    listing: ListDefinition,
    choice: Choice,
    *,
    after: int | None = None,
    before: int | None = None,
    size: int = PAGE_SIZE,
) -> ListPage:
    """The places of a list after a position, or before one; the first ones when neither is given. Two queries.

    Keyset pages: the cost is the same at any depth.
    """
    ranked = Rating.objects.filter(run_id=run, list_id=listing.id, position__isnull=False)
    ranked = ranked.filter(choice.on_name("player__"), choice.place.condition())
    backwards = before is not None and after is None
    place = before if backwards else after or None
    stretch = keyset_page(
        ranked.annotate(now=as_float("published"), then=as_float("previous")).values_list(*_LIST_FIELDS, "now", "then"),
        ("position",),
        None if place is None else (place,),
        backwards=backwards,
        size=size,
    )
    rows = [_list_row(listing, *row) for row in stretch.rows]
    total = ranked.count() if choice else ranked.aggregate(last=Max("position"))["last"] or 0
    return ListPage(
        rows,
        total,
        before=rows[0].position if stretch.earlier else None,
        after=rows[-1].position if stretch.later else None,
    )


def _list_row(
    listing: ListDefinition,
    position: int,
    rank: int,
    number: str,
    first_name: str,
    last_name: str,
    title: str | None,
    region: str | None,
    region_name: str | None,
    birth_year: int | None,
    sex: str,
    games: int,
    now: float,
    then: float | None,
) -> ListRow:
    moved = None if then is None else now - then
    return ListRow(
        position=position,
        rank=formatting.number(rank),
        number=number,
        name=f"{first_name} {last_name}".strip(),
        title=title or "",
        region=region or "",
        region_name=region_name or "",
        birth_year=birth_year,
        sex=sex,
        rating=listing.rating(now),
        change="new" if moved is None else listing.change(moved),
        direction=listing.direction(moved),
        games=games,
    )


@dataclass(frozen=True, slots=True)
class ListChanges:
    """What a publication changed on one list: the greatest rises and falls, and how many are new."""

    rises: list[ListRow]
    falls: list[ListRow]
    new: int
    played: int

    @property
    def played_text(self) -> str:
        """How many had games, with the verb."""
        return f"{formatting.count(self.played, 'player')} had rated games"

    @property
    def new_text(self) -> str:
        """How many are on the list for the first time, with the verb."""
        who = "nobody is" if self.new == 0 else "1 is" if self.new == 1 else f"{formatting.number(self.new)} are"
        return f"{who} rated for the first time"

    @property
    def columns(self) -> list[tuple[str, list[ListRow]]]:
        """Rises and falls with their headings."""
        return [("Greatest rises", self.rises), ("Greatest falls", self.falls)]


def changes(run: int, listing: ListDefinition, *, size: int = 5) -> ListChanges:
    """What changed on a list against the one before. Three queries."""
    ranked = Rating.objects.filter(run_id=run, list_id=listing.id, position__isnull=False)
    moved = ranked.filter(previous__isnull=False, games__gt=0).annotate(
        now=as_float("published"), then=as_float("previous"), moved=as_float("published") - as_float("previous")
    )
    counted = ranked.aggregate(
        new=Count("position", filter=Q(previous__isnull=True)), played=Count("position", filter=Q(games__gt=0))
    )
    rises = moved.filter(moved__gt=0).order_by("-moved", "position").values_list(*_LIST_FIELDS, "now", "then")[:size]
    falls = moved.filter(moved__lt=0).order_by("moved", "position").values_list(*_LIST_FIELDS, "now", "then")[:size]
    return ListChanges(
        [_list_row(listing, *row) for row in rises],
        [_list_row(listing, *row) for row in falls],
        counted["new"],
        counted["played"],
    )


def rows_of(run: int, listing: ListDefinition, players: Iterable[int]) -> dict[int, ListRow]:
    """The lines of some players on a run's list, by player, best first. One query."""
    ranked = Rating.objects.filter(run_id=run, list_id=listing.id, position__isnull=False, player_id__in=list(players))
    rows = ranked.order_by("position").annotate(now=as_float("published"), then=as_float("previous"))
    return {
        player: _list_row(listing, *row) for player, *row in rows.values_list("player_id", *_LIST_FIELDS, "now", "then")
    }


def published_ratings(run: int, players: Iterable[int]) -> dict[tuple[int, int], float]:
    """The published ratings of some players in a run, by player and list. One query."""
    rows = Rating.objects.filter(run_id=run, player_id__in=list(players), published__isnull=False)
    return {
        (player, listing): value
        for player, listing, value in rows.values_list("player_id", "list_id", as_float("published"))
    }


def raw_ratings(wanted: Iterable[tuple[int, int]], listing: int) -> dict[tuple[int, int], float]:
    """Raw ratings on one list by (run, player), for the pairs asked for; unrated ones are left out. One query.

    The pairs are joined as a table of their own: each costs one look into the primary key.
    """
    pairs = sorted(set(wanted))
    if not pairs:
        return {}
    values = ", ".join(f"({int(run)}, {int(player)})" for run, player in pairs)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH wanted (run_id, player_id) AS (VALUES {values})"  # noqa: S608 (whole numbers only)
            " SELECT wanted.run_id, wanted.player_id, CAST(rating.raw AS double precision)"
            " FROM wanted JOIN ratings_rating rating ON rating.run_id = wanted.run_id AND rating.list_id = %s"
            " AND rating.player_id = wanted.player_id WHERE rating.raw IS NOT NULL",
            [listing],
        )
        return {(run, player): value for run, player, value in cursor.fetchall()}


def run_before(published: Iterable[Publication]) -> dict[date, int]:
    """For each month the run of the month before it: the ratings at the start of the period."""
    return {next_month(publication.month): publication.run for publication in published}


def tops(run: int, lists: Iterable[ListDefinition], *, size: int = 5) -> list[tuple[ListDefinition, list[ListRow]]]:
    """The first places of every list that has any. One query."""
    rows_by_list: dict[int, list[ListRow]] = {}
    by_id = {listing.id: listing for listing in lists}
    rows = (
        Rating.objects.filter(run_id=run, list_id__in=list(by_id), position__lte=size)
        .annotate(now=as_float("published"), then=as_float("previous"))
        .order_by("list_id", "position")
        .values_list("list_id", *_LIST_FIELDS, "now", "then")
    )
    for listing, *row in rows:
        rows_by_list.setdefault(listing, []).append(_list_row(by_id[listing], *row))
    return [(listing, rows_by_list[listing.id]) for listing in by_id.values() if listing.id in rows_by_list]
