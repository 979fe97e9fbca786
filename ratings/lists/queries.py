"""Reads what is published: the periods, the places on the lists, and the changes against the month before.

A period's figures are those of the run that it points to. Rows of any other run are never read here.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext

from config.languages import counted
from config.lib import formatting
from config.lib.database import as_float
from config.lib.days import next_month
from config.lib.pages import PAGE_SIZE, keyset_page
from events.models import RatingPeriod
from events.readings.queries import reading
from players.search import Choice
from ratings.lists.definitions import ListDefinition
from ratings.lists.orders import BY_CHANGE, BY_NAME, BY_RANK, Order, by_surname, moved
from ratings.lists.rows import LIST, PLAYER, ListPage, list_row, ranked, row_values
from ratings.lists.rows import ListRow as ListRow
from ratings.models import Activity, Rating, RatingRun

Narrow = Callable[[QuerySet[Rating]], QuerySet[Rating]]


@dataclass(frozen=True, slots=True)
class Publication:
    """A published period: the month of its games, the run that rated them, and numbers of what it rated.

    `appeared`: the day on which it was first published, in South Africa; `revision`: 1, and one more for each correction;
    `kind`: one of `RatingRun.Kind`; `published_at`: the moment at which this revision was published, None for one that is in
    force no longer; `state`: that of the period; `hash`: the SHA-256 of all that the regulations' own lists were calculated
    from; `activity_months`: in how many months of games up to this one a game makes a player active (article 55).
    """

    month: date
    run: int
    sections: int
    games: int
    players: int
    appeared: date
    revision: int = 1
    kind: str = RatingRun.Kind.CALCULATED
    published_at: datetime | None = None
    state: str = ""
    hash: str = ""
    activity_months: int = 0

    @property
    def is_calculated(self) -> bool:
        """Whether this bureau has calculated it, and it was not brought in."""
        return self.kind == RatingRun.Kind.CALCULATED

    @property
    def origin_mark(self) -> str:
        """Where its lists come from, in a few words; "" for a month that was calculated here."""
        if self.kind == RatingRun.Kind.OPENING:
            return gettext("opening balance")
        return "" if self.is_calculated else gettext("list of the former bureau")

    @property
    def origin_text(self) -> str:
        """Where its lists come from, in a sentence; "" for a month that was calculated here."""
        if self.kind == RatingRun.Kind.OPENING:
            return gettext(
                "This is the opening balance: the standings that the federation brought with it, from which the months since"
                " are calculated."
            )
        if self.is_calculated:
            return ""
        return gettext(
            "This list was published by the former bureau and brought in as it was; it was not calculated here."
        )

    @property
    def code(self) -> str:
        """The month of the games as addresses write it, `2026-10`."""
        return f"{self.month:%Y-%m}"

    @property
    def day(self) -> date:
        """The date of the list, from which it counts: the first day of the month after the games (articles 65, 66)."""
        return next_month(self.month)

    @property
    def late_text(self) -> str:
        """The day on which the list appeared, if later than it counts from: `5 Nov 2026`; else ""."""
        return formatting.day(self.appeared) if self.appeared > self.day else ""

    @property
    def counts_text(self) -> str:
        """From which day the list counts, and when it appeared, if that was later."""
        days = {"day": self.long_day_text, "appeared": formatting.long_day(self.appeared)}
        if self.late_text:
            return gettext("from %(day)s; published on %(appeared)s") % days
        return gettext("from %(day)s") % days

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
    def summary(self) -> str:
        """What was rated, in words."""
        if not self.is_calculated:
            players = counted(self.players, "%(count)s rated player", "%(count)s rated players")
            return f"{self.origin_mark}, {players}"
        return gettext("%(games)s in %(sections)s, %(players)s") % {
            "games": counted(self.games, "%(count)s game", "%(count)s games"),
            "sections": counted(self.sections, "%(count)s section", "%(count)s sections"),
            "players": counted(self.players, "%(count)s rated player", "%(count)s rated players"),
        }


def publications() -> list[Publication]:
    """Return all published periods, newest first. One query."""
    rows = (
        RatingPeriod.objects.filter(publication__isnull=False)
        .annotate(
            revision=Max("revisions__number"),
            revised_at=Max("revisions__published_at"),
            activity_months=reading("activity_months"),
        )
        .order_by("-month")
        .values_list(
            "month",
            "publication__run",
            "publication__run__sections",
            "publication__run__games",
            "publication__run__players",
            "published_at",
            "revision",
            "publication__run__kind",
            "revised_at",
            "state",
            "publication__run__input_hash",
            "activity_months",
        )
    )
    return [
        Publication(*row[:5], timezone.localdate(row[5]), *row[6:8], row[8] or row[5], *row[9:11], int(row[11]))
        for row in rows
    ]


def _places(run: int, listing: ListDefinition, order: Order) -> QuerySet[Rating]:
    """Return the rows of a list of a run, with the figures that an order needs."""
    rows = ranked(run, list_id=listing.id)
    if order is BY_NAME:
        return by_surname(rows)
    return rows.annotate(moved=moved()) if order is BY_CHANGE else rows


def _chosen(
    places: QuerySet[Rating],
    choice: Choice,
    *,
    activity: QuerySet[Activity] | None = None,
    only_active: bool = False,
    narrow: Narrow | None = None,
) -> QuerySet[Rating]:
    """Return the rows of the chosen players among `places`, as `list_page` takes the choice."""
    chosen = places.filter(choice.on_name("player__"), choice.place.condition())
    if activity is not None and only_active:
        chosen = chosen.filter(Exists(activity))
    return narrow(chosen) if narrow else chosen


def list_page(
    run: int,
    listing: ListDefinition,
    choice: Choice,
    *,
    order: Order = BY_RANK,
    activity: QuerySet[Activity] | None = None,
    only_active: bool = False,
    narrow: Narrow | None = None,
    after: int | None = None,
    before: int | None = None,
    size: int = PAGE_SIZE,
) -> ListPage:
    """Return the places of a list in an order, after a position, before one, or from the first. Two queries.

    `activity`: what makes a player active, from `ratings.lists.activity`; without it all count as active.
    `narrow`: a further filter of the rows.
    """
    places = _places(run, listing, order)
    chosen = _chosen(places, choice, activity=activity, only_active=only_active, narrow=narrow)
    backwards = before is not None and after is None
    place = before if backwards else after or None
    key = None if place is None else order.key(place, places)
    marked = chosen
    if activity is not None:
        # One activity is looked up for each row of the page; for an EXISTS PostgreSQL would read those of all players.
        marked = chosen.annotate(active=Subquery(activity.values("player_id")[:1]))
    page = keyset_page(row_values(marked), order.fields, key, backwards=backwards, size=size)
    rows = [list_row(listing, row) for row in page.rows]
    is_narrowed = choice or only_active or narrow
    total = chosen.count() if is_narrowed else _last_position(run, listing)
    return ListPage(
        rows,
        total,
        before=rows[0].position if page.earlier else None,
        after=rows[-1].position if page.later else None,
        order=order,
    )


def _last_position(run: int, listing: ListDefinition) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(position) FROM ratings_rating WHERE run_id = %s AND list_id = %s", [run, listing.id])
        return cursor.fetchone()[0] or 0


def list_rows(
    run: int,
    listing: ListDefinition,
    choice: Choice,
    *,
    order: Order = BY_RANK,
    activity: QuerySet[Activity] | None = None,
    only_active: bool = False,
    narrow: Narrow | None = None,
) -> Iterator[ListRow]:
    """Yield all places of a list that are chosen, in an order; `list_page` says how. One query, read as the rows are taken."""
    chosen = _chosen(_places(run, listing, order), choice, activity=activity, only_active=only_active, narrow=narrow)
    if activity is not None:
        chosen = chosen.annotate(active=Exists(activity))
    for row in row_values(chosen.order_by(*order.fields)).iterator():
        yield list_row(listing, row)


def filled_runs(listing: int) -> set[int]:
    """Return the runs, published or not, in which a list has players. One query."""
    on_list = Rating.objects.filter(run=OuterRef("pk"), list=listing, position__isnull=False)
    return set(RatingRun.objects.filter(Exists(on_list)).values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class ListChanges:
    """The changes of one list: the greatest rises and falls, the numbers of new players and of players with games."""

    rises: list[ListRow]
    falls: list[ListRow]
    new: int
    played: int

    @property
    def played_text(self) -> str:
        """The number of players with rated games, as a clause."""
        return counted(self.played, "%(count)s player had rated games", "%(count)s players had rated games")

    @property
    def new_text(self) -> str:
        """The number of players on the list for the first time, as a clause."""
        if self.new == 0:
            return gettext("nobody is rated for the first time")
        return counted(self.new, "%(count)s is rated for the first time", "%(count)s are rated for the first time")

    @property
    def columns(self) -> list[tuple[str, list[ListRow]]]:
        """Rises and falls with their headings."""
        return [(gettext("Greatest rises"), self.rises), (gettext("Greatest falls"), self.falls)]


def changes(run: int, listing: ListDefinition, *, size: int = 5, on_desk: bool = False) -> ListChanges:
    """Return the changes of a list against the month before. `on_desk`: who is hidden is named. Three queries."""
    on_list = ranked(run, list_id=listing.id)
    played = on_list.filter(previous__isnull=False, games__gt=0).annotate(moved=F("now") - F("then"))
    counted = on_list.aggregate(
        new=Count("position", filter=Q(previous__isnull=True)), played=Count("position", filter=Q(games__gt=0))
    )
    rises = row_values(played.filter(moved__gt=0).order_by("-moved", "position"))[:size]
    falls = row_values(played.filter(moved__lt=0).order_by("moved", "position"))[:size]
    return ListChanges(
        [list_row(listing, row, on_desk=on_desk) for row in rises],
        [list_row(listing, row, on_desk=on_desk) for row in falls],
        counted["new"],
        counted["played"],
    )


def rows_of(run: int, listing: ListDefinition, players: Iterable[int]) -> dict[int, ListRow]:
    """Return the lines of players on a run's list by player, best first, as the desk knows them. One query."""
    rows = row_values(ranked(run, list_id=listing.id, player_id__in=list(players)).order_by("position"))
    return {row[PLAYER]: list_row(listing, row, on_desk=True) for row in rows}


def published_ratings(run: int, players: Iterable[int]) -> dict[tuple[int, int], float]:
    """Return published ratings of players in a run by (player, list). One query."""
    rows = Rating.objects.filter(run_id=run, player_id__in=list(players), position__isnull=False)
    return {
        (player, listing): value
        for player, listing, value in rows.values_list("player_id", "list_id", as_float("published"))
    }


def raw_ratings(wanted: Iterable[tuple[int, int]], listings: Iterable[int]) -> dict[tuple[int, int, int], float]:
    """Return raw ratings by (run, player, list), for the `wanted` pairs (run, player) on some lists, without unrated ones.

    One query. The pairs are joined as a table, so that each costs one look-up in the primary key for each list.
    """
    pairs, on = sorted(set(wanted)), sorted(set(listings))
    if not pairs or not on:
        return {}
    values = ", ".join(f"({int(run)}, {int(player)})" for run, player in pairs)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH wanted (run_id, player_id) AS (VALUES {values})"  # noqa: S608 (whole numbers only)
            " SELECT wanted.run_id, wanted.player_id, rating.list_id, CAST(rating.raw AS double precision)"
            " FROM wanted JOIN ratings_rating rating ON rating.run_id = wanted.run_id"
            f" AND rating.list_id IN ({', '.join(str(int(listing)) for listing in on)})"
            " AND rating.player_id = wanted.player_id WHERE rating.raw IS NOT NULL"
        )
        return {(run, player, listing): value for run, player, listing, value in cursor.fetchall()}


def run_before(published: Iterable[Publication]) -> dict[date, int]:
    """Return month → run of the month before, which has the ratings at the start of the period."""
    return {next_month(publication.month): publication.run for publication in published}


def tops(run: int, lists: Iterable[ListDefinition], *, size: int = 5) -> list[tuple[ListDefinition, list[ListRow]]]:
    """Return the first places of each list that has any. One query."""
    rows_by_list: dict[int, list[ListRow]] = {}
    by_id = {listing.id: listing for listing in lists}
    for row in row_values(ranked(run, list_id__in=list(by_id), position__lte=size).order_by("list_id", "position")):
        rows_by_list.setdefault(row[LIST], []).append(list_row(by_id[row[LIST]], row))
    return [(listing, rows_by_list[listing.id]) for listing in by_id.values() if listing.id in rows_by_list]
