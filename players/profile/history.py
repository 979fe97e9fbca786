"""A player's ratings month by month: cards, chart and table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models.functions import Cast
from django.utils.translation import gettext, ngettext

from config.lib import formatting
from config.lib.database import as_float
from config.lib.days import months_back
from players.profile.chart import Point, Series
from ratings.lists.activity import ActivityWindow
from ratings.lists.definitions import ListDefinition, by_kind
from ratings.lists.queries import Publication
from ratings.models import Rating


@dataclass(frozen=True, slots=True)
class ListStanding:
    """A player's row on one list in one published period, as numbers. `change`: what the games of the month earned."""

    publication: Publication
    listing: int
    games: int
    published: float | None
    previous: float | None
    raw: float | None
    weighted: float | None
    weighted_performance: float | None
    highest: float | None
    change: float | None
    k: float | None
    position: int | None
    rank: int | None

    @property
    def moved(self) -> float | None:
        """The change against the list before; None on the first list."""
        return None if self.published is None or self.previous is None else self.published - self.previous


def standing_columns() -> list[str | Cast]:
    """Return what `standings_from` reads of a rating: run and list, then the figures in the order of `ListStanding`."""
    figures = ("published", "previous", "raw", "weighted", "weighted_performance", "highest", "change")
    return ["run_id", "list_id", "games", *map(as_float, figures), "k", "position", "rank"]


def standings_from(rows: Iterable[Sequence[Any]], published: Iterable[Publication]) -> list[ListStanding]:
    """Return the rows of published runs as standings, oldest first; without those of lists that left the player out, because
    he had died."""
    by_run = {publication.run: publication for publication in published}
    every = [ListStanding(by_run[run], *values) for run, *values in rows if run in by_run]
    result = [standing for standing in every if standing.published is None or standing.position is not None]
    result.sort(key=lambda standing: standing.publication.month)
    return result


def standings(player: int, published: Sequence[Publication]) -> list[ListStanding]:
    """Return a player's rows of all published periods, oldest first. One query."""
    rows = Rating.objects.filter(player_id=player).order_by().values_list(*standing_columns())
    return standings_from(rows, published)


@dataclass(frozen=True, slots=True)
class RatingCard:
    """A player's latest standing on a list, as text. `follows`: the system and edition of a list outside the regulations.

    `peak_day`: the first list with his highest rating; `k_by`: the highest rating before the month, which set K, or "".
    """

    listing: ListDefinition
    follows: str
    day: str
    rating: str
    change: str
    direction: str
    rank: str
    position: int | None
    raw: str
    weighted: str
    highest: str
    peak_day: str
    k: str
    k_by: str
    games: int
    activity: str
    code: str

    @property
    def page(self) -> str:
        """The query of the list's page that has the player in its middle; empty for the first one."""
        return f"?after={self.position - 20}" if self.position and self.position > 20 else ""


def cards(
    player_standings: Sequence[ListStanding],
    lists: Sequence[ListDefinition],
    activity: ActivityWindow | None,
    counted: Mapping[tuple[int, int], int],
) -> list[RatingCard]:
    """Return the latest standing on each list on which the player is rated.

    `counted`: (run, list) → games that count towards his activity; those of the window are shown on the national lists.
    """
    result = []
    for listing, standing in latest_standings(player_standings, lists):
        moved = standing.moved
        result.append(
            RatingCard(
                listing=listing,
                follows=listing.follows(standing.publication.day - timedelta(days=1)),
                day=standing.publication.day_text,
                rating=listing.rating(standing.published),
                change=gettext("new") if moved is None else listing.change(moved),
                direction=listing.direction(moved),
                rank=formatting.number(standing.rank or 0),
                position=standing.position,
                raw=formatting.rating(standing.raw),
                weighted=formatting.rating(standing.weighted),
                highest=listing.rating(standing.highest),
                peak_day=_peak_day(player_standings, standing),
                k=listing.k(standing.k),
                k_by=_highest_before(player_standings, standing, listing),
                games=standing.games,
                activity=_activity_text(listing, activity, counted),
                code=standing.publication.code,
            )
        )
    return result


def _peak_day(player_standings: Sequence[ListStanding], latest: ListStanding) -> str:
    on_list = (standing for standing in player_standings if standing.listing == latest.listing)
    peak = next((standing for standing in on_list if standing.published == latest.highest), None)
    return peak.publication.day_text if peak else ""


def _highest_before(player_standings: Sequence[ListStanding], latest: ListStanding, listing: ListDefinition) -> str:
    month = months_back(latest.publication.month, 1)
    for standing in player_standings:
        if (standing.publication.month, standing.listing) == (month, latest.listing) and standing.highest is not None:
            return listing.rating(standing.highest)
    return ""


def latest_standings(
    player_standings: Sequence[ListStanding], lists: Sequence[ListDefinition]
) -> list[tuple[ListDefinition, ListStanding]]:
    """Return the lists on which the player is rated, each with his latest standing there."""
    latest = {standing.listing: standing for standing in player_standings if standing.published is not None}
    return [(listing, latest[listing.id]) for listing in lists if listing.id in latest]


def active_games(
    listing: ListDefinition, activity: ActivityWindow | None, counted: Mapping[tuple[int, int], int]
) -> int | None:
    """Return the games of the window that count towards activity on a list; None on lists that have no activity."""
    if activity is None or not listing.is_national:
        return None
    return sum(counted.get((run, listing.id), 0) for run in activity.runs)


def _activity_text(
    listing: ListDefinition, activity: ActivityWindow | None, counted: Mapping[tuple[int, int], int]
) -> str:
    games = active_games(listing, activity, counted)
    return "" if games is None else formatting.number(games)


RANGES = (1, 3, 5)  # years


def ranges(player_standings: Sequence[ListStanding], asked: str) -> list[tuple[str, str, bool]]:
    """Return the stretches of time that a chart can show, as (text, years, whether it is the one asked for).

    Only those shorter than the history, and all of it; none where there is no choice.
    """
    days = [standing.publication.month for standing in player_standings if standing.published is not None]
    if not days:
        return []
    months = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month
    shorter = [(_years(years), str(years), asked == str(years)) for years in RANGES if years * 12 < months]
    return [*shorter, (gettext("all"), "", not any(chosen for *_, chosen in shorter))] if shorter else []


def _years(number: int) -> str:
    return ngettext("%(number)s year", "%(number)s years", number) % {"number": number}


def within(player_standings: Sequence[ListStanding], chosen: Sequence[tuple[str, str, bool]]) -> Sequence[ListStanding]:
    """Return the standings of the stretch chosen among `ranges`."""
    years = next((years for _, years, is_chosen in chosen if is_chosen), "")
    if not years:
        return player_standings
    first = months_back(player_standings[-1].publication.month, 12 * int(years))
    return [standing for standing in player_standings if standing.publication.month >= first]


def series(player_standings: Sequence[ListStanding], lists: Sequence[ListDefinition]) -> list[Series]:
    """Return a series for each list, by the date of the list, for the chart.

    Only the national lists have a raw rating besides the published one. Only they are drawn at first, unless the player is
    on none of them.
    """
    national = {listing.id for listing in by_kind(lists)[0]}
    on_national = any(standing.listing in national and standing.published is not None for standing in player_standings)
    return [
        Series(
            listing.code,
            listing.name,
            [
                Point(
                    standing.publication.day,
                    standing.published,
                    standing.raw if listing.is_national else None,
                    standing.games,
                )
                for standing in player_standings
                if standing.listing == listing.id and standing.published is not None
            ],
            mark=listing.mark,
            decimals=listing.decimals,
            shown=listing.is_national or not on_national,
        )
        for listing in lists
    ]


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A row of the table behind the chart: the lists' date, then published rating, raw rating and games of every list.

    Lists of other systems have no raw rating.
    """

    day_text: str
    place: float | None  # per cent of the chart's width
    texts: list[str]


def history_rows(
    player_standings: Sequence[ListStanding], lists: Sequence[ListDefinition], places: Mapping[date, float]
) -> list[HistoryRow]:
    """Return the table behind the chart, newest month first: the months in which the player is rated on one of the lists."""
    by_day: dict[date, dict[int, ListStanding]] = {}
    list_ids = {listing.id for listing in lists}
    for standing in player_standings:
        if standing.listing in list_ids and standing.published is not None:
            by_day.setdefault(standing.publication.day, {})[standing.listing] = standing
    rows = []
    for day in sorted(by_day, reverse=True):
        texts: list[str] = []
        for listing in lists:
            on_list = by_day[day].get(listing.id)
            texts.append(listing.rating(on_list.published if on_list else None))
            if listing.is_national:
                texts.append(listing.rating(on_list.raw if on_list else None))
            texts.append(str(on_list.games) if on_list and on_list.games else "")
        rows.append(HistoryRow(formatting.day(day), places.get(day), texts))
    return rows


def compared_rows(series: Sequence[Series], places: Mapping[date, float]) -> list[HistoryRow]:
    """Return the table behind a chart of several players: the published rating of each, newest month first."""
    by_day: dict[date, dict[str, str]] = {}
    for line in series:
        for point in line.points:
            by_day.setdefault(point.month, {})[line.code] = formatting.rating(point.published, line.decimals)
    return [
        HistoryRow(
            formatting.day(day), places.get(day), [by_day[day].get(line.code, formatting.NONE) for line in series]
        )
        for day in sorted(by_day, reverse=True)
    ]
