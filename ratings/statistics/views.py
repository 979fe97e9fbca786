"""The page of statistics."""

from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.kept_reads import kept
from config.lib import formatting
from config.lib.days import months_back
from config.lib.plain_select import PlainSelect
from ratings.lists.activity import activity_window, is_active
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.distribution import BAND
from ratings.lists.queries import Publication, publications
from ratings.statistics import queries
from ratings.statistics.bars import ABOVE, BELOW, HEIGHT, bars


@require_safe
@versioned
def statistics(request: HttpRequest, code: str = "", period: str = "") -> HttpResponse:
    """Show the statistics of a list of a month, by default of the first list and the latest month."""
    if "period" in request.GET and code:
        return redirect("statistics:of-month", code=code, period=_publication(request.GET["period"]).code)
    lists, published = kept(list_definitions), kept(publications)
    listing = next((candidate for candidate in lists if code in ("", candidate.code)), None)
    if listing is None:
        raise Http404(f"There is no rating list “{code}”.")
    context: dict[str, Any] = {"here": "lists", "listing": listing}
    if published or period:
        context |= _of(listing, _publication(period), published) | {"lists": lists}
    return render(request, "ratings/statistics/statistics.html", context)


def _publication(period: str) -> Publication:
    for publication in kept(publications):
        if period in ("", publication.code):
            return publication
    raise Http404(f"No list of the rating period {period} is published.")


def _of(listing: ListDefinition, publication: Publication, published: list[Publication]) -> dict[str, Any]:
    run, year = publication.run, publication.day.year
    window = activity_window(publication, published) if listing.is_national else None
    classes, ages = queries.bands_and_ages(run, listing, year=year)
    regions = queries.regions(run, listing, is_active(listing.id, window) if window else None)
    best = sorted((region for region in regions if region.ten_best is not None), key=lambda row: -(row.ten_best or 0))
    earlier_month = months_back(publication.month, queries.MONTHS)
    earlier = next((other for other in published if other.month == earlier_month), None)
    group, is_junior = queries.juniors(year=year)
    players = sum(rating_class.players for rating_class in classes)
    months = PlainSelect(choices=[(month.code, month.day_text) for month in published])
    return {
        "publication": publication,
        "months": months.render("period", publication.code, {"id": "id_period"}),
        "activity": window,
        "players": formatting.count(players, "player"),
        "classes": [
            (
                f"{formatting.number(row.first)}–{formatting.number(row.first + BAND - 1)}",
                formatting.number(row.players),
                f"{100 * row.players / players:.1f}",
            )
            for row in classes
        ],
        "bars": bars([(formatting.number(row.first), row.players, formatting.number(row.players)) for row in classes]),
        "height": ABOVE + HEIGHT + BELOW,
        "label_y": ABOVE + HEIGHT + BELOW - 6,
        "ages": [
            (row.name, *(_average(listing, of) for of in (row.women, row.men, row.everybody))) for row in ages
        ],
        "fewest": queries.FEWEST,
        "regions": [
            (row.code, row.name, formatting.number(row.players), "" if row.active is None else formatting.number(row.active))
            for row in regions
        ],
        "best_regions": [(row.code, row.name, listing.rating(row.ten_best)) for row in best],
        "hosts": [
            (row.code, row.name, formatting.number(row.events), formatting.number(row.sections))
            for row in queries.events_by_region(publication.month)
        ],
        "tables": [
            ("risen", f"Most improved since {formatting.day(months_back(publication.day, 1))}",
             queries.risen_in_month(run, listing), "Nobody with games rose in this month."),
            ("risen-year", f"Most improved since {formatting.day(months_back(publication.day, queries.MONTHS))}",
             queries.risen_since(run, listing, earlier.run) if earlier else [],
             "Nobody rose." if earlier else "There is no list of that day to compare with."),
            ("juniors", f"Best juniors ({group} in events of {year})",
             queries.best_players(run, listing, is_junior), "No junior is on this list."),
            ("women", "Best women",
             queries.best_players(run, listing, Q(player__sex="F")), "No woman is on this list."),
        ],
    }  # fmt: skip


def _average(listing: ListDefinition, average: queries.Average) -> tuple[str, str]:
    return (
        formatting.number(average.players) if average.players else "",
        "" if average.rating is None else listing.rating(average.rating),
    )
