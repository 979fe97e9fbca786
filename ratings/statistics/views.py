"""The page of statistics."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.kept_reads import kept
from config.languages import counted
from config.lib import formatting
from config.lib.days import months_back
from config.lib.plain_select import PlainSelect
from ratings.lists.activity import activity_window
from ratings.lists.addresses import addressed_month
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.distribution import band_text
from ratings.lists.queries import Publication, publications
from ratings.statistics import queries
from ratings.statistics.bars import ABOVE, BELOW, HEIGHT, bars


@require_safe
@versioned
def statistics(request: HttpRequest, code: str = "", period: str = "") -> HttpResponse:
    """Show the statistics of a list of a month, by default of the first list and the latest month."""
    if "period" in request.GET and code:
        return redirect(
            "statistics:of-month", code=code, period=addressed_month(kept(publications), request.GET["period"]).code
        )
    lists, published = kept(list_definitions), kept(publications)
    listing = next((candidate for candidate in lists if code in ("", candidate.code)), None)
    if listing is None:
        raise Http404(f"There is no rating list “{code}”.")
    context: dict[str, Any] = {"here": "lists", "listing": listing}
    if published or period:
        context |= _of(listing, addressed_month(published, period), published) | {"lists": lists}
    return render(request, "ratings/statistics/statistics.html", context)


def _of(listing: ListDefinition, publication: Publication, published: list[Publication]) -> dict[str, Any]:
    figures = queries.list_statistics(listing, publication, published)
    months = PlainSelect(choices=[(month.code, month.day_text) for month in published])
    return {
        "publication": publication,
        "months": months.render("period", publication.code, {"id": "id_period"}),
        "activity": activity_window(publication, published) if listing.is_national else None,
        "players": counted(figures.players, "%(count)s player", "%(count)s players"),
        "classes": [
            (
                band_text(row.first),
                formatting.number(row.players),
                formatting.decimal(100 * row.players / figures.players, 1),
            )
            for row in figures.distribution
        ],
        "bars": bars(
            [(formatting.number(row.first), row.players, formatting.number(row.players)) for row in figures.distribution]
        ),
        "height": ABOVE + HEIGHT + BELOW,
        "label_y": ABOVE + HEIGHT + BELOW - 6,
        "ages": [
            (_age_group(row.name), *(_average(listing, of) for of in (row.women, row.men, row.everybody)))
            for row in figures.ages
        ],
        "fewest": queries.FEWEST,
        "regions": [
            (row.code, row.name, formatting.number(row.players), "" if row.active is None else formatting.number(row.active))
            for row in figures.regions
        ],
        "best_regions": [(row.code, row.name, listing.rating(row.ten_best)) for row in figures.best_regions],
        "hosts": [
            (row.code, row.name, formatting.number(row.events), formatting.number(row.sections))
            for row in figures.hosts
        ],
        "tables": [
            ("risen", gettext("Most improved since %(day)s") % {"day": formatting.day(months_back(publication.day, 1))},
             figures.risen_in_month, gettext("Nobody with games rose in this month.")),
            ("risen-year",
             gettext("Most improved since %(day)s") % {"day": formatting.day(months_back(publication.day, queries.MONTHS))},
             figures.risen_in_year or [],
             gettext("There is no list of that day to compare with.") if figures.risen_in_year is None
             else gettext("Nobody rose.")),
            ("juniors",
             gettext("Best juniors (%(group)s in events of %(year)s)")
             % {"group": figures.junior_group, "year": publication.day.year},
             figures.juniors, gettext("No junior is on this list.")),
            ("women", gettext("Best women"),
             figures.women, gettext("No woman is on this list.")),
        ],
    }  # fmt: skip


def _age_group(name: str) -> str:
    return gettext("adults") if name == queries.ADULTS else name


def _average(listing: ListDefinition, average: queries.Average) -> tuple[str, str]:
    return (
        formatting.number(average.players) if average.players else "",
        "" if average.rating is None else listing.rating(average.rating),
    )
