"""Public pages of the published lists."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.kept_reads import kept
from config.languages import counted
from config.lib.csv_lines import csv_lines
from config.lib.pages import position
from config.lib.plain_select import PlainSelect
from config.lib.spreadsheets import cell
from ratings.lists import queries
from ratings.lists.activity import ActivityWindow, activity_on, activity_window
from ratings.lists.addresses import addressed_list, addressed_month
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.lists.forms import ListFilter
from ratings.lists.markup import rows_html
from ratings.lists.revisions import at_revision
from ratings.lists.rows import ListPage, ListRow
from ratings.seals.queries import newest_seal

_CSV_COLUMNS = (
    "list", "list_date", "position", "rank", "number", "last_name", "first_name", "title", "sex", "birth_year", "region",
    "region_name", "club", "games", "rating", "rating_shown", "change", "change_shown", "active",
)  # fmt: skip


@require_safe
@versioned
def months(request: HttpRequest) -> HttpResponse:
    """Show all published lists, by month."""
    published = queries.publications()
    lead = ""
    if published:
        months_text = counted(len(published), "%(count)s month", "%(count)s months")
        lead = gettext("%(months)s, the first on %(day)s.") % {"months": months_text, "day": published[-1].day_text}
    context = {
        "lists": list_definitions(),
        "published": published,
        "lead": lead,
        "newest": newest_seal() if published else None,
        "here": "lists",
    }
    return render(request, "ratings/lists/months.html", context)


@require_safe
@versioned
def rating_list(request: HttpRequest, code: str, period: str = "") -> HttpResponse:
    """Show a published list, by default the latest. A period chosen in the form leads to its address."""
    if "period" in request.GET:
        return _to_period(request, code)
    lists, published = kept(list_definitions), kept(queries.publications)
    listing = addressed_list(lists, code)
    if not published and not period:
        return render(request, "ratings/lists/list.html", {"listing": listing, "publication": None, "here": "lists"})
    in_force = addressed_month(published, period)
    publication, revisions = at_revision(in_force, request.GET)
    window = activity_window(publication, published) if listing.is_national else None
    form = ListFilter(request.GET or None, activity=window, day=publication.day)
    is_valid = not form.is_bound or form.is_valid()
    page = ListPage([], 0, None, None)
    if is_valid:
        page = queries.list_page(
            publication.run,
            listing,
            form.choice(),
            **_narrowing(form, listing, window),
            after=position(request.GET.get("after")),
            before=position(request.GET.get("before")),
        )
    months_of_lists = PlainSelect(choices=[(month.code, month.day_text) for month in published])
    context = {
        "listing": listing,
        "rules": listing.rules(publication.day - timedelta(days=1)),
        "lists": lists,
        "publication": publication,
        "months": months_of_lists.render("period", publication.code, {"id": "id_period"}),
        "is_latest": in_force is published[0],
        "revisions": revisions,
        "form": form,
        "words": form.choice().words,
        "is_narrowed": form.is_narrowed,
        "activity": window,
        "has_more": any(request.GET.get(name) for name in ("group", "sex", "title", "activity", "sort")),
        "page": page,
        "caption": page.caption(found=form.is_narrowed),
        "download": counted(page.total, "Download this player", "Download these %(count)s players"),
        "rows": rows_html(page.rows, surname_first=page.is_by_name),
        "here": "lists",
    }
    return render(request, "ratings/lists/list.html", context)


@require_safe
def players_csv(request: HttpRequest, code: str, period: str) -> HttpResponseBase:
    """Answer with all players of a list, or those that the filter in the address chooses, as CSV in the order of the page."""
    published = queries.publications()
    listing = addressed_list(list_definitions(), code)
    publication, _ = at_revision(addressed_month(published, period), request.GET)
    window = activity_window(publication, published) if listing.is_national else None
    form = ListFilter(request.GET or None, activity=window, day=publication.day)
    if form.is_bound and not form.is_valid():
        wrong = "\n".join(f"{name}: {' '.join(map(str, errors))}" for name, errors in form.errors.items())
        return HttpResponse(f"{wrong}\n", status=400, content_type="text/plain; charset=utf-8")
    rows = queries.list_rows(publication.run, listing, form.choice(), **_narrowing(form, listing, window))
    table = _csv_rows([listing.code, publication.day.isoformat()], rows, has_activity=window is not None)
    revision = f"-revision-{publication.revision}" if "revision" in request.GET else ""
    name = f"{listing.code}-{publication.code}{revision}{'-selection' if form.is_narrowed else ''}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return StreamingHttpResponse(csv_lines(table), content_type="text/csv; charset=utf-8", headers=headers)


def _csv_rows(start: list[str], rows: Iterator[ListRow], *, has_activity: bool) -> Iterator[Iterable[Any]]:
    yield _CSV_COLUMNS
    for row in rows:
        player, figures = row.player, row.figures
        activity = ("yes" if row.is_active else "no") if has_activity else ""
        yield (
            *start, row.position, figures.rank, row.number, cell(player.last_name), cell(player.first_name), row.title,
            player.sex, row.birth_year, row.region, row.region_name, cell(player.club), row.games, figures.rating,
            row.rating, figures.change, row.change, activity,
        )  # fmt: skip


def _narrowing(form: ListFilter, listing: ListDefinition, window: ActivityWindow | None) -> dict[str, Any]:
    """Return what the filter chooses besides its search, as `list_page` takes it."""
    return {
        "order": form.order,
        "activity": activity_on(listing.id, window) if window else None,
        "only_active": form.only_active,
        "narrow": form.narrow if form.condition() else None,
    }


def _to_period(request: HttpRequest, code: str) -> HttpResponse:
    query = request.GET.copy()
    period = query.pop("period")[-1]
    query.pop("after", None)
    query.pop("before", None)
    if query.pop("revision_of", [period])[-1] != period:
        query.pop("revision", None)
    if not any(publication.code == period for publication in queries.publications()):
        raise Http404(f"No list of the rating period {period} is published.")
    kept_words = {name: str(value) for name, value in query.items() if value}
    address = reverse("ratings:list-of", kwargs={"code": code, "period": period})
    return redirect(f"{address}?{urlencode(kept_words)}" if kept_words else address)
